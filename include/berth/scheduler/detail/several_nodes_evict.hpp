// SPDX-License-Identifier: BSL-1.0
// A gang that needs several nodes on which others must leave: a covering knapsack chooses the
// nodes, and on each of them another one the holders that yield. Ranks are strict on a node; over
// nodes they add up, so that more than 64 victims of one group may weigh as much as one above it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/one_node_evict.hpp>
#include <berth/scheduler/detail/pricing.hpp>
#include <berth/scheduler/detail/settle.hpp>
#include <berth/scheduler/detail/several_nodes.hpp>
#include <berth/scheduler/detail/victims.hpp>
#include <berth/solve/cover_greedy.hpp>
#include <berth/solve/cover_knapsack.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Price of making room for some members on a node; the victims stay in w.cover.
template <class Engine>
[[nodiscard]] rank_cost price_of_members(Engine& e, gang_part const& part, std::uint32_t node_slot,
                                         std::int32_t members) noexcept {
  core_state const& s = e.state;
  node_book const& node = s.books.node(node_slot);
  std::int32_t const need =
      members * part.gpus - gpu_count(node.offered()) - gpu_count(surplus(node));
  rank_cost const price = cheapest_victims(e, part.job, node_slot, need);
  gang_part seated = part;
  seated.members = members;
  return price.is_forbidden() || !has_room_after(s, e.work, seated, node_slot)
             ? rank_cost::forbidden()
             : rank_cost{price.rank, clamped(price.time)};
}

/// The place that the chosen items make.
template <class Chosen>
[[nodiscard]] berth_view place_of_items(core_state const& s, workspace const& w,
                                        gang_part const& part, std::size_t from,
                                        Chosen const& chosen) noexcept {
  berth_view place;
  place.nodes = 0;
  place.gpus = part.total();
  bool one_rack = true;
  std::uint32_t first = 0;
  for (std::uint32_t const item : chosen) {
    std::uint32_t const n = w.node_of_item[from + item];
    node_spec const& node = s.books.node(n).spec;
    first = place.nodes == 0 ? n : first;
    one_rack = one_rack && node.rack == s.books.node(first).spec.rack;
    place.type = node.type;
    place.node_gpus = std::max(place.node_gpus, node.gpus);
    place.first_node = place.nodes == 0 ? n : std::min(place.first_node, n);
    ++place.nodes;
  }
  std::int32_t const per_node =
      part.layout == spread::one_per_node ? 1 : std::max(1, place.node_gpus / part.gpus);
  place.fewest_nodes = (part.members + per_node - 1) / per_node;
  place.domain = place.nodes == 1 ? locality::node : one_rack ? locality::rack : locality::cluster;
  return place;
}

/// Adds a node as an item, if it can host members of the part once it is emptied.
template <class Engine>
void add_node_item(Engine& e, gang_part const& part, std::uint32_t n) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  std::int32_t const members = hosts_once_emptied(w, part, s.books.node(n), n);
  if (members <= 0 || is_taken_by_sibling(s, part, n)) {
    return;
  }
  rank_cost const price = price_of_members(e, part, n, members);
  if (!price.is_forbidden()) {
    w.node_of_item[w.node_items.size()] = n;
    w.node_items.push_back({members, price});
  }
}

/// Nodes of a type on which somebody yields or leaves, and enough nodes of every number of free
/// GPUs, into w.hosts in their order.
inline void collect_hosts(core_state const& s, workspace& w, gang_part const& part,
                          gpu_type type) noexcept {
  w.hosts.clear();
  for (std::uint32_t const n : w.touched) {
    if (s.books.node(n).spec.type == type) {
      w.hosts.push_back(n);
    }
  }
  free_index const& index = s.books.free_nodes();
  for (int f = part.gpus; f <= s.books.largest_node(); ++f) {
    std::int32_t left = part.members;  // more of them would be as good, and none better
    for (std::uint32_t n = index.next(part.where, type, f, 0); n != free_index::no_node && left > 0;
         n = index.next(part.where, type, f, n + 1)) {
      if (w.evictable_tick[n] != w.evictable_stamp && hosts(s, w, part, n, f) > 0) {
        w.hosts.push_back(n);
        --left;
      }
    }
  }
  std::sort(w.hosts.begin(), w.hosts.end());
}

/// Of the items of one size from `from` on only the cheapest that could be needed together stay: no
/// cover has a dearer one. O(items × log items).
inline void drop_dominated_items(workspace& w, std::size_t from, std::int32_t members) noexcept {
  auto const count = w.node_items.size() - from;
  auto const order = std::span{w.item_order}.first(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = static_cast<std::uint32_t>(from + i);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
    auto const& x = w.node_items[a];
    auto const& y = w.node_items[b];
    if (x.size != y.size) {
      return x.size > y.size;
    }
    return x.cost != y.cost ? x.cost < y.cost : a > b;  // the cover prefers the later of equals
  });
  std::size_t kept = 0;
  std::int32_t of_size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t const size = w.node_items[order[i]].size;
    of_size = i > 0 && w.node_items[order[i - 1]].size == size ? of_size + 1 : 0;
    if (std::int64_t{of_size} * size < members) {
      order[kept++] = order[i];
    }
  }
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::size_t i = 0; i < kept; ++i) {  // ascending: nothing is overwritten before it is read
    w.node_items[from + i] = w.node_items[order[i]];
    w.node_of_item[from + i] = w.node_of_item[order[i]];
  }
  w.node_items.truncate(from + kept);
}

