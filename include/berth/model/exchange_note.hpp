// SPDX-License-Identifier: BSL-1.0
// What was weighed when somebody would start because others stop: who, what for, at what price.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Of the job that starts, and of each that stops for it. What is told in job time is known where
/// the allocator weighs exchanges (concepts/exchange.hpp), and `forever` elsewhere.
struct exchange_note {
  job_id beneficiary;            ///< null: nothing was ever weighed for this job
  time_point decided = never;    ///< the last tick in which it was weighed
  bool made = false;             ///< false: it did not pay
  std::int32_t victims = 0;      ///< 0: nobody was looked for, as even one could not pay
  gpu_time lost;                 ///< GPU-time that the stops and restarts of all victims destroy
  duration wait = forever;       ///< how long the beneficiary would have waited otherwise
  duration cost = forever;       ///< job time that all lose together; at least, without victims
  duration next_best = forever;  ///< cost of the next best place; forever: there was none that pays
};

BERTH_NAMESPACE_END
