// SPDX-License-Identifier: BSL-1.0
// The life of a job, edge by edge, against a list of legal edges that was typed independently of
// the table.
#include <berth/model/job_state.hpp>

#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace job_state_test {

using namespace berth;

namespace {
struct edge {
  job_state from;
  job_event event;
  job_state to;
};

std::vector<edge> legal_edges() {
  using enum job_state;
  std::vector<edge> edges{
      {submitted, job_event::admit, pending},
      {submitted, job_event::cancel, cancelled},
      {submitted, job_event::complete, finished},
      {submitted, job_event::give_up, failed},

      {pending, job_event::reserve, reserving},
      {pending, job_event::launch, launching},
      {pending, job_event::cancel, cancelled},
      {pending, job_event::complete, finished},
      {pending, job_event::give_up, failed},

      {reserving, job_event::unreserve, pending},
      {reserving, job_event::launch, launching},
      {reserving, job_event::cancel, cancelled},
      {reserving, job_event::complete, finished},
      {reserving, job_event::give_up, failed},

      {launching, job_event::started, running},
      {launching, job_event::launch_failed, pending},
      {launching, job_event::preempt, draining},
      {launching, job_event::cancel, cancelling},
      {launching, job_event::complete, finished},
      {launching, job_event::run_failed, pending},
      {launching, job_event::give_up, failed},
      {launching, job_event::gang_lost, pending},
      {launching, job_event::stopped, pending},

      {running, job_event::preempt, draining},
      {running, job_event::cancel, cancelling},
      {running, job_event::complete, finished},
      {running, job_event::run_failed, pending},
      {running, job_event::give_up, failed},
      {running, job_event::gang_lost, pending},
      {running, job_event::stopped, pending},

      {draining, job_event::stopped, pending},
      {draining, job_event::launch_failed, pending},
      {draining, job_event::cancel, cancelling},
      {draining, job_event::complete, finished},
      {draining, job_event::run_failed, pending},
      {draining, job_event::give_up, failed},
      {draining, job_event::gang_lost, pending},
      {draining, job_event::started, draining},
      {draining, job_event::revive, running},
      {draining, job_event::revive_launch, launching},

      {running, job_event::resize, resizing},
      {resizing, job_event::resized, running},
      {resizing, job_event::preempt, draining},
      {resizing, job_event::cancel, cancelling},
      {resizing, job_event::complete, finished},
      {resizing, job_event::run_failed, pending},
      {resizing, job_event::give_up, failed},
      {resizing, job_event::gang_lost, pending},
      {resizing, job_event::stopped, pending},

      {cancelling, job_event::stopped, cancelled},
      {cancelling, job_event::launch_failed, cancelled},
      {cancelling, job_event::complete, finished},
      {cancelling, job_event::run_failed, cancelled},
      {cancelling, job_event::give_up, failed},
      {cancelling, job_event::gang_lost, cancelled},
  };
  return edges;
}

edge const* find(std::vector<edge> const& edges, job_state from, job_event event) {
  for (edge const& e : edges) {
    if (e.from == from && e.event == event) {
      return &e;
    }
  }
  return nullptr;
}
}  // namespace

TEST_CASE("job states: every edge is legal, and leads where it should, or is illegal") {
  std::vector<edge> const edges = legal_edges();
  int legal = 0;
  for (int s = 0; s < job_state_count; ++s) {
    for (int v = 0; v < job_event_count; ++v) {
      auto const from = static_cast<job_state>(s);
      auto const event = static_cast<job_event>(v);
      CAPTURE(std::string{to_string(from)});
      CAPTURE(v);
      edge const* const expected = find(edges, from, event);
      REQUIRE(is_legal(from, event) == (expected != nullptr));
      if (expected != nullptr) {
        ++legal;
        CHECK(next(from, event) == expected->to);
      }
    }
  }
  CHECK(legal == static_cast<int>(edges.size()));
}

TEST_CASE("job states: the counts cover the enumerations") {
  CHECK(static_cast<int>(job_state::cancelled) + 1 == job_state_count);
  CHECK(static_cast<int>(job_event::resized) + 1 == job_event_count);
}

TEST_CASE("job states: nothing leads out of an end, and only ends have none") {
  for (int s = 0; s < job_state_count; ++s) {
    auto const from = static_cast<job_state>(s);
    bool any = false;
    for (int v = 0; v < job_event_count; ++v) {
      any = any || is_legal(from, static_cast<job_event>(v));
    }
    CHECK(any == !has_ended(from));
  }
  CHECK(has_ended(job_state::finished));
  CHECK(has_ended(job_state::failed));
  CHECK(has_ended(job_state::cancelled));
  CHECK_FALSE(has_ended(job_state::cancelling));
}

TEST_CASE("job states: a job holds GPUs from launch until it has left them") {
  for (int s = 0; s < job_state_count; ++s) {
    auto const state = static_cast<job_state>(s);
    bool const expected = state == job_state::launching || state == job_state::running ||
                          state == job_state::draining || state == job_state::cancelling ||
                          state == job_state::resizing;
    CHECK(holds_gpus(state) == expected);
  }
}

TEST_CASE("job states: each has a name of its own") {
  for (int a = 0; a < job_state_count; ++a) {
    CHECK(std::strcmp(to_string(static_cast<job_state>(a)), "?") != 0);
    for (int b = 0; b < a; ++b) {
      CHECK(std::strcmp(to_string(static_cast<job_state>(a)),
                        to_string(static_cast<job_state>(b))) != 0);
    }
  }
}

}  // namespace job_state_test
