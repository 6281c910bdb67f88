// SPDX-License-Identifier: BSL-1.0
// What a policy answers: a short list of integers, compared one after the other, smaller first.
// Each says whether it only orders the queue or also gives the right to displace a running job.
#pragma once

#include <berth/core/config.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

/// Lexicographic sort key of up to four levels. Equal keys are ordered by submit sequence.
class priority_key {
 public:
  static constexpr int max_levels = 4;

  /// Everybody equal: submit order.
  constexpr priority_key() noexcept = default;

  /// One level; smaller goes first.
  static constexpr priority_key of(std::int64_t value, bool displaces) noexcept {
    priority_key key;
    key.level_[0] = value;
    key.displaces_ = displaces ? 1u : 0u;
    key.count_ = 1;
    return key;
  }

  /// Appends `next`'s levels as tie-breakers; levels beyond the fourth are dropped.
  [[nodiscard]] constexpr priority_key then(priority_key const& next) const noexcept {
    priority_key key = *this;
    for (unsigned i = 0; i < next.count_ && key.count_ < max_levels; ++i) {
      key.level_[key.count_] = next.level_[i];
      key.displaces_ |= ((next.displaces_ >> i) & 1u) << key.count_;
      ++key.count_;
    }
    return key;
  }

  /// The same order, with the right to displace whoever compares greater at any of these levels.
  [[nodiscard]] constexpr priority_key displacing() const noexcept {
    priority_key key = *this;
    key.displaces_ = (1u << count_) - 1u;
    return key;
  }

  /// The same key with another first level. Precondition: it has one.
  [[nodiscard]] constexpr priority_key with_first(std::int64_t value) const noexcept {
    priority_key key = *this;
    key.level_[0] = value;
    return key;
  }

  [[nodiscard]] constexpr std::int64_t level(int index) const noexcept {
    return level_[static_cast<unsigned>(index)];
  }

  /// Levels that were given; those behind are 0.
  [[nodiscard]] constexpr int level_count() const noexcept { return static_cast<int>(count_); }
  /// Does the level give the right to displace?
  [[nodiscard]] constexpr bool displaces(int index) const noexcept {
    return ((displaces_ >> static_cast<unsigned>(index)) & 1u) != 0;
  }

  /// The first displacing level, which ranks victims: among those that may be displaced, the one
  /// with the greatest value yields first. 0 when no level displaces.
  [[nodiscard]] constexpr std::int64_t displaced_level() const noexcept {
    for (unsigned i = 0; i < count_; ++i) {
      if (((displaces_ >> i) & 1u) != 0) {
        return level_[i];
      }
    }
    return 0;
  }

  [[nodiscard]] constexpr bool can_displace_at_all() const noexcept { return displaces_ != 0; }

  friend constexpr auto operator<=>(priority_key const& a, priority_key const& b) noexcept {
    return a.level_ <=> b.level_;
  }
  friend constexpr bool operator==(priority_key const& a, priority_key const& b) noexcept {
    return a.level_ == b.level_;
  }

  /// May a waiting job with key `challenger` take the place of a running one with key `holder`?
  /// True where the first level in which they differ displaces, and the challenger is smaller
  /// there.
  [[nodiscard]] friend constexpr bool may_displace(priority_key const& challenger,
                                                   priority_key const& holder) noexcept {
    for (unsigned i = 0; i < max_levels; ++i) {
      if (challenger.level_[i] != holder.level_[i]) {
        return challenger.level_[i] < holder.level_[i] && ((challenger.displaces_ >> i) & 1u) != 0;
      }
    }
    return false;
  }

 private:
  std::array<std::int64_t, max_levels> level_{};
  std::uint32_t displaces_ = 0;  // bit i: level i displaces
  std::uint32_t count_ = 0;
};

/// Smaller values go first.
[[nodiscard]] constexpr priority_key ascending(std::int64_t value) noexcept {
  return priority_key::of(value, false);
}
/// Greater values go first.
[[nodiscard]] constexpr priority_key descending(std::int64_t value) noexcept {
  return priority_key::of(value == std::numeric_limits<std::int64_t>::min()
                              ? std::numeric_limits<std::int64_t>::max()
                              : -value,
                          false);
}

BERTH_NAMESPACE_END
