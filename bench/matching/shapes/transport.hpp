// SPDX-License-Identifier: BSL-1.0
// Shape S3, and S4 on it: jobs that ship GPUs to nodes. Each job may use few of the nodes, and may
// leave units out at a price.
#pragma once

#include <berth/core/random.hpp>

#include <bench/matching/shapes/draw.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

/// The arcs of row r are first_arc[r] up to first_arc[r + 1], by ascending column. Costs are per
/// unit.
struct transport_shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint32_t> first_arc;  ///< rows + 1
  std::vector<std::uint32_t> column;     ///< per arc
  std::vector<std::int32_t> cost;        ///< per arc
  std::vector<std::int32_t> supply;      ///< per row
  std::vector<std::int32_t> unmatched_cost;
  std::vector<std::int32_t> capacity;  ///< per column

  [[nodiscard]] std::size_t arcs() const { return column.size(); }
  void add_arc(std::uint32_t to, std::int32_t per_unit) {
    column.push_back(to);
    cost.push_back(per_unit);
  }
  /// Ends the arcs of the last row.
  void end_row(std::int32_t units, std::int32_t per_unit_left_out) {
    first_arc.push_back(static_cast<std::uint32_t>(column.size()));
    supply.push_back(units);
    unmatched_cost.push_back(per_unit_left_out);
  }
};

/// Rows leave, and others, with arcs of their own, arrive in their places.
struct transport_change {
  std::vector<std::uint32_t> rows;
  transport_shape arrivals;  ///< one row for each of `rows`, in that order; no capacities
};

inline void apply(transport_change const& change, transport_shape& shape) {
  transport_shape changed{shape.rows, shape.columns, {0}, {}, {}, {}, {}, shape.capacity};
  std::size_t next = 0;
  for (std::uint32_t row = 0; row < shape.rows; ++row) {
    bool const arrives = next < change.rows.size() && change.rows[next] == row;
    transport_shape const& from = arrives ? change.arrivals : shape;
    std::size_t const at = arrives ? next++ : row;
    for (std::uint32_t arc = from.first_arc[at]; arc < from.first_arc[at + 1]; ++arc) {
      changed.add_arc(from.column[arc], from.cost[arc]);
    }
    changed.end_row(from.supply[at], from.unmatched_cost[at]);
  }
  shape = changed;
}

/// Draws sparse inputs: demand 2 to 16, nodes of 8, cost = base of the node (< 2,000) + base of the
/// job (< 3,000) + noise (< 5,000), leaving out at 20,000..40,000.
class transport_source {
 public:
  /// Each job may use `least`..`most` of the nodes.
  transport_source(std::size_t jobs, std::size_t nodes, std::int32_t least, std::int32_t most,
                   std::uint64_t seed)
      : jobs_{jobs}, nodes_{nodes}, least_{least}, most_{most}, random_{seed} {
    for (std::size_t node = 0; node < nodes; ++node) {
      node_base_.push_back(draw_between(random_, 0, 1'999));
    }
  }
  /// The input of the issue: 20 to 200 of the nodes.
  transport_source(std::size_t jobs, std::size_t nodes, std::uint64_t seed)
      : transport_source{jobs, nodes, 20, 200, seed} {}

  [[nodiscard]] transport_shape shape() {
    transport_shape drawn = rows(jobs_);
    drawn.capacity.assign(nodes_, 8);
    return drawn;
  }

  [[nodiscard]] transport_change change(std::size_t count) {
    transport_change drawn{draw_distinct(random_, count, jobs_), {}};
    drawn.arrivals = rows(drawn.rows.size());
    return drawn;
  }

 private:
  transport_shape rows(std::size_t count) {
    transport_shape drawn{count, nodes_, {0}, {}, {}, {}, {}, {}};
    for (std::size_t row = 0; row < count; ++row) {
      std::int32_t const base = draw_between(random_, 0, 2'999);
      auto const degree = static_cast<std::size_t>(random_.between(least_, most_));
      for (std::uint32_t const node : draw_distinct(random_, degree, nodes_)) {
        drawn.add_arc(node, node_base_[node] + base + draw_between(random_, 0, 4'999));
      }
      drawn.end_row(draw_demand(random_), draw_between(random_, 20'000, 40'000));
    }
    return drawn;
  }

  std::size_t jobs_;
  std::size_t nodes_;
  std::int32_t least_;
  std::int32_t most_;
  berth::random_source random_;
  std::vector<std::int32_t> node_base_;
};

}  // namespace berth_bench
