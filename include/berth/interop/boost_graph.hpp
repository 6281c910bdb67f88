// SPDX-License-Identifier: BSL-1.0
// Boost.Graph's min-cost flow behind the seam of the matchers: the independent oracle of the tests,
// the baseline of the benches, and a bridge for whoever has a graph already. It allocates, may
// throw std::bad_alloc, and is far too slow for a tick: one Dijkstra over property maps per
// augmentation. The network: source → row (supply) → column (capacity) → sink, row → sink for units
// left out. Where a unit may not be left out the arc is there all the same, dearer than everything:
// weights are compared lexicographically (missing, rank, time), so that no constant has to be big
// enough.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/matching_costs.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport_arcs.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>
#include <boost/property_map/property_map.hpp>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// The weight of an arc: units that had to go and did not, then rank, then GPU·milliseconds.
struct flow_weight {
  std::int64_t missing = 0;
  std::int64_t rank = 0;
  std::int64_t time = 0;

  constexpr flow_weight() noexcept = default;
  constexpr flow_weight(int zero) noexcept : time{zero} {}  // Boost.Graph starts distances with 0
  constexpr flow_weight(std::int64_t missing_units, std::int64_t rank_levels,
                        std::int64_t gpu_milliseconds) noexcept
      : missing{missing_units}, rank{rank_levels}, time{gpu_milliseconds} {}
  constexpr explicit flow_weight(gpu_time cost) noexcept : time{cost.count()} {}
  constexpr explicit flow_weight(integer_cost cost) noexcept : time{cost.value()} {}
  constexpr explicit flow_weight(rank_cost cost) noexcept
      : rank{cost.rank}, time{cost.time.count()} {}

  constexpr void write_to(std::int64_t& cost) const noexcept { cost = time; }
  constexpr void write_to(gpu_time& cost) const noexcept { cost = gpu_time{time}; }
  constexpr void write_to(rank_cost& cost) const noexcept { cost = {rank, gpu_time{time}}; }

  friend constexpr flow_weight operator+(flow_weight a, flow_weight b) noexcept {
    return {a.missing + b.missing, a.rank + b.rank, a.time + b.time};
  }
  friend constexpr flow_weight operator-(flow_weight a, flow_weight b) noexcept {
    return {a.missing - b.missing, a.rank - b.rank, a.time - b.time};
  }
  friend constexpr auto operator<=>(flow_weight const&, flow_weight const&) noexcept = default;
};

}  // namespace detail
BERTH_NAMESPACE_END

/// Boost.Graph asks here for a distance beyond all others.
template <>
class std::numeric_limits<berth::detail::flow_weight> {
 public:
  static constexpr bool is_specialized = true;
  static constexpr berth::detail::flow_weight max() noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return {most, most, most};
  }
};

BERTH_NAMESPACE_BEGIN

struct boost_graph_matcher;

/// The answer of boost_graph_matcher to a transportation problem.
template <solver_cost Cost>
class boost_graph_transport_workspace {
 public:
  void reserve(std::size_t rows, std::size_t columns) { flow_.reserve(rows * columns); }
  [[nodiscard]] transport_solution<Cost> solution() const noexcept {
    return {flow_, unmatched_units_, row_price_, column_price_, total_, total_};
  }

 private:
  friend struct boost_graph_matcher;
  std::vector<std::int32_t> flow_;
  std::vector<std::int32_t> unmatched_units_;
  std::vector<typename cost_traits<Cost>::price> row_price_;
  std::vector<typename cost_traits<Cost>::price> column_price_;
  typename cost_traits<Cost>::price total_{};
};

/// The answer of boost_graph_matcher to an assignment problem.
template <solver_cost Cost>
class boost_graph_assignment_workspace {
 public:
  void reserve(std::size_t rows, std::size_t columns) { transport_.reserve(rows, columns); }
  [[nodiscard]] assignment_solution<Cost> solution() const noexcept {
    transport_solution<Cost> const solved = transport_.solution();
    return {column_of_row_,      row_of_column_, solved.row_price,
            solved.column_price, solved.total,   solved.bound};
  }

