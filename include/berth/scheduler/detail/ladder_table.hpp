// SPDX-License-Identifier: BSL-1.0
// The ladders of all jobs, each with a bounded number of rungs.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/rung.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Empty, and without memory, where the allocator does not size jobs.
class ladder_table {
 public:
  void reserve(std::size_t max_jobs, std::size_t max_rungs) {
    most_ = max_rungs;
    rungs_.resize(max_jobs * max_rungs);
    ladders_.resize(max_jobs);
  }
  [[nodiscard]] bool is_empty() const noexcept { return ladders_.empty(); }
  [[nodiscard]] std::size_t max_rungs() const noexcept { return most_; }

  /// What a host said. Precondition: at most max_rungs().
  void declare(std::uint32_t slot, std::span<rung const> said) noexcept {
    std::copy(said.begin(), said.end(), first(slot));
    ladders_[slot] = {static_cast<std::uint32_t>(said.size()), 1, true};
  }
  /// The same, where read(rung&) gives one after the other.
  template <class Read>
  void declare(std::uint32_t slot, std::uint32_t count, Read&& read) {
    std::for_each_n(first(slot), count, read);
    ladders_[slot] = {count, 1, true};
  }
  /// Until the host says more: twice the GPUs, twice the speed. Where the sizes are more than there
  /// is room for, some are left out, never the least or the most.
  void assume(std::uint32_t slot, job_spec const& spec, std::int32_t gang_gpus) noexcept {
    std::int32_t const per_member = spec.min_gang > 0 ? spec.gpus_per_member : gang_gpus;
    std::int64_t const most = spec.min_gang > 0 ? spec.gang : 1;
    std::int64_t const least = spec.min_gang > 0 ? spec.min_gang : 1;
    std::int64_t const count = std::min(most - least + 1, static_cast<std::int64_t>(most_));
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t const members = count == 1 ? most : least + (most - least) * i / (count - 1);
      auto const gpus = static_cast<std::int32_t>(members * per_member);
      first(slot)[i] = {gpus, gpus * unit_rung_speed};
    }
    ladders_[slot] = {static_cast<std::uint32_t>(count), gang_gpus, false};
  }

  /// All rungs.
  [[nodiscard]] std::span<rung const> of(std::uint32_t slot) const noexcept {
    return std::span{rungs_}.subspan(slot * most_, ladders_[slot].count);
  }
  [[nodiscard]] bool is_declared(std::uint32_t slot) const noexcept {
    return ladders_[slot].declared;
  }
  /// Speed of a rung at which the job's work is counted: 1 for what a host said; an assumed ladder
  /// is in GPUs, and the work of its job is counted on the whole gang.
  [[nodiscard]] std::int32_t unit(std::uint32_t slot) const noexcept { return ladders_[slot].unit; }
  /// In which its work is counted, in 1/unit_rung_speed: that of the largest rung within `gpus`, at
  /// least 1.
  [[nodiscard]] std::int64_t speed_on(std::uint32_t slot, std::int32_t gpus) const noexcept {
    std::int64_t speed = 0;
    for (rung const& each : of(slot)) {
      speed = each.size <= gpus ? each.speed : speed;
    }
    return std::max<std::int64_t>(1, speed / unit(slot));
  }

 private:
  struct ladder {
    std::uint32_t count = 0;
    std::int32_t unit = 1;
    bool declared = false;
  };
  [[nodiscard]] std::vector<rung>::iterator first(std::uint32_t slot) noexcept {
    return rungs_.begin() + static_cast<std::ptrdiff_t>(slot * most_);
  }

  std::size_t most_ = 0;
  std::vector<rung> rungs_;
  std::vector<ladder> ladders_;
};

}  // namespace detail
BERTH_NAMESPACE_END
