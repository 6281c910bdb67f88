// SPDX-License-Identifier: BSL-1.0
// digest_observer: one number for a run, in which every part of every action counts.
#include <berth/observers/digest_observer.hpp>

#include <tests/support/sample_job.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <set>

#include <doctest/doctest.h>

namespace observers_test {

using namespace berth;
using berth_test::at;
using berth_test::tick_at;

namespace {
constexpr std::array<gpu_range, 2> ranges{gpu_range{node_id{1, 0}, 3}, gpu_range{node_id{2, 0}, 1}};

action sample() {
  return {.kind = action_kind::start,
          .job = job_id{1, 2},
          .run = run_number{3},
          .beneficiary = {},
          .gpus = ranges};
}
std::uint64_t digest_of(std::initializer_list<action> actions, time_point now = at(duration{5})) {
  digest_observer seen;
  for (action const& a : actions) {
    seen.on_action(a, tick_at(now));
  }
  return seen.value();
}
}  // namespace

TEST_CASE("digest_observer: equal runs give equal numbers") {
  CHECK(digest_of({sample(), sample()}) == digest_of({sample(), sample()}));
}

TEST_CASE("digest_observer: every part of an action, its time, order and number count") {
  static constexpr std::array<gpu_range, 1> fewer{gpu_range{node_id{1, 0}, 3}};
  static constexpr std::array<gpu_range, 2> others{gpu_range{node_id{1, 0}, 5},
                                                   gpu_range{node_id{2, 0}, 1}};
  std::set<std::uint64_t> seen{digest_of({}), digest_of({sample()}),
                               digest_of({sample(), sample()}),
                               digest_of({sample()}, at(duration{6}))};
  std::size_t expected = 4;
  auto const add = [&](auto change) {
    action changed = sample();
    change(changed);
    seen.insert(digest_of({changed}));
    ++expected;
  };
  add([](action& a) { a.kind = action_kind::stop; });
  add([](action& a) { a.kind = action_kind::carry_on; });
  add([](action& a) { a.mode = suspension_mode::boundary; });
  add([](action& a) { a.saves_at = time_point{duration{7}}; });
  add([](action& a) { a.reason = stop_reason::cancelled; });
  add([](action& a) { a.job = job_id{1, 3}; });
  add([](action& a) { a.run = run_number{4}; });
  add([](action& a) { a.beneficiary = job_id{0, 0}; });
  add([](action& a) { a.gpus = fewer; });
  add([](action& a) { a.gpus = others; });
  CHECK(seen.size() == expected);
  action stop = sample();
  stop.kind = action_kind::stop;
  CHECK(digest_of({sample(), stop}) != digest_of({stop, sample()}));
}

}  // namespace observers_test
