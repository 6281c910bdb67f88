// SPDX-License-Identifier: BSL-1.0
// One statement of an expectation, such as "A and B run" or "J was stopped twice".
#pragma once

#include <berth/core/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

enum class claim_kind : std::uint8_t {
  running,  ///< exactly these
  pending,  ///< exactly these
  running_includes,
  pending_includes,
  pending_count,
  free,   ///< GPUs that are empty on nodes that are up
  place,  ///< nodes of a job, or of one of its roles
  tasks,  ///< members that run
  tasks_min,
  starts,     ///< member starts so far
  stops,      ///< stop orders so far
  stops_max,  ///< no job had more
  stops_total,
  no_stops_after,
  failures,
  reason,
  forecast_end,
  backoff,  ///< seconds between a refused launch and the next one
  metrics,
  any_of,
};

/// The file's word for each kind, in the order of claim_kind.
inline constexpr std::array<std::string_view, 20> claim_words{"running",
                                                              "pending",
                                                              "running_includes",
                                                              "pending_includes",
                                                              "pending_count",
                                                              "free",
                                                              "place",
                                                              "tasks",
                                                              "tasks_min",
                                                              "starts",
                                                              "stops",
                                                              "stops_max",
                                                              "stops_total",
                                                              "no_stops_after",
                                                              "failures",
                                                              "reason",
                                                              "forecast_end",
                                                              "backoff",
                                                              "metrics",
                                                              "any_of"};

[[nodiscard]] constexpr std::string_view word_of(claim_kind kind) noexcept {
  return claim_words[static_cast<std::size_t>(kind)];
}

struct claim {
  claim_kind kind = claim_kind::running;
  std::string subject;  ///< a job, a job.role, an attempt or a metric, where the kind has one
  std::vector<std::string> names;  ///< jobs, nodes, or one reason code
  double number = 0.0;             ///< seconds or a count; the smallest for a metric with bounds
  double largest = 0.0;            ///< of a metric; equal to `number` for an exact one
  std::vector<std::vector<claim>> alternatives;  ///< of any_of: one of these holds, each as a whole
};

}  // namespace sim::scenario

BERTH_NAMESPACE_END
