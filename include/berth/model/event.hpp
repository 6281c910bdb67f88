// SPDX-License-Identifier: BSL-1.0
// What a host reports of a job's run. Every message may carry the run number of the start it speaks
// of
// (`action::run`), so that a late or repeated one is recognised; run_number{0} means the present
// run.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// "Not said": berth uses what it can infer.
inline constexpr duration not_said{-1};

/// The gang runs.
struct started {
  run_number run{};
};
/// The host could not start it; its GPUs are empty again. berth waits a back-off before the next
/// try.
struct launch_failed {
  run_number run{};
};
/// So much of job_spec::work is done, in total over all runs.
struct progress {
  duration done{0};
  run_number run{};
};
/// So many bytes its workers have read from storage in this run, in all. A reader of counters may
/// miss samples, repeat them, and see a counter start again.
struct bytes_read {
  std::int64_t total = 0;
  run_number run{};
};
/// Work up to `done` is safe; `not_said` means all that is done now.
struct checkpointed {
  duration done = not_said;
  run_number run{};
};
/// It has left all its GPUs after an order to stop; `saved` is the work that survives.
struct stopped {
  duration saved = not_said;
  run_number run{};
};
/// After a plan's `resize`: the GPUs that the job was to leave are empty, though it may not compute
/// again yet. Optional: `resized` says so too.
struct vacated {
  run_number run{};
  std::uint32_t change = 0;  ///< action::change; 0 means the one under way
};
/// After a plan's `resize`: it computes on exactly those GPUs, and has left the others.
struct resized {
  run_number run{};
  std::uint32_t change = 0;  ///< action::change; 0 means the one under way
};
/// A replica has nothing to do and would lose nothing but its warmth: it keeps its GPUs until
/// another replica or training needs them, and is told to stop then (`stop_reason::outbid`).
struct sleeps {
  run_number run{};
};
/// It serves again.
struct wakes {
  run_number run{};
};
/// Some members ended well and left these GPUs; the others go on.
struct member_finished {
  node_id node;
  gpu_mask gpus = 0;
  run_number run{};
};
/// The run ended by itself and in error; its GPUs are empty. berth tries again until
/// config.failure_limit.
struct run_failed {
  run_number run{};
};

/// How a job ended.
enum class outcome : std::uint8_t { finished, failed };

BERTH_NAMESPACE_END
