// SPDX-License-Identifier: BSL-1.0
// Everybody's smallest size first, then step by step to the job that gains most: Optimus (Peng et
// al., EuroSys 2018, §4) by time saved, ElasticFlow (Gu et al., ASPLOS 2023, §4) by GPU-time.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/detail/climb.hpp>
#include <berth/sizing/detail/first_rungs.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// What a step is judged by.
enum class gain_measure : std::uint8_t {
  time_saved,      ///< of what remains, per GPU added; a step that saves none is not taken
  gpu_time_saved,  ///< least additional GPU-time per GPU added first; up to the fastest rung
};

/// The jobs get their first rungs, shortest remaining time first; who does not fit is passed over.
/// What is left goes, along the concave majorant of what each can gain, to the largest gain per
/// GPU. Time is what remains at a size plus what the change to it costs (elastic_job::change_to).
///
/// `value` and `bound` are of the time saved: equal, no division of the GPUs among those who got a
/// first rung saves more. Ties: less left, then the lower id. O(rungs + steps × log jobs).
struct marginal_gain {
  gain_measure measure = gain_measure::time_saved;

  /// Errors: of check_sizing; capacity_exceeded (max_jobs, ladder) beyond the workspace;
  /// inconsistent (job) for an id that occurs twice. Does not allocate.
  [[nodiscard]] result<sizing> size(sizing_problem const& problem,
                                    sizing_workspace& workspace) const noexcept {
    detail::sizing_memory& memory = detail::sizing_access::memory(workspace);
    if (result<void> const begun = memory.begin(problem); !begun) {
      return begun.error();
    }
    bool const by_time = measure == gain_measure::time_saved;
    detail::for_first_rungs(problem, memory, [&](std::uint32_t at) {
      elastic_job const& job = problem.jobs[at];
      memory.options.add_item(at);
      std::int64_t fastest = -1;
      for (rung const& each : job.ladder) {
        if (by_time || each.speed > fastest) {
          detail::int128 const time = detail::time_with_change(job, each);
          memory.options.add_option(each.size, -time * job.weight * (by_time ? 1 : each.size));
          fastest = each.speed;
        }
      }
    });
    memory.options.finish();
    auto const until = by_time ? detail::climb_until::no_gain : detail::climb_until::top_rung;
    detail::climbed const found = detail::climbing{memory, problem.capacity, until}.run();
    sizing answer = memory.answer_chosen(problem);
    answer.bound = found.bound;
    if (!by_time) {
      answer.value = answer.bound = 0;  // GPU-time orders the steps, it is not what is best
    }
    return answer;
  }
};

BERTH_NAMESPACE_END
