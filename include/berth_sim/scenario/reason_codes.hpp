// SPDX-License-Identifier: BSL-1.0
// The reason codes of case files, and berth's finer reasons mapped to them.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/wait_reason.hpp>

#include <array>
#include <string_view>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

inline constexpr std::array<std::string_view, 10> reason_codes{
    "NO_GPUS", "EXCEEDS_CLUSTER", "NO_SUCH_TYPE", "TOPOLOGY",  "QUOTA",
    "GANG",    "COOLDOWN",        "RESERVED",     "NODE_LOST", "BACKOFF"};

/// Code of a reason; empty for what the files have no word for.
[[nodiscard]] constexpr std::string_view code_of(wait_reason reason) noexcept {
  switch (reason) {
    case wait_reason::none:
    case wait_reason::not_decided: return "";
    case wait_reason::exceeds_cluster:
    case wait_reason::exceeds_cpu_or_memory: return "EXCEEDS_CLUSTER";
    case wait_reason::no_such_type: return "NO_SUCH_TYPE";
    case wait_reason::topology:
    case wait_reason::fragmented: return "TOPOLOGY";
    case wait_reason::no_gpus:
    case wait_reason::cpu_or_memory:
    case wait_reason::stops_do_not_pay:
    case wait_reason::outbid:
    case wait_reason::draining_others: return "NO_GPUS";
    case wait_reason::reserved:
    case wait_reason::behind_others: return "RESERVED";
    case wait_reason::back_off: return "BACKOFF";
    case wait_reason::group_incomplete: return "GANG";
    case wait_reason::not_admitted:
    case wait_reason::over_quota: return "QUOTA";
    case wait_reason::loan_recalled: return "COOLDOWN";
  }
  return "";
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
