// SPDX-License-Identifier: BSL-1.0
// Whom a waiting job may displace, what that costs, and which of a node's holders are the cheapest
// to displace. Prices are made in a tick in which somebody asks, for the last in rank order first
// and for more only if those do not suffice: what a tick costs does not grow with the jobs that
// run.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/ledger.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/exchange_price.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/tenants.hpp>
#include <berth/scheduler/detail/yield_order.hpp>
#include <berth/solve/cover_greedy.hpp>
#include <berth/solve/cover_knapsack.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Levels of victims that are kept strictly apart.
inline constexpr std::size_t victim_groups = 6;

/// Ranks of one node's victims together stay below this.
inline constexpr std::int64_t above_victims_of_a_node = std::int64_t{1} << 31;

/// What one victim of a group adds to the rank: nothing in the lowest, where lost work decides, and
/// in each higher one more than all victims of the groups below it that a node can hold.
[[nodiscard]] constexpr std::int64_t weight_of_group(std::size_t group) noexcept {
  std::int64_t weight = group == 0 ? 0 : 1;
  for (std::size_t i = 1; i < group; ++i) {
    weight *= max_gpus_per_node + 1;
  }
  return weight;
}
static_assert(max_gpus_per_node * weight_of_group(victim_groups - 1) < above_victims_of_a_node);

/// The group of the `index`-th of `count` distinct levels, the lowest first. Up to six levels are
/// groups of their own; of more, neighbours are merged into six groups of about equally many.
[[nodiscard]] constexpr std::size_t group_of_level(std::size_t index, std::size_t count) noexcept {
  return count <= victim_groups ? index : index * victim_groups / count;
}

/// Does the victim at `index` of the order displace at another level than the one before it?
[[nodiscard]] inline bool is_new_level(core_state const& s, workspace const& w,
                                       std::size_t index) noexcept {
  return index == 0 || s.holder_key(w.victim_order[index]).displaced_level() !=
                           s.holder_key(w.victim_order[index - 1]).displaced_level();
}

/// Ranks the victims found so far by the level at which the policy displaces: on a node, one victim
/// of a higher group outweighs any number of lower ones, and within a group the work that is lost
/// decides.
inline void apply_levels(core_state const& s, workspace& w) noexcept {
  std::size_t levels = 0;
  for (std::size_t i = 0; i < w.victim_order.size(); ++i) {
    levels += is_new_level(s, w, i) ? 1u : 0u;
  }
  std::size_t level = 0;
  for (std::size_t i = 0; i < w.victim_order.size(); ++i) {
    level += i > 0 && is_new_level(s, w, i) ? 1u : 0u;
    w.victims[w.victim_order[i]].cost.rank = weight_of_group(group_of_level(level, levels));
  }
}

/// Puts the victims found so far in order: the last in rank order first, and the cheapest first.
template <class Engine>
void rank_victims(Engine& e) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  bool const are_first = w.by_price.empty();
  std::sort(w.victim_order.begin(), w.victim_order.end(),
            [&](std::uint32_t a, std::uint32_t b) noexcept {
              auto const by_key = s.holder_key(a) <=> s.holder_key(b);
              return by_key != 0 ? by_key > 0 : s.jobs[a].sequence > s.jobs[b].sequence;
            });
  if constexpr (weighs_exchanges<Engine>) {
    compare_victims(e, are_first);
  } else {
    apply_levels(s, w);
  }
  w.by_price.clear();
  for (std::uint32_t const slot : w.victim_order) {
    w.by_price.push_back(slot);
  }
  std::sort(w.by_price.begin(), w.by_price.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
    rank_cost const x = w.victims[a].cost;
    rank_cost const y = w.victims[b].cost;
    return x != y ? x < y : s.jobs[a].sequence > s.jobs[b].sequence;
  });
}

/// Prices the next `count` holders in the order of yielding, as they are now. O(count × log count).
template <class Engine>
void price_more_victims(Engine& e, std::size_t count) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  for (; count > 0 && w.next_victim != yield_order::nobody; --count) {
    std::uint32_t const slot = w.next_victim;
    w.next_victim = s.yielding.next(slot);
    job_record& job = s.jobs[slot];
    bool const on_gpus = job.state == job_state::launching || job.state == job_state::running;
    if (!on_gpus ||
        job.launched_in_tick == s.tick_number ||  // the host has not been told of it yet
        s.view(slot).run_time() < s.config.minimum_run) {
      continue;
    }
    job.key = e.key_of(slot);
    w.repriced.push_back(slot);
    if (victim_price const priced = price_of_victim(e, slot); !priced.cost.is_forbidden()) {
      w.victims[slot] = priced;
      w.victim_order.push_back(slot);
    }
  }
  rank_victims(e);
}

