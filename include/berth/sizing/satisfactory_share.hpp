// SPDX-License-Identifier: BSL-1.0
// The fewest GPUs on which a job meets its deadline: the minimum satisfactory share of ElasticFlow
// (Gu et al., ASPLOS 2023, §4.1), by progressive filling of the GPUs that are expected to be free.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// GPUs free from where the interval before ends, or from now.
struct free_interval {
  duration until{0};      ///< from now; ascending, <= max_duration
  std::int32_t free = 0;  ///< GPUs
};

/// The number of the lowest rung such that the job, on no more than it at any time and on the
/// largest rung that is free meanwhile, has done what remains by `deadline`; ladder.size() if there
/// is none. After the last interval nothing is free. For ElasticFlow's division give marginal_gain
/// the ladder from that rung on: what everybody needs comes first, and then extra GPUs.
///
/// Changes of size are taken to cost nothing. Precondition: check_elastic_job holds.
/// O(rungs^2 × intervals).
[[nodiscard]] constexpr std::size_t minimum_satisfactory_share(
    elastic_job const& job, std::span<free_interval const> profile, duration deadline) noexcept {
  detail::int128 const needed =
      static_cast<detail::int128>(job.remaining.count()) * unit_rung_speed;
  for (std::size_t share = 0; share < job.ladder.size(); ++share) {
    detail::int128 done = 0;
    duration from{0};
    for (free_interval const& each : profile) {
      duration const until = std::min(each.until, deadline);
      if (until > from) {
        std::int32_t const most = std::min(each.free, job.ladder[share].size);
        done += static_cast<detail::int128>(job.speed_on(most)) * (until - from).count();
        from = until;
      }
    }
    if (done >= needed) {
      return share;
    }
  }
  return job.ladder.size();
}

BERTH_NAMESPACE_END
