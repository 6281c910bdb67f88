// SPDX-License-Identifier: BSL-1.0
// A queue of the tree of tenants, as a host describes it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>

#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

inline constexpr tenant_id no_tenant{std::numeric_limits<std::uint32_t>::max()};
inline constexpr std::int32_t unlimited_gpus = std::numeric_limits<std::int32_t>::max();

/// Its number is its place in the list; job_spec::tenant names it. A queue may have jobs, queues
/// below it, or both.
struct tenant_spec {
  std::int32_t nominal = 0;                 ///< GPUs that are its own whenever it wants them
  std::int32_t weight = 1;                  ///< its part of what is shared; 0 = served last
  std::int32_t borrowing = unlimited_gpus;  ///< GPUs that it may use beyond what is its own
  std::int32_t lending = unlimited_gpus;    ///< GPUs of its own that others may use meanwhile
  tenant_id parent = no_tenant;             ///< comes before it in the list; no_tenant: none
};

inline constexpr std::int32_t max_quota = 1 << 24;  ///< as many GPUs as a cluster may have

/// Errors: bad_number with gpus (nominal, borrowing, lending) or weight.
[[nodiscard]] constexpr result<void> check(tenant_spec const& queue) noexcept {
  auto const is_limit = [](std::int32_t gpus) {
    return gpus == unlimited_gpus || (gpus >= 0 && gpus <= max_quota);
  };
  bool const fine = queue.nominal >= 0 && queue.nominal <= max_quota && is_limit(queue.borrowing) &&
                    is_limit(queue.lending);
  if (!fine) {
    return error{errc::bad_number, field::gpus};
  }
  return queue.weight >= 0 ? result<void>{} : error{errc::bad_number, field::weight};
}

BERTH_NAMESPACE_END