/// Victims are sought among so many of the last in rank order first, and among twice as many each
/// time they do not suffice.
inline constexpr std::size_t first_victims = 256;

/// Prices the first victims of this tick, if nobody has yet.
template <class Engine>
void price_victims(Engine& e) noexcept {
  workspace& w = e.work;
  if (w.victims_tick == e.state.tick_number) {
    return;
  }
  w.victims_tick = e.state.tick_number;
  w.victim_order.clear();
  w.by_price.clear();
  w.repriced.clear();
  w.next_victim = e.state.yielding.first();
  price_more_victims(e, first_victims);
}

/// Are there holders that nobody has looked at yet in this tick and that `waiter` may displace?
/// Those left come earlier in rank order than those seen. O(1).
[[nodiscard]] inline bool may_find_more(core_state const& s, workspace const& w,
                                        std::uint32_t waiter) noexcept {
  return w.next_victim != yield_order::nobody &&
         s.waiter_key(waiter) < s.yielding.at(w.next_victim).key;
}

/// Finds more victims, if there may be any for `waiter`. False if not.
template <class Engine>
[[nodiscard]] bool widen_victims(Engine& e, std::uint32_t waiter) noexcept {
  if (!may_find_more(e.state, e.work, waiter)) {
    return false;
  }
  price_more_victims(e, std::max(first_victims, e.work.repriced.size()));
  return true;
}

/// What was asked anew about possible victims is what they are ranked by from now on. The last one
/// first: as they run on most of them rank earlier than before, and so hardly any passes another.
inline void keep_repriced(core_state& s, workspace& w) noexcept {
  for (; !w.repriced.empty(); w.repriced.pop_back()) {
    std::uint32_t const slot = w.repriced.back();
    if (s.yielding.contains(slot)) {
      s.rank_holder(slot);
    }
  }
}

/// May `waiter` displace the job in `slot` in this tick?
template <class Engine>
[[nodiscard]] bool is_victim_of(Engine const& e, std::uint32_t waiter,
                                std::uint32_t slot) noexcept {
  victim_price const& price = e.work.victims[slot];
  return price.tick == e.state.tick_number && !price.doomed && yields_to(e, waiter, slot);
}

/// GPUs that `waiter` could get on a node, the holders it may displace included.
[[nodiscard]] inline std::int32_t reachable(workspace const& w, node_book const& node,
                                            std::uint32_t slot) noexcept {
  std::int32_t const others = w.evictable_tick[slot] == w.evictable_stamp ? w.evictable[slot] : 0;
  return gpu_count(node.offered()) + gpu_count(surplus(node)) + others;
}

/// Whether a node could host members of `part` if its GPUs were empty.
[[nodiscard]] inline bool may_host(node_book const& node, gang_part const& part) noexcept {
  return node.spec.health == node_health::up && node.spec.owner == part.where &&
         contains(part.types, node.spec.type);
}

/// Puts a node among the touched ones; false if it is there already.
inline bool touch_node(workspace& w, std::uint32_t node) noexcept {
  if (w.evictable_tick[node] == w.evictable_stamp) {
    return false;
  }
  w.evictable_tick[node] = w.evictable_stamp;
  w.evictable[node] = 0;
  w.touched.push_back(node);
  return true;
}

/// Starts a search: touches the nodes with GPUs that drain for nobody. O(n log n) for n of those.
inline void find_nodes_left(core_state const& s, workspace& w, gang_part const& part) noexcept {
  ++w.evictable_stamp;
  w.touched.clear();
  for (std::uint32_t const node : s.books.draining_nodes()) {
    if (may_host(s.books.node(node), part)) {
      touch_node(w, node);
    }
  }
  std::sort(w.touched.begin(), w.touched.end());
}

/// Members of a gang that a node could host if its victims left.
[[nodiscard]] inline std::int32_t hosts_once_emptied(workspace const& w, gang_part const& part,
                                                     node_book const& node,
                                                     std::uint32_t slot) noexcept {
  std::int32_t const members = std::min(reachable(w, node, slot) / part.gpus, part.members);
  return part.layout == spread::one_per_node ? std::min(members, 1) : members;
}

