// SPDX-License-Identifier: BSL-1.0
// From an uncollapsed input to an uncollapsed answer by way of classes: AlloX from its dense matrix
// alone, and a cluster from the records of its jobs and nodes.
#pragma once

#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/collapse_expand.hpp>
#include <berth/solve/collapse_matrix.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/positional_problem.hpp>
#include <berth/solve/positional_workspace.hpp>
#include <berth/solve/status.hpp>
#include <berth/solve/transport.hpp>
#include <berth/solve/transport_problem.hpp>
#include <berth/solve/transport_workspace.hpp>

#include <bench/matching/shapes/positional.hpp>
#include <bench/matching/shapes/records.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace berth_bench {

/// Equal columns are found in the matrix; what the shape knows about them is not used.
class berth_collapsed_allox {
 public:
  explicit berth_collapsed_allox(allox_shape const& shape)
      : rows_{shape.dense.rows}, columns_{shape.dense.columns} {
    cost_.reserve(shape.dense.cost.size());
    for (std::int32_t const cost : shape.dense.cost) {
      cost_.emplace_back(cost);
    }
  }

  void solve_cold() {
    classes_.emplace(rows_, columns_, most_classes);
    workspace_.reset();
    column_of_row_.assign(rows_, berth::unmatched);
    if (status_ = classes_->collapse(matrix()); status_ != berth::solve_status::optimal) {
      return;
    }
    workspace_.emplace(rows_, classes_->capacity().size());
    status_ = berth::positional_matcher{}.solve(problem(), *workspace_);
    if (status_ == berth::solve_status::optimal &&
        !classes_->expand(workspace_->solution().column_of_row, column_of_row_)) {
      status_ = berth::solve_status::malformed;
    }
  }

  [[nodiscard]] std::int64_t optimum() const {
    return workspace_ ? workspace_->solution().total : 0;
  }
  /// The expanded solution, with the prices of the classes for all their columns, against the
  /// matrix as it was given.
  [[nodiscard]] bool is_certified() const {
    if (status_ != berth::solve_status::optimal) {
      return false;
    }
    auto const solution = workspace_->solution();
    std::vector<std::uint32_t> row_of_column(columns_, berth::unmatched);
    std::vector<std::int64_t> row_price;
    std::vector<std::int64_t> column_price;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      row_price.push_back(berth::row_price(problem(), solution, row));
      if (column_of_row_[row] != berth::unmatched) {
        row_of_column[column_of_row_[row]] = row;
      }
    }
    for (std::uint32_t const at : classes_->class_of_column()) {
      column_price.push_back(solution.column_price[at]);
    }
    berth::assignment_solution<berth::integer_cost> expanded;
    expanded.column_of_row = column_of_row_;
    expanded.row_of_column = row_of_column;
    expanded.row_price = row_price;
    expanded.column_price = column_price;
    expanded.total = solution.total;
    expanded.bound = solution.bound;
    return berth::certify(berth::assignment_problem<berth::integer_cost>{matrix()}, expanded)
        .holds();
  }

 private:
  static constexpr std::size_t most_classes = 64;

  [[nodiscard]] berth::cost_matrix_view<berth::integer_cost> matrix() const {
    return {cost_, rows_, columns_};
  }
  [[nodiscard]] berth::positional_problem<berth::integer_cost> problem() const {
    return {classes_->cost(), classes_->capacity()};
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<berth::integer_cost> cost_;
  std::optional<berth::column_classes<berth::integer_cost>> classes_;
  std::optional<berth::positional_workspace<berth::integer_cost>> workspace_;
  std::vector<std::uint32_t> column_of_row_;
  berth::solve_status status_ = berth::solve_status::malformed;
};

/// A row per class of jobs, a column per class of nodes, and then to whom the GPUs of each job
/// belong, node by node.
class berth_collapsed_records {
 public:
  explicit berth_collapsed_records(records_shape const& shape) : shape_{shape} {}

  void solve_cold() {
    classes_.emplace(shape_);
    workspace_.emplace(classes_->rows.size(), classes_->capacity.size(), classes_->arcs.size());
    status_ = berth::transport_matcher{}.solve(classes_->problem(), *workspace_);
    if (status_ == berth::solve_status::optimal) {
      status_ = expand();
    }
  }

  [[nodiscard]] std::int64_t optimum() const { return workspace_->solution().total; }

