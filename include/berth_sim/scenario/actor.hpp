// SPDX-License-Identifier: BSL-1.0
// One job as the host of a case sees it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/scenario/members.hpp>

#include <cstdint>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

struct actor {
  std::string name;
  std::size_t line = 0;
  bool is_submitted = false;
  job_id id;
  run_number run{};
  std::vector<member> members;

  bool acks_by_event = false;  ///< stops are confirmed only by ack_stop
  std::int32_t failures_ahead =
      0;  ///< launch_failed events to come: the launch stays open for them
  std::int32_t refusals_left = 0;
  time_point refused_at = never;  ///< the last launch was refused then; never: it was not
  std::vector<duration> delays;   ///< between a refusal and the next launch

  std::int64_t starts = 0;  ///< of members
  std::int64_t stops = 0;
  int stops_withdrawn = 0;  ///< whose confirmation is due and will not be given
  time_point last_stop = time_point::min();
  std::int64_t failures = 0;  ///< as last seen; a job that has ended cannot be asked
};

}  // namespace sim::scenario

BERTH_NAMESPACE_END
