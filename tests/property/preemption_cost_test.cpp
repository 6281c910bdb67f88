// SPDX-License-Identifier: BSL-1.0
// Laws of every preemption cost, on random jobs.
#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/random.hpp>
#include <berth/model/suspension.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/preemption/fit_gpp.hpp>
#include <berth/preemption/gfs.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/preemption/restart_factor.hpp>
#include <berth/preemption/servers_spanned.hpp>
#include <berth/preemption/youngest_first.hpp>

#include <tests/support/sample_job.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace preemption_cost_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;

namespace {

constexpr std::uint64_t seeds = 4'000;

struct drawn {
  sample_job job;
  tick_context tick;
  [[nodiscard]] job_view view() const { return job.view(tick.now); }
};

/// Anything that a host may say, the extremes included.
drawn draw(std::uint64_t seed) {
  random_source random{seed};
  auto const span = [&](bool may_be_unknown) {
    switch (random.below(4)) {
      case 0: return duration{0};
      case 1: return duration{random.between(1, 1000)};
      case 2: return duration{random.between(1, max_duration.count())};
      default: return may_be_unknown ? forever : duration{random.between(1, 3'600'000)};
    }
  };
  auto const bytes = [&] {
    return static_cast<std::int64_t>(random.next() >> 4) >> random.below(61);
  };
  job_spec spec{.gang = static_cast<std::int32_t>(random.between(1, 600))};
  checkpointing& saving = spec.checkpoints;
  saving.epoch_period = span(true);
  saving.period = span(true);
  saving.phase = span(true);
  saving.startup = span(false);
  saving.iteration = span(true);
  saving.save = span(false);
  saving.checkpoint_bytes = bytes();
  saving.dataset_bytes = bytes();
  saving.cached_bytes = bytes();
  saving.modes = static_cast<mode_mask>(random.below(8));
  drawn made{sample_job{spec}, {}};
  auto const now = duration{random.between(0, 100'000'000)};
  if (random.below(8) != 0) {
    made.job.run(at(duration{random.between(0, now.count())}), spec.gang);
    made.job.record.nodes_held = static_cast<std::int32_t>(random.between(1, 20));
    if (random.below(2) == 0) {
      made.job.record.safe_at = at(duration{
          random.between(made.job.record.run_since.time_since_epoch().count(), now.count())});
    }
    if (random.below(2) == 0) {
      made.job.record.measured_epoch = duration{random.between(1, max_duration.count())};
      made.job.record.epoch_began = at(duration{random.between(0, now.count())});
    }
  } else {
    made.job.record.state = job_state::launching;
    made.job.record.gpus_held = spec.gang;
  }
  made.job.predict(span(true), at(now));
  made.job.record.preemptions = static_cast<std::uint32_t>(random.below(5));
  made.tick = {.now = at(now), .gpu_total = 4096, .jobs_leaving = random.between(0, 500)};
  return made;
}

template <class Cost>
void obeys_the_laws(char const* name) {
  CAPTURE(name);
  Cost const cost{};
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    drawn const d = draw(seed);
    suspension const stop = cost.suspend(d.view(), d.tick);
    duration const back = cost.resume(d.view(), d.tick);
    REQUIRE(stop.drain >= 0ms);
    REQUIRE(stop.save >= 0ms);
    REQUIRE(stop.rollback >= 0ms);
    REQUIRE(back >= 0ms);
    REQUIRE(std::max({stop.drain, stop.save, stop.rollback, back}) <= max_duration);
    REQUIRE((stop.mode != suspension_mode::kill || stop.save == 0ms));
    REQUIRE((stop.mode == suspension_mode::kill || stop.rollback == 0ms));
    gpu_time const price = price_of_stopping(cost, d.view(), d.tick);
    REQUIRE(price >= gpu_time::zero());
    REQUIRE(price.is_forbidden() == !stop.allowed);
    if constexpr (has_price<Cost>) {  // who destroys more, or leaves later, is not cheaper
      random_source random{seed};
      suspension worse = stop;
      worse.drain += duration{random.between(0, 100'000)};
      worse.save += duration{random.between(0, 100'000)};
      worse.rollback += duration{random.between(0, 100'000)};
      REQUIRE(cost.price(d.view(), worse, d.tick) >= cost.price(d.view(), stop, d.tick));
    }
  }
}

}  // namespace

TEST_CASE("preemption costs: no part is negative, a kill saves nothing, worse is not cheaper") {
  obeys_the_laws<lost_work>("lost_work");
  obeys_the_laws<epoch_boundary>("epoch_boundary");
  obeys_the_laws<youngest_first<>>("youngest_first");
  obeys_the_laws<fit_gpp<>>("fit_gpp");
  obeys_the_laws<gfs>("gfs");
  obeys_the_laws<restart_factor<>>("restart_factor");
  obeys_the_laws<servers_spanned<>>("servers_spanned");
}

TEST_CASE(
    "epoch_boundary: no mode that the job allows destroys less, or as much and leaves sooner") {
  epoch_boundary const cost{};
  int by_mode[suspension_mode_count] = {};
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    drawn const d = draw(seed);
    if (!d.view().is_running()) {
      continue;
    }
    suspension const taken = cost.suspend(d.view(), d.tick);
    mode_mask const modes = d.view().spec().checkpoints.modes;
    for (auto const mode :
         {suspension_mode::boundary, suspension_mode::checkpoint, suspension_mode::kill}) {
      if (contains(modes, mode)) {
        suspension const other = cost.suspend_by(d.view(), mode, d.tick);
        duration const lost = taken.save + taken.rollback;
        duration const lost_otherwise = other.save + other.rollback;
        REQUIRE((lost < lost_otherwise || (lost == lost_otherwise && taken.drain <= other.drain)));
      }
    }
    REQUIRE((modes == 0 || contains(modes, taken.mode)));
    ++by_mode[static_cast<int>(taken.mode)];
  }
  for (int const count : by_mode) {
    CHECK(count > 100);  // each is taken somewhere
  }
}

}  // namespace preemption_cost_test
