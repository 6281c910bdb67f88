// SPDX-License-Identifier: BSL-1.0
// Jobs get as many GPUs as a sizing rule says, and other numbers when it says so.
#pragma once

#include <berth/concepts/sizing_allocator.hpp>
#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_rule.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <chrono>

BERTH_NAMESPACE_BEGIN

/// Sizes are decided when a job comes, ends or stops, GPUs come or go, or a ladder changes; and
/// every `interval`, because what is left of jobs changes all the time.
template <sizing_rule Rule = choice_knapsack_sizing>
struct elastic {
  using component_role = allocator_role;
  Rule rule{};
  duration interval = std::chrono::minutes{1};

  [[nodiscard]] result<sizing> size(sizing_problem const& problem,
                                    sizing_workspace& workspace) const noexcept {
    return rule.size(problem, workspace);
  }
  [[nodiscard]] duration period() const noexcept { return interval; }

  [[nodiscard]] grant allocate(job_view const& job, queue_state const&,
                               tick_context const&) const noexcept {
    return {.gpus = job.gang_gpus()};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return false; }
  [[nodiscard]] bool looks_at_queue() const noexcept { return false; }
};

BERTH_NAMESPACE_END
