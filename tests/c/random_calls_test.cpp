// SPDX-License-Identifier: BSL-1.0
// Structs and snapshots of random bytes are refused or served; nothing crashes.
#include <berth/c/berth.h>
#include <berth/core/random.hpp>

#include <tests/c/good.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using c_tests::good_job;
using c_tests::make;
using c_tests::state_of;

void disturb_everything(char const* preset) {
  berth_scheduler* const scheduler = make(preset);
  berth::random_source random{7};
  std::array<berth_action, 64> actions{};
  std::array<berth_gpu_range, 256> ranges{};
  std::int64_t now = 0;
  int refused = 0;
  int served = 0;
  // One member in a few is anything at all; the others keep their defaults, to get past the door.
  auto const disturb = [&](auto& given) {
    auto* const bytes = reinterpret_cast<unsigned char*>(&given);
    std::size_t const members = sizeof given / 4;
    for (std::size_t i = 1; i < members; ++i) {
      if (random.below(members) == 0) {
        std::uint64_t const value = random.below(2) == 0 ? random.next() : random.below(4);
        std::memcpy(bytes + i * 4, &value, 4);
      }
    }
  };
  auto const count = [&](berth_status status) { ++(status == BERTH_OK ? served : refused); };
  for (int i = 0; i < 20'000; ++i) {
    now += static_cast<std::int64_t>(random.below(1000));
    std::uint64_t id = random.below(2) == 0 ? random.next() : random.below(20);
    switch (random.below(7)) {
      case 0: {
        berth_job job = good_job();
        disturb(job);
        count(berth_submit(scheduler, &job, now, &id));
        break;
      }
      case 1: {
        berth_event event;
        REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
        event.job = random.below(16);
        disturb(event);
        event.kind = static_cast<std::int32_t>(random.below(14));
        count(berth_report(scheduler, &event, now));
        break;
      }
      case 2: {
        berth_node node;
        REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
        disturb(node);
        count(berth_add_node(scheduler, &node, now, nullptr));
        break;
      }
      case 3:
        count(berth_set_lost_gpus(scheduler, id, random.next(), now));
        count(berth_set_capacity(scheduler, id, static_cast<std::int32_t>(random.next()), now));
        break;
      case 4:
        count(berth_complete(scheduler, id, static_cast<std::int32_t>(random.below(3)), now));
        count(berth_cancel(scheduler, random.below(16), now));
        break;
      case 5: {
        std::array<berth_rung, 3> ladder{};
        for (std::size_t k = 0; k < ladder.size(); ++k) {
          REQUIRE(berth_rung_init(&ladder[k], sizeof ladder[k]) == BERTH_OK);
          ladder[k].gpus = static_cast<std::int32_t>(k + 1);
          ladder[k].speed = static_cast<std::int64_t>(k + 1) * BERTH_UNIT_SPEED;
          disturb(ladder[k]);
        }
        count(berth_set_ladder(scheduler, random.below(16), ladder.data(),
                               static_cast<std::uint32_t>(random.below(4)), sizeof ladder[0], now));
        count(berth_lend(scheduler, static_cast<std::int32_t>(random.next()), now, now));
        count(berth_job_gpus(scheduler, random.below(16), ranges.data(),
                             static_cast<std::uint32_t>(random.below(3)), sizeof ranges[0],
                             nullptr));
        break;
      }
      default: {
        berth_plan plan;
        REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
        plan.actions = actions.data();
        plan.ranges = ranges.data();
        plan.action_capacity = static_cast<std::uint32_t>(random.below(65));
        plan.range_capacity = static_cast<std::uint32_t>(random.below(257));
        count(berth_tick(scheduler, now, &plan));
      }
    }
  }
  CHECK(refused > 1000);
  CHECK(served > 1000);
  std::array<char, 256> text{};
  CHECK(berth_check_invariants(scheduler, text.data(), text.size(), nullptr) == BERTH_OK);
  CHECK(text.data() == std::string{});
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

}  // namespace

TEST_CASE("random structs do no harm") {
  for (char const* const preset : {"fifo", "afs"}) {
    CAPTURE(std::string{preset});
    disturb_everything(preset);
  }
}

TEST_CASE("random bytes are no snapshot") {
  berth_scheduler* const scheduler = make();
  auto const before = state_of(scheduler);
  berth::random_source random{11};
  for (int i = 0; i < 500; ++i) {
    std::vector<std::uint64_t> words(random.below(200) + 1);
    for (std::uint64_t& word : words) {
      word = random.next();
    }
    CHECK(BERTH_CODE(berth_restore(scheduler, words.data(), words.size() * 8)) == BERTH_BAD_DATA);
  }
  CHECK(state_of(scheduler) == before);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}
