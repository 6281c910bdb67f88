// SPDX-License-Identifier: BSL-1.0
// Looking before binding. The cheapest matching of one size may take the only nodes on which a
// smaller or pickier part of the same batch fits. On counts alone it is seen whether the rest of
// the batch still fits afterwards; if not, each gang takes the cheapest place that leaves room for
// the rest.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/packer.hpp>
#include <berth/scheduler/detail/state.hpp>
#include <berth/scheduler/detail/workspace.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Batches with more parts than this are bound as matched: looking costs O(parts × classes) per
/// part.
inline constexpr std::size_t most_foreseen = 64;

/// Is there a rest that a matching could spoil, and do counts tell the truth about it? They know
/// nothing of CPU, of memory, or of what is kept for the head of the queue.
[[nodiscard]] inline bool may_spoil(core_state const& s, workspace const& w) noexcept {
  if (w.restricted || w.evicting || w.parts.size() > most_foreseen) {
    return false;
  }
  bool const alone = w.problem.end - w.problem.first == 1 && w.problem.end == w.parts.size();
  return !alone &&
         std::none_of(w.parts.begin(), w.parts.end(), [&](gang_part const& part) noexcept {
           shape const& form = s.jobs[part.job].form;
           return form.cpu_milli_per_gpu > 0 || form.memory_mib_per_gpu > 0;
         });
}

/// Do these parts, and all that come after the present problem, fit into `counts`?
[[nodiscard]] inline bool rest_fits(workspace const& w, free_counts& counts,
                                    std::span<gang_part const> rows) noexcept {
  auto const take = [&](gang_part const& part) noexcept {
    return part.placed || counts.take(part);
  };
  auto const behind = w.parts.view().subspan(w.problem.end);
  return std::all_of(rows.begin(), rows.end(), take) &&
         std::all_of(behind.begin(), behind.end(), take);
}

/// Takes what one-node columns give to the rows out of `counts`.
inline void take_matched(workspace const& w, std::span<gang_part const> rows,
                         free_counts& counts) noexcept {
  std::int32_t const size = rows.front().total();
  for (std::size_t c = 0; c < w.columns.size(); ++c) {
    node_class const& column = w.columns[c];
    std::int32_t gangs = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      gangs += w.column_of_row[r] == c ? 1 : 0;
    }
    for (; gangs > 0; gangs -= column.per_node) {
      counts.move_node(rows.front().where, column.type, column.free_gpus,
                       column.free_gpus - std::min(gangs, column.per_node) * size);
    }
  }
}

/// Does the one-node matching in w.transport leave room for whom it left out and for the rest?
[[nodiscard]] inline bool leaves_room(core_state const& s, workspace& w,
                                      std::span<gang_part const> rows) noexcept {
  w.counts.load(s.books);
  take_matched(w, rows, w.counts);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (w.column_of_row[r] == no_index && !w.counts.take(rows[r])) {
      return false;
    }
  }
  return rest_fits(w, w.counts, {});
}

}  // namespace detail
BERTH_NAMESPACE_END
