// SPDX-License-Identifier: BSL-1.0
// The shapes as networks for the general solvers. Nodes: rows or tasks first, then what they lead
// to. Columns take their capacity as negative supply, so that no arcs to a sink are needed.
#pragma once

#include <bench/matching/flow_network.hpp>
#include <bench/matching/shapes/dense.hpp>
#include <bench/matching/shapes/positional.hpp>
#include <bench/matching/shapes/task_flow.hpp>
#include <bench/matching/shapes/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace berth_bench {

/// Every row sends one unit; a column takes up to its capacity.
inline flow_network to_network(std::size_t rows, std::vector<std::int32_t> const& cost,
                               std::vector<std::int32_t> const& capacity) {
  flow_network network;
  network.reserve(cost.size());
  network.supply.assign(rows, 1);
  for (std::int32_t const room : capacity) {
    network.supply.push_back(-room);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < capacity.size(); ++column) {
      network.add_arc(row, rows + column, 1, cost[row * capacity.size() + column]);
    }
  }
  return network;
}

inline flow_network to_network(dense_shape const& shape) {
  return to_network(shape.rows, shape.cost, std::vector<std::int32_t>(shape.columns, 1));
}

inline flow_network to_network(allox_shape const& shape) {
  return to_network(shape.dense);
}

inline flow_network to_network(positional_shape const& shape) {
  return to_network(shape.rows, shape.cost, shape.capacity);
}

/// The last node takes what is left out.
inline flow_network to_network(transport_shape const& shape) {
  flow_network network;
  network.reserve(shape.arcs() + shape.rows);
  std::size_t const left_out = shape.rows + shape.columns;
  network.supply = shape.supply;
  for (std::int32_t const room : shape.capacity) {
    network.supply.push_back(-room);
  }
  network.supply.push_back(-std::accumulate(shape.supply.begin(), shape.supply.end(), 0));
  for (std::size_t row = 0; row < shape.rows; ++row) {
    std::int32_t const units = shape.supply[row];
    for (std::uint32_t arc = shape.first_arc[row]; arc < shape.first_arc[row + 1]; ++arc) {
      network.add_arc(row, shape.rows + shape.column[arc], units, shape.cost[arc]);
    }
    network.add_arc(row, left_out, units, shape.unmatched_cost[row]);
  }
  return network;
}

/// Tasks, jobs' aggregators, the cluster, racks, machines, the sink.
inline flow_network to_network(task_flow_shape const& shape) {
  std::size_t const jobs = shape.tasks.size();  // where their nodes start, and so on
  std::size_t const cluster = jobs + shape.jobs;
  std::size_t const racks = cluster + 1;
  std::size_t const machines = racks + shape.racks;
  std::size_t const sink = machines + shape.machines();
  auto const tasks = static_cast<std::int32_t>(shape.tasks.size());

  flow_network network;
  network.supply.assign(sink + 1, 0);
  std::fill_n(network.supply.begin(), tasks, 1);
  network.supply[sink] = -tasks;
  for (std::size_t task = 0; task < shape.tasks.size(); ++task) {
    task_record const& way = shape.tasks[task];
    for (std::size_t i = 0; i < task_record::machine_preferences; ++i) {
      network.add_arc(task, machines + way.machine[i], 1, way.machine_cost[i]);
    }
    for (std::size_t i = 0; i < task_record::rack_preferences; ++i) {
      network.add_arc(task, racks + way.rack[i], 1, way.rack_cost[i]);
    }
    network.add_arc(task, cluster, 1, way.cluster_cost);
    network.add_arc(task, jobs + way.job, 1, way.unscheduled_cost);
  }
  for (std::size_t job = 0; job < shape.jobs; ++job) {
    network.add_arc(jobs + job, sink, tasks, 0);
  }
  std::vector<std::int32_t> rack_slots(shape.racks, 0);
  for (std::size_t machine = 0; machine < shape.machines(); ++machine) {
    rack_slots[shape.rack_of_machine[machine]] += shape.slots[machine];
  }
  for (std::size_t rack = 0; rack < shape.racks; ++rack) {
    network.add_arc(cluster, racks + rack, rack_slots[rack], 0);
  }
  for (std::size_t machine = 0; machine < shape.machines(); ++machine) {
    network.add_arc(racks + shape.rack_of_machine[machine], machines + machine,
                    shape.slots[machine], 0);
  }
  for (std::size_t machine = 0; machine < shape.machines(); ++machine) {
    network.add_arc(machines + machine, sink, shape.slots[machine], 0);
  }
  return network;
}

}  // namespace berth_bench
