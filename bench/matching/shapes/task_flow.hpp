// SPDX-License-Identifier: BSL-1.0
// Shape S5, and S4 on it: the network of Firmament with Quincy's costs (Gog et al., OSDI 2016;
// Isard et al., SOSP 2009). A task goes to a machine it prefers, to a rack, to the whole cluster,
// or waits in its job's unscheduled aggregator; racks and the cluster lead to machines for nothing.
#pragma once

#include <berth/core/random.hpp>

#include <bench/matching/shapes/draw.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

/// The ways of a task.
struct task_record {
  /// All different, unless the cluster has fewer.
  static constexpr std::size_t machine_preferences = 3;
  static constexpr std::size_t rack_preferences = 2;

  std::uint32_t job = 0;
  std::uint32_t machine[machine_preferences] = {};
  std::int32_t machine_cost[machine_preferences] = {};
  std::uint32_t rack[rack_preferences] = {};
  std::int32_t rack_cost[rack_preferences] = {};
  std::int32_t cluster_cost = 0;
  std::int32_t unscheduled_cost = 0;
};

/// Every task is one unit. Task → its machines, its racks, the cluster, its job's aggregator;
/// cluster → racks → machines → sink; aggregator → sink, without a limit.
struct task_flow_shape {
  std::vector<task_record> tasks;
  std::size_t jobs = 0;
  std::size_t racks = 0;
  std::vector<std::uint32_t> rack_of_machine;  ///< ascending
  std::vector<std::int32_t> slots;             ///< per machine

  [[nodiscard]] std::size_t machines() const { return slots.size(); }
};

/// Tasks leave, and others arrive in their places.
struct task_change {
  std::vector<std::uint32_t> tasks;
  std::vector<task_record> arrivals;
};

inline void apply(task_change const& change, task_flow_shape& shape) {
  for (std::size_t i = 0; i < change.tasks.size(); ++i) {
    shape.tasks[change.tasks[i]] = change.arrivals[i];
  }
}

/// Draws networks: racks of 40 machines, jobs of 10 tasks on average.
class task_flow_source {
 public:
  task_flow_source(std::size_t tasks, std::size_t machines, std::int32_t slots, std::uint64_t seed,
                   std::size_t machines_per_rack = 40)
      : tasks_{tasks},
        machines_{machines},
        slots_{slots},
        machines_per_rack_{machines_per_rack},
        jobs_{std::max<std::size_t>(1, tasks / 10)},
        racks_{(machines + machines_per_rack - 1) / machines_per_rack},
        random_{seed} {}

  [[nodiscard]] task_flow_shape shape() {
    task_flow_shape drawn;
    for (std::size_t task = 0; task < tasks_; ++task) {
      drawn.tasks.push_back(draw_task());
    }
    drawn.jobs = jobs_;
    drawn.racks = racks_;
    for (std::size_t machine = 0; machine < machines_; ++machine) {
      drawn.rack_of_machine.push_back(static_cast<std::uint32_t>(machine / machines_per_rack_));
    }
    drawn.slots.assign(machines_, slots_);
    return drawn;
  }

  [[nodiscard]] task_change change(std::size_t count) {
    task_change drawn{draw_distinct(random_, count, tasks_), {}};
    for (std::size_t i = 0; i < drawn.tasks.size(); ++i) {
      drawn.arrivals.push_back(draw_task());
    }
    return drawn;
  }

 private:
  task_record draw_task() {
    task_record task;
    task.job = static_cast<std::uint32_t>(random_.below(jobs_));
    draw_different(task.machine, machines_);
    for (std::int32_t& cost : task.machine_cost) {
      cost = draw_between(random_, 0, 99);
    }
    draw_different(task.rack, racks_);
    for (std::int32_t& cost : task.rack_cost) {
      cost = draw_between(random_, 80, 200);
    }
    task.cluster_cost = draw_between(random_, 200, 400);
    task.unscheduled_cost = draw_between(random_, 600, 1'100);
    return task;
  }

  /// Different ones, as far as there are as many.
  template <std::size_t Count>
  void draw_different(std::uint32_t (&into)[Count], std::size_t bound) {
    for (std::size_t i = 0; i < Count; ++i) {
      do {
        into[i] = static_cast<std::uint32_t>(random_.below(bound));
      } while (i < bound && std::find(into, into + i, into[i]) != into + i);
    }
  }

  std::size_t tasks_;
  std::size_t machines_;
  std::int32_t slots_;
  std::size_t machines_per_rack_;
  std::size_t jobs_;
  std::size_t racks_;
  berth::random_source random_;
};

}  // namespace berth_bench