/// Items: nodes, each with the members it could host once emptied and the price of emptying it,
/// type after type.
template <class Engine>
void price_several_nodes_evict(Engine& e, gang_part const& part) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  bool enough = false;
  do {
    find_yielding_nodes(e, part);
    w.node_items.clear();
    enough = false;
    for (int t = 0; t < s.books.type_count(); ++t) {
      std::size_t const from = w.node_items.size();
      if (contains(part.types, static_cast<gpu_type>(t))) {
        collect_hosts(s, w, part, static_cast<gpu_type>(t));
        for (std::uint32_t const n : w.hosts) {
          add_node_item(e, part, n);
        }
        drop_dominated_items(w, from, part.members);
      }
      std::int64_t members = 0;
      for (std::size_t i = from; i < w.node_items.size(); ++i) {
        members += w.node_items[i].size;
      }
      enough = enough || members >= part.members;
      w.items_until_type[static_cast<std::size_t>(t)] = w.node_items.size();
    }
  } while (!enough && widen_victims(e, part.job));
}

/// Covers `problem` into w.node_cover: exactly up to max_cover_members members, beyond that by the
/// greedy, at most twice as dear. False if the nodes do not suffice.
[[nodiscard]] inline bool cover_nodes(workspace& w,
                                      cover_problem<rank_cost> const& problem) noexcept {
  solve_status const exact = cover_knapsack{}.solve(problem, w.node_cover);
  if (exact != solve_status::too_large) {
    return exact == solve_status::optimal;
  }
  solve_status const near = cover_greedy{}.solve(problem, w.node_cover);
  return near == solve_status::optimal || near == solve_status::feasible;
}

/// The cheapest cover over the nodes of one type, for the type where it and the place are cheapest.
template <class Engine>
void match_several_nodes_evict(Engine& e, gang_part const& part) noexcept {
  workspace& w = e.work;
  rank_cost best = rank_cost::forbidden();
  w.chosen_count = 0;
  std::size_t from = 0;
  for (int t = 0; t < e.state.books.type_count(); ++t) {
    std::size_t const until = w.items_until_type[static_cast<std::size_t>(t)];
    cover_problem<rank_cost> const problem{w.node_items.view().subspan(from, until - from),
                                           part.members};
    bool const covered = until > from && cover_nodes(w, problem);
    auto const chosen = w.node_cover.solution().chosen;
    rank_cost total = covered ? w.node_cover.solution().total : rank_cost::forbidden();
    total += covered
                 ? price_of_seat(e, price_of_place(e, part.job,
                                                   place_of_items(e.state, w, part, from, chosen)))
                 : rank_cost::forbidden();
    if (total < best) {
      best = total;
      w.chosen_count = 0;
      for (std::uint32_t const item : chosen) {
        w.chosen_nodes[w.chosen_count] = w.node_of_item[from + item];
        w.chosen_members[w.chosen_count++] = w.node_items[from + item].size;
      }
    }
    from = until;
  }
}

/// Does it pay, with every victim that `job` displaces counted once?
template <class Engine>
[[nodiscard]] bool pays_for_all(Engine& e, std::uint32_t job) noexcept {
  if constexpr (weighs_exchanges<Engine>) {
    core_state const& s = e.state;
    workspace& w = e.work;
    rank_cost const stay = cost_of_stay(e, job);
    rank_cost sum;
    w.displaced.clear();
    for (stop_order const& order : s.stops) {
      if (order.beneficiary == s.jobs[job].id) {
        std::uint32_t const victim = order.job.slot();
        w.displaced.push_back(victim);
        sum += w.victims[victim].cost + stay;
      }
    }
    rank_cost const price = price_of_exchange(e, job, sum, gpu_time::zero(), w.displaced);
    if (!price.is_forbidden()) {
      note_exchange(e, job, rank_cost::forbidden(), w.displaced);
    }
    return !price.is_forbidden();
  } else {
    return true;
  }
}

/// Node by node, and victims are chosen again on each: one may have GPUs on several of them. If
/// that leaves too little, the part stays unplaced and its candidate is rolled back whole.
template <class Engine>
void bind_several_nodes_evict(Engine& e, gang_part& part) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  std::int32_t left = part.members;
  for (std::size_t i = 0; i < w.chosen_count && left > 0; ++i) {
    std::int32_t const here = std::min(left, w.chosen_members[i]);
    if (price_of_members(e, part, w.chosen_nodes[i], here).is_forbidden()) {
      break;
    }
    evict_and_earmark(e, part.job, w.chosen_nodes[i], here * part.gpus);
    left -= here;
  }
  part.placed = left == 0 && pays_for_all(e, part.job);
  if (!part.placed && w.batch.size() > 1) {
    // Nobody behind it may build on what its victims would have left. With company in the batch it
    // is a job of one part.
    roll_back(s, w, part.job);
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
