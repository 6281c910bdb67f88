// SPDX-License-Identifier: BSL-1.0
// A scheduler of the C library and what it is given, for tests that spoil one thing of it.
#pragma once

#include <berth/c/berth.h>

#include <cstdint>

#include <doctest/doctest.h>

namespace c_tests {

inline berth_config good_config(berth_node& node) {
  berth_config config;
  REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
  REQUIRE(berth_config_init(&config, sizeof config) == BERTH_OK);
  node.gpus = 8;
  config.nodes = &node;
  config.node_count = 1;
  config.max_jobs = 16;
  config.max_nodes = 4;
  config.max_gpus = 64;
  return config;
}

inline berth_scheduler* make(char const* preset = "fifo") {
  berth_node node;
  berth_config config = good_config(node);
  config.preset = preset;
  berth_scheduler* made = nullptr;
  REQUIRE(berth_create(&config, &made) == BERTH_OK);
  return made;
}

inline berth_job good_job() {
  berth_job job;
  REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
  return job;
}

inline std::uint64_t state_of(berth_scheduler* scheduler) {
  std::uint64_t digest = 0;
  REQUIRE(berth_state_digest(scheduler, &digest) == BERTH_OK);
  return digest;
}

}  // namespace c_tests
