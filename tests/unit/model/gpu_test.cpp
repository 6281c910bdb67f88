// SPDX-License-Identifier: BSL-1.0
// Masks, and the life of a GPU, edge by edge, against a list that was typed independently of the
// table.
#include <berth/model/gpu.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace gpu_test {

using namespace berth;

namespace {
struct edge {
  gpu_state from;
  gpu_event event;
  gpu_state to;
};

std::vector<edge> legal_edges() {
  using enum gpu_state;
  return {
      {free, gpu_event::hold, held},
      {free, gpu_event::promise, reserved},
      {free, gpu_event::fail, down},

      {held, gpu_event::drain, draining},
      {held, gpu_event::release, free},
      {held, gpu_event::retire, down},
      {held, gpu_event::fail, down},

      {draining, gpu_event::revive, held},
      {draining, gpu_event::promise, promised},
      {draining, gpu_event::release, free},
      {draining, gpu_event::retire, down},
      {draining, gpu_event::fail, down},

      {promised, gpu_event::unpromise, draining},
      {promised, gpu_event::release, reserved},
      {promised, gpu_event::retire, down},
      {promised, gpu_event::fail, down},

      {reserved, gpu_event::hold, held},
      {reserved, gpu_event::unpromise, free},
      {reserved, gpu_event::fail, down},

      {down, gpu_event::repair, free},
  };
}
}  // namespace

TEST_CASE("GPU states: every edge is legal, and leads where it should, or is illegal") {
  std::vector<edge> const edges = legal_edges();
  int legal = 0;
  for (int s = 0; s < gpu_state_count; ++s) {
    for (int v = 0; v < gpu_event_count; ++v) {
      auto const from = static_cast<gpu_state>(s);
      auto const event = static_cast<gpu_event>(v);
      CAPTURE(s);
      CAPTURE(v);
      edge const* expected = nullptr;
      for (edge const& e : edges) {
        expected = e.from == from && e.event == event ? &e : expected;
      }
      REQUIRE(is_legal(from, event) == (expected != nullptr));
      if (expected != nullptr) {
        ++legal;
        CHECK(next(from, event) == expected->to);
      }
    }
  }
  CHECK(legal == static_cast<int>(edges.size()));
}

TEST_CASE("GPU states: the counts cover the enumerations") {
  CHECK(static_cast<int>(gpu_state::down) + 1 == gpu_state_count);
  CHECK(static_cast<int>(gpu_event::repair) + 1 == gpu_event_count);
}

TEST_CASE("GPU states: only a confirmation or a failure takes a GPU from the job that has it") {
  for (gpu_state const from : {gpu_state::held, gpu_state::draining, gpu_state::promised}) {
    for (int v = 0; v < gpu_event_count; ++v) {
      auto const event = static_cast<gpu_event>(v);
      bool const takes =
          event == gpu_event::release || event == gpu_event::retire || event == gpu_event::fail;
      if (is_legal(from, event)) {
        gpu_state const to = next(from, event);
        bool const still_there =
            to == gpu_state::held || to == gpu_state::draining || to == gpu_state::promised;
        CHECK(still_there == !takes);
      }
    }
  }
}

TEST_CASE("first_gpus: the lowest ones, up to all 64, none for a negative count") {
  CHECK(first_gpus(0) == 0u);
  CHECK(first_gpus(-1) == 0u);
  CHECK(first_gpus(3) == 7u);
  CHECK(first_gpus(63) == (~gpu_mask{0} >> 1));
  CHECK(first_gpus(64) == ~gpu_mask{0});
  CHECK(first_gpus(65) == ~gpu_mask{0});
  for (int count = 0; count <= 64; ++count) {
    CHECK(gpu_count(first_gpus(count)) == count);
  }
}

TEST_CASE("contains: a type is in a mask if its bit is") {
  CHECK(contains(any_type, gpu_type{0}));
  CHECK(contains(any_type, gpu_type{15}));
  CHECK(contains(type_mask{2}, gpu_type{1}));
  CHECK_FALSE(contains(type_mask{2}, gpu_type{0}));
  CHECK_FALSE(contains(type_mask{0}, gpu_type{3}));
}

}  // namespace gpu_test
