// SPDX-License-Identifier: BSL-1.0
// Epochs told from synthetic series of bytes.
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/traffic_meter.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace traffic_meter_test {

using namespace berth;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t mega = 1'000'000;
constexpr time_point start{1'000'000ms};

/// A job as it is: what it has read at any time.
struct training {
  duration epoch = 600s;
  duration gap = 60s;  ///< at the end of each epoch nothing is read
  std::int64_t size = 10'000 * mega;
  bool cached = false;          ///< from the second epoch on, only `validation` is read
  std::int64_t validation = 0;  ///< read in the gap
  duration first_epoch = 600s;  ///< how long the first takes

  [[nodiscard]] std::int64_t read(duration since) const {
    if (since < first_epoch) {
      return within(since, first_epoch, size);
    }
    std::int64_t const whole = (since - first_epoch) / epoch;
    std::int64_t const streamed = cached ? 0 : size;
    return size + validation + whole * (streamed + validation) +
           within((since - first_epoch) % epoch, epoch, streamed);
  }
  [[nodiscard]] std::int64_t within(duration since, duration length, std::int64_t bytes) const {
    duration const training_time = length - gap;
    if (since < training_time) {
      return static_cast<std::int64_t>(static_cast<double>(bytes) *
                                       static_cast<double>(since.count()) /
                                       static_cast<double>(training_time.count()));
    }
    duration const validating = since - training_time;
    return bytes + validation * validating.count() / std::max<std::int64_t>(1, gap.count());
  }
};

struct watcher {
  traffic_meter meter;
  training job;
  std::int64_t size = 0;  ///< as told to the meter

  watcher(training const& what, std::int64_t told) : job{what}, size{told} {
    meter.begin_run(start);
  }
  void see(duration since) { meter.sample(start + since, job.read(since), size); }
  void watch(duration from, duration to, duration every) {
    for (duration at = from; at <= to; at += every) {
      see(at);
    }
  }
  [[nodiscard]] duration period(duration since) const { return meter.clock(start + since).period; }
  /// Time since the last end of an epoch, by the meter.
  [[nodiscard]] duration age(duration since) const {
    epoch_clock const said = meter.clock(start + since);
    return said.began == never ? duration{-1} : (start + since - said.began) % said.period;
  }
};

[[nodiscard]] bool is_about(duration measured, duration truth, int percent = 5) {
  return 100 * (measured > truth ? measured - truth : truth - measured) <= percent * truth;
}
/// Distance of two phases on a circle.
[[nodiscard]] duration apart(duration a, duration b, duration period) {
  duration const d = (a > b ? a - b : b - a) % period;
  return std::min(d, period - d);
}

}  // namespace

TEST_CASE("traffic_meter: before the first run and the first sample nothing is known") {
  traffic_meter meter;
  CHECK(meter.clock(start).period == 0s);
  CHECK(meter.epochs_done(start) == 0);
  meter.begin_run(start);
  CHECK(meter.clock(start).period == 0s);
}

TEST_CASE("traffic_meter: with a known size the period and the phase are bytes over bytes") {
  training const even{.gap = 0s};
  watcher w{even, even.size};
  w.watch(10s, 1350s, 10s);
  CHECK(is_about(w.period(1350s), 600s, 1));
  CHECK(apart(w.age(1350s), 150s, 600s) <= 1s);
  CHECK(w.meter.epochs_done(start + 1350s) == 2);
}

TEST_CASE("traffic_meter: with a known size part of the first epoch is enough") {
  training const even{.gap = 0s};
  watcher w{even, even.size};
  w.see(5s);
  CHECK(w.period(5s) == 0s);  // less than a 64th
  w.watch(10s, 60s, 5s);
  CHECK(is_about(w.period(60s), 600s, 1));
  CHECK(w.meter.epochs_done(start + 60s) == 0);
}

TEST_CASE("traffic_meter: without a size, three epochs with gaps tell the period and the phase") {
  for (duration const epoch : {40s, 100s, 600s, 3000s, 7200s}) {
    CAPTURE(epoch.count());
    training const job{.epoch = epoch, .gap = epoch / 10, .first_epoch = epoch};
    watcher w{job, 0};
    duration const until = 6 * epoch + epoch / 4;
    w.watch(5s, until, 5s);
    CHECK(is_about(w.period(until), epoch));
    CHECK(apart(w.age(until), epoch / 4, epoch) <= epoch / 5);
    CHECK(w.meter.epochs_done(start + until) == 6);
  }
}

