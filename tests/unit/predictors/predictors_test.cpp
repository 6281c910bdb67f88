// SPDX-License-Identifier: BSL-1.0
// declared and observed_rate.
#include <berth/predictors/declared.hpp>
#include <berth/predictors/observed_rate.hpp>

#include <tests/support/sample_job.hpp>

#include <doctest/doctest.h>

namespace predictors_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
estimate ask(sample_job const& job, time_point now) {
  return declared{}.remaining(job.view(now), tick_at(now));
}
constexpr time_point start = at(duration{0});
}  // namespace

TEST_CASE("declared: nothing said, nothing known") {
  CHECK(ask(sample_job{job_spec{}}, start) == estimate{});
}

TEST_CASE("declared: work gives p10 and p50, the owner's bound p90") {
  job_spec const spec{.work = duration{100}, .estimate = duration{300}};
  CHECK(ask(sample_job{spec}, start) == estimate{duration{100}, duration{100}, duration{300}});
}

TEST_CASE("declared: each stands in for the other") {
  CHECK(ask(sample_job{job_spec{.work = duration{100}}}, start) ==
        estimate::exactly(duration{100}));
  CHECK(ask(sample_job{job_spec{.estimate = duration{300}}}, start) ==
        estimate::exactly(duration{300}));
}

TEST_CASE("declared: p90 is never below p50, even if the owner's bound is") {
  job_spec const spec{.work = duration{100}, .estimate = duration{10}};
  CHECK(ask(sample_job{spec}, start) == estimate::exactly(duration{100}));
}

TEST_CASE("declared: what is done and the time it ran are taken off") {
  sample_job job{job_spec{.work = duration{100}, .estimate = duration{300}}};
  job.run(start, 1);
  CHECK(ask(job, at(duration{40})) == estimate{duration{60}, duration{60}, duration{260}});
}

TEST_CASE("declared: an overdue job ends soon, not already") {
  sample_job job{job_spec{.work = duration{100}, .estimate = duration{300}}};
  job.run(start, 1);
  CHECK(ask(job, at(duration{5000})) == estimate::exactly(duration{1}));
}

TEST_CASE("declared: speed counts, that of its GPUs or the best it may get; rounded up") {
  job_spec spec{.work = duration{100}};
  spec.speed[0] = 0.3;
  spec.speed[1] = 2.0;
  sample_job job{spec};
  CHECK(ask(job, start).p50 == duration{50});
  job.run(start, 1, gpu_type{0});
  CHECK(ask(job, start).p50 == duration{334});
  spec.allowed_types = 1;
  CHECK(ask(sample_job{spec}, start).p50 == duration{334});
}

TEST_CASE("declared: the longest work at the lowest speed does not wrap") {
  job_spec spec{.work = max_duration};
  spec.speed[0] = 0.001;
  spec.allowed_types = 1;
  CHECK(ask(sample_job{spec}, start).p50 == 1000 * max_duration);
}

TEST_CASE("observed_rate: until two reports have come it answers as declared does") {
  sample_job job{job_spec{.work = duration{1000}}};
  observed_rate::job_data data;
  observed_rate const predictor;
  CHECK(predictor.remaining(job.view(start), data, tick_at(start)) == ask(job, start));
  job.run(start, 1);
  predictor.observe(job.view(at(duration{100})), data, {.done = duration{50}});
  CHECK(predictor.remaining(job.view(at(duration{100})), data, tick_at(at(duration{100}))) ==
        ask(job, at(duration{100})));
}

TEST_CASE("observed_rate: the second report gives a rate, later ones weigh a quarter") {
  sample_job job{job_spec{.work = duration{1000}}};
  observed_rate::job_data data;
  observed_rate const predictor;
  job.run(start, 1);
  auto const report = [&](duration now, duration done) {
    predictor.observe(job.view(at(now)), data, {.done = done});
    job.record.done = done;
    job.record.done_at = at(now);
  };
  report(duration{100}, duration{100});
  report(duration{200}, duration{150});
  CHECK(data.rate == 500);
  time_point const now = at(duration{200});
  CHECK(predictor.remaining(job.view(now), data, tick_at(now)) ==
        estimate{duration{850}, duration{1700}, duration{1700}});
  report(duration{300}, duration{250});
  CHECK(data.rate == (3 * 500 + 1000) / 4);
}

TEST_CASE("observed_rate: faster than declared lowers p10 and p50, and keeps p90") {
  sample_job job{job_spec{.work = duration{1000}, .estimate = duration{2000}}};
  job.run(start, 1);
  observed_rate::job_data data{.rate = 2000};
  CHECK(observed_rate{}.remaining(job.view(start), data, tick_at(start)) ==
        estimate{duration{500}, duration{500}, duration{2000}});
}

TEST_CASE("observed_rate: time without GPUs is not run time, and work thrown away is no rate") {
  sample_job job{job_spec{.work = duration{1000}}};
  observed_rate::job_data data;
  observed_rate const predictor;
  job.run(start, 1);
  predictor.observe(job.view(at(duration{100})), data, {.done = duration{100}});
  job.stop(at(duration{100}));
  job.run(at(duration{900}), 1);
  predictor.observe(job.view(at(duration{1000})), data, {.done = duration{200}});
  CHECK(data.rate == 1000);
  predictor.observe(job.view(at(duration{1010})), data, {.done = duration{20}});
  CHECK(data.rate == 1000);
  predictor.observe(job.view(at(duration{1020})), data, {.done = duration{40}});
  CHECK(data.rate == (3 * 1000 + 2000) / 4);
}

TEST_CASE(
    "observed_rate: two reports at one instant do not divide by zero, and no rate leaves its "
    "range") {
  sample_job job{job_spec{.work = max_duration}};
  observed_rate::job_data data;
  observed_rate const predictor;
  job.run(start, 1);
  predictor.observe(job.view(at(duration{1})), data, {.done = duration{0}});
  predictor.observe(job.view(at(duration{1})), data, {.done = max_duration});
  CHECK(data.rate == 0);
  predictor.observe(job.view(at(duration{2})), data, {.done = max_duration});
  CHECK(data.rate == 1);
  observed_rate::job_data fast;
  predictor.observe(job.view(at(duration{3})), fast, {.done = duration{0}});
  predictor.observe(job.view(at(duration{4})), fast, {.done = max_duration});
  CHECK(fast.rate == 1'000'000);
}

}  // namespace predictors_test
