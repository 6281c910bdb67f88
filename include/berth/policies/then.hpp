// SPDX-License-Identifier: BSL-1.0
// Combinator: a second policy breaks the ties of the first.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>

#include <algorithm>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

// What two policies keep. The one that keeps nothing takes no room and leaves no gap beside the
// other: equal data are equal bytes. Its object is shared by all jobs, and there is nothing in it.
template <class First, class Second>
struct joined_data {
  First first{};
  Second second{};
};
template <class First, class Second>
  requires(std::is_empty_v<First> && !std::is_empty_v<Second>)
struct joined_data<First, Second> {
  static inline First first{};
  Second second{};
};
template <class First, class Second>
  requires(!std::is_empty_v<First> && std::is_empty_v<Second>)
struct joined_data<First, Second> {
  First first{};
  static inline Second second{};
};
template <class First, class Second>
  requires(std::is_empty_v<First> && std::is_empty_v<Second>)
struct joined_data<First, Second> {
  static inline First first{};
  static inline Second second{};
};

}  // namespace detail

/// `then{priority_class{}, shortest_remaining{}}`: classes first, the shortest within a class.
/// Levels beyond priority_key::max_levels are dropped. Put a policy that displaces before one that
/// only orders.
template <scheduling_policy First, scheduling_policy Second>
struct then {
  using component_role = policy_role;
  [[no_unique_address]] First first{};
  [[no_unique_address]] Second second{};

  using job_data = detail::joined_data<job_data_of<First>, job_data_of<Second>>;

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
