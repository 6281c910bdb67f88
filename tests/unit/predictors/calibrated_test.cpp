// SPDX-License-Identifier: BSL-1.0
// calibrated, and the histogram it learns with.
#include <berth/core/random.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/predictors/observed_rate.hpp>

#include <tests/support/sample_job.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace calibrated_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

static_assert(learning_predictor<calibrated<>>);
static_assert(!observing_predictor<calibrated<>>);
static_assert(observing_predictor<calibrated<observed_rate>>);
static_assert(std::has_unique_object_representations_v<calibrated<>::job_data>);
static_assert(std::has_unique_object_representations_v<calibrated<observed_rate>::job_data>);

namespace {

constexpr time_point start = at(duration{0});

/// A job of `work` runs for `took` and ends well.
template <class Predictor>
void live(Predictor& predictor, duration work, duration took, job_spec spec = {}) {
  spec.work = work;
  sample_job job{spec};
  typename Predictor::job_data data;
  (void)predictor.remaining(job.view(start), data, tick_at(start));
  job.run(start, 1);
  predictor.learn(job.view(at(took)), data, took);
}
template <class Predictor>
estimate ask_fresh(Predictor const& predictor, duration work) {
  sample_job const job{job_spec{.work = work}};
  typename Predictor::job_data data;
  return predictor.remaining(job.view(start), data, tick_at(start));
}

}  // namespace

