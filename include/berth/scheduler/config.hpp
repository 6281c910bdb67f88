// SPDX-License-Identifier: BSL-1.0
// Limits and habits of one scheduler. Everything is sized from here at construction.
#pragma once

#include <berth/core/backoff.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>

#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Who says when GPUs are free and gangs run.
enum class acknowledgement : std::uint8_t {
  explicit_reports,  ///< only the host's `started` and `stopped`
  implicit,          ///< an action counts as done when the plan is returned
};

/// What becomes of a gang that this cluster can never host.
enum class impossible_gangs : std::uint8_t {
  accept,  ///< it waits, is reported as impossible, and influences nobody
  refuse,  ///< submit returns gang_never_fits
};

struct scheduler_config {
  std::uint32_t max_jobs = 4096;  ///< living jobs
  std::uint32_t max_nodes = 1024;
  std::uint32_t max_gpus = 16384;  ///< over all nodes
  std::uint32_t max_tenants = 64;  ///< tenants are 0 .. max_tenants - 1
  std::uint32_t max_rungs = 64;    ///< sizes of one job, where the allocator sizes jobs
  std::uint32_t look_ahead = 128;  ///< jobs that one tick passes over because of a promise, at most

  acknowledgement acknowledge = acknowledgement::explicit_reports;
  impossible_gangs impossible = impossible_gangs::accept;
  duration earmark_expiry = std::chrono::minutes{30};  ///< GPUs freed for a job wait for it so long
  duration minimum_run{0};                             ///< a job that runs for less is no victim
  std::uint32_t failure_limit = 3;  ///< runs of a job that may fail before it is given up
  duration borrow_again_after =
      std::chrono::minutes{2};  ///< training borrows nothing so long after a recall
  backoff retry{};              ///< after a refused launch or a failed run
  time_point horizon = never;   ///< nothing is forecast or promised beyond this instant

  /// Errors: bad_config with the member's name.
  [[nodiscard]] constexpr result<void> validate() const noexcept {
    constexpr std::uint32_t limit = 1u << 24;
    auto const bad = [](field where) { return error{errc::bad_config, where}; };
    if (max_jobs == 0 || max_jobs > limit) {
      return bad(field::max_jobs);
    }
    if (max_nodes == 0 || max_nodes > limit) {
      return bad(field::max_nodes);
    }
    if (max_gpus == 0 || max_gpus > limit) {
      return bad(field::max_gpus);
    }
    if (max_tenants == 0 || max_tenants > limit) {
      return bad(field::max_tenants);
    }
    if (max_rungs == 0 || max_rungs > 4096) {
      return bad(field::ladder);
    }
    if (look_ahead == 0) {
      return bad(field::look_ahead);
    }
    if (acknowledge > acknowledgement::implicit) {
      return bad(field::acknowledge);
    }
    if (impossible > impossible_gangs::refuse) {
      return bad(field::impossible);
    }
    if (earmark_expiry <= duration{0} ||
        (earmark_expiry > max_duration && earmark_expiry != forever)) {
      return bad(field::earmark_expiry);
    }
    if (minimum_run < duration{0} || minimum_run > max_duration) {
      return bad(field::minimum_run);
    }
    if (borrow_again_after < duration{0} || borrow_again_after > max_duration) {
      return bad(field::period);
    }
    if (failure_limit == 0) {
      return bad(field::failure_limit);
    }
    if (retry.base <= duration{0} || retry.factor < 1 || retry.cap < retry.base ||
        retry.cap > max_duration) {
      return bad(field::backoff);
    }
    if (horizon != never &&
        (horizon.time_since_epoch() > max_instant || horizon.time_since_epoch() < -max_instant)) {
      return bad(field::horizon);
    }
    return {};
  }
};

BERTH_NAMESPACE_END
