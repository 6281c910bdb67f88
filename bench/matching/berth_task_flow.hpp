// SPDX-License-Identifier: BSL-1.0
// berth's task flow behind the shape S5, cold and warm. Machines come first among the places, then
// their racks, then the cluster. A job's unscheduled aggregator has no limit, so it is the task's
// own unscheduled cost.
#pragma once

#include <berth/solve/integer_cost.hpp>
#include <berth/solve/task_flow.hpp>
#include <berth/solve/task_flow_certificate.hpp>
#include <berth/solve/task_flow_problem.hpp>
#include <berth/solve/task_flow_workspace.hpp>

#include <bench/matching/berth_engine.hpp>
#include <bench/matching/shapes/task_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

class berth_task_flow : public berth_engine<berth_task_flow, berth::task_flow_matcher,
                                            berth::task_flow_workspace<berth::integer_cost>> {
  using cost = berth::integer_cost;

 public:
  explicit berth_task_flow(task_flow_shape const& shape)
      : first_rack_{static_cast<std::uint32_t>(shape.machines())},
        cluster_{first_rack_ + static_cast<std::uint32_t>(shape.racks)},
        ways_(shape.tasks.size() * ways_per_task),
        unscheduled_cost_(shape.tasks.size()) {
    for (std::size_t machine = 0; machine < shape.machines(); ++machine) {
      places_.push_back({first_rack_ + shape.rack_of_machine[machine], shape.slots[machine], {}});
    }
    places_.insert(places_.end(), shape.racks, {cluster_, 0, {}});
    places_.push_back({});
    for (std::size_t task = 0; task < shape.tasks.size(); ++task) {
      write(task, shape.tasks[task]);
    }
  }

  void solve_cold() {
    solve_in_fresh_workspace(unscheduled_cost_.size(), places_.size(), ways_per_task);
  }

  void apply(task_change const& change) {
    for (std::size_t i = 0; i < change.tasks.size(); ++i) {
      write(change.tasks[i], change.arrivals[i]);
    }
    changed_ = change.tasks;
  }
  [[nodiscard]] berth::task_flow_problem<cost> problem() const {
    return {places_, ways_, ways_per_task, unscheduled_cost_};
  }

 private:
  static constexpr std::size_t ways_per_task =
      task_record::machine_preferences + task_record::rack_preferences + 1;

  void write(std::size_t task, task_record const& record) {
    auto* way = ways_.data() + task * ways_per_task;
    for (std::size_t i = 0; i < task_record::machine_preferences; ++i) {
      *way++ = {record.machine[i], cost{record.machine_cost[i]}};
    }
    for (std::size_t i = 0; i < task_record::rack_preferences; ++i) {
      *way++ = {first_rack_ + record.rack[i], cost{record.rack_cost[i]}};
    }
    *way = {cluster_, cost{record.cluster_cost}};
    unscheduled_cost_[task] = cost{record.unscheduled_cost};
  }

  std::uint32_t first_rack_;
  std::uint32_t cluster_;
  std::vector<berth::task_flow_place<cost>> places_;
  std::vector<berth::task_flow_way<cost>> ways_;
  std::vector<cost> unscheduled_cost_;
};

}  // namespace berth_bench
