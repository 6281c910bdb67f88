// SPDX-License-Identifier: BSL-1.0
// A scheduler behind the C library beside the same one in C++, and what must be equal of them.
#pragma once

#include <berth/c/berth.h>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/scheduler/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace c_tests {

/// A scheduler of the library with room for its plans.
class c_scheduler {
 public:
  /// The last `inference` nodes belong to the pool of that name.
  c_scheduler(char const* preset, int nodes, int gpus, std::int32_t acknowledge,
              int inference = 0) {
    std::vector<berth_node> described(static_cast<std::size_t>(nodes));
    for (berth_node& node : described) {
      REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
      node.gpus = gpus;
    }
    for (int i = nodes - inference; i < nodes; ++i) {
      described[static_cast<std::size_t>(i)].pool = BERTH_POOL_INFERENCE;
    }
    berth_config config;
    REQUIRE(berth_config_init(&config, sizeof config) == BERTH_OK);
    config.preset = preset;
    config.nodes = described.data();
    config.node_count = static_cast<std::uint32_t>(nodes);
    config.acknowledge = acknowledge;
    config.max_jobs = 64;
    REQUIRE(berth_create(&config, &handle_) == BERTH_OK);
    REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
    plan.actions = actions.data();
    plan.action_capacity = static_cast<std::uint32_t>(actions.size());
    plan.ranges = ranges.data();
    plan.range_capacity = static_cast<std::uint32_t>(ranges.size());
  }
  c_scheduler(c_scheduler const&) = delete;
  c_scheduler& operator=(c_scheduler const&) = delete;
  ~c_scheduler() { CHECK(berth_destroy(handle_) == BERTH_OK); }

  operator berth_scheduler*() const { return handle_; }
  [[nodiscard]] std::uint64_t state() const {
    std::uint64_t digest = 0;
    REQUIRE(berth_state_digest(handle_, &digest) == BERTH_OK);
    return digest;
  }
  [[nodiscard]] std::uint64_t plans() const {
    std::uint64_t digest = 0;
    REQUIRE(berth_plans_digest(handle_, &digest) == BERTH_OK);
    return digest;
  }

  berth_plan plan{};
  std::array<berth_action, 256> actions{};
  std::array<berth_gpu_range, 1024> ranges{};

 private:
  berth_scheduler* handle_ = nullptr;
};

inline berth::scheduler_config config_with(berth::acknowledgement acknowledge) {
  berth::scheduler_config config;
  config.acknowledge = acknowledge;
  config.max_jobs = 64;
  return config;
}

inline berth::time_point instant(std::int64_t now) {
  return berth::time_point{berth::duration{now}};
}

template <class T>
void check_same(berth_status c, berth::result<T> const& cpp) {
  CHECK((c == BERTH_OK) == cpp.has_value());
  if (!cpp) {
    CHECK(berth_code_text(BERTH_CODE(c)) == std::string{to_string(cpp.error().code)});
    CHECK(berth_field_name(BERTH_FIELD(c)) == std::string{to_string(cpp.error().where)});
  }
}

inline void check_same(c_scheduler const& c, berth::plan const& cpp) {
  REQUIRE(c.plan.action_count == cpp.size());
  CHECK((c.plan.is_idle != 0) == cpp.is_idle());
  for (std::size_t i = 0; i < cpp.size(); ++i) {
    berth_action const& got = c.actions[i];
    CHECK(got.size == sizeof got);
    CHECK(got.kind == static_cast<int>(cpp[i].kind));
    CHECK(got.reason == static_cast<int>(cpp[i].reason));
    CHECK(got.mode == static_cast<int>(cpp[i].mode));
    CHECK(got.job == cpp[i].job.value());
    CHECK(got.beneficiary == cpp[i].beneficiary.value());
    CHECK(got.saves_at == cpp[i].saves_at.time_since_epoch().count());
    CHECK(got.tag == cpp[i].tag);
    CHECK(got.run == static_cast<std::uint32_t>(cpp[i].run));
    CHECK(got.change == cpp[i].change);
    REQUIRE(got.range_count == cpp[i].gpus.size());
    for (std::size_t k = 0; k < cpp[i].gpus.size(); ++k) {
      CHECK(c.ranges[got.first_range + k].node == cpp[i].gpus[k].node.value());
      CHECK(c.ranges[got.first_range + k].gpus == cpp[i].gpus[k].gpus);
    }
  }
}

}  // namespace c_tests
