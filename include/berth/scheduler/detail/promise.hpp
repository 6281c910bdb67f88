// SPDX-License-Identifier: BSL-1.0
// The promise to the head of the queue (EASY): the earliest instant at which enough GPUs are
// expected back, and the nodes they are on. Later jobs may use them only if they are gone by then.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/packer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// GPUs of a hold that anybody may have once its job is gone.
[[nodiscard]] inline std::int32_t returns(node_book const& node, booking const& held) noexcept {
  return node.spec.health == node_health::up
             ? gpu_count(held.gpus & ~node.lost & ~node.in(gpu_state::promised))
             : 0;
}

inline void forget_promise(workspace& w) noexcept {
  for (promised_node const& kept : w.promised) {
    w.is_promised[kept.node] = 0;
  }
  w.promised.clear();
  w.promised_start = never;
}

/// Takes members on the node where they fit tightest among those with the most, until the part
/// sits.
inline void promise_nodes(core_state const& s, workspace& w, gang_part const& part) noexcept {
  auto const room = [&](std::uint32_t n, int type) {
    node_book const& node = s.books.node(n);
    bool const fits = node.exists && node.spec.health == node_health::up &&
                      node.spec.owner == part.where && static_cast<int>(node.spec.type) == type;
    std::int32_t const members = fits ? w.free_later[n] / part.gpus : 0;
    bool const alone = part.layout == spread::one_per_node;
    return alone ? std::min(members, w.is_promised[n] != 0 ? 0 : 1) : members;
  };
  int chosen = -1;
  for (int t = 0; t < s.books.type_count() && chosen < 0; ++t) {
    std::int64_t sum = 0;
    std::int32_t most = 0;
    for (std::uint32_t n = 0; n < s.books.node_slots(); ++n) {
      sum += room(n, t);
      most = std::max(most, room(n, t));
    }
    bool const enough = part.needs_one_node() ? most >= part.members : sum >= part.members;
    chosen = contains(part.types, static_cast<gpu_type>(t)) && enough ? t : -1;
  }
  for (std::int32_t left = part.members; left > 0 && chosen >= 0;) {
    std::uint32_t best = no_index;
    std::int32_t best_room = 0;
    for (std::uint32_t n = 0; n < s.books.node_slots(); ++n) {
      std::int32_t const here = room(n, chosen);
      bool const both_hold_all = here >= left && best_room >= left;
      if (here > 0 && (best == no_index || (both_hold_all ? here < best_room : here > best_room))) {
        best = n;
        best_room = here;
      }
    }
    if (best == no_index) {
      return;
    }
    std::int32_t const taken = std::min(left, best_room);
    w.free_later[best] -= taken * part.gpus;
    left -= taken;
    if (w.is_promised[best] == 0) {
      w.is_promised[best] = 1;
      w.promised.push_back({best, 0});
    }
  }
}

/// Promises `slot` its start. Leaves no promise if none can be given before the horizon.
/// O(holders × log holders + releases × GPUs per node).
template <class Engine>
void make_promise(Engine& e, std::uint32_t slot) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  forget_promise(w);
  w.release_order.clear();
  for (std::uint32_t const holder : s.holders.members()) {
    bool const leaving = s.jobs[holder].state == job_state::draining ||
                         s.jobs[holder].state == job_state::cancelling;
    w.forecast[holder] =
        leaving ? s.now + duration{1} : std::min(s.config.horizon, s.view(holder).forecast_end());
    if (w.forecast[holder] < s.config.horizon) {
      w.release_order.push_back(holder);
    }
  }
  std::sort(w.release_order.begin(), w.release_order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return w.forecast[a] != w.forecast[b] ? w.forecast[a] < w.forecast[b] : a < b;
  });
  std::array<gang_part, max_roles> parts{};
  std::array<std::uint32_t, max_roles> scratch{};
  std::size_t count = 0;
  for_each_part(s.jobs[slot].form, slot, 0, any_type,
                [&](gang_part const& part) { parts[count++] = part; });
  w.counts.load(s.books);
  for (std::uint32_t n = 0; n < s.books.node_slots(); ++n) {
    w.free_later[n] = gpu_count(s.books.node(n).offered());
  }
  std::int64_t free_gpus = s.books.offered();
  for (std::size_t i = 0; i < w.release_order.size(); ++i) {
    std::uint32_t const holder = w.release_order[i];
    s.books.for_each_hold(holder, [&](booking const& held) {
      node_book const& node = s.books.node(held.node);
      std::int32_t const more = returns(node, held);
      std::int32_t& later = w.free_later[held.node];
      w.counts.move_node(node.spec.owner, node.spec.type, later, later + more);
      later += more;
      free_gpus += more;
    });
    bool const last_of_instant =
        i + 1 == w.release_order.size() || w.forecast[w.release_order[i + 1]] != w.forecast[holder];
    if (!last_of_instant || free_gpus < s.jobs[slot].form.gpus()) {
      continue;
    }
    w.pack.begin(w.counts);
    if (!w.pack.fits(std::span{parts}.first(count), 0, scratch)) {
      continue;
    }
    for (gang_part const& part : std::span{parts}.first(count)) {
      promise_nodes(s, w, part);
    }
    for (promised_node& kept : w.promised) {
      kept.spare = w.free_later[kept.node];
    }
    w.promised_start = w.promised.empty() ? never : w.forecast[holder];
    return;
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