/// GPUs of a touched node that its victims of `part` would leave. O(bookings of the node).
template <class Engine>
void count_evictable(Engine& e, gang_part const& part, std::uint32_t node_slot) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  node_book const& node = s.books.node(node_slot);
  s.books.for_each_booking(node_slot, [&](booking const& line) {
    if (line.kind == booking_kind::hold && is_victim_of(e, part.job, line.job)) {
      w.evictable[node_slot] += gpu_count(line.gpus & ~node.lost);
    }
  });
}

/// Finds nodes that others leave, or that they would leave to `part`: those of the cheapest victims
/// first, until on some GPU type four times as many members as it has could be hosted, and some
/// more. A node that is found counts with all its victims: a gang that takes a little of many nodes
/// runs slowly, and leaves them in pieces. O(nodes of the victims it takes, and of the jobs that
/// leave).
template <class Engine>
void find_yielding_nodes(Engine& e, gang_part const& part) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  // Counts of GPUs do not vouch for a node where more than GPUs is asked for.
  bool const counts_tell =
      !part.asks_for_cpu_or_memory() && !(part.layout == spread::one_per_node && part.has_siblings);
  std::int32_t const plenty =
      counts_tell ? 4 * part.members + 128 : std::numeric_limits<std::int32_t>::max();
  std::array<std::int32_t, max_gpu_types> hosted{};
  bool enough = false;
  find_nodes_left(s, w, part);
  for (std::uint32_t const node : w.touched) {
    count_evictable(e, part, node);
  }
  for (std::size_t i = 0; i < w.by_price.size() && !enough; ++i) {
    std::uint32_t const victim = w.by_price[i];
    if (!is_victim_of(e, part.job, victim)) {
      continue;
    }
    s.books.for_each_hold(victim, [&](booking const& held) {
      node_book const& node = s.books.node(held.node);
      if (may_host(node, part) && touch_node(w, held.node)) {
        count_evictable(e, part, held.node);
        std::int32_t& of_type = hosted[static_cast<std::size_t>(node.spec.type)];
        of_type += hosts_once_emptied(w, part, node, held.node);
        enough = enough || of_type >= plenty;
      }
    });
  }
  std::sort(w.touched.begin(), w.touched.end());
}

/// Jobs behind the items in w.cover.
[[nodiscard]] inline std::span<std::uint32_t const> chosen_victims(workspace& w) noexcept {
  std::size_t count = 0;
  for (std::uint32_t const item : w.cover.solution().chosen) {
    w.chosen_victims[count++] = w.item_owner[item];
  }
  return std::span{w.chosen_victims}.first(count);
}

/// Covers `problem` into w.cover, as the rule says. False if the items do not suffice.
[[nodiscard]] inline bool cover_need(workspace& w, cover_problem<rank_cost> const& problem,
                                     cover_rule rule) noexcept {
  solve_status const found = rule == cover_rule::exact ? cover_knapsack{}.solve(problem, w.cover)
                                                       : cover_greedy{}.solve(problem, w.cover);
  return found == solve_status::optimal || found == solve_status::feasible;
}

/// Cheapest holders of a node that leave `need` GPUs to `waiter`; forbidden if they do not suffice.
/// The choice stays in w.cover, its jobs in w.item_owner. Among equals the youngest yields.
template <class Engine>
rank_cost cheapest_victims(Engine& e, std::uint32_t waiter, std::uint32_t node_slot,
                           std::int32_t need) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  node_book const& node = s.books.node(node_slot);
  std::size_t count = 0;
  s.books.for_each_booking(node_slot, [&](booking const& held) {
    if (held.kind == booking_kind::hold && is_victim_of(e, waiter, held.job) &&
        (held.gpus & ~node.lost) != 0) {
      w.item_owner[count] = held.job;
      w.item_size[count++] = gpu_count(held.gpus & ~node.lost);
    }
  });
  // The oldest first. They are few, and mostly in order.
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t k = i;
         k > 0 && s.jobs[w.item_owner[k]].sequence < s.jobs[w.item_owner[k - 1]].sequence; --k) {
      std::swap(w.item_owner[k], w.item_owner[k - 1]);
      std::swap(w.item_size[k], w.item_size[k - 1]);
    }
  }
  w.items.clear();
  rank_cost const stay = cost_of_stay(e, waiter);
  for (std::size_t i = 0; i < count; ++i) {
    w.items.push_back({w.item_size[i], w.victims[w.item_owner[i]].cost + stay});
  }
  cover_problem<rank_cost> const problem{w.items.view(), need};
  return cover_need(w, problem, ask_cover(e.parts.allocator)) ? rank_cost{w.cover.solution().total}
                                                              : rank_cost::forbidden();
}

}  // namespace detail
BERTH_NAMESPACE_END
