// SPDX-License-Identifier: BSL-1.0
// The predictor that reads bytes, alone and in a scheduler.
#include <berth/core/error.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/traffic.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace traffic_test {

using namespace berth;
using namespace std::chrono_literals;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {

constexpr std::int64_t size = 600'000'000;  // a megabyte a second: epochs of 600 s

job_spec training(std::int32_t epochs) {
  job_spec spec{.work = 100h};
  spec.epochs = epochs;
  spec.checkpoints.dataset_bytes = size;
  return spec;
}
void read_until(sample_job const& job, traffic::job_data& data, duration from, duration to,
                std::int64_t per_second = 1'000'000) {
  time_point const start = job.record.run_since;
  for (duration since = from + 10s; since <= to; since += 10s) {
    traffic{}.observe(job.view(start + since), data, {since.count() * per_second / 1000, {}});
  }
}
estimate ask(sample_job const& job, traffic::job_data& data, duration now) {
  return traffic{}.remaining(job.view(at(now)), data, tick_at(at(now)));
}

}  // namespace

TEST_CASE("traffic: without samples, or without epochs, as declared") {
  traffic::job_data data;
  sample_job job{training(10)};
  job.run(at(0s), 1);
  CHECK(ask(job, data, 100s) == declared{}.remaining(job.view(at(100s)), tick_at(at(100s))));
  CHECK(traffic{}.epochs(job.view(at(100s)), data, tick_at(at(100s))).period == 0s);
  sample_job endless{training(0)};
  endless.run(at(0s), 1);
  read_until(endless, data, 0s, 1000s);
  CHECK(ask(endless, data, 1000s) ==
        declared{}.remaining(endless.view(at(1000s)), tick_at(at(1000s))));
}

TEST_CASE("traffic: what is left are the epochs that are left, and what is left of this one") {
  traffic::job_data data;
  sample_job job{training(10)};
  job.run(at(0s), 1);
  read_until(job, data, 0s, 750s);
  estimate const said = ask(job, data, 750s);
  CHECK(said.p50 >= 5250s - 1s);
  CHECK(said.p50 <= 5250s + 1s);
  CHECK(said.p10 == said.p50 - said.p50 / 10);
  CHECK(said.p90 == said.p50 + said.p50 / 10);
  epoch_clock const clock = traffic{}.epochs(job.view(at(750s)), data, tick_at(at(750s)));
  CHECK(clock.period == 600s);
  CHECK(clock.began >= at(599s));
  CHECK(clock.began <= at(601s));
}

TEST_CASE("traffic: a job that reads on after its last epoch ends soon, not already") {
  traffic::job_data data;
  sample_job job{training(2)};
  job.run(at(0s), 1);
  read_until(job, data, 0s, 1500s);
  CHECK(ask(job, data, 1500s).p10 == 1ms);
  CHECK(ask(job, data, 1500s).p50 == 1ms);
}

TEST_CASE("traffic: after a stop the epoch begins anew, and the whole ones stay done") {
  traffic::job_data data;
  sample_job job{training(10)};
  job.run(at(0s), 1);
  read_until(job, data, 0s, 750s);
  job.stop(at(750s));
  estimate const waiting = ask(job, data, 1000s);
  CHECK(waiting.p50 == 9 * 600s);
  job.run(at(2000s), 1);
  epoch_clock const clock = traffic{}.epochs(job.view(at(2100s)), data, tick_at(at(2100s)));
  CHECK(clock.period == 600s);
  CHECK(clock.began == at(2000s));  // before the first sample
  read_until(job, data, 0s, 300s);
  estimate const again = ask(job, data, 2300s);
  CHECK(again.p50 >= 5100s - 1s);
  CHECK(again.p50 <= 5100s + 1s);
}

TEST_CASE("traffic: epochs measured on one GPU type are expected to be longer on a slower one") {
  traffic::job_data data;
  job_spec spec = training(10);
  spec.speed = {1.0, 0.5};
  sample_job job{spec};
  job.run(at(0s), 1);
  read_until(job, data, 0s, 650s);
  job.stop(at(650s));
  CHECK(ask(job, data, 700s).p50 == 9 * 600s);
  job.run(at(1000s), 1, gpu_type{1});
  CHECK(ask(job, data, 1000s).p50 == 9 * 1200s);
  CHECK(traffic{}.epochs(job.view(at(1000s)), data, tick_at(at(1000s))).period == 1200s);
  read_until(job, data, 0s, 300s, 500'000);
  CHECK(traffic{}.epochs(job.view(at(1300s)), data, tick_at(at(1300s))).period == 1200s);
}

namespace {
auto reading_scheduler() {
  scheduler_config config;
  config.acknowledge = acknowledgement::implicit;
  return make_scheduler(cluster::uniform(1, 4).value(), config, traffic{}, epoch_boundary{})
      .value();
}
}  // namespace

TEST_CASE("traffic: in a scheduler, epochs are seen in job_view and priced by epoch_boundary") {
  auto s = reading_scheduler();
  job_id const job = s.submit(training(10), at(0s)).value();
  (void)s.tick(at(0s));
  for (duration now = 10s; now <= 750s; now += 10s) {
    REQUIRE(s.report(job, bytes_read{now.count() * 1000, {}}, at(now)));
    (void)s.tick(at(now));
  }
  job_view const view = s.view(job).value();
  CHECK(view.epoch_period() == 600s);
  CHECK(view.epoch_age() >= 149s);
  CHECK(view.epoch_age() <= 151s);
  CHECK(view.remaining().p50 >= 5249s);
  CHECK(view.remaining().p50 <= 5251s);
  suspension const stop = epoch_boundary{}.suspend(view, tick_at(at(750s)));
  CHECK(stop.mode == suspension_mode::boundary);
  CHECK(stop.drain == 600s - view.epoch_age());

  std::vector<std::byte> bytes(s.snapshot_size());
  REQUIRE(s.snapshot(bytes));
  auto twin = reading_scheduler();
  REQUIRE(twin.restore(bytes));
  CHECK(twin.state_digest() == s.state_digest());
  CHECK(twin.view(job).value().epoch_age() == view.epoch_age());
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("bytes_read: impossible numbers and jobs that do not run are refused") {
  auto s = reading_scheduler();
  job_id const job = s.submit(training(10), at(0s)).value();
  CHECK(s.report(job, bytes_read{5, {}}, at(0s)).error().code == errc::wrong_state);
  (void)s.tick(at(0s));
  CHECK(s.report(job, bytes_read{-1, {}}, at(1s)).error() == error{errc::bad_number, field::total});
  CHECK(s.report(job, bytes_read{(std::int64_t{1} << 60) + 1, {}}, at(1s)).error() ==
        error{errc::bad_number, field::total});
  CHECK(s.report(job, bytes_read{5, run_number{7}}, at(1s)).error().code == errc::stale_run);
  CHECK(s.report(job, bytes_read{std::int64_t{1} << 60, {}}, at(1s)));
}

TEST_CASE("bytes_read: of no interest to other predictors") {
  auto s = make_scheduler(cluster::uniform(1, 4).value(), {}).value();
  job_id const job = s.submit(training(10), at(0s)).value();
  (void)s.tick(at(0s));
  REQUIRE(s.report(job, started{}, at(0s)));
  (void)s.tick(at(0s));
  REQUIRE(s.report(job, bytes_read{5, {}}, at(1s)));
  CHECK(s.tick(at(2s)).is_idle());
}

}  // namespace traffic_test
