// SPDX-License-Identifier: BSL-1.0
// Who gets a smallest size before anybody gets more: the first phase of several rules.
#pragma once

#include <berth/core/config.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Milliseconds until the job ends on that rung, with what the change costs.
[[nodiscard]] inline std::int64_t time_with_change(elastic_job const& job,
                                                   rung const& target) noexcept {
  return (job.time_at(target.speed) + job.change_to(target.size)).count();
}

/// Calls admit(job) for those whose first rungs fit, by their remaining time there, then by id; one
/// that does not fit is passed over. Returns the GPUs that are left. O(jobs log jobs).
template <class Admit>
std::int64_t for_first_rungs(sizing_problem const& problem, sizing_memory& memory,
                             Admit admit) noexcept {
  memory.order_by(problem, [&](std::uint32_t at) {
    elastic_job const& job = problem.jobs[at];
    return job.time_at(job.ladder.front().speed);
  });
  std::int64_t left = problem.capacity;
  for (std::uint32_t const at : memory.ordered(problem)) {
    std::int32_t const size = problem.jobs[at].ladder.front().size;
    if (size <= left) {
      left -= size;
      admit(at);
    }
  }
  return left;
}

}  // namespace detail
BERTH_NAMESPACE_END
