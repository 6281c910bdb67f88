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

template <class Role, class Default, class... Cs>
struct pick {
  using type = Default;
  [[nodiscard]] static Default take(Cs&...) { return Default{}; }
};
template <class Role, class Default, class C, class... Cs>
struct pick<Role, Default, C, Cs...> {
  static constexpr bool here = std::same_as<typename C::component_role, Role>;
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
inline constexpr int count_of_role = (0 + ... + (std::same_as<typename Cs::component_role, Role> ? 1 : 0));

template <class C>
inline constexpr bool has_known_role =
    std::same_as<typename C::component_role, policy_role> ||
    std::same_as<typename C::component_role, placement_role> ||
    std::same_as<typename C::component_role, preemption_role> ||
    std::same_as<typename C::component_role, allocator_role> ||
    std::same_as<typename C::component_role, predictor_role> ||
    std::same_as<typename C::component_role, admission_role> ||
    std::same_as<typename C::component_role, observer_role>;

template <class... Cs>
struct composition {
  static_assert((has_known_role<Cs> && ...), "component_role must be one of the roles of berth");
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
  static_assert(scheduling_policy<typename policy::type>);
  static_assert(placement_policy<typename placement::type>);
  static_assert(preemption_cost<typename preemption::type>);
  static_assert(gang_allocator<typename allocator::type>);
  static_assert(throughput_predictor<typename predictor::type>);
  static_assert(admission_policy<typename admission::type>);
  static_assert(decision_observer<typename observer::type>);

  using scheduler_type =
      scheduler<typename policy::type, typename placement::type, typename preemption::type,
                typename allocator::type, typename predictor::type, typename admission::type,
                typename observer::type>;
};

}  // namespace detail

/// The type that make_scheduler returns, for data members.
template <any_component... Cs>
using scheduler_of = typename detail::composition<Cs...>::scheduler_type;

/// Builds a scheduler from components in any order. Defaults: fifo, consolidated, lost_work, rigid,
/// declared, accept_all, null_observer. Errors: bad_config, and what a node may be refused for. Throws
/// std::bad_alloc.
template <any_component... Cs>
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
