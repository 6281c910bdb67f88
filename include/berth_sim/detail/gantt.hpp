// SPDX-License-Identifier: BSL-1.0
// Who held which GPU when, sampled to a grid: a cluster of thousands of GPUs over months does not
// fit into a page, a picture of it does. A row is a real GPU (every k-th), a cell the job that held
// it in the middle of the interval; a stay that falls between two middles is not shown.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/detail/series.hpp>
#include <berth_sim/metrics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

inline constexpr std::uint32_t no_job = std::numeric_limits<std::uint32_t>::max();

/// `cells` neighbouring cells with the same job.
struct stretch {
  std::uint32_t cells = 0;
  std::uint32_t job = no_job;
};

struct gantt_row {
  std::uint32_t node = 0;
  std::uint32_t gpu = 0;
  std::vector<stretch> stretches;  ///< cover all columns
};

struct gantt_grid {
  extent span;
  std::size_t columns = 0;
  std::vector<gantt_row> rows;

  [[nodiscard]] std::size_t stretch_count() const noexcept {
    std::size_t sum = 0;
    for (gantt_row const& row : rows) {
      sum += row.stretches.size();
    }
    return sum;
  }
};

/// Stays of one sampled GPU.
struct stay_on_gpu {
  time_point start{};
  time_point end{};
  std::uint32_t job = no_job;
};

[[nodiscard]] inline std::vector<stretch> sample(std::vector<stay_on_gpu> const& stays, extent span,
                                                 std::size_t columns) {
  std::vector<stretch> out;
  std::int64_t const length = (span.to - span.from).count();
  std::size_t next = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    // Doubles are exact enough here: a cell is far wider than their rounding.
    double const part = (static_cast<double>(column) + 0.5) / static_cast<double>(columns);
    time_point const middle =
        span.from + duration{static_cast<std::int64_t>(static_cast<double>(length) * part)};
    while (next < stays.size() && stays[next].end <= middle) {
      ++next;
    }
    std::uint32_t const job =
        next < stays.size() && stays[next].start <= middle ? stays[next].job : no_job;
    if (out.empty() || out.back().job != job) {
      out.push_back({0, job});
    }
    ++out.back().cells;
  }
  return out;
}

/// At most `row_limit` rows; columns are halved until no more than `stretch_limit` stretches are
/// left. O(stays · log stays + rows · columns).
[[nodiscard]] inline gantt_grid sample_gantt(run_result const& run, std::size_t row_limit,
                                             std::size_t column_limit, std::size_t stretch_limit) {
  gantt_grid grid;
  grid.span = extent_of(run);
  auto const gpus = static_cast<std::size_t>(run.gpu_count());
  if (grid.span.from == grid.span.to || run.segments.empty() || gpus == 0 || row_limit == 0) {
    return grid;
  }
  std::size_t const stride = (gpus + row_limit - 1) / row_limit;
  std::vector<std::size_t> first_of_node;
  std::size_t number = 0;
  for (std::size_t node = 0; node < run.node_gpus.size(); ++node) {
    first_of_node.push_back(number);
    auto const held = static_cast<std::size_t>(run.node_gpus[node]);
    for (std::size_t gpu = 0; gpu < held; ++gpu, ++number) {
      if (number % stride == 0) {
        grid.rows.push_back(
            {static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(gpu), {}});
      }
    }
  }
  std::vector<std::vector<stay_on_gpu>> stays(grid.rows.size());
  for (segment const& stay : run.segments) {
    for (gpu_block const& range : run.ranges_of(stay)) {
      if (range.node >= first_of_node.size()) {
        continue;
      }
      std::size_t const first = first_of_node[range.node] + range.first;
      for (std::size_t row = (first + stride - 1) / stride;
           row < stays.size() && row * stride < first + range.count; ++row) {
        stays[row].push_back({stay.start, stay.end, stay.job});
      }
    }
  }
  for (std::vector<stay_on_gpu>& row : stays) {
    std::sort(row.begin(), row.end(), [](stay_on_gpu const& a, stay_on_gpu const& b) {
      return a.start != b.start ? a.start < b.start : a.job < b.job;
    });
  }
  for (grid.columns = column_limit;; grid.columns /= 2) {
    for (std::size_t row = 0; row < stays.size(); ++row) {
      grid.rows[row].stretches = sample(stays[row], grid.span, grid.columns);
    }
    if (grid.stretch_count() <= stretch_limit || grid.columns < 50) {
      return grid;
    }
  }
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
