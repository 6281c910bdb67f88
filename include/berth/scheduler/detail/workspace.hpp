// SPDX-License-Identifier: BSL-1.0
// What a tick works with: the batch of candidates, the problem being matched, and the solvers'
// memory. All of it is sized at construction.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/time.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/gpu.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/packer.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>
#include <berth/scheduler/detail/start_forecast.hpp>
#include <berth/scheduler/detail/yield_order.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_workspace.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/cover_knapsack.hpp>
#include <berth/solve/transport.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// A job that the allocator lets into the batch.
struct candidate {
  std::uint32_t job = 0;
  std::uint32_t queue = 0;
  bool complete = false;  ///< every part has found its place
};

/// How a problem's gangs are placed.
enum class matching_kind : std::uint8_t {
  one_node_free,
  several_nodes_free,
  one_node_evict,
  several_nodes_evict,
};

/// How the next batch is made. A batch of which nobody found a place is tried again with more
/// effort, so that every batch either places somebody or refuses somebody.
enum class batch_effort : std::uint8_t {
  together,  ///< as many candidates as fit by number
  alone,     ///< the first candidate only
  tightest,  ///< alone, on the places by which the packer found that it fits
  by_force,  ///< alone, displacing others although enough GPUs are free
};

/// Parts [first, end) of the sorted batch, all of one size, in one matching.
struct matching_problem {
  std::size_t first = 0;
  std::size_t end = 0;
  matching_kind kind = matching_kind::one_node_free;
};

/// A column of a one-node problem: nodes with equal prices.
struct node_class {
  gpu_type type{};
  std::int32_t free_gpus = 0;
  std::uint32_t node = no_index;  ///< a single node; no_index: all nodes of the bucket
  std::uint32_t at = no_index;    ///< the bucket's lowest; while binding: the node being filled
  std::int32_t left_on_node = 0;  ///< and how many more gangs go there
  std::int32_t per_node = 0;
};

/// A domain of a several-nodes problem.
struct rack_domain {
  gpu_type type{};
  rack_id rack{};
  bool whole_cluster = false;
};

/// GPUs kept for the head of the queue (EASY): on these nodes, jobs that stay longer may use only
/// `spare`.
struct promised_node {
  std::uint32_t node = 0;
  std::int32_t spare = 0;
};

struct victim_price {
  std::uint64_t tick = 0;  ///< valid in this tick only
  rank_cost cost;
  bool doomed = false;  ///< already told to stop for somebody in this tick
  // Where exchanges are weighed: `cost` is what victims are compared by, `loss` what it is.
  duration leaves_in{0};  ///< until it has saved and left
  gpu_time loss;
};

/// One look at the sizes of all jobs; empty where the allocator does not size them.
struct sizing_round {
  void reserve(std::size_t max_jobs, std::size_t max_rungs, std::size_t max_gpus) {
    jobs = bounded_vector<elastic_job>{max_jobs};
    slots = bounded_vector<std::uint32_t>{max_jobs};
    growers = bounded_vector<std::uint32_t>{max_jobs};
    taken = bounded_vector<booking>{max_gpus};
    memory.reserve(max_jobs, max_jobs * max_rungs, std::min(max_gpus, most_table / max_jobs));
  }
  /// Entries of the table of an exact answer, at two bytes each.
  static constexpr std::size_t most_table = std::size_t{1} << 23;

  bounded_vector<elastic_job> jobs;
  bounded_vector<std::uint32_t> slots;    ///< of these jobs
  bounded_vector<std::uint32_t> growers;  ///< jobs that should have more than they hold
  bounded_vector<booking> taken;          ///< for the one that grows
  std::int64_t lendable = 0;              ///< GPUs that training may borrow yet
  bool has_recalled = false;              ///< in this tick
  std::int64_t free_at_home = 0;          ///< GPUs of the training pool for jobs that wait
  sizing_workspace memory;
};

struct workspace {
  static constexpr std::size_t max_candidates = 128;
  static constexpr std::size_t max_parts = 2 * max_candidates;
  static constexpr std::size_t max_evicting = 16;
  /// Entries of the matrix, at 44 bytes with what the solver keeps for each: 11 MiB at most, unless
  /// one row alone has more. Where every node is a column of its own, many nodes mean fewer gangs
  /// per problem.
  static constexpr std::size_t max_cells = std::size_t{1} << 18;

