// SPDX-License-Identifier: BSL-1.0
// Combinator: a second policy breaks the ties of the first.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>

#include <algorithm>

BERTH_NAMESPACE_BEGIN

/// `then{priority_class{}, shortest_remaining{}}`: classes first, the shortest within a class.
/// Levels beyond priority_key::max_levels are dropped. Put a policy that displaces before one that
/// only orders.
template <scheduling_policy First, scheduling_policy Second>
struct then {
  using component_role = policy_role;
  [[no_unique_address]] First first{};
  [[no_unique_address]] Second second{};

  struct job_data {
    job_data_of<First> first{};
    job_data_of<Second> second{};
  };

  [[nodiscard]] priority_key priority(job_view const& job, job_data& data,
                                      tick_context const& tick) const noexcept {
    return ask_priority(first, job, data.first, tick)
        .then(ask_priority(second, job, data.second, tick));
  }
  [[nodiscard]] time_point next_change(job_view const& job, job_data& data,
                                       tick_context const& tick) const noexcept {
    return std::min(ask_next_change(first, job, data.first, tick),
                    ask_next_change(second, job, data.second, tick));
  }
};
template <class First, class Second>
then(First, Second) -> then<First, Second>;

BERTH_NAMESPACE_END
