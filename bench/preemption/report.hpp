// SPDX-License-Identifier: BSL-1.0
// The rows for people, as tables in Markdown, and for programs, as JSON.
#pragma once

#include <bench/preemption/cell.hpp>

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace berth_bench {

/// Means over the seeds. Rows that are wrong are left out.
using means = std::map<cell, outcome>;
[[nodiscard]] means means_of(std::vector<row> const& rows);

/// One table a figure: a row for each scheduler, in the order of `schedulers`, a column for each
/// overhead scale.
[[nodiscard]] std::string to_tables(means const& all, std::vector<std::string> const& schedulers);

[[nodiscard]] nlohmann::json to_json(std::vector<row> const& rows);

}  // namespace berth_bench