  workspace(scheduler_config const& limits, int type_count)
      : batch{max_candidates},
        parts{max_parts},
        part_order(max_parts),
        set_aside{std::size_t{limits.look_ahead}},
        moves{limits.max_jobs},
        lifted{limits.max_gpus},
        promised{limits.max_nodes},
        is_promised(limits.max_nodes, 0),
        forecast(limits.max_jobs),
        release_order{limits.max_jobs},
        free_later(limits.max_nodes, 0),
        victims(limits.max_jobs),
        not_worth_it(limits.max_jobs, 0),
        victim_order{limits.max_jobs},
        by_price{limits.max_jobs},
        displaced{limits.max_jobs},
        repriced{limits.max_jobs},
        evictable(limits.max_nodes, 0),
        evictable_tick(limits.max_nodes, 0),
        touched{limits.max_nodes},
        columns{columns_for(limits, type_count)},
        domains{classes_for(type_count)},
        cells(cells_for(limits, type_count)),
        arcs(cells.size()),
        arcs_of_row(max_parts),
        column_of_row(max_parts),
        supply(max_parts, 1),
        capacity(columns_for(limits, type_count)),
        unmatched(max_parts),
        items{max_gpus_per_node},
        item_owner(std::max<std::size_t>(max_gpus_per_node, limits.max_nodes)),
        item_size(max_gpus_per_node),
        supply_of_node(limits.max_nodes),
        node_items{limits.max_nodes},
        node_of_item(limits.max_nodes),
        hosts{limits.max_nodes},
        item_order(limits.max_nodes),
        chosen_nodes(limits.max_nodes),
        chosen_members(limits.max_nodes),
        rack_hosts(limits.max_nodes, 0),
        racks{limits.max_nodes} {
    transport.reserve(max_parts, columns_for(limits, type_count), cells.size());
    assignment.reserve(max_evicting, classes_for(type_count));
    cover.reserve(max_gpus_per_node, max_gpus_per_node);
    node_cover.reserve(limits.max_nodes, max_cover_members);
    node_cover.reserve_greedy(limits.max_nodes, limits.max_gpus);
  }

  /// Members that the exact cover over nodes takes; larger gangs have the greedy one.
  static constexpr std::size_t max_cover_members = 256;

  /// Columns of a one-node problem: classes of free nodes or all nodes, and those promised.
  [[nodiscard]] static std::size_t columns_for(scheduler_config const& limits,
                                               int type_count) noexcept {
    return classes_for(type_count) + limits.max_nodes;
  }
  /// Domains of a several-nodes problem: per type the cluster and a few racks, far fewer than this.
  [[nodiscard]] static std::size_t classes_for(int type_count) noexcept {
    return static_cast<std::size_t>(type_count) * (max_gpus_per_node + 1);
  }
  [[nodiscard]] static std::size_t cells_for(scheduler_config const& limits,
                                             int type_count) noexcept {
    std::size_t const one_row = columns_for(limits, type_count);
    return std::clamp(max_parts * one_row, one_row, std::max(one_row, max_cells));
  }

  void add_column(node_class const& column, std::int32_t gangs) noexcept {
    BERTH_ASSERT(!columns.full(), "columns_for leaves room for every class and every node");
    capacity[columns.size()] = gangs;
    columns.push_back(column);
  }

  /// Rows of a problem whose columns are classes of nodes, or all nodes, and the promised ones.
  [[nodiscard]] std::size_t rows_that_fit(bool by_node, int type_count) const noexcept {
    std::size_t const width =
        by_node ? columns.capacity() : classes_for(type_count) + promised.size();
    return std::max(std::size_t{1}, cells.size() / width);
  }