TEST_CASE("traffic_meter: data that are cached after the first epoch: by what validation reads") {
  training const job{
      .epoch = 500s, .gap = 50s, .cached = true, .validation = 200 * mega, .first_epoch = 900s};
  for (std::int64_t const told : {job.size + job.validation, std::int64_t{0}}) {
    CAPTURE(told);
    watcher w{job, told};
    duration const until = 900s + 7 * 500s + 100s;
    w.watch(5s, until, 5s);
    CHECK(is_about(w.period(until), 500s));
    CHECK(apart(w.age(until), 100s, 500s) <= 100s);
    if (told > 0) {
      CHECK(w.meter.epochs_done(start + until) == 8);
    }
  }
}

TEST_CASE("traffic_meter: data that are cached, and nothing is read any more: as the first epoch") {
  training const job{.epoch = 600s, .gap = 0s, .cached = true};
  watcher w{job, job.size};
  w.watch(10s, 600s + 4 * 600s + 200s, 10s);
  CHECK(is_about(w.period(3200s), 600s, 1));
  CHECK(apart(w.age(3200s), 200s, 600s) <= 10s);
  CHECK(w.meter.epochs_done(start + 3200s) == 5);
}

TEST_CASE("traffic_meter: storage that stands still for a while is not a cache for ever") {
  training const even{.gap = 0s};
  watcher w{even, even.size};
  w.watch(10s, 1200s, 10s);
  for (duration at = 1210s; at <= 1800s; at += 10s) {  // stands still for an epoch
    w.meter.sample(start + at, even.read(1200s), even.size);
  }
  for (duration at = 1810s; at <= 4600s; at += 10s) {
    w.meter.sample(start + at, even.read(at - 600s), even.size);
  }
  CHECK(is_about(w.period(4600s), 600s, 2));
  CHECK(apart(w.age(4600s), 400s, 600s) <= 20s);
}

TEST_CASE("traffic_meter: missing samples") {
  random_source random{7};
  training const even{.gap = 0s};
  watcher known{even, even.size};
  training const gaps{};
  watcher unknown{gaps, 0};
  for (duration at = 10s; at <= 4950s; at += 10s) {
    bool const lost = (at > 1300s && at < 2900s) || random.below(3) == 0;
    if (!lost) {
      known.see(at);
    }
    if (random.below(3) != 0) {
      unknown.see(at);
    }
  }
  CHECK(is_about(known.period(4950s), 600s, 2));
  CHECK(apart(known.age(4950s), 150s, 600s) <= 40s);
  CHECK(known.meter.epochs_done(start + 4950s) == 8);
  CHECK(is_about(unknown.period(4950s), 600s));
}

TEST_CASE("traffic_meter: repeated samples, and samples from before, change nothing") {
  training const job{};
  for (std::int64_t const told : {job.size, std::int64_t{0}}) {
    watcher plain{job, told};
    watcher noisy{job, told};
    for (duration at = 10s; at <= 3000s; at += 10s) {
      plain.see(at);
      noisy.see(at);
      noisy.see(at);
      noisy.meter.sample(start + at, job.read(at) + 5, told);
      noisy.meter.sample(start + at - 7s, job.read(at - 7s), told);
    }
    CHECK(noisy.period(3000s) == plain.period(3000s));
    CHECK(noisy.age(3000s) == plain.age(3000s));
  }
}

TEST_CASE("traffic_meter: a single total that is too low is ignored") {
  training const even{.gap = 0s};
  watcher w{even, even.size};
  for (duration at = 10s; at <= 3150s; at += 10s) {
    if (at.count() % 170'000 == 0) {
      w.meter.sample(start + at, even.read(at) / 3, even.size);
    } else {
      w.see(at);
    }
  }
  CHECK(is_about(w.period(3150s), 600s, 1));
  CHECK(apart(w.age(3150s), 150s, 600s) <= 10s);
  CHECK(w.meter.epochs_done(start + 3150s) == 5);
}

