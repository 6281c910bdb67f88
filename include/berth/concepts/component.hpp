// SPDX-License-Identifier: BSL-1.0
// What makes a struct a component: a role, and nothing else. The verbs are in the concepts beside
// this.
#pragma once

#include <berth/core/config.hpp>

#include <concepts>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

// Roles. A component says which seam it fits: `using component_role = berth::policy_role;`
struct policy_role {};
struct placement_role {};
struct preemption_role {};
struct allocator_role {};
struct predictor_role {};
struct admission_role {};
struct observer_role {};

// Atoms: compilers name them when one is not met.
template <class C>
concept has_component_role = requires { typename C::component_role; };

/// A component is moved into the scheduler and called from noexcept functions.
template <class C>
concept nothrow_movable_component =
    std::is_nothrow_move_constructible_v<C> && std::is_nothrow_destructible_v<C>;

template <class C>
concept any_component = has_component_role<C> && nothrow_movable_component<C>;

template <class C, class Role>
concept component = any_component<C> && std::same_as<typename C::component_role, Role>;

template <class C>
concept declares_job_data = requires { typename C::job_data; };

/// Optional power of policies and predictors: data per job, which the scheduler stores beside the
/// job. They start value-initialised at submit. Snapshots and state_digest() take them as bytes:
/// without padding and pointers (std::has_unique_object_representations), equal data are equal
/// bytes; with padding, two schedulers that decide the same may have other bytes.
template <class C>
concept has_job_data = declares_job_data<C> && std::is_trivially_copyable_v<typename C::job_data>;

struct no_job_data {};

namespace detail {
template <class C>
struct job_data_selector {
  using type = no_job_data;
};
template <has_job_data C>
struct job_data_selector<C> {
  using type = typename C::job_data;
};
}  // namespace detail

template <class C>
using job_data_of = typename detail::job_data_selector<C>::type;

BERTH_NAMESPACE_END
