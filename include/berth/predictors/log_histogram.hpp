// SPDX-License-Identifier: BSL-1.0
// Quantiles of positive quantities that differ by factors: quarters of an octave, integers only,
// and the old fades.
#pragma once

#include <berth/core/config.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// For values n/d from 2^Lowest to 2^(Lowest + Octaves); what lies outside counts as the nearest
/// bucket. Every bucket remembers the mean of what fell into it, so that equal values give that
/// value back. When `window` values have come, what is there weighs half: a value fades as twice as
/// many come after it. Plain data of fixed size, no allocation.
template <int Lowest, int Octaves>
class log_histogram {
  static_assert(Octaves > 0 && Lowest > -15 && Lowest + Octaves < 46);

 public:
  static constexpr std::int64_t largest = std::int64_t{1} << 46;
  static constexpr std::uint32_t window = 256;

  /// Counts n/d. Either is cut off at 1 and `largest`. O(1).
  void add(std::int64_t n, std::int64_t d = 1) noexcept {
    n = std::clamp<std::int64_t>(n, 1, largest);
    d = std::clamp<std::int64_t>(d, 1, largest);
    int octave = bits_of(n) - bits_of(d);
    bool const less = octave >= 0 ? n < (d << octave) : (n << -octave) < d;
    octave -= less ? 1 : 0;
    // In units of 2^-16, from 1 to below 2: what is left of the quotient without its octave.
    std::int64_t mantissa = octave >= 0 ? (n << 16) / (d << octave) : (n << (16 - octave)) / d;
    if (octave < Lowest) {
      octave = Lowest;
      mantissa = quarter[0];
    } else if (octave >= Lowest + Octaves) {
      octave = Lowest + Octaves - 1;
      mantissa = 2 * quarter[0] - 1;
    }
    auto const part = std::upper_bound(quarter.begin(), quarter.end(), mantissa) - quarter.begin();
    std::size_t const index =
        static_cast<std::size_t>(4 * (octave - Lowest)) + static_cast<std::size_t>(part - 1);
    weight_[index] += unit;
    sum_[index] += unit * static_cast<std::uint64_t>(mantissa);
    total_ += unit;
    seen_ += seen_ < 0xffffffffu ? 1 : 0;
    if (total_ >= 2 * window * unit) {
      fade();
    }
  }

  /// How many values have come, faded or not.
  [[nodiscard]] std::uint32_t seen() const noexcept { return seen_; }

  /// The value below which `percent` of the weight lies, times `scale`; 0 if nothing has come. It
  /// is interpolated between the means of neighbouring buckets, but not over gaps: there, values
  /// are as they came. Precondition: 0 <= scale <= 2^40. O(octaves).
  [[nodiscard]] std::int64_t quantile(std::uint32_t percent, std::int64_t scale) const noexcept {
    std::uint64_t const target = std::uint64_t{total_} * percent;  // in hundredths of the weight
    std::uint64_t below = 0;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      if (weight_[i] == 0) {
        continue;
      }
      std::uint64_t const half = 50 * std::uint64_t{weight_[i]};
      last = value_of(i, scale);
      if (target <= below + half) {
        std::int64_t const edge = i > 0 && weight_[i - 1] > 0 ? between(i - 1, i, scale) : last;
        return part_way(edge, last, target - below, half);
      }
      if (target <= below + 2 * half) {
        bool const goes_on = i + 1 < weight_.size() && weight_[i + 1] > 0;
        std::int64_t const edge = goes_on ? between(i, i + 1, scale) : last;
        return part_way(last, edge, target - below - half, half);
      }
      below += 2 * half;
    }
    return last;
  }

  /// One list of members for counting, writing and reading.
  template <class Archive, class Self>
  static void fields(Archive& a, Self& self) {
    a(self.weight_);
    a(self.sum_);
    a(self.total_);
    a(self.seen_);
  }
  /// Could add() have made this?
  [[nodiscard]] bool is_sound() const noexcept {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      std::uint64_t const mean = weight_[i] == 0 ? 0 : sum_[i] / weight_[i];
      bool const in_bucket =
          weight_[i] == 0 ? sum_[i] == 0
                          : mean >= static_cast<std::uint64_t>(quarter[i % 4]) && mean < 2 * one;
      if (!in_bucket) {
        return false;
      }
      total += weight_[i];
    }
    return total == total_ && total_ < 2 * window * unit;
  }
  friend bool operator==(log_histogram const&, log_histogram const&) noexcept = default;

 private:
  static constexpr std::uint32_t unit = 64;
  static constexpr std::uint64_t one = 65'536;
  /// 2^0, 2^(1/4), 2^(1/2), 2^(3/4) in units of 2^-16.
  static constexpr std::array<std::int64_t, 4> quarter{65'536, 77'936, 92'682, 110'218};

  /// Half way between the means of two buckets.
  [[nodiscard]] std::int64_t between(std::size_t i, std::size_t j,
                                     std::int64_t scale) const noexcept {
    return (value_of(i, scale) + value_of(j, scale)) / 2;
  }
  /// In thousandths of the way, so that no product leaves 64 bits.
  [[nodiscard]] static std::int64_t part_way(std::int64_t from, std::int64_t to, std::uint64_t way,
                                             std::uint64_t whole) noexcept {
    auto const share = static_cast<std::int64_t>(1000 * way / whole);
    return from + (to - from) / 1000 * share + (to - from) % 1000 * share / 1000;
  }
  [[nodiscard]] static int bits_of(std::int64_t value) noexcept {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
  }
  void fade() noexcept {
    total_ = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      std::uint64_t const mean = weight_[i] == 0 ? 0 : sum_[i] / weight_[i];
      weight_[i] /= 2;
      sum_[i] = mean * weight_[i];
      total_ += weight_[i];
    }
  }
  [[nodiscard]] std::int64_t value_of(std::size_t i, std::int64_t scale) const noexcept {
    auto const mean = static_cast<std::int64_t>(sum_[i] / weight_[i]);
    int const shift = 16 - (Lowest + static_cast<int>(i / 4));
    if (shift >= 0) {
      return (scale * mean) >> shift;
    }
    constexpr std::int64_t limit = std::int64_t{1} << 50;
    return scale > (limit >> (17 - shift)) ? limit : (scale * mean) << -shift;
  }

  std::array<std::uint32_t, std::size_t{4} * Octaves> weight_{};
  std::array<std::uint64_t, std::size_t{4} * Octaves> sum_{};  ///< of weights times mantissas
  std::uint32_t total_ = 0;
  std::uint32_t seen_ = 0;
};

/// How far the truth lay from an estimate: truth / estimate, from 1/256 to 256.
using ratio_histogram = log_histogram<-8, 16>;

BERTH_NAMESPACE_END