TEST_CASE("log_histogram: equal values give that value back, whatever the quantile") {
  for (std::int64_t const value : {1, 2, 3, 1000, 123'457, 16'777'215}) {
    log_histogram<0, 40> seen;
    for (int i = 0; i < 1000; ++i) {
      seen.add(value);
    }
    for (std::uint32_t const percent : {1u, 10u, 50u, 90u, 99u}) {
      CAPTURE(value);
      CHECK(std::abs(static_cast<double>(seen.quantile(percent, 1) - value)) <=
            1e-4 * static_cast<double>(value));
    }
  }
}

TEST_CASE("log_histogram: quantiles are those of the sorted values, within 3 %") {
  random_source random{7};
  ratio_histogram seen;
  std::vector<double> values;
  for (int i = 0; i < 400; ++i) {
    double const ratio = std::exp(2.0 * (random.unit() + random.unit() - 1.0));
    values.push_back(ratio);
    seen.add(std::llround(1e6 * ratio), 1'000'000);
  }
  std::sort(values.begin(), values.end());
  for (std::uint32_t const percent : {10u, 25u, 50u, 75u, 90u}) {
    double const exact = values[values.size() * percent / 100];
    double const answer = static_cast<double>(seen.quantile(percent, 1'000'000)) / 1e6;
    CAPTURE(percent);
    CHECK(std::abs(answer / exact - 1.0) < 0.03);
  }
}

TEST_CASE("log_histogram: what is far outside counts as the nearest bucket; nothing wraps") {
  ratio_histogram seen;
  CHECK(seen.quantile(50, 1000) == 0);
  seen.add(1, ratio_histogram::largest);
  CHECK(seen.quantile(50, 1'000'000) == 1'000'000 / 256);
  ratio_histogram high;
  high.add(std::int64_t{1} << 62, 1);
  CHECK(high.quantile(50, 1000) == 255'998);
  CHECK(high.quantile(50, max_duration.count()) > max_duration.count());
  high.add(-5, -7);
  CHECK(high.quantile(1, 1000) == 1000);
}

TEST_CASE("log_histogram: the old fades") {
  ratio_histogram seen;
  for (int i = 0; i < 2000; ++i) {
    seen.add(2, 1);
  }
  for (int i = 0; i < 1500; ++i) {
    seen.add(1, 2);
  }
  CHECK(seen.quantile(50, 1000) == 500);
  CHECK(seen.quantile(70, 1000) == 500);
  CHECK(seen.is_sound());
  CHECK(seen.seen() == 3500);
}

TEST_CASE("calibrated: until enough jobs have ended it answers as its predictor does") {
  calibrated<> predictor;
  for (int i = 0; i < 19; ++i) {
    live(predictor, duration{1000}, duration{2000});
  }
  CHECK(ask_fresh(predictor, duration{5000}) == estimate::exactly(duration{5000}));
  live(predictor, duration{1000}, duration{2000});
  CHECK(ask_fresh(predictor, duration{5000}) == estimate::exactly(duration{10'000}));
}

TEST_CASE("calibrated: exact predictions stay exact") {
  calibrated<> predictor;
  for (int i = 0; i < 1000; ++i) {
    live(predictor, duration{1000 + i}, duration{1000 + i});
  }
  CHECK(ask_fresh(predictor, duration{5000}) == estimate::exactly(duration{5000}));
}

TEST_CASE("calibrated: p10 to p90 covers four in five of what comes") {
  calibrated<> predictor;
  random_source random{3};
  int inside = 0;
  int below_median = 0;
  for (int i = 0; i < 4000; ++i) {
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) {
      sum += random.unit();
    }
    duration const work{random.between(10'000, 10'000'000)};
    duration const took{std::llround(static_cast<double>(work.count()) * std::exp(0.5 * sum))};
    if (i >= 200) {
      estimate const answer = ask_fresh(predictor, work);
      inside += took >= answer.p10 && took <= answer.p90 ? 1 : 0;
      below_median += took <= answer.p50 ? 1 : 0;
    }
    live(predictor, work, took);
  }
  CHECK(inside > 3800 * 77 / 100);
  CHECK(inside < 3800 * 83 / 100);
  CHECK(below_median > 3800 * 47 / 100);
  CHECK(below_median < 3800 * 53 / 100);
}

TEST_CASE("calibrated: the error is that of the same job on any GPU") {
  job_spec spec;
  spec.speed[0] = 0.5;
  spec.speed[1] = 2.0;
  calibrated<> predictor;
  for (int i = 0; i < 20; ++i) {
    live(predictor, duration{1000}, duration{2000}, spec);  // ran at half speed, as told
  }
  CHECK(ask_fresh(predictor, duration{5000}) == estimate::exactly(duration{5000}));
}

TEST_CASE("calibrated: a job that has run for long is not expected to end at once") {
  calibrated<> predictor;
  for (int i = 0; i < 100; ++i) {
    live(predictor, duration{100'000}, duration{50'000 + 1000 * i});
  }
  sample_job job{job_spec{.work = duration{100'000}}};
  calibrated<>::job_data data;
  (void)predictor.remaining(job.view(start), data, tick_at(start));
  job.run(start, 1);
  time_point const late = at(duration{130'000});
  estimate const answer = predictor.remaining(job.view(late), data, tick_at(late));
  CHECK(answer.p50 > duration{5'000});
  CHECK(answer.p50 < duration{40'000});
  CHECK(answer.p10 < answer.p50);
  CHECK(answer.p50 < answer.p90);
}

TEST_CASE("calibrated: an observing predictor is believed while the job runs") {
  calibrated<observed_rate> predictor;
  for (int i = 0; i < 20; ++i) {
    live(predictor, duration{1000}, duration{1000});
  }
  sample_job job{job_spec{.work = duration{1000}}};
  calibrated<observed_rate>::job_data data;
  (void)predictor.remaining(job.view(start), data, tick_at(start));
  job.run(start, 1);
  for (auto const& [now, done] : {std::pair{100, 50}, std::pair{200, 100}}) {
    predictor.observe(job.view(at(duration{now})), data, progress{.done = duration{done}});
    job.record.done = duration{done};
    job.record.done_at = at(duration{now});
  }
  time_point const now = at(duration{200});
  CHECK(predictor.remaining(job.view(now), data, tick_at(now)) ==
        estimate::exactly(duration{1800}));
}

TEST_CASE("calibrated: an unknown length stays unknown, and teaches nothing") {
  calibrated<> predictor;
  for (int i = 0; i < 30; ++i) {
    live(predictor, forever, duration{2000});
  }
  CHECK(predictor.errors().seen() == 0);
  CHECK(ask_fresh(predictor, forever) == estimate{});
}

TEST_CASE("calibrated: what it learned is saved and loaded; bad bytes change nothing") {
  calibrated<> predictor;
  for (int i = 0; i < 700; ++i) {
    live(predictor, duration{1000}, duration{100 + 13 * i});
  }
  std::vector<std::byte> bytes(calibrated<>::save_size());
  REQUIRE(predictor.save(bytes).value() == bytes.size());
  calibrated<> other;
  REQUIRE(other.load(bytes));
  CHECK(other.errors() == predictor.errors());
  CHECK(ask_fresh(other, duration{777}) == ask_fresh(predictor, duration{777}));

  calibrated<> untouched;
  error const not_this{errc::bad_data, field::message};
  auto const shorter = std::span{bytes}.first(bytes.size() - 1);
  CHECK(untouched.load(shorter).error() == not_this);
  CHECK(predictor.save(shorter).error() == error{errc::capacity_exceeded, field::message});
  auto changed = bytes;
  changed[0] ^= std::byte{1};
  CHECK(untouched.load(changed).error() == not_this);
  changed = bytes;
  changed[8] ^= std::byte{1};
  CHECK(untouched.load(changed).error() == error{errc::bad_data, field::estimate});
  CHECK(untouched.errors() == ratio_histogram{});
}

}  // namespace calibrated_test
