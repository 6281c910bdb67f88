// SPDX-License-Identifier: BSL-1.0
// Gangs that sit on one node, all of one size, in one transportation problem: rows are gangs,
// columns are classes of nodes with free GPUs.
#pragma once

#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/foresight.hpp>
#include <berth/scheduler/detail/gpu_picker.hpp>
#include <berth/scheduler/detail/pricing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Free GPUs of a node that this batch may use: jobs that outstay the head's promise leave it its
/// GPUs.
[[nodiscard]] inline std::int32_t usable_free(core_state const& s, workspace const& w,
                                              std::uint32_t node) noexcept {
  std::int32_t const free_gpus = gpu_count(s.books.node(node).offered());
  if (!w.restricted || w.is_promised[node] == 0) {
    return free_gpus;
  }
  for (promised_node const& kept : w.promised) {
    if (kept.node == node) {
      return std::min(free_gpus, kept.spare);
    }
  }
  return free_gpus;
}

/// Gangs of this part's size for whose CPU and memory a node has room.
[[nodiscard]] inline std::int32_t room_for(core_state const& s, gang_part const& part,
                                           std::uint32_t node, std::int32_t gangs) noexcept {
  shape const& form = s.jobs[part.job].form;
  while (gangs > 0 &&
         !s.books.has_cpu_and_memory(node, std::int64_t{gangs} * part.total(),
                                     form.cpu_milli_per_gpu, form.memory_mib_per_gpu)) {
    --gangs;
  }
  return gangs;
}

[[nodiscard]] inline bool asks_for_cpu_or_memory(core_state const& s,
                                                 std::span<gang_part const> rows) noexcept {
  return std::any_of(rows.begin(), rows.end(), [&](gang_part const& part) noexcept {
    shape const& form = s.jobs[part.job].form;
    return form.cpu_milli_per_gpu > 0 || form.memory_mib_per_gpu > 0;
  });
}

/// Do nodes of one class differ to these rows?
template <class Engine>
[[nodiscard]] bool prices_nodes(Engine const& e, std::span<gang_part const> rows) noexcept {
  return distinguishes_nodes<typename Engine::placement_type> ||
         asks_for_cpu_or_memory(e.state, rows);
}

/// Columns: one per (type, free GPUs), or one per node where nodes of a class differ to these rows.
template <class Engine>
void collect_free_classes(Engine& e, std::span<gang_part const> rows) noexcept {
  core_state const& s = e.state;
  workspace& w = e.work;
  gang_part const& first = rows.front();
  bool const demands = asks_for_cpu_or_memory(s, rows);
  bool const by_node = prices_nodes(e, rows);
  free_index const& index = s.books.free_nodes();
  for (int f = first.total(); f <= s.books.largest_node(); ++f) {
    for (int t = 0; t < s.books.type_count(); ++t) {
      auto const type = static_cast<gpu_type>(t);
      std::int32_t nodes = index.count(first.where, type, f);
      if (nodes == 0) {
        continue;
      }
      std::int32_t const per_node = f / first.total();
      if (!by_node) {
        if (w.restricted) {
          for (promised_node const& kept : w.promised) {
            node_book const& node = s.books.node(kept.node);
            nodes -= node.spec.owner == first.where && node.spec.type == type &&
                             gpu_count(node.offered()) == f
                         ? 1
                         : 0;
          }
        }
        if (nodes > 0) {
          std::uint32_t const lowest = index.next(first.where, type, f, 0);
          w.add_column({type, f, no_index, lowest, 0, per_node}, nodes * per_node);
        }
        continue;
      }
      std::int64_t room = 0;
      for (std::uint32_t n = index.next(first.where, type, f, 0); n != free_index::no_node;
           n = index.next(first.where, type, f, n + 1)) {
        std::int32_t const gangs = demands ? room_for(s, first, n, per_node) : per_node;
        if (gangs == 0 || (w.restricted && w.is_promised[n] != 0)) {
          continue;
        }
        w.add_column({type, f, n, no_index, 0, gangs}, gangs);
        room += gangs;
        if (demands && room >= static_cast<std::int64_t>(rows.size())) {
          break;  // nodes of a bucket cost the same; more of them than rows change nothing
        }
      }
    }
  }
  if (!w.restricted) {
    return;
  }
  for (promised_node const& kept : w.promised) {
    std::int32_t const free_gpus = usable_free(s, w, kept.node);
    std::int32_t const gangs = room_for(s, first, kept.node, free_gpus / first.total());
    if (gangs > 0 && s.books.node(kept.node).spec.owner == first.where) {
      w.add_column({s.books.node(kept.node).spec.type, free_gpus, kept.node, no_index, 0, gangs},
                   gangs);
    }
  }
}

