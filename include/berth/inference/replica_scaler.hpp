// SPDX-License-Identifier: BSL-1.0
// Replicas from question to question: up at once, down by and by. Waiting for several low signals
// in a row before one replica goes is INFaaS's rule (Romero et al., USENIX ATC 2021); the margin is
// ours.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/inference/replicas.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

struct scaling_rules {
  std::int32_t patience = 20;        ///< low signals in a row before replicas go; at least 1
  std::int32_t margin_percent = 10;  ///< a signal is low if fewer replicas do for so much more load
  std::int32_t step = 1;             ///< replicas that go at a time, at most
};

/// `zero_or_negative` of patience or step (patience, step), `bad_number` (margin) of margin_percent
/// outside [0, 1000]. O(1).
[[nodiscard]] constexpr result<void> check_rules(scaling_rules const& rules) noexcept {
  if (rules.patience <= 0) {
    return error{errc::zero_or_negative, field::patience};
  }
  if (rules.step <= 0) {
    return error{errc::zero_or_negative, field::step};
  }
  if (rules.margin_percent < 0 || rules.margin_percent > 1000) {
    return error{errc::bad_number, field::margin};
  }
  return {};
}

/// How many replicas a service should have, as its load comes in. While every load lies within
/// margin_percent of every other the number never falls: noise of that size cannot make it flap.
/// After `patience` low signals it falls by `step`, but not below what the busiest of them needed,
/// margin included. A plain value: it may be copied and kept.
class replica_scaler {
 public:
  /// Preconditions: check_service(service), check_rules(rules). Starts with min_replicas.
  explicit replica_scaler(inference_service const& service,
                          scaling_rules const& rules = {}) noexcept
      : service_{service}, rules_{rules}, replicas_{service.min_replicas} {
    BERTH_ASSERT(check_service(service).has_value(), "a service that can be met");
    BERTH_ASSERT(check_rules(rules).has_value(), "rules in their ranges");
  }

  /// The load now; the new number of replicas. Errors, with nothing changed: of replicas_for().
  /// No allocation. O(replicas).
  result<std::int32_t> observe(offered_load const& load) noexcept {
    auto const needed = replicas_for(service_, load);
    if (!needed) {
      return needed.error();
    }
    if (needed->replicas > replicas_) {
      replicas_ = needed->replicas;
      forget();
      return replicas_;
    }
    std::int64_t const more = needed->rate / 100 * rules_.margin_percent +
                              (needed->rate % 100 * rules_.margin_percent + 99) / 100;
    inference_service at_once = service_;  // the rate looks ahead already
    at_once.startup = at_once.period = duration{0};
    auto const roomy =
        replicas_for(at_once, {.rate = std::min(needed->rate + more, max_request_rate)});
    if (!roomy || roomy->replicas >= replicas_) {
      forget();
      return replicas_;
    }
    busiest_ = std::max(busiest_, roomy->replicas);
    if (++low_signals_ >= rules_.patience) {
      replicas_ -= std::min(rules_.step, replicas_ - busiest_);
      forget();
    }
    return replicas_;
  }

  [[nodiscard]] std::int32_t replicas() const noexcept { return replicas_; }
  /// In a row, until now.
  [[nodiscard]] std::int32_t low_signals() const noexcept { return low_signals_; }

 private:
  void forget() noexcept {
    low_signals_ = 0;
    busiest_ = 0;
  }

  inference_service service_;
  scaling_rules rules_;
  std::int32_t replicas_;
  std::int32_t low_signals_ = 0;
  std::int32_t busiest_ = 0;  ///< replicas that the busiest low signal needs, margin included
};

BERTH_NAMESPACE_END
