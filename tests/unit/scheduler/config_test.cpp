// SPDX-License-Identifier: BSL-1.0
// Limits and habits: every value out of its range is refused by name; the back-off.
#include <berth/core/error.hpp>
#include <berth/scheduler/config.hpp>

#include <chrono>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace config_test {

using namespace berth;

namespace {
template <class Change>
bool is_fine(Change change) {
  scheduler_config config;
  change(config);
  return config.validate().has_value();
}
template <class Change>
bool is_refused(field where, Change change) {
  scheduler_config config;
  change(config);
  auto const answer = config.validate();
  return !answer && answer.error() == error{errc::bad_config, where};
}
constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
}  // namespace

TEST_CASE("config: the defaults are valid") {
  CHECK(scheduler_config{}.validate().has_value());
}

TEST_CASE("config: limits are positive and at most 2^24") {
  struct limit {
    std::uint32_t scheduler_config::*member;
    field where;
  };
  for (limit const l : {limit{&scheduler_config::max_jobs, field::max_jobs},
                        limit{&scheduler_config::max_nodes, field::max_nodes},
                        limit{&scheduler_config::max_gpus, field::max_gpus},
                        limit{&scheduler_config::max_tenants, field::max_tenants}}) {
    for (std::uint32_t const bad : {0u, (1u << 24) + 1, most}) {
      CHECK(is_refused(l.where, [&](scheduler_config& c) { c.*l.member = bad; }));
    }
    CHECK(is_fine([&](scheduler_config& c) { c.*l.member = 1; }));
    CHECK(is_fine([&](scheduler_config& c) { c.*l.member = 1u << 24; }));
  }
}

TEST_CASE("config: look-ahead and failure limit are positive") {
  CHECK(is_refused(field::look_ahead, [](scheduler_config& c) { c.look_ahead = 0; }));
  CHECK(is_refused(field::failure_limit, [](scheduler_config& c) { c.failure_limit = 0; }));
  CHECK(is_fine([](scheduler_config& c) { c.look_ahead = c.failure_limit = 1; }));
}

TEST_CASE("config: durations are in range") {
  for (duration const bad :
       {duration{0}, duration{-1}, duration::min(), max_duration + duration{1}}) {
    CHECK(is_refused(field::earmark_expiry, [&](scheduler_config& c) { c.earmark_expiry = bad; }));
  }
  CHECK(is_fine([](scheduler_config& c) { c.earmark_expiry = forever; }));
  for (duration const bad : {duration{-1}, duration::min(), max_duration + duration{1}, forever}) {
    CHECK(is_refused(field::minimum_run, [&](scheduler_config& c) { c.minimum_run = bad; }));
  }
  CHECK(is_fine([](scheduler_config& c) { c.minimum_run = max_duration; }));
}

TEST_CASE("config: the horizon is an instant that a host may pass, or never") {
  for (time_point const bad : {time_point{max_instant + duration{1}}, never - duration{1},
                               time_point{-max_instant - duration{1}}, time_point::min()}) {
    CHECK(is_refused(field::horizon, [&](scheduler_config& c) { c.horizon = bad; }));
  }
  CHECK(is_fine([](scheduler_config& c) { c.horizon = time_point{max_instant}; }));
}

TEST_CASE("config: a back-off grows from a positive base to a cap not below it") {
  auto const bad = [](duration base, std::int32_t factor, duration cap) {
    return is_refused(field::backoff, [&](scheduler_config& c) { c.retry = {base, factor, cap}; });
  };
  CHECK(bad(duration{0}, 2, duration{5}));
  CHECK(bad(duration{-1}, 2, duration{5}));
  CHECK(bad(duration{1}, 0, duration{5}));
  CHECK(bad(duration{1}, -2, duration{5}));
  CHECK(bad(duration{6}, 2, duration{5}));
  CHECK(bad(duration{1}, 2, forever));
  CHECK(bad(duration{1}, 2, max_duration + duration{1}));
  CHECK(is_fine([](scheduler_config& c) { c.retry = {duration{5}, 1, duration{5}}; }));
}

TEST_CASE("config: an enumerator that does not exist is refused") {
  CHECK(is_refused(field::acknowledge,
                   [](scheduler_config& c) { c.acknowledge = static_cast<acknowledgement>(2); }));
  CHECK(is_refused(field::impossible,
                   [](scheduler_config& c) { c.impossible = static_cast<impossible_gangs>(2); }));
}

TEST_CASE("backoff: base, base times factor, and so on to the cap") {
  backoff const retry{std::chrono::seconds{1}, 3, std::chrono::seconds{20}};
  CHECK(retry.delay(1) == std::chrono::seconds{1});
  CHECK(retry.delay(2) == std::chrono::seconds{3});
  CHECK(retry.delay(3) == std::chrono::seconds{9});
  CHECK(retry.delay(4) == std::chrono::seconds{20});
  CHECK(retry.delay(5) == std::chrono::seconds{20});
}

TEST_CASE("backoff: saturates for every number of attempts, and never falls") {
  for (backoff const retry :
       {backoff{}, backoff{duration{1}, 2, max_duration},
        backoff{duration{7}, 2'000'000'000, max_duration}, backoff{max_duration, 2, max_duration},
        backoff{duration{1}, 1, duration{1000}}}) {
    REQUIRE(scheduler_config{.retry = retry}.validate().has_value());
    duration before{0};
    for (std::uint32_t n = 0; n < 200; ++n) {
      duration const wait = retry.delay(n);
      REQUIRE(wait >= before);
      REQUIRE(wait >= duration{0});
      REQUIRE(wait <= retry.cap);
      before = wait;
    }
    CHECK(retry.delay(most) == (retry.factor == 1 ? retry.base : retry.cap));
    CHECK(retry.delay(0) == retry.base);
  }
}

}  // namespace config_test
