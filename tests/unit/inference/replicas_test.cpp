// SPDX-License-Identifier: BSL-1.0
// Replicas for a load. The oracle is Erlang's formula as a sum of a^k / k!, in long double, and a
// search for the least number from one replica on.
#include <berth/core/error.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/inference/erlang.hpp>
#include <berth/inference/replica_scaler.hpp>
#include <berth/inference/replicas.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

namespace replicas_test {

namespace {

using namespace berth;
using namespace std::chrono_literals;

/// The specification's: ℓ(b) = 2 b + 10 ms, 100 ms, at most 75 %.
constexpr inference_service golden{
    .batch_fixed = 10ms, .batch_each = 2ms, .max_batch = 64, .objective = 100ms};
constexpr std::int64_t per_second = 1000;

/// Erlang's C by its definition, each term from the one before.
long double sum_formula(std::int32_t servers, long double offered) {
  if (offered >= servers) {
    return 1.0L;
  }
  long double term = 1.0L;
  long double sum = 0.0L;
  for (std::int32_t k = 0; k < servers; ++k) {
    sum += term;
    term *= offered / (k + 1);
  }
  term *= servers / (servers - offered);
  return term / (sum + term);
}

double waiting(std::int32_t servers, double offered) {
  detail::erlang_queue queue{offered};
  while (queue.servers() < servers) {
    queue.add_server();
  }
  return queue.waiting();
}

/// Of requests in millionths, unrounded.
long double oracle_late(inference_service const& service, std::int32_t batch, std::int64_t rate,
                        std::int32_t replicas) {
  long double const time =
      1e-6L * static_cast<long double>((service.batch_fixed + service.batch_each * batch).count());
  long double const per_replica = batch / time;
  long double const arrivals = rate / 1000.0L;
  if (arrivals >= replicas * per_replica) {
    return 1e6L;
  }
  long double const left = 1e-6L * static_cast<long double>(service.objective.count()) - time;
  return 1e6L * sum_formula(replicas, arrivals / per_replica) *
         std::exp(-(replicas * per_replica - arrivals) * left);
}

inference_service some_service(random_source& random) {
  auto const number = [&](std::uint64_t below) {
    return static_cast<std::int32_t>(random.below(below));
  };
  inference_service service{.batch_fixed = std::chrono::microseconds{number(20'000)},
                            .batch_each = std::chrono::microseconds{1 + number(20'000)},
                            .max_batch = 1 + number(32),
                            .late_millionths = 1 + number(100'000),
                            .utilisation_percent = 30 + number(70)};
  service.objective =
      2 * service.batch_time(1 + number(8)) + std::chrono::microseconds{number(999)};
  return service;
}

TEST_CASE("erlang_queue: the published values, and one server waits as often as it works") {
  CHECK(waiting(10, 8.0) == doctest::Approx(0.40918).epsilon(1e-5));
  CHECK(waiting(5, 4.0) == doctest::Approx(0.55411).epsilon(1e-5));
  CHECK(waiting(1, 0.5) == doctest::Approx(0.5).epsilon(1e-15));
  CHECK(waiting(3, 3.0) == 1.0);
  CHECK(waiting(3, 0.0) == 0.0);
  CHECK(waiting(0, 0.0) == 1.0);
}

TEST_CASE("erlang_queue: agrees with the sum of its definition") {
  for (std::int32_t servers = 1; servers <= 200; ++servers) {
    for (std::int32_t percent = 1; percent < 100; percent += 7) {
      double const offered = servers * percent / 100.0;
      CAPTURE(servers);
      CAPTURE(offered);
      auto const expected =
          static_cast<double>(sum_formula(servers, static_cast<long double>(offered)));
      CHECK(std::abs(waiting(servers, offered) - expected) <= 1e-12 * expected + 1e-300);
    }
  }
}

TEST_CASE("erlang_queue: stays a probability where the sum would overflow, with the same bits") {
  std::uint64_t bits = 0;
  for (std::int32_t servers = 1000; servers <= 64'000; servers *= 4) {
    double const share = waiting(servers, servers - std::sqrt(static_cast<double>(servers)));
    CHECK(share > 0.2);  // Halfin and Whitt: about 0.223 for a spare of one root
    CHECK(share < 0.24);
    bits = std::rotl(bits, 7) ^ std::bit_cast<std::uint64_t>(share);
  }
  CHECK(bits == 16323496633580161051u);
}

TEST_CASE("replicas: the specification's service needs ten, with batches of twenty") {
  auto const demand = replicas_for(golden, {.rate = 3000 * per_second});
  REQUIRE(demand);
  CHECK(demand->batch == 20);
  CHECK(demand->replicas == 10);
  CHECK(demand->bound == replica_bound::utilisation);
  CHECK(replicas_for(golden, {.rate = 3000 * per_second + 1})->replicas == 11);
  CHECK(replicas_for(golden, {.rate = 1})->replicas == 1);
  CHECK(*replicas_for(golden, {}) == replica_demand{.batch = 20});
}

TEST_CASE("replicas: the batch is the largest of which two fit into the objective") {
  random_source random{3};
  for (int i = 0; i < 2000; ++i) {
    inference_service const service = some_service(random);
    std::int32_t best = 0;
    for (std::int32_t batch = 1; batch <= service.max_batch; ++batch) {
      best = 2 * service.batch_time(batch) <= service.objective ? batch : best;
    }
    CHECK(largest_batch(service) == best);
  }
}

TEST_CASE("replicas: the least number that keeps the cap and the objective, by the oracle") {
  random_source random{17};
  int by_waiting = 0;
  for (int i = 0; i < 1500; ++i) {
    inference_service const service = some_service(random);
    std::int32_t const batch = largest_batch(service);
    auto const most =
        static_cast<std::uint64_t>(60'000'000'000 * batch / service.batch_time(batch).count());
    auto const rate = static_cast<std::int64_t>(1 + random.below(most + 1));
    auto const demand = replicas_for(service, {.rate = rate});
    REQUIRE(demand);
    CAPTURE(i);
    long double const erlangs = rate / 1000.0L *
                                static_cast<long double>(service.batch_time(batch).count()) *
                                1e-6L / batch;
    auto const enough = [&](std::int32_t replicas, long double slack) {
      return 100 * erlangs <= replicas * (service.utilisation_percent + slack) &&
             oracle_late(service, batch, rate, replicas) <= service.late_millionths + slack;
    };
    CHECK(enough(demand->replicas, 1e-6L));
    CHECK((demand->replicas == 1 || !enough(demand->replicas - 1, -1e-6L)));
    long double const late = oracle_late(service, batch, rate, demand->replicas);
    CHECK(demand->late_millionths >= late - 1e-6L);
    CHECK(demand->late_millionths <= late + 1 + 1e-6L);
    by_waiting += demand->bound == replica_bound::waiting ? 1 : 0;
  }
  CHECK(by_waiting > 30);
}

TEST_CASE("replicas: more load never needs fewer") {
  random_source random{5};
  for (int i = 0; i < 100; ++i) {
    inference_service const service = some_service(random);
    std::int32_t before = 0;
    for (std::int64_t rate = 0; rate < 2'000'000; rate += 1 + rate / 20) {
      CAPTURE(i);
      CAPTURE(rate);
      std::int32_t const now = replicas_for(service, {.rate = rate})->replicas;
      CHECK(now >= before);
      before = now;
    }
  }
}

TEST_CASE("replicas: what comes during a cold start and until the next question counts") {
  inference_service service = golden;
  service.startup = 20s;
  service.period = 10s;
  // 1,500 and 30 s × 50 more each second are the 3,000 of above.
  offered_load const rising{.rate = 1500 * per_second, .growth = 50 * per_second};
  CHECK(replicas_for(service, rising)->rate == 3000 * per_second);
  CHECK(replicas_for(service, rising)->replicas == 10);
  CHECK(replicas_for(golden, rising)->replicas == 5);
  offered_load const falling{.rate = 3000 * per_second, .growth = -50 * per_second};
  CHECK(replicas_for(service, falling)->replicas == 10);
  // A part of a thousandth counts as a whole.
  service.startup = 1ms;
  service.period = 0s;
  CHECK(expected_rate(service, {.rate = 5, .growth = 1}) == 6);
}

TEST_CASE("replicas: limits of the service are kept, and told") {
  inference_service service = golden;
  service.min_replicas = 3;
  service.max_replicas = 9;
  CHECK(replicas_for(service, {})->replicas == 3);
  CHECK(replicas_for(service, {.rate = 800 * per_second})->bound == replica_bound::minimum);
  auto const short_of = replicas_for(service, {.rate = 3000 * per_second});
  CHECK(short_of->replicas == 9);
  CHECK(short_of->bound == replica_bound::maximum);
  auto const flood = replicas_for(service, {.rate = max_request_rate, .growth = max_request_rate});
  CHECK(flood->replicas == 9);
  CHECK(flood->late_millionths == 1'000'000);
  CHECK(flood->rate == max_request_rate);
  service.startup = service.period = max_duration;
  CHECK(replicas_for(service, {.growth = max_request_rate})->rate == max_request_rate);
}

TEST_CASE("replicas: what is malformed is refused with the member that is to blame") {
  auto const why = [](auto change) {
    inference_service service = golden;
    change(service);
    auto const answer = replicas_for(service, {.rate = 1});
    REQUIRE(!answer);
    CHECK(check_service(service).error() == answer.error());
    return answer.error();
  };
  using service = inference_service;
  using us = std::chrono::microseconds;
  constexpr std::int32_t huge = std::numeric_limits<std::int32_t>::max();
  CHECK(why([](service& s) { s.batch_each = 0ms; }) ==
        error{errc::zero_or_negative, field::latency});
  CHECK(why([](service& s) { s.batch_fixed = -1ms; }) == error{errc::bad_number, field::latency});
  CHECK(why([](service& s) { s.batch_fixed = us::max(); }) ==
        error{errc::bad_number, field::latency});
  CHECK(why([](service& s) { s.batch_each = us::max(); }) ==
        error{errc::bad_number, field::latency});
  CHECK(why([](service& s) { s.max_batch = 0; }) ==
        error{errc::zero_or_negative, field::batch_size});
  CHECK(why([](service& s) { s.max_batch = huge; }) == error{errc::bad_number, field::batch_size});
  CHECK(why([](service& s) { s.objective = 0ms; }) ==
        error{errc::zero_or_negative, field::objective});
  CHECK(why([](service& s) { s.objective = us::max(); }) ==
        error{errc::bad_number, field::objective});
  CHECK(why([](service& s) { s.objective = 23ms; }) == error{errc::inconsistent, field::objective});
  CHECK(why([](service& s) { s.late_millionths = 0; }) == error{errc::bad_number, field::late});
  CHECK(why([](service& s) { s.late_millionths = 1'000'001; }) ==
        error{errc::bad_number, field::late});
  CHECK(why([](service& s) { s.utilisation_percent = 0; }) ==
        error{errc::bad_number, field::utilisation});
  CHECK(why([](service& s) { s.utilisation_percent = 100; }) ==
        error{errc::bad_number, field::utilisation});
  CHECK(why([](service& s) { s.startup = -1ms; }) == error{errc::bad_number, field::startup});
  CHECK(why([](service& s) { s.period = forever; }) == error{errc::bad_number, field::period});
  CHECK(why([](service& s) { s.max_replicas = 0; }) ==
        error{errc::zero_or_negative, field::replicas});
  CHECK(why([](service& s) { s.max_replicas = huge; }) == error{errc::bad_number, field::replicas});
  CHECK(why([](service& s) { s.min_replicas = -1; }) == error{errc::bad_number, field::replicas});
  CHECK(why([](service& s) { s.min_replicas = 2, s.max_replicas = 1; }) ==
        error{errc::inconsistent, field::replicas});

  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (offered_load const& bad :
       {offered_load{.rate = -1}, offered_load{.rate = max_request_rate + 1},
        offered_load{.growth = least}, offered_load{.growth = -(least + 1)}}) {
    CHECK(replicas_for(golden, bad).error() == error{errc::bad_number, field::load});
  }
  CHECK(check_rules({.patience = 0}).error() == error{errc::zero_or_negative, field::patience});
  CHECK(check_rules({.step = 0}).error() == error{errc::zero_or_negative, field::step});
  CHECK(check_rules({.margin_percent = -1}).error() == error{errc::bad_number, field::margin});
  CHECK(check_rules({.margin_percent = 1001}).error() == error{errc::bad_number, field::margin});
}

TEST_CASE("replica_scaler: up at once, down one by one after enough low signals") {
  replica_scaler scaler{golden, {.patience = 3}};
  CHECK(scaler.replicas() == 0);
  CHECK(*scaler.observe({.rate = 3000 * per_second}) == 10);
  // 600 and a tenth need three: 10 can fall, a replica every third signal.
  for (std::int32_t const expected : {10, 10, 9, 9, 9, 8, 8, 8, 7, 7, 7, 6}) {
    CHECK(*scaler.observe({.rate = 600 * per_second}) == expected);
  }
  CHECK(*scaler.observe({.rate = 6000 * per_second}) == 20);
  // A signal that is not low starts the count again.
  CHECK(*scaler.observe({.rate = 600 * per_second}) == 20);
  CHECK(*scaler.observe({.rate = 600 * per_second}) == 20);
  CHECK(scaler.low_signals() == 2);
  CHECK(*scaler.observe({.rate = 5700 * per_second}) == 20);
  CHECK(scaler.low_signals() == 0);
}

TEST_CASE("replica_scaler: with a long step it falls to what the busiest low signal needs") {
  replica_scaler scaler{golden, {.patience = 3, .step = max_replica_count}};
  CHECK(*scaler.observe({.rate = 3000 * per_second}) == 10);
  CHECK(*scaler.observe({.rate = 300 * per_second}) == 10);
  CHECK(*scaler.observe({.rate = 1200 * per_second}) == 10);
  CHECK(*scaler.observe({.rate = 300 * per_second}) == 5);  // 1,320 ÷ 300, rounded up
}

TEST_CASE("replica_scaler: a refused load changes nothing; without load it falls to the minimum") {
  inference_service service = golden;
  service.min_replicas = 2;
  replica_scaler scaler{service, {.patience = 1, .step = 5}};
  CHECK(*scaler.observe({.rate = 3000 * per_second}) == 10);
  CHECK(scaler.observe({.rate = -1}).error() == error{errc::bad_number, field::load});
  CHECK(scaler.replicas() == 10);
  for (std::int32_t const expected : {5, 2, 2}) {
    CHECK(*scaler.observe({}) == expected);
  }
}

TEST_CASE("replica_scaler: a load that is constant but for noise within the margin never flaps") {
  random_source random{23};
  int rises = 0;
  for (int i = 0; i < 60; ++i) {
    inference_service const service = some_service(random);
    replica_scaler scaler{service, {.patience = 1, .margin_percent = 10}};
    auto const base = static_cast<std::int64_t>(1000 + random.below(500'000));
    std::int32_t before = 0;
    for (int tick = 0; tick < 300; ++tick) {
      auto const noise =
          static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(base / 10 + 1)));
      std::int32_t const now = *scaler.observe({.rate = base + noise});
      CAPTURE(i);
      CHECK(now >= before);  // patience does not help here: the margin alone has to
      rises += tick > 0 && now > before ? 1 : 0;
      before = now;
    }
    CHECK(before <= replicas_for(service, {.rate = base + base / 10})->replicas);
  }
  CHECK(rises > 10);  // the noise did cross a step
}

TEST_CASE("replica_scaler: without a margin the same noise does make it flap") {
  replica_scaler scaler{golden, {.patience = 1, .margin_percent = 0}};
  CHECK(*scaler.observe({.rate = 3001 * per_second}) == 11);
  CHECK(*scaler.observe({.rate = 2999 * per_second}) == 10);
}

static_assert(std::is_trivially_copyable_v<replica_scaler>);
static_assert(noexcept(replicas_for(golden, {})));
static_assert(check_service(golden).has_value());
static_assert(largest_batch(golden) == 20);

}  // namespace

}  // namespace replicas_test
