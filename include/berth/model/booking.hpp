// SPDX-License-Identifier: BSL-1.0
// A line of the ledger: some GPUs of one node, held by or earmarked for one job. Lines are in two
// chains, their job's and their node's, and live in a pool that never grows by itself.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

inline constexpr std::uint32_t no_booking = 0xffffffffu;

enum class booking_kind : std::uint8_t { hold, earmark };

struct booking {
  gpu_mask gpus = 0;
  std::uint32_t job = 0;   ///< slot
  std::uint32_t node = 0;  ///< slot
  std::uint32_t next_of_job = no_booking;
  std::uint32_t next_of_node = no_booking;
  std::uint32_t previous_of_node = no_booking;
  booking_kind kind = booking_kind::hold;
};

/// Every booking has at least one GPU, and a GPU is in at most one hold and one earmark: twice the
/// number of GPUs is always enough.
class booking_pool {
 public:
  booking_pool() = default;
  explicit booking_pool(std::size_t capacity) : items_(capacity) { clear(); }

  /// O(capacity).
  void clear() noexcept {
    first_unused_ = no_booking;
    for (std::size_t i = items_.size(); i-- > 0;) {
      items_[i] = booking{};
      items_[i].next_of_job = first_unused_;
      first_unused_ = static_cast<std::uint32_t>(i);
    }
    used_ = 0;
  }

  [[nodiscard]] std::uint32_t take() noexcept {
    BERTH_ASSERT(first_unused_ != no_booking, "the pool holds twice the GPUs of the cluster");
    std::uint32_t const taken = first_unused_;
    first_unused_ = items_[taken].next_of_job;
    items_[taken] = booking{};
    ++used_;
    return taken;
  }
  void give_back(std::uint32_t index) noexcept {
    items_[index] = booking{};
    items_[index].next_of_job = first_unused_;
    first_unused_ = index;
    --used_;
  }
  [[nodiscard]] booking& operator[](std::uint32_t index) noexcept { return items_[index]; }
  [[nodiscard]] booking const& operator[](std::uint32_t index) const noexcept {
    return items_[index];
  }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }

 private:
  std::vector<booking> items_;
  std::uint32_t first_unused_ = no_booking;
  std::size_t used_ = 0;
};

BERTH_NAMESPACE_END
