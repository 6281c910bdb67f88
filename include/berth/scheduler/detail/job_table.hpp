// SPDX-License-Identifier: BSL-1.0
// Ids to records: slots are reused, generations tell an old id from a new one.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/model/job.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

class job_table {
 public:
  explicit job_table(std::size_t capacity) : records_(capacity), slots_(capacity) { clear(0); }

  [[nodiscard]] bool full() const noexcept { return first_unused_ == none; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return records_.size(); }
  [[nodiscard]] bool is_used(std::uint32_t slot) const noexcept { return slots_[slot].used; }

  /// Precondition: !full(). The record is fresh but for its id.
  std::uint32_t add() noexcept {
    BERTH_ASSERT(!full(), "add to a full table");
    std::uint32_t const slot = first_unused_;
    first_unused_ = slots_[slot].next_unused;
    slots_[slot].used = true;
    ever_used_ = std::max(ever_used_, slot + 1);
    records_[slot] = job_record{};
    records_[slot].id = job_id{slot, slots_[slot].generation};
    ++size_;
    return slot;
  }
  void remove(std::uint32_t slot) noexcept {
    BERTH_ASSERT(slots_[slot].used, "remove of an unused slot");
    slots_[slot].used = false;
    ++slots_[slot].generation;
    slots_[slot].next_unused = first_unused_;
    first_unused_ = slot;
    --size_;
  }

  /// The slot of a living job. Errors: unknown_job, stale_job.
  [[nodiscard]] result<std::uint32_t> find(job_id id) const noexcept {
    if (id.slot() >= slots_.size() || id.generation() > slots_[id.slot()].generation ||
        (id.generation() == slots_[id.slot()].generation && !slots_[id.slot()].used)) {
      return error{errc::unknown_job, field::job};
    }
    if (id.generation() != slots_[id.slot()].generation) {
      return error{errc::stale_job, field::job};
    }
    return id.slot();
  }

  // For a snapshot. Slots from ever_used() on are fresh, and given out in order when no other is
  // unused.
  [[nodiscard]] std::uint32_t ever_used() const noexcept { return ever_used_; }
  [[nodiscard]] std::uint32_t generation(std::uint32_t slot) const noexcept {
    return slots_[slot].generation;
  }
  /// Calls visit(slot) for the unused ones among them, the next to be given out first.
  template <class Visit>
  void for_each_unused(Visit&& visit) const {
    for (std::uint32_t at = first_unused_; at < ever_used_; at = slots_[at].next_unused) {
      visit(at);
    }
  }
  /// Forgets all jobs. The first `ever_used` slots must be restored then, each by restore_used or,
  /// the next to be given out last, by restore_unused. O(capacity).
  void clear(std::uint32_t ever_used) noexcept {
    first_unused_ = none;
    for (std::size_t i = slots_.size(); i-- > 0;) {
      slots_[i] = slot_state{};
      if (i >= ever_used) {
        slots_[i].next_unused = first_unused_;
        first_unused_ = static_cast<std::uint32_t>(i);
      }
    }
    ever_used_ = ever_used;
    size_ = 0;
  }
  void restore_generation(std::uint32_t slot, std::uint32_t generation) noexcept {
    slots_[slot].generation = generation;
  }
  void restore_unused(std::uint32_t slot) noexcept {
    slots_[slot].next_unused = first_unused_;
    first_unused_ = slot;
  }
  void restore_used(std::uint32_t slot, job_record const& record) noexcept {
    slots_[slot].used = true;
    records_[slot] = record;
    records_[slot].id = job_id{slot, slots_[slot].generation};
    ++size_;
  }

  [[nodiscard]] job_record& operator[](std::uint32_t slot) noexcept { return records_[slot]; }
  [[nodiscard]] job_record const& operator[](std::uint32_t slot) const noexcept {
    return records_[slot];
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct slot_state {
    std::uint32_t generation = 0;
    std::uint32_t next_unused = none;
    bool used = false;
  };
  std::vector<job_record> records_;
  std::vector<slot_state> slots_;
  std::uint32_t first_unused_ = none;
  std::uint32_t ever_used_ = 0;
  std::size_t size_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
