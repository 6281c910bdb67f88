// SPDX-License-Identifier: BSL-1.0
// Gangs that sit on one node where somebody must leave: rows are gangs of one size, columns single
// nodes, each priced with the cheapest holders that yield.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/gpu_picker.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/pricing.hpp>
#include <berth/scheduler/detail/victims.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// CPU and memory once the victims in w.cover and all that drain there are gone.
[[nodiscard]] inline bool has_room_after(core_state const& s, workspace const& w,
                                         gang_part const& part, std::uint32_t node_slot) noexcept {
  shape const& form = s.jobs[part.job].form;
  if (form.cpu_milli_per_gpu == 0 && form.memory_mib_per_gpu == 0) {
    return true;
  }
  node_book const& node = s.books.node(node_slot);
  std::int64_t cpu = node.spec.cpu_milli - node.cpu_booked;
  std::int64_t memory = node.spec.memory_mib - node.memory_booked;
  s.books.for_each_booking(node_slot, [&](booking const& held) {
    bool leaves =
        held.kind == booking_kind::hold && (held.gpus & node.in(gpu_state::draining)) != 0;
    for (std::uint32_t const chosen : w.cover.solution().chosen) {
      leaves = leaves || (held.kind == booking_kind::hold && w.item_owner[chosen] == held.job);
    }
    if (leaves) {
      cpu += gpu_count(held.gpus) * s.books.job(held.job).cpu_milli_per_gpu;
      memory += gpu_count(held.gpus) * s.books.job(held.job).memory_mib_per_gpu;
    }
  });
  return cpu >= std::int64_t{part.total()} * form.cpu_milli_per_gpu &&
         memory >= std::int64_t{part.total()} * form.memory_mib_per_gpu;
}

/// What it takes to seat `part` on this node by displacing others; forbidden if that is impossible.
/// The victims stay in w.cover.
template <class Engine>
[[nodiscard]] rank_cost price_of_emptying(Engine& e, gang_part const& part,
                                          std::uint32_t node_slot) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  node_book const& node = s.books.node(node_slot);
  if (!contains(part.types, node.spec.type)) {
    return rank_cost::forbidden();
  }
  std::int32_t const free_gpus = gpu_count(node.offered());
  std::int32_t const leaving = gpu_count(surplus(node));
  rank_cost const victims =
      cheapest_victims(e, part.job, node_slot, part.total() - free_gpus - leaving);
  if (victims.is_forbidden() || !has_room_after(s, w, part, node_slot)) {
    return rank_cost::forbidden();
  }
  berth_view place;
  place.type = node.spec.type;
  place.gpus = part.total();
  place.node_gpus = node.spec.gpus;
  place.free_before = free_gpus;
  place.free_after = std::max(
      0, free_gpus + leaving + static_cast<std::int32_t>(w.cover.solution().size) - part.total());
  place.first_node = node_slot;
  absorption const absorbed = free_gpus >= part.total() || leaving == 0
                                  ? absorption{}
                                  : price_of_absorption(e, part.job, node_slot);
  return price_of_exchange(e, part.job, victims, price_of_place(e, part.job, place).time,
                           chosen_victims(w), absorbed);
}

/// The cheapest places of every row, as many of each as there are rows: a matching of them can do
/// without any that is dearer.
class found_places {
 public:
  explicit found_places(std::size_t rows) noexcept : rows_{rows} {
    for (std::size_t r = 0; r < rows_; ++r) {
      std::fill_n(prices_[r].begin(), rows_, rank_cost::forbidden());
    }
  }
  void add(std::size_t row, rank_cost price) noexcept {
    for (std::size_t i = 0; i < rows_ && !price.is_forbidden(); ++i) {
      if (price < prices_[row][i]) {
        std::swap(price, prices_[row][i]);
      }
    }
  }
  [[nodiscard]] bool has_one(std::size_t row) const noexcept {
    return !prices_[row][0].is_forbidden();
  }
  /// Is a place at this price, or a dearer one, of no use to any row?
  [[nodiscard]] bool suffice_below(rank_cost price) const noexcept {
    return std::all_of(prices_.begin(), prices_.begin() + static_cast<std::ptrdiff_t>(rows_),
                       [&](auto const& of_row) noexcept {
                         rank_cost const dearest = of_row[rows_ - 1];
                         return !dearest.is_forbidden() && !(price < dearest);
                       });
  }

 private:
  std::size_t rows_;
  std::array<std::array<rank_cost, workspace::max_evicting>, workspace::max_evicting> prices_;
};

/// Could stopping somebody who loses `loss` pay for one of the rows?
template <class Engine>
[[nodiscard]] bool may_pay_for_any(Engine& e, std::span<gang_part const> rows,
                                   gpu_time loss) noexcept {
  return std::any_of(rows.begin(), rows.end(),
                     [&](gang_part const& row) noexcept { return may_pay(e, row.job, loss); });
}

