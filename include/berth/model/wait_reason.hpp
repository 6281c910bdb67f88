// SPDX-License-Identifier: BSL-1.0
// Why a job waits: one dominant reason out of a stable list. Values are never renumbered.
#pragma once

#include <berth/core/config.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

enum class wait_reason : std::uint8_t {
  none = 0,  ///< it does not wait
  // Not decided.
  not_decided = 1,  ///< no tick has looked at it yet, or the look-ahead ended before it
  // Never, on this cluster.
  exceeds_cluster = 2,  ///< the empty cluster has fewer GPUs of its types
  no_such_type = 3,     ///< no node has a type that it allows
  topology = 4,         ///< the empty cluster has the GPUs, but not together as the job needs them
  exceeds_cpu_or_memory = 5,  ///< no node has the CPU or memory that its members need
  // Not now.
  no_gpus = 16,           ///< too few are free
  fragmented = 17,        ///< enough are free, but not together
  reserved = 18,          ///< enough are free, but kept for others
  back_off = 19,          ///< its last launch was refused or its last run failed
  group_incomplete = 20,  ///< jobs that start with it have not been submitted
  not_admitted = 21,      ///< admission does not let it in
  draining_others = 22,   ///< GPUs are earmarked for it; their holders have not left yet
  behind_others = 23,     ///< strict order: earlier jobs wait for the same GPU types
  cpu_or_memory = 24,     ///< GPUs are free on nodes without enough free CPU or memory
  stops_do_not_pay = 25,  ///< others could stop for it, and would lose more than it gains
  outbid = 26,            ///< the allocator gives all GPUs to others
  over_quota = 27,        ///< neither its tenant's quota nor what others lend covers it
  loan_recalled = 28,     ///< it would borrow, and its tenant's last loan was recalled lately
};

/// This cluster can never host it.
[[nodiscard]] constexpr bool is_impossible(wait_reason reason) noexcept {
  return reason >= wait_reason::exceeds_cluster && reason <= wait_reason::exceeds_cpu_or_memory;
}

[[nodiscard]] constexpr char const* to_string(wait_reason reason) noexcept {
  switch (reason) {
    case wait_reason::none: return "does not wait";
    case wait_reason::not_decided: return "not decided yet";
    case wait_reason::exceeds_cluster: return "larger than the cluster";
    case wait_reason::no_such_type: return "no node has a GPU type it allows";
    case wait_reason::topology: return "no set of nodes can host it together";
    case wait_reason::exceeds_cpu_or_memory: return "no node has the CPU or memory it needs";
    case wait_reason::no_gpus: return "too few GPUs are free";
    case wait_reason::fragmented: return "enough GPUs are free, but not together";
    case wait_reason::reserved: return "free GPUs are kept for others";
    case wait_reason::back_off: return "waits after a failed launch or run";
    case wait_reason::group_incomplete: return "its group is not complete";
    case wait_reason::not_admitted: return "not admitted";
    case wait_reason::draining_others: return "waits until others have left its GPUs";
    case wait_reason::behind_others: return "earlier jobs wait for the same GPU types";
    case wait_reason::cpu_or_memory: return "too little CPU or memory is free beside the GPUs";
    case wait_reason::stops_do_not_pay: return "others would lose more by stopping for it";
    case wait_reason::outbid: return "others make more of the GPUs";
    case wait_reason::over_quota: return "over its tenant's quota";
    case wait_reason::loan_recalled: return "its tenant's last loan was recalled lately";
  }
  return "?";
}

BERTH_NAMESPACE_END
