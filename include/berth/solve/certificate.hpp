// SPDX-License-Identifier: BSL-1.0
// Proof of optimality by complementary slackness: a solution and prices that satisfy the conditions
// below cannot be beaten, whoever found them and however (Ahuja, Magnanti, Orlin, Network Flows,
// 1993, section 9.3). The check shares no code with a solver, is exact, and believes nothing it can
// compute itself.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/assignment_certifier.hpp>
#include <berth/solve/detail/transport_certifier.hpp>
#include <berth/solve/transport_problem.hpp>

BERTH_NAMESPACE_BEGIN

/// Whether `solution` is an optimum of `problem`, else what is wrong first. O(rows × columns), no
/// allocation. Any numbers may be passed: a bad one is a defect, not an overflow.
template <solver_cost Cost>
[[nodiscard]] constexpr certificate certify(assignment_problem<Cost> const& problem,
                                            assignment_solution<Cost> const& solution) noexcept {
  return detail::assignment_certifier<Cost>{problem, solution}.run();
}

/// The same for the transportation problem. O(arcs + rows + columns); allocates a number per
/// column, and throws std::bad_alloc.
template <solver_cost Cost>
[[nodiscard]] certificate certify(transport_problem<Cost> const& problem,
                                  transport_solution<Cost> const& solution) {
  return detail::transport_certifier<Cost>{problem, solution}.optimum();
}

/// Whether `solution` is one of `problem`, and its bound is proved by its prices: what a solver
/// that stopped early promises. As certify() otherwise.
template <solver_cost Cost>
[[nodiscard]] certificate certify_bound(transport_problem<Cost> const& problem,
                                        transport_solution<Cost> const& solution) {
  return detail::transport_certifier<Cost>{problem, solution}.bound();
}

BERTH_NAMESPACE_END
