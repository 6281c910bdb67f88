// SPDX-License-Identifier: BSL-1.0
// What does not fit into the caller's memory, what is thrown, and who calls at the same time.
#include <berth/c/berth.h>

#include <tests/c/good.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <src/c/handles.hpp>

namespace {

using c_tests::good_job;
using c_tests::make;
using c_tests::state_of;

}  // namespace

TEST_CASE("a plan that does not fit is kept until it is taken, and nothing is decided meanwhile") {
  berth_scheduler* const scheduler = make();
  berth_job const job = good_job();
  std::uint64_t id = 0;
  REQUIRE(berth_submit(scheduler, &job, 0, &id) == BERTH_OK);
  REQUIRE(berth_submit(scheduler, &job, 0, &id) == BERTH_OK);
  std::array<berth_action, 2> actions{};
  std::array<berth_gpu_range, 2> ranges{};
  berth_plan plan;
  REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
  plan.actions = actions.data();
  plan.ranges = ranges.data();
  plan.action_capacity = 1;
  plan.range_capacity = 2;
  CHECK(berth_tick(scheduler, 5, &plan) == BERTH_BUFFER_TOO_SMALL);
  CHECK(plan.action_count == 2);
  CHECK(plan.range_count == 2);
  CHECK(actions[0].size == 0);  // nothing was written
  auto const decided = state_of(scheduler);

  berth_node node;
  REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
  CHECK(berth_submit(scheduler, &job, 5, &id) == BERTH_PLAN_PENDING);
  CHECK(berth_cancel(scheduler, id, 5) == BERTH_PLAN_PENDING);
  CHECK(berth_add_node(scheduler, &node, 5, nullptr) == BERTH_PLAN_PENDING);
  CHECK(berth_restore(scheduler, &node, sizeof node) == BERTH_PLAN_PENDING);
  CHECK(berth_tick(scheduler, 6, &plan) == BERTH_BUFFER_TOO_SMALL);
  plan.action_capacity = 2;
  plan.range_capacity = 1;
  CHECK(berth_tick(scheduler, 6, &plan) == BERTH_BUFFER_TOO_SMALL);
  plan.range_capacity = 2;
  CHECK(berth_tick(scheduler, 7, &plan) == BERTH_OK);
  CHECK(state_of(scheduler) == decided);
  CHECK(plan.action_count == 2);
  CHECK(actions[1].job == id);
  CHECK(actions[1].first_range == 1);
  CHECK(ranges[1].gpus == 2);
  CHECK(berth_tick(scheduler, 5, &plan) == BERTH_OK);  // the clock stood at the tick that decided
  CHECK(plan.action_count == 0);
  CHECK(BERTH_CODE(berth_tick(scheduler, 4, &plan)) == BERTH_TIME_WENT_BACK);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("a text or snapshot that does not fit is not begun, and says what it needs") {
  berth_scheduler* const scheduler = make();
  berth_job const job = good_job();
  std::uint64_t id = 0;
  REQUIRE(berth_submit(scheduler, &job, 0, &id) == BERTH_OK);
  std::array<char, 64> text{};
  text.fill('#');
  std::size_t needed = 0;
  std::int32_t reason = -1;
  CHECK(berth_explain(scheduler, id, &reason, text.data(), 5, &needed) == BERTH_BUFFER_TOO_SMALL);
  CHECK(reason == 1);
  CHECK(text[0] == '#');
  REQUIRE(needed < text.size());
  CHECK(berth_explain(scheduler, id, nullptr, text.data(), needed - 1, nullptr) ==
        BERTH_BUFFER_TOO_SMALL);
  CHECK(berth_explain(scheduler, id, nullptr, text.data(), needed, nullptr) == BERTH_OK);
  CHECK(text.data() == std::string{"not decided yet"});
  CHECK(text[needed] == '#');
  CHECK(BERTH_CODE(berth_explain(scheduler, id + 1, nullptr, text.data(), text.size(), nullptr)) ==
        BERTH_UNKNOWN_JOB);

  REQUIRE(berth_snapshot(scheduler, nullptr, 0, &needed) == BERTH_BUFFER_TOO_SMALL);
  std::vector<unsigned char> bytes(needed, 0xee);
  CHECK(berth_snapshot(scheduler, bytes.data(), needed - 1, nullptr) == BERTH_BUFFER_TOO_SMALL);
  CHECK(bytes == std::vector<unsigned char>(needed, 0xee));
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("every code has a text, and what is none has not") {
  for (std::int32_t code = 0; code < 256; ++code) {
    CAPTURE(code);
    bool const is_known =
        code <= BERTH_BAD_DATA || (code >= BERTH_BAD_HANDLE && code <= BERTH_INVARIANT_BROKEN);
    CHECK((std::string{berth_code_text(code)} == "?") == !is_known);
  }
  CHECK(berth_code_text(-1) == std::string{"?"});
  CHECK(berth_field_name(-1) == std::string{"?"});
  CHECK(berth_field_name(1000) == std::string{"?"});
  berth_scheduler* const scheduler = make();
  berth_job job = good_job();
  job.gang = 0;
  std::uint64_t id = 0;
  std::array<char, 64> text{};
  REQUIRE(berth_status_text(berth_submit(scheduler, &job, 0, &id), text.data(), text.size(),
                            nullptr) == BERTH_OK);
  CHECK(text.data() == std::string{"gang: must be positive"});
  CHECK(berth_version() == std::string{"0.1.0"});
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("nothing that is thrown gets past the boundary") {
  using berth::c_api::guarded;
  CHECK(guarded([]() -> berth_status { throw std::bad_alloc{}; }) == BERTH_OUT_OF_MEMORY);
  CHECK(guarded([]() -> berth_status { throw std::length_error{"more than all"}; }) ==
        BERTH_OUT_OF_MEMORY);
  CHECK(guarded([]() -> berth_status { throw 1; }) == BERTH_INTERNAL);
  CHECK(guarded([]() -> berth_status { return BERTH_OK; }) == BERTH_OK);
}

TEST_CASE("calls from several threads on one scheduler are served or found busy, never mixed") {
  berth_scheduler* const scheduler = make();
  std::atomic<int> served{0};
  std::atomic<int> busy{0};
  auto const ask = [&] {
    for (int i = 0; i < 20'000; ++i) {
      std::uint64_t digest = 0;
      berth_status const status = berth_state_digest(scheduler, &digest);
      served += status == BERTH_OK ? 1 : 0;
      busy += status == BERTH_BUSY ? 1 : 0;
    }
  };
  std::thread first{ask};
  std::thread second{ask};
  first.join();
  second.join();
  CHECK(served > 0);
  CHECK(served + busy == 40'000);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}
