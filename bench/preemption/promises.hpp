// SPDX-License-Identifier: BSL-1.0
// What preset `pickyman` is held to, cell by cell.
#pragma once

#include <bench/preemption/report.hpp>

#include <string>

namespace berth_bench {

/// One line a promise and workload: the bound, the worst that was seen and where, in how many cells
/// it holds. Cells in which a scheduler of the comparison was not played are left out.
[[nodiscard]] std::string promises_of(means const& all, std::string const& preset);

}  // namespace berth_bench