 private:
  friend struct boost_graph_matcher;
  boost_graph_transport_workspace<Cost> transport_;
  std::vector<std::uint32_t> column_of_row_;
  std::vector<std::uint32_t> row_of_column_;
};

namespace detail {
template <class Problem>
struct boost_graph_workspace;
template <solver_cost Cost>
struct boost_graph_workspace<transport_problem<Cost>> {
  using type = boost_graph_transport_workspace<Cost>;
};
template <solver_cost Cost>
struct boost_graph_workspace<assignment_problem<Cost>> {
  using type = boost_graph_assignment_workspace<Cost>;
};
}  // namespace detail

/// Matches through boost::successive_shortest_path_nonnegative_weights. Same problems, same
/// statuses, same prices' meaning as the matchers of solve/; ties fall as Boost.Graph lets them.
struct boost_graph_matcher {
  template <class Problem>
  using workspace_for = typename detail::boost_graph_workspace<Problem>::type;

  /// optimal | infeasible | cost_out_of_range | malformed. Throws std::bad_alloc.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(transport_problem<Cost> const& problem,
                                   boost_graph_transport_workspace<Cost>& workspace) const {
    workspace = {};
    if (solve_status const refused = check(problem); refused != solve_status::optimal) {
      return refused;
    }
    network<Cost> flow{problem};
    flow.run();
    return flow.write_to(workspace);
  }

  /// The same for unit rows and columns.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(assignment_problem<Cost> const& problem,
                                   boost_graph_assignment_workspace<Cost>& workspace) const {
    workspace = {};
    if (!costs_are_well_formed(problem.cost, problem.unmatched_cost)) {
      return solve_status::malformed;
    }
    std::size_t const rows = problem.cost.rows();
    std::size_t const columns = problem.cost.columns();
    std::vector<std::int32_t> const supply(rows, 1);
    std::vector<std::int32_t> const capacity(columns, 1);
    std::vector<transport_arc<Cost>> cells(rows * columns);
    std::vector<transport_row> lies(rows);
    auto const arcs = write_arcs(problem.cost, std::span{cells}, std::span{lies});
    solve_status const status =
        solve(transport_problem<Cost>{arcs, lies, supply, capacity, problem.unmatched_cost},
              workspace.transport_);
    if (!has_solution(status)) {
      return status;
    }
    workspace.column_of_row_.assign(rows, unmatched);
    workspace.row_of_column_.assign(columns, unmatched);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t arc = lies[row].first; arc < lies[row].first + lies[row].count; ++arc) {
        if (workspace.transport_.solution().flow[arc] > 0) {
          workspace.column_of_row_[row] = arcs[arc].column;
          workspace.row_of_column_[arcs[arc].column] = static_cast<std::uint32_t>(row);
        }
      }
    }
    return status;
  }

 private:
  template <class Cost>
  static solve_status check(transport_problem<Cost> const& problem) {
    if (!problem.is_well_formed()) {
      return solve_status::malformed;
    }
    bool in_range = std::ranges::all_of(
        problem.unmatched_cost, [](Cost cost) { return cost_traits<Cost>::in_range(cost); });
    for (std::size_t row = 0; row < problem.rows.size(); ++row) {
      for (transport_arc<Cost> const& there : problem.arcs_of(row)) {
        if (there.column >= problem.columns()) {
          return solve_status::malformed;
        }
        in_range =
            in_range && !there.cost.is_forbidden() && cost_traits<Cost>::in_range(there.cost);
      }
    }
    return in_range ? solve_status::optimal : solve_status::cost_out_of_range;
  }

  template <class Cost>
  class network {
   public:
    explicit network(transport_problem<Cost> const& problem)
        : problem_{problem},
          rows_{problem.rows.size()},
          columns_{problem.columns()},
          graph_(rows_ + columns_ + 2),
          row_base_(rows_),
          waiting_(rows_),
          shipping_(problem.arcs.size()),
          potential_(rows_ + columns_ + 2) {
      for (std::size_t row = 0; row < rows_; ++row) {
        // A row ships exactly its supply, so a constant per row changes no choice; taking its least
        // cost off makes every weight nonnegative, which the algorithm requires.
        Cost least = left_out_cost(problem_.unmatched_cost, row);
        for (transport_arc<Cost> const& there : problem_.arcs_of(row)) {
          least = std::min(least, there.cost);
        }
        row_base_[row] = least.is_forbidden() ? detail::flow_weight{} : detail::flow_weight{least};
        add_row(row);
      }
      for (std::size_t column = 0; column < columns_; ++column) {
        if (boost::out_degree(column_vertex(column), graph_) > 0) {
          add_arc(column_vertex(column), sink(), problem_.capacity[column], {});
        } else {
          add_dead_end(column_vertex(column));
        }
      }
    }

    void run() {
      std::vector<arc> reached_by(boost::num_vertices(graph_));
      std::vector<detail::flow_weight> distance(boost::num_vertices(graph_));
      auto const index = boost::get(boost::vertex_index, graph_);
      boost::successive_shortest_path_nonnegative_weights(
          graph_, source(), sink(), boost::get(boost::edge_capacity, graph_),
          boost::get(boost::edge_residual_capacity, graph_), boost::get(boost::edge_weight, graph_),
          boost::get(boost::edge_reverse, graph_), index,
          boost::make_iterator_property_map(reached_by.begin(), index),
          boost::make_iterator_property_map(distance.begin(), index),
          boost::make_iterator_property_map(potential_.begin(), index));
    }

    solve_status write_to(boost_graph_transport_workspace<Cost>& answer) const {
      boost_graph_transport_workspace<Cost> written;
      written.flow_.assign(problem_.arcs.size(), 0);
      written.unmatched_units_.assign(rows_, 0);
      detail::flow_weight total;
      for (std::size_t row = 0; row < rows_; ++row) {
        if (problem_.supply[row] == 0) {
          continue;
        }
        transport_row const lies = problem_.rows[row];
        written.unmatched_units_[row] = add_to(total, waiting_[row], row);
        for (std::size_t at = lies.first; at < std::size_t{lies.first} + lies.count; ++at) {
          written.flow_[at] = add_to(total, shipping_[at], row);
        }
      }
      if (total.missing > 0) {
        return solve_status::infeasible;
      }
      total.write_to(written.total_);
      write_prices(written);
      answer = std::move(written);
      return solve_status::optimal;
    }

   private:
    using traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
    using arc = traits::edge_descriptor;
    using vertex = traits::vertex_descriptor;
    using arc_properties = boost::property<
        boost::edge_capacity_t, std::int64_t,
        boost::property<
            boost::edge_residual_capacity_t, std::int64_t,
            boost::property<boost::edge_reverse_t, arc,
                            boost::property<boost::edge_weight_t, detail::flow_weight>>>>;
    using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                        boost::no_property, arc_properties>;

    [[nodiscard]] static vertex row_vertex(std::size_t row) { return row; }
    [[nodiscard]] vertex column_vertex(std::size_t column) const { return rows_ + column; }
    [[nodiscard]] vertex source() const { return rows_ + columns_; }
    [[nodiscard]] vertex sink() const { return rows_ + columns_ + 1; }

    /// Units on an arc of `row`; adds what they cost to `total`.
    [[nodiscard]] std::int32_t add_to(detail::flow_weight& total, arc const& used,
                                      std::size_t row) const {
      std::int64_t const units = boost::get(boost::edge_capacity, graph_, used) -
                                 boost::get(boost::edge_residual_capacity, graph_, used);
      detail::flow_weight const cost =
          boost::get(boost::edge_weight, graph_, used) + row_base_[row];
      total = {total.missing + units * cost.missing, total.rank + units * cost.rank,
               total.time + units * cost.time};
      return static_cast<std::int32_t>(units);
    }

    arc add_arc(vertex from, vertex to, std::int64_t capacity, detail::flow_weight weight) {
      arc const forth = boost::add_edge(from, to, graph_).first;
      arc const back = boost::add_edge(to, from, graph_).first;
      boost::put(boost::edge_capacity, graph_, forth, capacity);
      boost::put(boost::edge_capacity, graph_, back, 0);
      boost::put(boost::edge_weight, graph_, forth, weight);
      boost::put(boost::edge_weight, graph_, back, detail::flow_weight{} - weight);
      boost::put(boost::edge_reverse, graph_, forth, back);
      boost::put(boost::edge_reverse, graph_, back, forth);
      return forth;
    }

    /// Nobody needs this vertex, but Boost.Graph adds the distance of every vertex to its potential
    /// in each round: one out of reach would add infinity to infinity.
    void add_dead_end(vertex at) { add_arc(source(), at, 1, {}); }

    void add_row(std::size_t row) {
      if (problem_.supply[row] == 0) {
        add_dead_end(row_vertex(row));
        return;
      }
      // Arcs that a flow can never fill: a row with units left always leads on, which keeps every
      // vertex within reach until the last unit has gone.
      std::int64_t const unlimited = std::int64_t{1} << 40;
      add_arc(source(), row_vertex(row), problem_.supply[row], {});
      Cost const left_out = left_out_cost(problem_.unmatched_cost, row);
      waiting_[row] =
          add_arc(row_vertex(row), sink(), unlimited,
                  left_out.is_forbidden() ? detail::flow_weight{1, 0, 0}
                                          : detail::flow_weight{left_out} - row_base_[row]);
      transport_row const lies = problem_.rows[row];
      for (std::size_t at = lies.first; at < std::size_t{lies.first} + lies.count; ++at) {
        auto const& there = problem_.arcs[at];
        shipping_[at] = add_arc(row_vertex(row), column_vertex(there.column), unlimited,
                                detail::flow_weight{there.cost} - row_base_[row]);
      }
    }

    /// The potentials are distances from the source; seen from the sink they are the prices.
    void write_prices(boost_graph_transport_workspace<Cost>& answer) const {
      detail::flow_weight const end = potential_[sink()];
      std::vector<detail::flow_weight> column_price(columns_);
      answer.column_price_.resize(columns_);
      answer.row_price_.resize(rows_);
      for (std::size_t column = 0; column < columns_; ++column) {
        if (boost::out_degree(column_vertex(column), graph_) > 1) {
          column_price[column] =
              std::max(detail::flow_weight{}, end - potential_[column_vertex(column)]);
        }
        column_price[column].write_to(answer.column_price_[column]);
      }
      for (std::size_t row = 0; row < rows_; ++row) {
        detail::flow_weight price = end - potential_[row_vertex(row)] + row_base_[row];
        if (problem_.supply[row] == 0) {
          price = idle_price(row, column_price);
        }
        price.write_to(answer.row_price_[row]);
      }
    }

    /// A row without units is not in the network: its price is its cheapest way to go.
    [[nodiscard]] detail::flow_weight idle_price(
        std::size_t row, std::vector<detail::flow_weight> const& column_price) const {
      Cost const left_out = left_out_cost(problem_.unmatched_cost, row);
      bool is_priced = !left_out.is_forbidden();
      detail::flow_weight price = is_priced ? detail::flow_weight{left_out} : detail::flow_weight{};
      for (transport_arc<Cost> const& there : problem_.arcs_of(row)) {
        detail::flow_weight const by_arc =
            detail::flow_weight{there.cost} + column_price[there.column];
        price = is_priced ? std::min(price, by_arc) : by_arc;
        is_priced = true;
      }
      return price;
    }

    transport_problem<Cost> const& problem_;
    std::size_t rows_;
    std::size_t columns_;
    graph graph_;
    std::vector<detail::flow_weight> row_base_;
    std::vector<arc> waiting_;   ///< per row
    std::vector<arc> shipping_;  ///< per arc of the problem
    std::vector<detail::flow_weight> potential_;
  };
};

BERTH_NAMESPACE_END
