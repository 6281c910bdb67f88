// SPDX-License-Identifier: BSL-1.0
// How many GPUs an inference service can lend, and until when: by a quantile of what it needed at
// the same time of earlier days, and by what it needs now. It sees its own past only.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/loan.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

struct lending_rules {
  duration slot = std::chrono::minutes{5};    ///< what happens within one is not told apart
  std::int32_t slots_per_season = 288;        ///< a day
  std::int32_t seasons = 7;                   ///< remembered
  std::int32_t quantile_percent = 95;         ///< of the seasons' peaks that a forecast covers
  duration lease = std::chrono::minutes{30};  ///< a loan lasts so long at least, as far as foreseen
  std::int32_t headroom = 1;  ///< GPUs that are never lent: for what comes before a recall is done
};

/// `bad_number` (period) of slot or lease outside (0, max_duration], `bad_number` (replicas) of
/// counts that are not positive or too many, `bad_number` (margin) of quantile_percent outside
/// [1, 100] or a negative headroom. O(1).
[[nodiscard]] constexpr result<void> check_rules(lending_rules const& rules) noexcept {
  constexpr std::int32_t most_slots = 1 << 16;
  auto const is_span = [](duration span) { return span > duration{0} && span <= max_duration; };
  if (!is_span(rules.slot) || !is_span(rules.lease)) {
    return error{errc::bad_number, field::period};
  }
  if (rules.slots_per_season <= 0 || rules.slots_per_season > most_slots || rules.seasons <= 0 ||
      rules.seasons > 366) {
    return error{errc::bad_number, field::replicas};
  }
  if (rules.quantile_percent < 1 || rules.quantile_percent > 100 || rules.headroom < 0) {
    return error{errc::bad_number, field::margin};
  }
  return {};
}

/// Allocates in its constructor only.
class lender {
 public:
  /// Precondition: check_rules(rules). Throws std::bad_alloc.
  explicit lender(lending_rules const& rules = {})
      : rules_{rules},
        peaks_(static_cast<std::size_t>(rules.slots_per_season) *
                   static_cast<std::size_t>(rules.seasons),
               unknown),
        sorted_(static_cast<std::size_t>(rules.seasons)) {
    BERTH_ASSERT(check_rules(rules).has_value(), "rules in their ranges");
  }

  /// Inference uses, or waits for, so many GPUs from now on. Errors, with nothing changed:
  /// bad_number (gpus) below 0, time_went_back. O(slots since the last call, at most those kept).
  result<void> observe(std::int32_t gpus, time_point now) noexcept {
    if (gpus < 0) {
      return error{errc::bad_number, field::gpus};
    }
    if (seen_ && slot_of(now) < slot_) {
      return error{errc::time_went_back, field::now};
    }
    std::int64_t const slot = slot_of(now);
    auto const kept = static_cast<std::int64_t>(peaks_.size());
    for (std::int64_t at = seen_ ? std::max(slot_ + 1, slot - kept + 1) : slot; at <= slot; ++at) {
      bool const goes_on = seen_ && start_of(at) < now;  // what was used until then
      peak(at) = goes_on ? level_ : gpus;
    }
    peak(slot) = std::max(peak(slot), gpus);
    seen_ = true;
    slot_ = slot;
    level_ = gpus;
    return {};
  }

  /// GPUs that inference is expected to need at most in the slot of `at`, from now on; as many as
  /// ever within the season where nothing is known of that slot. O(seasons × log seasons).
  [[nodiscard]] std::int32_t forecast(time_point at) noexcept {
    std::int64_t const oldest = slot_ - static_cast<std::int64_t>(peaks_.size()) + 1;
    std::int64_t past = slot_of(at) - rules_.slots_per_season;
    std::size_t count = 0;
    for (; past >= oldest; past -= rules_.slots_per_season) {
      if (past <= slot_ && peak(past) != unknown) {
        sorted_[count++] = peak(past);
      }
    }
    if (count == 0) {
      return most_of_season();
    }
    auto const end = sorted_.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(sorted_.begin(), end);
    std::size_t const rank = (count * static_cast<std::size_t>(rules_.quantile_percent) + 99) / 100;
    return sorted_[rank - 1];
  }

  /// What can be lent of `total` GPUs from now on. The lease ends before the next slot, within a
  /// season, for which more is foreseen than would be left. O(slots of a season × seasons).
  [[nodiscard]] loan decide(std::int32_t total, time_point now) noexcept {
    std::int64_t const first = slot_of(now);
    std::int64_t const last = slot_of(now + rules_.lease);
    std::int32_t needed = level_;
    for (std::int64_t at = first; at <= last; ++at) {
      needed = std::max(needed, forecast(start_of(at)));
    }
    std::int32_t const lent = std::max(0, total - rules_.headroom - needed);
    std::int64_t const end = first + rules_.slots_per_season;
    for (std::int64_t at = last + 1; at < end; ++at) {
      if (forecast(start_of(at)) > total - rules_.headroom - lent) {
        return {lent, start_of(at)};
      }
    }
    return {lent, start_of(end)};
  }

 private:
  static constexpr std::int32_t unknown = -1;

  [[nodiscard]] std::int64_t slot_of(time_point at) const noexcept {
    std::int64_t const ticks = at.time_since_epoch().count();
    std::int64_t const length = rules_.slot.count();
    return ticks >= 0 ? ticks / length : -((-ticks + length - 1) / length);
  }
  [[nodiscard]] time_point start_of(std::int64_t slot) const noexcept {
    return time_point{duration{slot * rules_.slot.count()}};
  }
  [[nodiscard]] std::int32_t& peak(std::int64_t slot) noexcept {
    auto const count = static_cast<std::int64_t>(peaks_.size());
    return peaks_[static_cast<std::size_t>(((slot % count) + count) % count)];
  }
  [[nodiscard]] std::int32_t most_of_season() noexcept {
    std::int32_t most = level_;
    for (std::int64_t at = slot_; at > slot_ - rules_.slots_per_season; --at) {
      most = std::max(most, peak(at));
    }
    return most;
  }

  lending_rules rules_;
  std::vector<std::int32_t> peaks_;   ///< per slot, of the last seasons; a ring
  std::vector<std::int32_t> sorted_;  ///< scratch
  std::int64_t slot_ = 0;
  std::int32_t level_ = 0;
  bool seen_ = false;
};

BERTH_NAMESPACE_END
