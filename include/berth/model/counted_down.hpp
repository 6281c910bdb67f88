// SPDX-License-Identifier: BSL-1.0
// What is left of an estimate when some time has passed and the job still runs.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/estimate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

// A job that outlives an uncertain estimate does not end at once: that it still runs says that it
// is one of the longer ones. What is left is the conditional distribution, given that it lasted
// longer than `elapsed`. Three quantiles do not say which distribution; we take the hazard, the
// rate at which jobs end that have not ended yet, as constant between them:
//
//   hazard so far  H(t) = -ln(share of jobs longer than t):  H(0) = 0, H(p10) = -ln 0.9,
//                  H(p50) = -ln 0.5, H(p90) = -ln 0.1, straight lines between.
//   conditional q-quantile after e: the instant at which H has grown by -ln(1 - q) since e, less e.
//
// At e = 0 that gives p10, p50, p90 back, and always p10 <= p50 <= p90. Beyond p90 nothing is
// known; there we follow the log-normal, which run times usually resemble, and where
// R = (p90 - p50) / (p50 - p10) = p90 / p50. The time per unit of hazard at p90 is that of the last
// segment, (p90 - p50) / ln 5, times (9 + 5 R) / 20, and grows by (R - 1.3) / 10 of the time that
// passes: fitted, and within 16 % of the conditional median for sigma from 0.3 to 1, up to four
// times p90.
class hazard_line {
 public:
  constexpr explicit hazard_line(estimate const& from) noexcept
      : at_{0, from.p10.count(), from.p50.count(), from.p90.count()} {
    std::int64_t const upper = at_[3] - at_[2];
    std::int64_t const lower = at_[2] - at_[1];
    skew_ = std::min<std::int64_t>(6'000, 1'000 * upper / lower);
    tail_ = upper * (9'000 + 5 * skew_) / 20'000;
  }

  /// Time until the hazard has grown by `more` since `elapsed`.
  [[nodiscard]] constexpr std::int64_t time_for(std::int64_t more,
                                                std::int64_t elapsed) const noexcept {
    if (elapsed >= at_[3]) {
      std::int64_t const beyond = std::min(elapsed - at_[3], max_duration.count());
      std::int64_t const growth = beyond * std::max<std::int64_t>(0, skew_ - 1'300) / 10'000;
      return beyond_last(more) + growth * more / unit;
    }
    std::int64_t const sum = hazard_at(elapsed) + more;
    for (std::size_t i = 1; i < at_.size(); ++i) {
      if (sum <= hazard[i]) {
        std::int64_t const part = (at_[i] - at_[i - 1]) * (sum - hazard[i - 1]);
        return at_[i - 1] + part / (hazard[i] - hazard[i - 1]) - elapsed;
      }
    }
    return at_[3] + beyond_last(sum - hazard[3]) - elapsed;
  }

  // -ln(1 - q) for q = 0.1, 0.5, 0.9, in units of 10^-5.
  static constexpr std::int64_t unit = 100'000;
  static constexpr std::array<std::int64_t, 4> hazard{0, 10'536, 69'315, 230'259};

 private:
  /// Precondition: elapsed < p90.
  [[nodiscard]] constexpr std::int64_t hazard_at(std::int64_t elapsed) const noexcept {
    std::size_t i = 1;
    while (elapsed >= at_[i]) {
      ++i;
    }
    return hazard[i - 1] +
           (elapsed - at_[i - 1]) * (hazard[i] - hazard[i - 1]) / (at_[i] - at_[i - 1]);
  }
  [[nodiscard]] constexpr std::int64_t beyond_last(std::int64_t more) const noexcept {
    return tail_ * more / (hazard[3] - hazard[2]);
  }

  std::array<std::int64_t, 4> at_;
  std::int64_t skew_ = 0;  ///< R in thousandths, at most 6
  std::int64_t tail_ = 0;  ///< time for the hazard of the last segment, at p90
};

}  // namespace detail

/// `from`, given that `elapsed` has passed since and the job still runs. An exact estimate
/// (p10 == p50) is simply counted down, and so is what is known if one of the three is not; an
/// overdue job then ends soon (1 ms), never already. Elsewhere see above. O(1), no division by what
/// may be zero, no floating point.
[[nodiscard]] constexpr estimate counted_down(estimate const& from, duration elapsed) noexcept {
  duration const soon{1};
  if (elapsed <= duration{0}) {
    return from;
  }
  bool const is_plain = from.p10 >= from.p50 || from.p50 > from.p90 || from.p90 > max_duration ||
                        from.p10 < duration{0};
  if (is_plain) {
    auto const less = [&](duration value) {
      return value == forever ? forever : std::max(soon, value - elapsed);
    };
    return {less(from.p10), less(from.p50), less(from.p90)};
  }
  detail::hazard_line const line{from};
  auto const left = [&](std::size_t quantile) {
    duration const time{line.time_for(detail::hazard_line::hazard[quantile], elapsed.count())};
    return std::clamp(time, soon, max_duration);
  };
  return {left(1), left(2), left(3)};
}

BERTH_NAMESPACE_END