  /// The classes against the certificate; the shipments against the records: nobody has more than
  /// there is, and all of them together cost the optimum.
  [[nodiscard]] bool is_certified() const {
    if (status_ != berth::solve_status::optimal ||
        !berth::certify(classes_->problem(), workspace_->solution()).holds()) {
      return false;
    }
    std::vector<std::int32_t> waiting;
    std::vector<std::int32_t> room;
    for (job_record const& job : shape_.jobs) {
      waiting.push_back(job.demand);
    }
    for (node_record const& node : shape_.nodes) {
      room.push_back(node.free_gpus);
    }
    std::int64_t total = 0;
    for (berth::shipment const& one : expansion_.shipments()) {
      std::int32_t const per_unit = shape_.cost(shape_.jobs[one.row], shape_.nodes[one.column]);
      waiting[one.row] -= one.units;
      room[one.column] -= one.units;
      if (per_unit == records_shape::not_eligible || waiting[one.row] < 0 || room[one.column] < 0) {
        return false;
      }
      total += std::int64_t{per_unit} * one.units;
    }
    for (std::size_t job = 0; job < waiting.size(); ++job) {
      total += std::int64_t{shape_.jobs[job].left_out} * waiting[job];
    }
    return total == optimum();
  }

 private:
  using cost = berth::integer_cost;
  static constexpr std::size_t most_classes = 1024;

  /// The records as a problem over classes.
  struct class_problem {
    explicit class_problem(records_shape const& shape)
        : jobs{shape.jobs.size(), most_classes}, nodes{shape.nodes.size(), most_classes} {
      for (std::uint32_t job = 0; job < shape.jobs.size(); ++job) {
        jobs.add(job, shape.jobs[job]);
      }
      for (std::uint32_t node = 0; node < shape.nodes.size(); ++node) {
        nodes.add(node, shape.nodes[node]);
      }
      for (std::uint32_t column = 0; column < nodes.class_bound(); ++column) {
        node_units.push_back(nodes.key(column).free_gpus);
        capacity.push_back(nodes.size(column) * node_units.back());
      }
      for (std::uint32_t row = 0; row < jobs.class_bound(); ++row) {
        add_row(shape, row);
      }
    }

    void add_row(records_shape const& shape, std::uint32_t row) {
      job_record const& job = jobs.key(row);
      auto const first = static_cast<std::uint32_t>(arcs.size());
      for (std::uint32_t column = 0; column < nodes.class_bound(); ++column) {
        std::int32_t const per_unit = shape.cost(job, nodes.key(column));
        if (per_unit != records_shape::not_eligible) {
          arcs.push_back({column, cost{per_unit}});
        }
      }
      rows.push_back({first, static_cast<std::uint32_t>(arcs.size()) - first});
      job_units.push_back(job.demand);
      supply.push_back(jobs.size(row) * job.demand);
      unmatched_cost.emplace_back(job.left_out);
    }

    [[nodiscard]] berth::transport_problem<cost> problem() const {
      return {arcs, rows, supply, capacity, unmatched_cost};
    }

    berth::class_index<job_record> jobs;
    berth::class_index<node_record> nodes;
    std::vector<std::int32_t> job_units;   ///< per class, what one member asks for
    std::vector<std::int32_t> node_units;  ///< per class, what one member offers
    std::vector<berth::transport_arc<cost>> arcs;
    std::vector<berth::transport_row> rows;
    std::vector<std::int32_t> supply;
    std::vector<std::int32_t> capacity;
    std::vector<cost> unmatched_cost;
  };

  [[nodiscard]] berth::solve_status expand() {
    auto const solution = workspace_->solution();
    std::vector<berth::shipment> between;
    for (std::uint32_t row = 0; row < classes_->rows.size(); ++row) {
      berth::transport_row const range = classes_->rows[row];
      for (std::uint32_t arc = range.first; arc < range.first + range.count; ++arc) {
        if (solution.flow[arc] > 0) {
          between.push_back({row, classes_->arcs[arc].column, solution.flow[arc]});
        }
      }
    }
    expansion_ = {};
    expansion_.reserve(shape_.jobs.size(), classes_->job_units.size(), shape_.nodes.size(),
                       classes_->node_units.size(), between.size());
    return expansion_.expand(between, {classes_->jobs.classes_of_records(), classes_->job_units},
                             {classes_->nodes.classes_of_records(), classes_->node_units});
  }

  records_shape const& shape_;
  std::optional<class_problem> classes_;
  std::optional<berth::transport_workspace<cost>> workspace_;
  berth::class_expansion expansion_;
  berth::solve_status status_ = berth::solve_status::malformed;
};

}  // namespace berth_bench
