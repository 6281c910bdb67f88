// SPDX-License-Identifier: BSL-1.0
// What every sizing rule offers. A rule works alone: it knows jobs as ladders and a number of GPUs,
// neither nodes nor a scheduler.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <concepts>

BERTH_NAMESPACE_BEGIN

/// `rule.size(problem, workspace)` is a pure function of the problem: it neither depends on the
/// order of the jobs nor on what the workspace was used for before, and does not allocate.
template <class R>
concept sizing_rule =
    requires(R const& rule, sizing_problem const& problem, sizing_workspace& workspace) {
      { rule.size(problem, workspace) } noexcept -> std::same_as<result<sizing>>;
    };

BERTH_NAMESPACE_END
