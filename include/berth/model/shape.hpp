// SPDX-License-Identifier: BSL-1.0
// What of a job decides where it fits. Jobs with equal shapes are interchangeable to the matching
// and wait in one queue: what one of them cannot get, none of them can.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/digest.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/job_spec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Speeds are kept in thousandths: integers decide.
inline constexpr std::int32_t unit_speed = 1000;

struct shape {
  std::array<role, max_roles> roles{};              ///< normalised: at least one, unused ones empty
  std::array<std::int32_t, max_gpu_types> speed{};  ///< thousandths, per type
  std::int64_t cpu_milli_per_gpu = 0;
  std::int64_t memory_mib_per_gpu = 0;
  group_id group{};
  tenant_id tenant{};  ///< where quotas decide, else 0: what one tenant cannot get, another may
  type_mask types = any_type;
  spread layout = spread::prefer_together;
  pool where = pool::training;

  [[nodiscard]] constexpr int role_count() const noexcept {
    int count = 0;
    for (role const& r : roles) {
      count += r.members > 0 ? 1 : 0;
    }
    return count;
  }
  [[nodiscard]] constexpr std::int32_t members() const noexcept {
    std::int32_t sum = 0;
    for (role const& r : roles) {
      sum += r.members;
    }
    return sum;
  }
  /// GPUs of the whole gang.
  [[nodiscard]] constexpr std::int32_t gpus() const noexcept {
    std::int32_t sum = 0;
    for (role const& r : roles) {
      sum += r.members * r.gpus;
    }
    return sum;
  }
  [[nodiscard]] constexpr bool allows(gpu_type type) const noexcept {
    return contains(types, type);
  }
  /// Thousandths, on the fastest type that it allows.
  [[nodiscard]] constexpr std::int32_t best_speed() const noexcept {
    std::int32_t best = 1;
    for (std::size_t t = 0; t < max_gpu_types; ++t) {
      best = allows(gpu_type{static_cast<std::uint8_t>(t)}) && speed[t] > best ? speed[t] : best;
    }
    return best;
  }

  [[nodiscard]] constexpr std::uint64_t hash() const noexcept {
    digest d;
    for (role const& r : roles) {
      d.add(r.members);
      d.add(r.gpus);
    }
    for (std::int32_t s : speed) {
      d.add(s);
    }
    d.add(cpu_milli_per_gpu);
    d.add(memory_mib_per_gpu);
    d.add(group);
    d.add(tenant);
    d.add(types);
    d.add(layout);
    d.add(where);
    return d.value();
  }
  friend constexpr bool operator==(shape const&, shape const&) noexcept = default;
};

BERTH_NAMESPACE_END
