// SPDX-License-Identifier: BSL-1.0
// Base demands first, then more workers: Lyra (Li et al., EuroSys 2023, §5; Aryl, arXiv
// 2202.07896).
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/sizing/detail/choose.hpp>
#include <berth/sizing/detail/first_rungs.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Phase 1: first rungs, shortest remaining time first; a rigid job has no more than that, and who
/// does not fit is passed over. Phase 2: what is left as a multiple-choice knapsack over those who
/// are in, where a rung is worth the time that it saves against the first one, each with what the
/// change to it costs (elastic_job::change_to).
///
/// `value` and `bound` are of the time saved. Ties: fewest GPUs, then the larger size to the job
/// with less left on its first rung, then to the lower id. Complexity as choice_knapsack_sizing.
struct two_phase {
  /// Additions that an exact answer may take, about a nanosecond each.
  std::int64_t exact_work = std::int64_t{1} << 24;

  /// Errors: of check_sizing; capacity_exceeded (max_jobs, ladder) beyond the workspace;
  /// inconsistent (job) for an id that occurs twice. Does not allocate.
  [[nodiscard]] result<sizing> size(sizing_problem const& problem,
                                    sizing_workspace& workspace) const noexcept {
    detail::sizing_memory& memory = detail::sizing_access::memory(workspace);
    if (result<void> const begun = memory.begin(problem); !begun) {
      return begun.error();
    }
    detail::for_first_rungs(problem, memory, [&](std::uint32_t at) {
      elastic_job const& job = problem.jobs[at];
      detail::int128 const base = detail::time_with_change(job, job.ladder.front());
      memory.options.add_item(at);
      for (rung const& each : job.ladder) {
        memory.options.add_option(each.size,
                                  (base - detail::time_with_change(job, each)) * job.weight);
      }
    });
    return detail::choose(problem, memory, exact_work);
  }
};

BERTH_NAMESPACE_END