/// Price per gang when a node of the class is filled with as many of them as there are: the mean of
/// what the first, second, … costs there. Its lowest node stands for the class.
template <class Engine>
[[nodiscard]] rank_cost price_in_class(Engine const& e, gang_part const& part,
                                       node_class const& column, std::int32_t rows) noexcept {
  std::int32_t const filled = std::min(column.per_node, rows);
  std::uint32_t const node = column.node != no_index ? column.node : column.at;
  rank_cost sum;
  for (std::int32_t i = 0; i < filled; ++i) {
    berth_view place;
    place.type = column.type;
    place.gpus = part.total();
    place.free_before = column.free_gpus - i * part.total();
    place.free_after = place.free_before - part.total();
    place.node_gpus = e.state.books.node(node).spec.gpus;
    place.first_node = node;
    sum += price_of_place(e, part.job, place);
  }
  return sum.is_forbidden() ? sum : rank_cost{0, gpu_time{sum.time.count() / filled}};
}

template <class Engine>
void price_one_node_free(Engine& e, std::span<gang_part const> rows) noexcept {
  workspace& w = e.work;
  w.columns.clear();
  collect_free_classes(e, rows);
  std::size_t const width = w.columns.size();
  w.stride = width;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      bool const allowed = contains(rows[r].types, w.columns[c].type);
      w.cells[r * width + c] =
          allowed ? price_in_class(e, rows[r], w.columns[c], static_cast<std::int32_t>(rows.size()))
                  : rank_cost::forbidden();
    }
  }
}

/// The node on which the next gang of a class column goes: the one being filled, else the lowest
/// left.
[[nodiscard]] inline std::uint32_t next_node_of(core_state const& s, workspace const& w, pool where,
                                                node_class& column) noexcept {
  if (column.left_on_node > 0) {
    return column.at;
  }
  if (column.node != no_index) {
    column.at = column.node;
  } else {
    free_index const& index = s.books.free_nodes();
    column.at = index.next(where, column.type, column.free_gpus, 0);
    while (column.at != free_index::no_node && w.restricted && w.is_promised[column.at] != 0) {
      column.at = index.next(where, column.type, column.free_gpus, column.at + 1);
    }
  }
  column.left_on_node = column.per_node;
  return column.at;
}

/// Gives `gpus` free GPUs of a node to a part. False if they are not there.
template <class Engine>
bool take_free(Engine& e, std::uint32_t job, std::uint32_t node, std::int32_t gpus) noexcept {
  core_state& s = e.state;
  shape const& form = s.jobs[job].form;
  if (node == free_index::no_node || usable_free(s, e.work, node) < gpus ||
      !s.books.has_cpu_and_memory(node, gpus, form.cpu_milli_per_gpu, form.memory_mib_per_gpu)) {
    return false;
  }
  s.books.hold(job, node, pick_gpus(s.books.node(node).offered(), gpus));
  if (e.work.restricted && e.work.is_promised[node] != 0) {
    for (promised_node& kept : e.work.promised) {
      kept.spare -= kept.node == node ? gpus : 0;
    }
  }
  return true;
}

/// Row after row, the cheapest class of nodes that leaves room for the other rows and the rest of
/// the batch; a row without one stays unplaced. O(rows × classes × parts).
template <class Engine>
void bind_with_foresight(Engine& e, std::span<gang_part> rows) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    gang_part& row = rows[r];
    rank_cost best = rank_cost::forbidden();
    node_class chosen;
    for (int f = row.total(); f <= s.books.largest_node(); ++f) {
      for (int t = 0; t < s.books.type_count(); ++t) {
        auto const type = gpu_type{static_cast<std::uint8_t>(t)};
        if (!contains(row.types, type) || s.books.free_nodes().count(row.where, type, f) == 0) {
          continue;
        }
        std::uint32_t const lowest = s.books.free_nodes().next(row.where, type, f, 0);
        node_class const place{type, f, no_index, lowest, 0, 1};
        rank_cost const price = price_in_class(e, row, place, 1);
        if (!(price < best)) {
          continue;
        }
        w.counts.load(s.books);
        w.counts.move_node(row.where, type, f, f - row.total());
        if (rest_fits(w, w.counts, rows.subspan(r + 1))) {
          best = price;
          chosen = place;
        }
      }
    }
    if (!best.is_forbidden()) {
      row.placed = take_free(e, row.job, chosen.at, row.total());
    }
  }
}

/// Columns in rising order of free GPUs: filling a node moves it to a lower bucket, which is done
/// by then.
template <class Engine>
void bind_one_node_free(Engine& e, std::span<gang_part> rows) noexcept {
  workspace& w = e.work;
  if (may_spoil(e.state, w) && !leaves_room(e.state, w, rows)) {
    w.counts.load(e.state.books);
    if (rest_fits(w, w.counts, rows)) {
      bind_with_foresight(e, rows);
      return;
    }
  }
  for (std::uint32_t c = 0; c < w.columns.size(); ++c) {
    node_class& column = w.columns[c];
    for (std::uint32_t r = 0; r < rows.size(); ++r) {
      if (w.column_of_row[r] != c) {
        continue;
      }
      std::uint32_t const node = next_node_of(e.state, w, rows[r].where, column);
      rows[r].placed = take_free(e, rows[r].job, node, rows[r].total());
      --column.left_on_node;
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
