// SPDX-License-Identifier: BSL-1.0
// A set of slots: insert, erase and membership in O(1), iteration over the members only.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

class slot_set {
 public:
  slot_set() = default;
  explicit slot_set(std::size_t capacity) : place_(capacity, absent) { members_.reserve(capacity); }

  void insert(std::uint32_t slot) noexcept {
    if (place_[slot] == absent) {
      place_[slot] = static_cast<std::uint32_t>(members_.size());
      members_.push_back(slot);
    }
  }
  void erase(std::uint32_t slot) noexcept {
    std::uint32_t const at = place_[slot];
    if (at == absent) {
      return;
    }
    members_[at] = members_.back();
    place_[members_[at]] = at;
    members_.pop_back();
    place_[slot] = absent;
  }
  /// O(members).
  void clear() noexcept {
    for (std::uint32_t const slot : members_) {
      place_[slot] = absent;
    }
    members_.clear();
  }
  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept { return place_[slot] != absent; }
  /// In an order that depends only on the sequence of calls.
  [[nodiscard]] std::vector<std::uint32_t> const& members() const noexcept { return members_; }

 private:
  static constexpr std::uint32_t absent = 0xffffffffu;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> place_;
};

}  // namespace detail
BERTH_NAMESPACE_END
