// SPDX-License-Identifier: BSL-1.0
// What a simulation of elastic training and inference can be told.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/inference/lender.hpp>
#include <berth/predictors/speedup_table.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/inference_demand.hpp>
#include <berth_sim/elastic/replica_fleet.hpp>

#include <chrono>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// What a change of GPUs takes.
enum class restart_costs : std::uint8_t {
  fast,        ///< each application's own, with auto-fast elastic
  full,        ///< each application's whole start for every change
  pollux_30s,  ///< 30 s for everybody, as Pollux's simulator has it
};

[[nodiscard]] constexpr resize_time restart_of(application_facts const& app,
                                               restart_costs costs) noexcept {
  using std::chrono::seconds;
  switch (costs) {
    case restart_costs::fast: return app.restart;
    case restart_costs::full: return {app.restart.first, app.restart.first};
    case restart_costs::pollux_30s: return {seconds{30}, seconds{30}};
  }
  return {};
}

/// Who decides how much is lent.
enum class lending : std::uint8_t {
  none,
  forecast,     ///< the lender, by its own past
  everything,   ///< all that inference does not use at the moment
  clairvoyant,  ///< all that inference will not use until the next look, as it will really come
};

/// Ours: a job comes to sixteen GPUs by one restart and not by four.
inline constexpr profile_reach fast_reach{.first = 4, .growth = 4};

struct elastic_options {
  restart_costs costs = restart_costs::fast;
  duration interval = std::chrono::minutes{1};  ///< between two looks at ladders and loans
  bool adaptive = true;  ///< jobs choose their batch size, else they keep their owner's
  bool sized = true;     ///< else every job runs on as many GPUs as its owner asked for
  lending lends = lending::none;
  lending_rules lender_rules{};
  std::int32_t headroom = 0;  ///< GPUs that `everything` keeps back
  pod_rules pods{};
  std::vector<demand_point> history;  ///< what inference used before the run; the lender is told
  std::vector<demand_point> future;   ///< what it will use: for `clairvoyant`
  profile_reach reach{};              ///< how fast a job comes to more GPUs than it knows
  duration unknown = std::chrono::minutes{1};  ///< what is left of a job that has not run yet
};

}  // namespace sim

BERTH_NAMESPACE_END
