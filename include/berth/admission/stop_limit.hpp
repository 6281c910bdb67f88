// SPDX-License-Identifier: BSL-1.0
// At most so many jobs are told to stop for others within any window of time.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// The last stops, one place for each that the window may hold.
class stop_limit {
 public:
  /// No limit.
  stop_limit() = default;
  /// 0 stops: no limit. Throws std::bad_alloc.
  explicit stop_limit(std::uint32_t stops, duration window = std::chrono::minutes{1})
      : window_{window}, last_(stops, time_point::min()) {}

  /// 0 = none.
  [[nodiscard]] std::size_t limit() const noexcept { return last_.size(); }
  /// O(limit).
  [[nodiscard]] std::int64_t left(time_point now) const noexcept {
    return last_.empty() ? std::numeric_limits<std::int64_t>::max()
                         : std::count_if(last_.begin(), last_.end(),
                                         [&](time_point at) noexcept { return is_over(at, now); });
  }
  /// The oldest one is forgotten. O(limit).
  void stopped(time_point now) noexcept {
    if (!last_.empty()) {
      *std::min_element(last_.begin(), last_.end()) = now;
    }
  }
  /// When the next stop becomes possible, if none is now; else `never`. O(limit).
  [[nodiscard]] time_point next_left(time_point now) const noexcept {
    return left(now) > 0 ? never
                         : saturating_add(*std::min_element(last_.begin(), last_.end()), window_);
  }

  template <class Archive>
  void save(Archive& a) const noexcept {
    for (time_point const at : last_) {
      a(at);
    }
  }
  [[nodiscard]] bool accepts(detail::byte_reader& in) const noexcept {
    in.skip(last_.size() * detail::wire_bytes<time_point>());
    return in.ok();
  }
  void load(detail::byte_reader& in) noexcept {
    for (time_point& at : last_) {
      in(at);
    }
  }

 private:
  [[nodiscard]] bool is_over(time_point at, time_point now) const noexcept {
    return at == time_point::min() || saturating_add(at, window_) <= now;
  }
  duration window_{std::chrono::minutes{1}};
  std::vector<time_point> last_;
};

BERTH_NAMESPACE_END
