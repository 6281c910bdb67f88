// SPDX-License-Identifier: BSL-1.0
// A rate over time in 64 buckets, and the rhythm in it: a period by autocorrelation, and where in
// it the rate rises.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// A rate that comes again and again.
struct rhythm {
  duration period{0};       ///< 0 = none
  time_point rise = never;  ///< a moment at which the rate rises most
};

/// Bytes per bucket, the oldest first. Buckets start narrow. When all are full the oldest make room
/// if a rhythm can be heard at this width; else pairs are merged, so that sooner or later three
/// periods of any rhythm are seen at once.
struct traffic_rates {
  static constexpr std::size_t bucket_count = 64;
  static constexpr duration narrowest{1'000};
  static constexpr duration widest{3'600'000};

  std::array<std::int64_t, bucket_count> bytes{};
  time_point origin{};  ///< start of the oldest bucket
  duration width{0};    ///< 0 = nothing was seen
  duration covered{0};  ///< since the origin
  duration pace{0};     ///< usual time between samples

  [[nodiscard]] time_point end() const noexcept { return origin + covered; }

  /// Forgets everything but how fast samples come.
  void restart(time_point at) noexcept {
    bytes = {};
    origin = at;
    width = std::clamp(pace, narrowest, widest);
    covered = duration{0};
  }

  /// `amount` was read evenly between end() and `to`. True if a bucket was closed. O(buckets²).
  bool add(time_point to, std::int64_t amount) noexcept {
    duration const span = to - end();
    if (span <= duration{0}) {
      return false;
    }
    pace = pace == duration{0} ? span : (3 * pace + span) / 4;
    if (width == duration{0} || span >= whole() / 2) {  // nothing, or nothing for very long
      restart(to);
      return false;
    }
    if (covered == duration{0}) {
      width = std::clamp(pace, narrowest, widest);
    }
    while (width < std::min(pace, widest)) {
      merge();
    }
    while (covered + span > whole()) {
      make_room();
    }
    std::int64_t const before = closed();
    pour(span, amount);
    return closed() > before;
  }

  /// Of all buckets, or else of the newer ones alone: something may have changed. O(buckets²).
  [[nodiscard]] rhythm find() const noexcept {
    std::int64_t const n = width > duration{0} ? closed() : 0;
    for (std::int64_t const first : {std::int64_t{0}, n / 3, n / 2}) {
      correlation const c = correlate(first, n - first);
      if (duration const period = refine(c, fundamental(c)); period > duration{0}) {
        return {period, rise_of(period, first)};
      }
    }
    return {};
  }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 60;  // a bucket holds no more
  static constexpr std::int64_t least_closed = 32;             // buckets before anything is said
  static constexpr std::int64_t least_alike = 400;  // thousandths: correlation one period apart
  static constexpr std::int64_t least_variation =
      50;  // rates vary by a 50th of their mean at least

  /// Of the closed buckets with themselves `lag` later, in thousandths of their energy.
  struct correlation {
    std::array<std::int64_t, bucket_count> at{};
    std::int64_t lags = 0;
    std::int64_t terms = 0;  ///< at lag 0
  };

  [[nodiscard]] static int bits_of(std::int64_t positive) noexcept {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(positive)));
  }
  [[nodiscard]] duration whole() const noexcept {
    return static_cast<std::int64_t>(bucket_count) * width;
  }
  [[nodiscard]] std::int64_t closed() const noexcept { return covered / width; }

  void merge() noexcept {
    for (std::size_t i = 0; i < bucket_count / 2; ++i) {
      bytes[i] = std::min(most, bytes[2 * i] + bytes[2 * i + 1]);
    }
    std::fill(bytes.begin() + bucket_count / 2, bytes.end(), 0);
    width *= 2;
  }

  void make_room() noexcept {
    constexpr std::size_t part = bucket_count / 8;
    if (find().period > duration{0}) {
      std::copy(bytes.begin() + part, bytes.end(), bytes.begin());
      std::fill(bytes.end() - part, bytes.end(), 0);
      origin += static_cast<std::int64_t>(part) * width;
      covered -= static_cast<std::int64_t>(part) * width;
    } else if (2 * width > widest) {
      restart(end());  // nothing at any width: from the narrowest on again
    } else {
      merge();
    }
  }

  /// Spreads `amount` over the buckets from `covered` on; sums stay exact.
  void pour(duration span, std::int64_t amount) noexcept {
    int const shift = std::max(0, bits_of(span.count()) - 31);
    std::int64_t const parts = span.count() >> shift;
    duration const from = covered;
    std::int64_t poured = 0;
    while (covered < from + span) {
      auto const bucket = static_cast<std::size_t>(covered / width);
      covered = std::min(from + span, (covered / width + 1) * width);
      std::int64_t const at = (covered - from).count() >> shift;
      std::int64_t const sum =
          covered == from + span ? amount : amount / parts * at + amount % parts * at / parts;
      bytes[bucket] = std::min(most, bytes[bucket] + sum - poured);
      poured = sum;
    }
  }

  /// Of `n` closed buckets from `first` on.
  [[nodiscard]] correlation correlate(std::int64_t first, std::int64_t n) const noexcept {
    correlation answer;
    if (n < least_closed) {
      return answer;
    }
    std::int64_t top = 1;
    for (std::int64_t i = 0; i < n; ++i) {
      top = std::max(top, bytes[static_cast<std::size_t>(first + i)]);
    }
    int const shift = std::max(0, bits_of(top) - 18);
    std::array<std::int64_t, bucket_count> x{};
    std::int64_t mean = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      x[static_cast<std::size_t>(i)] = bytes[static_cast<std::size_t>(first + i)] >> shift;
      mean += x[static_cast<std::size_t>(i)];
    }
    mean /= n;
    for (std::int64_t i = 0; i < n; ++i) {
      x[static_cast<std::size_t>(i)] -= mean;
    }
    std::int64_t const energy = product(x, n, 0);
    if (energy == 0 || energy / n < mean * mean / (least_variation * least_variation)) {
      return answer;
    }
    answer.terms = n;
    answer.lags = 2 * n / 3 + 1;
    for (std::int64_t lag = 0; lag < answer.lags; ++lag) {
      answer.at[static_cast<std::size_t>(lag)] =
          product(x, n, lag) / (n - lag) * 1000 / std::max<std::int64_t>(1, energy / n);
    }
    return answer;
  }
  [[nodiscard]] static std::int64_t product(std::array<std::int64_t, bucket_count> const& x,
                                            std::int64_t n, std::int64_t lag) noexcept {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i + lag < n; ++i) {
      sum += x[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(i + lag)];
    }
    return sum;
  }

  [[nodiscard]] static std::int64_t value(correlation const& c, std::int64_t lag) noexcept {
    return lag >= 0 && lag < c.lags ? c.at[static_cast<std::size_t>(lag)] : -1000;
  }
  /// Is it so many standard deviations above what chance gives, 1 / sqrt(terms) each?
  [[nodiscard]] static bool is_significant(correlation const& c, std::int64_t lag,
                                           std::int64_t deviations) noexcept {
    std::int64_t const alike = value(c, lag);
    return alike >= least_alike &&
           alike * alike * (c.terms - lag) >= deviations * deviations * 1'000'000;
  }
  /// The lag among `from`..`to` at which they are most alike, the lowest of equals.
  [[nodiscard]] static std::int64_t peak(correlation const& c, std::int64_t from,
                                         std::int64_t to) noexcept {
    std::int64_t best = from;
    for (std::int64_t lag = from; lag <= to; ++lag) {
      best = value(c, lag) > value(c, best) ? lag : best;
    }
    return best;
  }
  /// The shortest lag at which they are about as alike as they ever are again, and twice as long as
  /// well; 0 if there is none. Neighbours are alike anyway: the search begins behind the first dip.
  [[nodiscard]] static std::int64_t fundamental(correlation const& c) noexcept {
    std::int64_t dip = 1;
    while (dip < c.lags && value(c, dip) > least_alike / 2) {
      ++dip;
    }
    std::int64_t const last = c.lags / 2;  // of it, the double is seen as well
    if (dip > last) {
      return 0;
    }
    std::int64_t const enough = std::max(least_alike, value(c, peak(c, dip, last)) * 4 / 5);
    for (std::int64_t lag = dip; lag <= last; ++lag) {
      bool const local = value(c, lag) >= value(c, lag - 1) && value(c, lag) >= value(c, lag + 1);
      if (local && value(c, lag) >= enough) {
        std::int64_t const twice = peak(c, 2 * lag - 1, 2 * lag + 1);
        return is_significant(c, lag, 3) && is_significant(c, twice, 2) ? lag : 0;
      }
    }
    return 0;
  }
  /// A thousandth of a bucket: where the parabola through a peak and its neighbours is highest.
  [[nodiscard]] static std::int64_t exact_peak(correlation const& c, std::int64_t lag) noexcept {
    std::int64_t const left = value(c, lag - 1);
    std::int64_t const right = value(c, lag + 1);
    std::int64_t const bend = left - 2 * value(c, lag) + right;
    bool const inside = lag > 0 && lag + 1 < c.lags && bend < 0;
    return 1000 * lag +
           (inside ? std::clamp<std::int64_t>(500 * (left - right) / bend, -500, 500) : 0);
  }
  /// The lag measured over as many periods as are seen.
  [[nodiscard]] duration refine(correlation const& c, std::int64_t lag) const noexcept {
    if (lag <= 0) {
      return duration{0};
    }
    std::int64_t period = exact_peak(c, lag);  // thousandths of a bucket
    for (std::int64_t times = 2; (times * period + 1500) / 1000 < c.lags; times *= 2) {
      std::int64_t const about = (times * period + 500) / 1000;
      period = exact_peak(c, peak(c, about - 1, about + 1)) / times;
    }
    return duration{period * width.count() / 1000};
  }

  /// Lays the periods over each other and looks for the steepest rise.
  [[nodiscard]] time_point rise_of(duration period, std::int64_t first) const noexcept {
    auto const bins =
        static_cast<std::size_t>(std::clamp<std::int64_t>(period / width, 2, bucket_count / 2));
    std::array<std::int64_t, bucket_count / 2> sum{};
    std::array<std::int64_t, bucket_count / 2> count{};
    for (std::int64_t i = first; i < closed(); ++i) {
      duration const middle = i * width + width / 2;
      auto const bin = static_cast<std::size_t>((middle % period).count() *
                                                static_cast<std::int64_t>(bins) / period.count());
      sum[bin] += bytes[static_cast<std::size_t>(i)] / static_cast<std::int64_t>(bucket_count);
      ++count[bin];
    }
    std::size_t steepest = 0;
    std::int64_t highest = 0;
    for (std::size_t b = 0; b < bins; ++b) {
      std::size_t const before = (b + bins - 1) % bins;
      std::int64_t const rise = sum[b] / std::max<std::int64_t>(1, count[b]) -
                                sum[before] / std::max<std::int64_t>(1, count[before]);
      steepest = rise > highest ? b : steepest;
      highest = std::max(highest, rise);
    }
    return origin + static_cast<std::int64_t>(steepest) * period / static_cast<std::int64_t>(bins);
  }
};
static_assert(std::has_unique_object_representations_v<traffic_rates>,
              "kept per job: equal data are equal bytes, in a snapshot and in a digest");

BERTH_NAMESPACE_END