/// Columns: nodes on which free GPUs, GPUs that drain and the victims of `first` suffice; each is
/// priced for every row when it is found. Victims are added in the order of their price: a node
/// that needs one of those not added yet costs at least as much, so that the search ends as soon as
/// every row has found enough cheaper ones.
template <class Engine>
[[nodiscard]] found_places find_emptied_nodes(Engine& e, std::span<gang_part const> rows,
                                              gang_part const& first) noexcept {
  constexpr std::int32_t is_column = std::int32_t{1} << 20;  // in w.evictable
  core_state const& s = e.state;
  workspace& w = e.work;
  found_places found{rows.size()};
  w.columns.clear();
  // False if it is of no use to any row.
  auto const add_column = [&](std::uint32_t n) {
    w.evictable[n] = is_column;
    if (w.columns.size() == w.stride) {
      return false;  // a cluster larger than the matrix: the cheapest nodes are in it
    }
    bool useful = false;
    node_book const& node = s.books.node(n);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      rank_cost const price = price_of_emptying(e, rows[r], n);
      w.cells[r * w.stride + w.columns.size()] = price;
      found.add(r, price);
      useful = useful || !price.is_forbidden();
    }
    w.add_column({node.spec.type, gpu_count(node.offered()), n, no_index, 0, 1}, 1);
    return useful;
  };
  find_nodes_left(s, w, first);
  for (std::uint32_t const n : w.touched) {
    if (reachable(w, s.books.node(n), n) >= first.total()) {
      add_column(n);
    }
  }
  constexpr bool told_apart = distinguishes_nodes<typename Engine::placement_type>;
  // One part of a gang may fit on free GPUs although another needs somebody's place.
  free_index const& index = s.books.free_nodes();
  for (int t = 0; t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    std::size_t left = contains(first.types, type) ? rows.size() : 0;
    for (int f = first.total(); f <= s.books.largest_node() && left > 0; ++f) {
      for (std::uint32_t n = index.next(first.where, type, f, 0);
           n != free_index::no_node && left > 0; n = index.next(first.where, type, f, n + 1)) {
        // Nodes of a class cost the same, but where they are told apart all are looked at.
        if (touch_node(w, n) && add_column(n) && !told_apart) {
          --left;
        }
      }
    }
  }
  for (std::uint32_t const victim : w.by_price) {
    if (found.suffice_below(w.victims[victim].cost)) {
      break;
    }
    if (!is_victim_of(e, first.job, victim) || !may_pay_for_any(e, rows, w.victims[victim].loss)) {
      continue;
    }
    s.books.for_each_hold(victim, [&](booking const& held) {
      node_book const& node = s.books.node(held.node);
      if (!may_host(node, first)) {
        return;
      }
      touch_node(w, held.node);
      if (w.evictable[held.node] < is_column) {
        w.evictable[held.node] += gpu_count(held.gpus & ~node.lost);
        if (reachable(w, node, held.node) >= first.total()) {
          add_column(held.node);
        }
      }
    });
  }
  return found;
}

/// More victims are looked for as long as a row finds no place.
template <class Engine>
void price_one_node_evict(Engine& e, std::span<gang_part const> rows) noexcept {
  workspace& w = e.work;
  gang_part first = *std::min_element(  // the earliest in rank order may displace the most
      rows.begin(), rows.end(),
      [](gang_part const& a, gang_part const& b) noexcept { return a.order < b.order; });
  for (gang_part const& row : rows) {
    first.types |= row.types;
  }
  w.stride = w.cells.size() / rows.size();  // how many columns there will be is not known yet
  bool again = true;
  while (again) {
    found_places const found = find_emptied_nodes(e, rows, first);
    again = false;
    for (std::size_t r = 0; r < rows.size() && !again; ++r) {
      // Whether an exchange pays changes in every tick: there the first victims have to do.
      again = !weighs_exchanges<Engine> && !found.has_one(r) && widen_victims(e, rows[r].job);
    }
  }
}

/// Tells the victims in w.cover to stop in favour of `job` and earmarks `gpus` GPUs of the node for
/// it: free ones first, then ones that drain anyway, then the victims'.
template <class Engine>
void evict_and_earmark(Engine& e, std::uint32_t job, std::uint32_t node_slot,
                       std::int32_t gpus) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  for (std::uint32_t const chosen : w.cover.solution().chosen) {
    std::uint32_t const victim = w.item_owner[chosen];
    w.victims[victim].doomed = true;
    order_stop(s, victim, stop_reason::preempted, s.jobs[job].id,
               e.parts.preemption.suspend(s.view(victim), e.context()));
  }
  node_book const& node = s.books.node(node_slot);
  gpu_mask const free_gpus = node.offered();
  int const of_free = std::min(gpus, gpu_count(free_gpus));
  gpu_mask taken = pick_gpus(free_gpus, of_free);
  taken |= pick_gpus(surplus(node), gpus - of_free);
  s.books.earmark(job, node_slot, taken);
}

/// The cheapest place of the row but `node`.
[[nodiscard]] inline rank_cost next_best_place(workspace const& w, std::uint32_t row,
                                               std::uint32_t node) noexcept {
  rank_cost best = rank_cost::forbidden();
  for (std::size_t c = 0; c < w.columns.size(); ++c) {
    rank_cost const& cell = w.cells[row * w.stride + c];
    best = w.columns[c].node != node && cell < best ? cell : best;
  }
  return best;
}

/// Rows in rank order. GPUs that the victims of an earlier row leave over spare a later row its
/// own.
template <class Engine>
void bind_one_node_evict(Engine& e, std::span<gang_part> rows) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    gang_part const& row = rows[r];
    std::uint32_t node = no_index;
    rank_cost best = rank_cost::forbidden();
    for (std::uint32_t c = 0; c < w.columns.size(); ++c) {
      std::uint32_t const n = w.columns[c].node;
      bool const needs_nobody =
          gpu_count(s.books.node(n).offered()) + gpu_count(surplus(s.books.node(n))) >= row.total();
      if (w.column_of_row[r] != c && !(r > 0 && needs_nobody)) {
        continue;
      }
      // Priced again: an earlier row may have sent away a victim that has GPUs here too.
      rank_cost const price = price_of_emptying(e, row, n);
      if (price < best) {
        best = price;
        node = n;
      }
    }
    if (rank_cost const price =
            node == no_index ? rank_cost::forbidden() : price_of_emptying(e, row, node);
        !price.is_forbidden()) {
      note_exchange(e, row.job, next_best_place(w, r, node), chosen_victims(w));
      evict_and_earmark(e, row.job, node, row.total());
      rows[r].placed = true;
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
