// SPDX-License-Identifier: BSL-1.0
// What loan_study plays: an inference load, and how much of its idle GPUs is lent.
#pragma once

#include <berth/core/time.hpp>
#include <berth/inference/lender.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/elastic_outcome.hpp>
#include <berth_sim/elastic/elastic_simulator.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/inference_demand.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace berth_bench {

struct inference_load {
  std::string name;
  berth::sim::daily_load load;
};
[[nodiscard]] std::vector<inference_load> inference_loads(std::int32_t inference_gpus);

struct loan_setting {
  std::string name;
  std::string short_name;  ///< on the command line
  berth::sim::lending lends = berth::sim::lending::none;
  std::string scheduler = "deepboot";
};
[[nodiscard]] std::vector<loan_setting> loan_settings();

/// A recall costs a job that can shrink some seconds: what is foreseen of ten minutes is enough,
/// and the forecast, of peaks, is margin enough.
[[nodiscard]] constexpr berth::lending_rules short_leases() noexcept {
  berth::lending_rules rules;
  rules.headroom = 0;
  rules.quantile_percent = 40;
  rules.lease = std::chrono::minutes{10};
  return rules;
}

struct loan_play {
  std::int32_t training_nodes = 8;
  std::int32_t inference_nodes = 8;
  std::int32_t gpus_per_node = 4;
  berth::lending_rules rules = short_leases();
  std::uint64_t seed = 1;
  berth::sim::restart_costs costs = berth::sim::restart_costs::fast;
};

struct loan_row {
  std::string load;
  std::string setting;
  std::uint64_t seed = 0;
  std::size_t tasks = 0;
  berth::sim::elastic_outcome out;
};

/// Throws std::runtime_error if an invariant broke.
[[nodiscard]] loan_row play_loan(std::vector<berth::sim::application> const& applications,
                                 std::vector<berth::sim::training_row> const& jobs,
                                 inference_load const& load, loan_setting const& setting,
                                 loan_play const& play);

}  // namespace berth_bench