TEST_CASE("traffic_meter: a counter that begins again is followed") {
  training const even{.gap = 0s};
  watcher w{even, even.size};
  for (duration at = 10s; at <= 3150s; at += 10s) {
    std::int64_t const lost = at > 1005s ? even.read(1005s) : 0;
    w.meter.sample(start + at, even.read(at) - lost, even.size);
  }
  CHECK(is_about(w.period(3150s), 600s, 1));
  CHECK(apart(w.age(3150s), 150s, 600s) <= 10s);
  CHECK(w.meter.epochs_done(start + 3150s) == 5);
}

TEST_CASE("traffic_meter: with noise the period is within 5 %") {
  int good = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    duration const epoch{random.between(60'000, 4'000'000)};
    training const job{.epoch = epoch, .gap = epoch / 8, .first_epoch = epoch};
    bool const told = seed % 2 == 0;
    watcher w{job, told ? job.size : 0};
    duration at{0};
    std::int64_t total = 0;
    std::int64_t before = 0;
    while (at < 8 * epoch) {
      at += duration{random.between(3'000, 7'000)};
      std::int64_t const now = job.read(at);
      std::int64_t const amount = now - before;
      before = now;
      // each rate within 30 %; with a known size an epoch has as many bytes all the same
      std::int64_t const noise = amount * random.between(-300, 300) / 1000;
      total = told ? now + noise : total + amount + noise;
      w.meter.sample(start + at, total, w.size);
    }
    CHECK(is_about(w.period(at), epoch));
    good += is_about(w.period(at), epoch) ? 1 : 0;
  }
  MESSAGE(good, " of 40 within 5 %");
}

TEST_CASE("traffic_meter: an even rate, and pure noise, have no rhythm") {
  int heard = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    random_source random{seed};
    traffic_meter meter;
    meter.begin_run(start);
    std::int64_t total = 0;
    for (int i = 1; i <= 1000; ++i) {
      total += seed == 1 ? mega : random.between(0, 2 * mega);
      meter.sample(start + i * 5s, total, 0);
    }
    heard += meter.clock(start + 5000s).period > 0s ? 1 : 0;
  }
  MESSAGE(heard, " of 40 heard something");
  CHECK(heard <= 4);
}

TEST_CASE("traffic_meter: a new run begins an epoch; what was measured and done stays") {
  training const even{.gap = 0s};
  watcher w{even, even.size};
  w.watch(10s, 1350s, 10s);
  w.meter.begin_run(start + 5000s);
  CHECK(w.period(5000s) == 600s);
  CHECK(w.meter.clock(start + 5000s).began == start + 5000s);
  CHECK(w.meter.epochs_done(start + 5000s) == 2);
  w.meter.sample(start + 5060s, even.read(60s), even.size);
  CHECK(apart(w.age(5060s), 60s, 600s) <= 1s);
  // stopped at the end of an epoch, a moment before the meter saw it
  for (duration at = 70s; at <= 595s; at += 5s) {
    w.meter.sample(start + 5000s + at, even.read(at), even.size);
  }
  w.meter.begin_run(start + 9000s);
  CHECK(w.meter.epochs_done(start + 9000s) == 3);
}

TEST_CASE("traffic_meter: anything at all is survived") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    traffic_meter meter;
    time_point now = start;
    meter.begin_run(now);
    for (int i = 0; i < 300; ++i) {
      auto const any = [&](int bits) {
        return static_cast<std::int64_t>(random.next() >> 4) >>
               random.below(static_cast<std::uint64_t>(bits));
      };
      if (random.below(50) == 0) {
        meter.begin_run(now);
      }
      now += duration{any(60) & ((std::int64_t{1} << 34) - 1)};
      meter.sample(now, any(60), random.below(2) == 0 ? 0 : any(60));
      epoch_clock const said = meter.clock(now);
      REQUIRE(said.period >= 0ms);
      REQUIRE(said.period <= max_duration);
      REQUIRE((said.began == never || said.began <= now));
      REQUIRE(meter.epochs_done(now) >= 0);
    }
  }
}

}  // namespace traffic_meter_test