  // The batch.
  bounded_vector<candidate> batch;
  bounded_vector<gang_part> parts;
  std::vector<std::uint32_t> by_rank;  ///< jobs that use quotas; empty outside of one count
  std::vector<std::uint32_t> part_order;
  bool evicting = false;  ///< the batch may stop others
  batch_effort effort = batch_effort::together;
  bool restricted = false;  ///< the batch stays longer than the head's promise
  packer pack;
  free_counts counts;      ///< scratch
  std::size_t cursor = 0;  ///< first part that has been in no problem yet
  matching_problem problem;
  bounded_vector<std::uint32_t> set_aside;  ///< jobs passed over because of the promise

  // Reservations that may move.
  bounded_vector<std::uint32_t> moves;  ///< the first in rank order last
  bounded_vector<booking> lifted;       ///< the earmarks of the one that tries
  bool moving = false;                  ///< the batch is a reservation that moves
  bool has_moved = false;               ///< one has, in this tick

  sizing_round sizing;

  // The promise to the head.
  bool head_blocked = false;
  time_point promised_start = never;
  bounded_vector<promised_node> promised;
  std::vector<std::uint8_t> is_promised;
  std::array<type_mask, pool_count> blocked_types{};  ///< per pool
  std::vector<time_point> forecast;                   ///< per job slot: when its GPUs come back
  bounded_vector<std::uint32_t> release_order;
  std::vector<std::int32_t> free_later;  ///< per node

  // Victims.
  std::uint64_t victims_tick = 0;
  std::vector<victim_price> victims;        ///< per job slot
  std::vector<std::uint64_t> not_worth_it;  ///< per job slot: the tick in which stops did not pay
  duration longest_left{0};                 ///< of the first victims; where exchanges are weighed
  duration weighed_cost{0};                 ///< of the exchange that was priced last
  start_forecast starts;                    ///< where exchanges are weighed
  bounded_vector<std::uint32_t> victim_order;       ///< the last in rank order first
  bounded_vector<std::uint32_t> by_price;           ///< the same, the cheapest first
  bounded_vector<std::uint32_t> displaced;          ///< scratch: for one job
  bounded_vector<std::uint32_t> repriced;           ///< holders that were looked at in this tick
  std::uint32_t next_victim = yield_order::nobody;  ///< the first that was not
  std::vector<std::int32_t> evictable;  ///< GPUs per node that the row's victims would leave
  std::vector<std::uint64_t> evictable_tick;
  std::uint64_t evictable_stamp = 0;
  bounded_vector<std::uint32_t> touched;

  // The problem's matrix and the solvers.
  bounded_vector<node_class> columns;
  bounded_vector<rack_domain> domains;
  bool solved = false;  ///< the solver has an answer; else everybody in the problem waits
  std::vector<rank_cost> cells;
  std::size_t stride = 0;                      ///< cells from row to row
  std::vector<transport_arc<rank_cost>> arcs;  ///< the cells of a one-node problem that are allowed
  std::vector<transport_row> arcs_of_row;
  std::vector<std::uint32_t> column_of_row;  ///< the answer of a one-node problem; or no_index
  std::vector<std::int32_t> supply;
  std::vector<std::int32_t> capacity;
  std::vector<rank_cost> unmatched;
  transport_workspace<rank_cost> transport;
  assignment_workspace<rank_cost> assignment;
  cover_workspace<rank_cost> cover;
  cover_workspace<rank_cost> node_cover;
  bounded_vector<cover_item<rank_cost>> items;
  std::vector<std::uint32_t> item_owner;                          ///< job, or node, behind an item
  std::array<std::uint32_t, max_gpus_per_node> chosen_victims{};  ///< scratch: of one node
  std::vector<std::int32_t> item_size;       ///< GPUs of a job in item_owner on the node at hand
  std::vector<std::int32_t> supply_of_node;  ///< members that go to the node in item_owner
  bounded_vector<cover_item<rank_cost>> node_items;
  std::vector<std::uint32_t> node_of_item;
  bounded_vector<std::uint32_t> hosts;
  std::vector<std::uint32_t> item_order;
  std::array<std::size_t, max_gpu_types> items_until_type{};
  std::size_t chosen_count = 0;
  std::vector<std::uint32_t> chosen_nodes;
  std::vector<std::int32_t> chosen_members;
  std::vector<std::int32_t> rack_hosts;
  bounded_vector<std::uint32_t> racks;
};

}  // namespace detail
BERTH_NAMESPACE_END
