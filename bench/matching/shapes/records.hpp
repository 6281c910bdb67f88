// SPDX-License-Identifier: BSL-1.0
// Shape S3c, and S4 on it: a cluster as records of jobs and nodes, many of them equal. Three forms
// of one input, with one optimum: the records, the classes that they collapse to, and one row per
// job with one column per node.
#pragma once

#include <berth/core/random.hpp>

#include <bench/matching/shapes/draw.hpp>
#include <bench/matching/shapes/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

/// What a job costs depends on these fields and on the node; jobs of equal fields are one class.
struct job_record {
  std::int32_t demand = 0;    ///< GPUs
  std::int32_t queue = 0;     ///< which nodes are open to it, and how well they suit
  std::int32_t base = 0;      ///< per GPU, wherever it runs
  std::int32_t left_out = 0;  ///< per GPU that does not run

  friend constexpr auto operator<=>(job_record const&, job_record const&) noexcept = default;
};

struct node_record {
  std::int32_t free_gpus = 0;
  std::int32_t pool = 0;
  std::int32_t base = 0;  ///< per GPU, whoever runs there

  friend constexpr auto operator<=>(node_record const&, node_record const&) noexcept = default;
};

struct records_shape {
  std::vector<job_record> jobs;
  std::vector<node_record> nodes;
  std::size_t queues = 0;
  std::size_t pools = 0;
  std::vector<std::int32_t> suits;  ///< queues × pools: extra cost per GPU, negative: not eligible

  static constexpr std::int32_t not_eligible = -1;

  /// Cost per GPU, or not_eligible.
  [[nodiscard]] std::int32_t cost(job_record const& job, node_record const& node) const {
    std::int32_t const extra =
        suits[static_cast<std::size_t>(job.queue) * pools + static_cast<std::size_t>(node.pool)];
    return extra == not_eligible ? not_eligible : node.base + job.base + extra;
  }
};

/// Units that a class of jobs ships from now on.
struct supply_change {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> supply;  ///< for each of `rows`
};

inline void apply(supply_change const& change, transport_shape& shape) {
  for (std::size_t i = 0; i < change.rows.size(); ++i) {
    shape.supply[change.rows[i]] = change.supply[i];
  }
}

/// Draws a cluster of `classes` kinds of jobs and as many kinds of nodes of 8 GPUs.
class records_source {
 public:
  /// `percent` of the pairs of classes are eligible.
  records_source(std::size_t jobs, std::size_t nodes, std::size_t classes, std::uint64_t percent,
                 std::uint64_t seed)
      : classes_{classes}, random_{seed} {
    for (std::size_t kind = 0; kind < classes; ++kind) {
      job_kind_.push_back({draw_demand(random_), static_cast<std::int32_t>(kind),
                           draw_between(random_, 0, 2'999), draw_between(random_, 20'000, 40'000)});
      node_kind_.push_back({8, static_cast<std::int32_t>(kind), draw_between(random_, 0, 1'999)});
    }
    records_.queues = classes;
    records_.pools = classes;
    for (std::size_t pair = 0; pair < classes * classes; ++pair) {
      records_.suits.push_back(random_.below(100) < percent ? draw_between(random_, 0, 4'999)
                                                            : records_shape::not_eligible);
    }
    for (std::size_t job = 0; job < jobs; ++job) {
      records_.jobs.push_back(job_kind_[random_.below(classes)]);
    }
    for (std::size_t node = 0; node < nodes; ++node) {
      records_.nodes.push_back(node_kind_[random_.below(classes)]);
    }
  }

  [[nodiscard]] records_shape const& records() const { return records_; }

  /// A row per class of jobs, a column per class of nodes.
  [[nodiscard]] transport_shape classes() const {
    transport_shape drawn{classes_, classes_, {0}, {}, {}, {}, {}, {}};
    std::vector<std::int32_t> jobs(classes_);
    for (job_record const& job : records_.jobs) {
      ++jobs[static_cast<std::size_t>(job.queue)];
    }
    for (std::size_t row = 0; row < classes_; ++row) {
      job_record const& job = job_kind_[row];
      append_arcs(drawn, job, node_kind_);
      drawn.end_row(jobs[row] * job.demand, job.left_out);
    }
    drawn.capacity.assign(classes_, 0);
    for (node_record const& node : records_.nodes) {
      drawn.capacity[static_cast<std::size_t>(node.pool)] += node.free_gpus;
    }
    return drawn;
  }

  /// A row per job, a column per node.
  [[nodiscard]] transport_shape uncollapsed() const {
    transport_shape drawn{records_.jobs.size(), records_.nodes.size(), {0}, {}, {}, {}, {}, {}};
    for (job_record const& job : records_.jobs) {
      append_arcs(drawn, job, records_.nodes);
      drawn.end_row(job.demand, job.left_out);
    }
    for (node_record const& node : records_.nodes) {
      drawn.capacity.push_back(node.free_gpus);
    }
    return drawn;
  }

  /// `count` jobs leave and as many arrive, in `kinds` classes each; `now` is the state before.
  [[nodiscard]] supply_change change(transport_shape const& now, std::size_t count,
                                     std::size_t kinds) {
    supply_change drawn{draw_distinct(random_, 2 * kinds, classes_), {}};
    kinds = std::max<std::size_t>(1, drawn.rows.size() / 2);
    for (std::uint32_t const row : drawn.rows) {
      drawn.supply.push_back(now.supply[row]);
    }
    for (std::size_t job = 0; job < count; ++job) {
      std::size_t const leaves = random_.below(kinds);
      std::size_t const arrives =
          drawn.rows.size() > kinds ? kinds + random_.below(drawn.rows.size() - kinds) : leaves;
      drawn.supply[leaves] =
          std::max(0, drawn.supply[leaves] - job_kind_[drawn.rows[leaves]].demand);
      drawn.supply[arrives] += job_kind_[drawn.rows[arrives]].demand;
    }
    return drawn;
  }

 private:
  void append_arcs(transport_shape& into, job_record const& job,
                   std::vector<node_record> const& nodes) const {
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      std::int32_t const cost = records_.cost(job, nodes[node]);
      if (cost != records_shape::not_eligible) {
        into.add_arc(node, cost);
      }
    }
  }

  std::size_t classes_;
  berth::random_source random_;
  std::vector<job_record> job_kind_;
  std::vector<node_record> node_kind_;
  records_shape records_;
};

}  // namespace berth_bench
