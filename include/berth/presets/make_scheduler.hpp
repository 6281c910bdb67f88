// SPDX-License-Identifier: BSL-1.0
// Components in any order, defaults for the rest.
#pragma once

#include <berth/admission/accept_all.hpp>
#include <berth/allocators/rigid.hpp>
#include <berth/concepts/component.hpp>
#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/model/cluster.hpp>
#include <berth/observers/null_observer.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/scheduler.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct no_role {};
template <class C>
struct role_selector {
  using type = no_role;
};
template <has_component_role C>
struct role_selector<C> {
  using type = typename C::component_role;
};
template <class C, class Role>
inline constexpr bool plays = std::same_as<typename role_selector<C>::type, Role>;

template <class Role, class Default, class... Cs>
struct pick {
  using type = Default;
  [[nodiscard]] static Default take(Cs&...) { return Default{}; }
};
template <class Role, class Default, class C, class... Cs>
struct pick<Role, Default, C, Cs...> {
  static constexpr bool here = plays<C, Role>;
  using type =
      typename std::conditional_t<here, std::type_identity<C>, pick<Role, Default, Cs...>>::type;
  [[nodiscard]] static type take(C& first, Cs&... rest) {
    if constexpr (here) {
      return std::move(first);
    } else {
      return pick<Role, Default, Cs...>::take(rest...);
    }
  }
};

template <class Role, class... Cs>
inline constexpr int count_of_role = (0 + ... + (plays<Cs, Role> ? 1 : 0));

// One instantiation per component, so that an error names it.
template <class C>
struct checked_component {
  static_assert(has_component_role<C>,
                "component: says which seam it fits, `using component_role = berth::policy_role;` "
                "or another");
  static_assert(!has_component_role<C> || plays<C, policy_role> || plays<C, placement_role> ||
                    plays<C, preemption_role> || plays<C, allocator_role> ||
                    plays<C, predictor_role> || plays<C, admission_role> || plays<C, observer_role>,
                "component_role must be one of the roles of berth");
  static_assert(nothrow_movable_component<C>,
                "component: moves and is destroyed without exceptions");
  // Else it would count as a component without any.
  static_assert(!declares_job_data<C> || has_job_data<C>,
                "component: job_data are trivially copyable; the scheduler copies them as bytes");
  static constexpr bool done = true;
};

template <class... Cs>
struct composition {
  static_assert((checked_component<Cs>::done && ...));
  static_assert(count_of_role<policy_role, Cs...> <= 1, "at most one policy");
  static_assert(count_of_role<placement_role, Cs...> <= 1, "at most one placement");
  static_assert(count_of_role<preemption_role, Cs...> <= 1, "at most one preemption cost");
  static_assert(count_of_role<allocator_role, Cs...> <= 1, "at most one allocator");
  static_assert(count_of_role<predictor_role, Cs...> <= 1, "at most one predictor");
  static_assert(count_of_role<admission_role, Cs...> <= 1, "at most one admission");
  static_assert(count_of_role<observer_role, Cs...> <= 1, "at most one observer");

  using policy = pick<policy_role, fifo, Cs...>;
  using placement = pick<placement_role, consolidated, Cs...>;
  using preemption = pick<preemption_role, lost_work, Cs...>;
  using allocator = pick<allocator_role, rigid, Cs...>;
  using predictor = pick<predictor_role, declared, Cs...>;
  using admission = pick<admission_role, accept_all, Cs...>;
  using observer = pick<observer_role, null_observer, Cs...>;

  // Each seam is checked by name here, where the caller's line is still in sight of the error.
  static_assert(
      scheduling_policy<typename policy::type>,
      "scheduling_policy: priority(job, tick) or priority(job, data, tick), const noexcept, "
      "gives a priority_key");
  static_assert(placement_policy<typename placement::type>,
                "placement_policy: score(job, place, tick), const noexcept, gives a gpu_time");
  static_assert(
      preemption_cost<typename preemption::type>,
      "preemption_cost: suspend(job, tick) gives a suspension and resume(job, tick) a duration, "
      "const noexcept");
  static_assert(
      gang_allocator<typename allocator::type>,
      "gang_allocator: allocate(job, queue, tick) gives a grant and reserves_for_head() a bool, "
      "const noexcept");
  static_assert(
      throughput_predictor<typename predictor::type>,
      "throughput_predictor: remaining(job, tick) or remaining(job, data, tick), const noexcept, "
      "gives an estimate");
  static_assert(admission_policy<typename admission::type>,
                "admission_policy: admit(job, tick), const noexcept, gives a bool");
  static_assert(decision_observer<typename observer::type>,
                "decision_observer: on_action(action, tick), noexcept");

  using scheduler_type =
      scheduler<typename policy::type, typename placement::type, typename preemption::type,
                typename allocator::type, typename predictor::type, typename admission::type,
                typename observer::type>;
};

}  // namespace detail

/// The type that make_scheduler returns, for data members.
template <class... Cs>
using scheduler_of = typename detail::composition<Cs...>::scheduler_type;

/// Builds a scheduler from components in any order. Defaults: fifo, consolidated, lost_work, rigid,
/// declared, accept_all, null_observer. Errors: bad_config, and what a node may be refused for.
/// Throws std::bad_alloc.
template <class... Cs>
[[nodiscard]] result<scheduler_of<Cs...>> make_scheduler(cluster const& nodes,
                                                         scheduler_config const& config, Cs... cs) {
  using made = detail::composition<Cs...>;
  return scheduler_of<Cs...>::create(
      nodes, config,
      {made::policy::take(cs...), made::placement::take(cs...), made::preemption::take(cs...),
       made::allocator::take(cs...), made::predictor::take(cs...), made::admission::take(cs...),
       made::observer::take(cs...)});
}

BERTH_NAMESPACE_END
