// SPDX-License-Identifier: BSL-1.0
// Price, match, bind: which berth for which gang, and so who leaves.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/one_node.hpp>
#include <berth/scheduler/detail/one_node_evict.hpp>
#include <berth/scheduler/detail/several_nodes.hpp>
#include <berth/scheduler/detail/several_nodes_evict.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/transport.hpp>
#include <berth/solve/transport_arcs.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline std::span<gang_part> rows_of_problem(workspace& w) noexcept {
  return w.parts.view().subspan(w.problem.first, w.problem.end - w.problem.first);
}

/// Stage 7. The cost of every gang of the problem on every berth.
template <class Engine>
void price(Engine& e) noexcept {
  if (e.work.problem.kind == matching_kind::one_node_free) {
    // In a huge cluster the matrix may hold fewer rows than the problem; the rest makes the next.
    std::size_t const most =
        e.work.rows_that_fit(prices_nodes(e, rows_of_problem(e.work)), e.state.books.type_count());
    e.work.problem.end = std::min(e.work.problem.end, e.work.problem.first + most);
  }
  auto const rows = rows_of_problem(e.work);
  switch (e.work.problem.kind) {
    case matching_kind::one_node_free: price_one_node_free(e, rows); break;
    case matching_kind::several_nodes_free: price_several_nodes_free(e, rows); break;
    case matching_kind::one_node_evict: price_one_node_evict(e, rows); break;
    case matching_kind::several_nodes_evict: price_several_nodes_evict(e, rows.front()); break;
  }
  std::size_t const gangs = e.work.evicting ? workspace::max_evicting : workspace::max_candidates;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    e.work.unmatched[r] = cost_of_waiting(rows[r].order, gangs);
  }
  if (e.work.problem.kind == matching_kind::one_node_free) {
    price_spreading(e, rows);
  }
}

/// Every row is one gang, so that it has one column, or waits. False without an answer.
[[nodiscard]] inline bool match_one_node(workspace& w, cost_matrix_view<rank_cost> costs,
                                         std::span<rank_cost const> waiting) noexcept {
  auto const lies = std::span{w.arcs_of_row}.first(costs.rows());
  auto const arcs = write_arcs(costs, std::span{w.arcs}, lies);
  transport_problem<rank_cost> const problem{arcs, lies, std::span{w.supply}.first(costs.rows()),
                                             std::span{w.capacity}.first(costs.columns()), waiting};
  if (transport_matcher{}.solve(problem, w.transport) != solve_status::optimal) {
    return false;
  }
  auto const flow = w.transport.solution().flow;
  for (std::size_t r = 0; r < costs.rows(); ++r) {
    auto const of_row = flow.subspan(lies[r].first, lies[r].count);
    auto const used = std::find(of_row.begin(), of_row.end(), 1);
    w.column_of_row[r] =
        used == of_row.end()
            ? no_index
            : arcs[lies[r].first + static_cast<std::size_t>(used - of_row.begin())].column;
  }
  return true;
}

/// Stage 8. The cheapest matching. Every gang may also wait, so that there is always one.
template <class Engine>
void match(Engine& e) noexcept {
  workspace& w = e.work;
  auto const rows = rows_of_problem(w);
  std::span<rank_cost const> const waiting = std::span{w.unmatched}.first(rows.size());
  auto const matrix = [&](std::size_t columns) {
    return cost_matrix_view<rank_cost>{std::span{w.cells}, rows.size(), columns, w.stride};
  };
  switch (w.problem.kind) {
    case matching_kind::one_node_free:
    case matching_kind::one_node_evict: {
      w.solved = match_one_node(w, matrix(w.columns.size()), waiting);
      break;
    }
    case matching_kind::several_nodes_free: {
      assignment_problem<rank_cost> const problem{matrix(w.domains.size()), waiting};
      w.solved = assignment_matcher{}.solve(problem, w.assignment) == solve_status::optimal;
      break;
    }
    case matching_kind::several_nodes_evict:
      match_several_nodes_evict(e, rows.front());
      w.solved = true;  // without a cover, no node is chosen
      break;
  }
  BERTH_ASSERT(w.solved, "every gang may wait: there is an optimum");
}

/// Stage 9. Concrete GPUs. What is bound is what the next problem of this tick sees. Without an
/// answer of the solver there is nothing to read, and everybody waits.
template <class Engine>
void bind(Engine& e) noexcept {
  if (!e.work.solved) {
    return;
  }
  auto const rows = rows_of_problem(e.work);
  switch (e.work.problem.kind) {
    case matching_kind::one_node_free: bind_one_node_free(e, rows); break;
    case matching_kind::several_nodes_free: bind_several_nodes_free(e, rows); break;
    case matching_kind::one_node_evict: bind_one_node_evict(e, rows); break;
    case matching_kind::several_nodes_evict: bind_several_nodes_evict(e, rows.front()); break;
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
