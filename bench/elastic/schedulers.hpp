// SPDX-License-Identifier: BSL-1.0
// The schedulers of elastic_study, by name.
#pragma once

#include <berth/predictors/speedup_table.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/elastic_options.hpp>
#include <berth_sim/elastic/elastic_outcome.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace berth_bench {

struct elastic_play {
  std::vector<berth::sim::application> const& applications;
  berth::sim::elastic_workload const& work;
  std::int32_t nodes = 16;
  std::int32_t gpus_per_node = 4;
  berth::sim::elastic_options options{};
};

struct elastic_scheduler {
  std::string name;
  bool chooses_batch = true;  ///< as published; else the batch size is its owner's
  bool sizes_jobs = true;
  berth::profile_reach reach{};  ///< as Pollux: at most twice what a job knows
  berth::sim::elastic_outcome (*run)(elastic_play const& play) = nullptr;
};

[[nodiscard]] std::vector<elastic_scheduler> elastic_schedulers();

}  // namespace berth_bench
