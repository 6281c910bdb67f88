// SPDX-License-Identifier: BSL-1.0
// Callers that get everything wrong are refused, by a code that says what; nothing crashes and
// nothing is changed.
#include <berth/c/berth.h>

#include <tests/c/good.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using c_tests::good_config;
using c_tests::good_job;
using c_tests::make;
using c_tests::state_of;

/// Every function that takes a scheduler, with arguments that are otherwise fine.
std::vector<berth_status> all_calls(berth_scheduler* scheduler) {
  static std::array<std::byte, 1 << 16> bytes;
  berth_job const job = good_job();
  berth_node node;
  berth_event event;
  berth_plan plan;
  berth_job_info info;
  REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
  REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
  REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
  REQUIRE(berth_job_info_init(&info, sizeof info) == BERTH_OK);
  event.kind = BERTH_STARTED;
  std::uint64_t number = 0;
  std::uint32_t count = 0;
  std::int64_t at = 0;
  std::array<char, 256> text{};
  berth_rung rung;
  std::array<berth_gpu_range, 8> ranges{};
  REQUIRE(berth_rung_init(&rung, sizeof rung) == BERTH_OK);
  return {berth_submit(scheduler, &job, 0, &number),
          berth_complete(scheduler, 0, BERTH_FINISHED, 0),
          berth_cancel(scheduler, 0, 0),
          berth_report(scheduler, &event, 0),
          berth_set_ladder(scheduler, 0, &rung, 1, sizeof rung, 0),
          berth_lend(scheduler, 0, BERTH_NEVER, 0),
          berth_gpus_on_loan(scheduler, &at),
          berth_job_gpus(scheduler, 0, ranges.data(), 8, sizeof ranges[0], &count),
          berth_add_node(scheduler, &node, 0, &number),
          berth_remove_node(scheduler, 0, 0),
          berth_set_node(scheduler, 0, BERTH_NODE_DOWN, 0),
          berth_set_lost_gpus(scheduler, 0, 1, 0),
          berth_set_capacity(scheduler, 0, 1, 0),
          berth_tick(scheduler, 0, &plan),
          berth_next_wakeup(scheduler, &at),
          berth_view(scheduler, 0, &info),
          berth_job_count(scheduler, &count),
          berth_explain(scheduler, 0, nullptr, text.data(), text.size(), nullptr),
          berth_check_invariants(scheduler, text.data(), text.size(), nullptr),
          berth_state_digest(scheduler, &number),
          berth_plans_digest(scheduler, &number),
          berth_snapshot(scheduler, bytes.data(), bytes.size(), nullptr),
          berth_restore(scheduler, bytes.data(), bytes.size())};
}

bool all_are(std::vector<berth_status> const& answers, berth_status expected) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] != expected) {
      MESSAGE("call ", i, " answered ", answers[i]);
      return false;
    }
  }
  return !answers.empty();
}

}  // namespace

TEST_CASE("a handle that is null, foreign or destroyed is refused by every call") {
  int somewhere = 0;
  CHECK(all_are(all_calls(nullptr), BERTH_BAD_HANDLE));
  CHECK(all_are(all_calls(reinterpret_cast<berth_scheduler*>(&somewhere)), BERTH_BAD_HANDLE));
  CHECK(
      all_are(all_calls(reinterpret_cast<berth_scheduler*>(~std::uintptr_t{0})), BERTH_BAD_HANDLE));
  berth_scheduler* const gone = make();
  CHECK(berth_destroy(gone) == BERTH_OK);
  CHECK(all_are(all_calls(gone), BERTH_BAD_HANDLE));
  CHECK(berth_destroy(gone) == BERTH_BAD_HANDLE);
  CHECK(berth_destroy(nullptr) == BERTH_BAD_HANDLE);
}

TEST_CASE("the next scheduler in the same slot has another handle") {
  berth_scheduler* const first = make();
  CHECK(berth_destroy(first) == BERTH_OK);
  berth_scheduler* const second = make();
  CHECK(first != second);
  CHECK(all_are(all_calls(first), BERTH_BAD_HANDLE));
  CHECK(berth_destroy(first) == BERTH_BAD_HANDLE);
  std::uint32_t count = 1;
  CHECK(berth_job_count(second, &count) == BERTH_OK);
  CHECK(count == 0);
  CHECK(berth_destroy(second) == BERTH_OK);
}

TEST_CASE("the table of handles has an end, and room again afterwards") {
  berth_node node;
  berth_config config = good_config(node);
  config.max_jobs = 1;
  config.max_nodes = 1;
  config.max_gpus = 8;
  config.max_tenants = 1;
  std::vector<berth_scheduler*> made;
  berth_scheduler* next = nullptr;
  berth_status last = BERTH_OK;
  while (made.size() < 2000 && (last = berth_create(&config, &next)) == BERTH_OK) {
    made.push_back(next);
  }
  CHECK(last == BERTH_TOO_MANY_SCHEDULERS);
  CHECK(made.size() == 1024);
  for (berth_scheduler* each : made) {
    CHECK(berth_destroy(each) == BERTH_OK);
  }
  REQUIRE(berth_create(&config, &next) == BERTH_OK);
  CHECK(berth_destroy(next) == BERTH_OK);
}

TEST_CASE("null pointers are refused and nothing is changed") {
  berth_node node;
  berth_config config = good_config(node);
  berth_scheduler* made = nullptr;
  CHECK(berth_create(nullptr, &made) == BERTH_NULL_POINTER);
  CHECK(berth_create(&config, nullptr) == BERTH_NULL_POINTER);
  config.preset = nullptr;
  CHECK(berth_create(&config, &made) == BERTH_NULL_POINTER);
  config = good_config(node);
  config.nodes = nullptr;
  CHECK(berth_create(&config, &made) == BERTH_NULL_POINTER);
  CHECK(made == nullptr);

  berth_scheduler* const scheduler = make();
  auto const before = state_of(scheduler);
  berth_job const job = good_job();
  std::uint64_t id = 7;
  CHECK(berth_submit(scheduler, nullptr, 0, &id) == BERTH_NULL_POINTER);
  CHECK(berth_submit(scheduler, &job, 0, nullptr) == BERTH_NULL_POINTER);
  CHECK(id == 7);
  CHECK(berth_report(scheduler, nullptr, 0) == BERTH_NULL_POINTER);
  CHECK(berth_add_node(scheduler, nullptr, 0, &id) == BERTH_NULL_POINTER);
  CHECK(berth_tick(scheduler, 0, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_next_wakeup(scheduler, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_job_count(scheduler, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_state_digest(scheduler, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_plans_digest(scheduler, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_snapshot(scheduler, nullptr, 1 << 20, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_restore(scheduler, nullptr, 0) == BERTH_NULL_POINTER);
  CHECK(berth_set_ladder(scheduler, 0, nullptr, 1, sizeof(berth_rung), 0) == BERTH_NULL_POINTER);
  CHECK(berth_gpus_on_loan(scheduler, nullptr) == BERTH_NULL_POINTER);
  berth_plan plan;
  REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
  plan.action_capacity = 1;
  CHECK(berth_tick(scheduler, 0, &plan) == BERTH_NULL_POINTER);
  CHECK(state_of(scheduler) == before);
  CHECK(berth_name_sketch(nullptr) == 0);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("null pointers to init functions and texts are refused") {
  CHECK(berth_node_init(nullptr, sizeof(berth_node)) == BERTH_NULL_POINTER);
  CHECK(berth_config_init(nullptr, sizeof(berth_config)) == BERTH_NULL_POINTER);
  CHECK(berth_job_init(nullptr, sizeof(berth_job)) == BERTH_NULL_POINTER);
  CHECK(berth_event_init(nullptr, sizeof(berth_event)) == BERTH_NULL_POINTER);
  CHECK(berth_plan_init(nullptr, sizeof(berth_plan)) == BERTH_NULL_POINTER);
  CHECK(berth_job_info_init(nullptr, sizeof(berth_job_info)) == BERTH_NULL_POINTER);
  CHECK(berth_rung_init(nullptr, sizeof(berth_rung)) == BERTH_NULL_POINTER);
  CHECK(berth_status_text(BERTH_OK, nullptr, 99, nullptr) == BERTH_NULL_POINTER);
  CHECK(berth_status_text(BERTH_OK, nullptr, 0, nullptr) == BERTH_BUFFER_TOO_SMALL);
}

TEST_CASE("structs of a wrong size are refused, whichever it is") {
  berth_scheduler* const scheduler = make();
  auto const before = state_of(scheduler);
  for (std::uint32_t const size : {0u, 1u, 4u, 8u, 4096u, 1u << 31, ~0u}) {
    CAPTURE(size);
    berth_node node;
    berth_config config = good_config(node);
    berth_scheduler* made = nullptr;
    config.size = size;
    CHECK(berth_create(&config, &made) == BERTH_BAD_SIZE);
    config = good_config(node);
    config.node_size = size;
    CHECK(berth_create(&config, &made) == BERTH_BAD_SIZE);
    config = good_config(node);
    node.size = size;
    CHECK(berth_create(&config, &made) == BERTH_BAD_SIZE);
    CHECK(berth_add_node(scheduler, &node, 0, nullptr) == BERTH_BAD_SIZE);
    CHECK(made == nullptr);

    std::uint64_t id = 0;
    berth_job job = good_job();
    job.size = size;
    CHECK(berth_submit(scheduler, &job, 0, &id) == BERTH_BAD_SIZE);
    CHECK(berth_job_init(&job, size) == BERTH_BAD_SIZE);
    berth_event event;
    REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
    event.size = size;
    CHECK(berth_report(scheduler, &event, 0) == BERTH_BAD_SIZE);
    berth_plan plan;
    for (std::uint32_t berth_plan::*const member :
         {&berth_plan::size, &berth_plan::action_size, &berth_plan::range_size}) {
      REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
      plan.*member = size;
      CHECK(berth_tick(scheduler, 0, &plan) == BERTH_BAD_SIZE);
    }
    berth_rung rung;
    REQUIRE(berth_rung_init(&rung, sizeof rung) == BERTH_OK);
    CHECK(berth_set_ladder(scheduler, 0, &rung, 1, size, 0) == BERTH_BAD_SIZE);
    rung.size = size;
    CHECK(berth_set_ladder(scheduler, 0, &rung, 1, sizeof rung, 0) == BERTH_BAD_SIZE);
    CHECK(berth_job_gpus(scheduler, 0, nullptr, 0, size, nullptr) == BERTH_BAD_SIZE);
  }
  CHECK(state_of(scheduler) == before);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("a configuration that makes no sense says which member is to blame") {
  berth_node node;
  berth_scheduler* made = nullptr;
  auto const refused = [&](auto spoil) {
    berth_config config = good_config(node);
    spoil(config);
    berth_status const status = berth_create(&config, &made);
    CHECK(status != BERTH_OK);
    CHECK(made == nullptr);
    return std::string{berth_field_name(BERTH_FIELD(status))} + " " +
           std::to_string(BERTH_CODE(status));
  };
  std::string const bad_config = " " + std::to_string(BERTH_BAD_CONFIG);
  CHECK(refused([](auto& c) { c.preset = "best"; }) == " " + std::to_string(BERTH_UNKNOWN_PRESET));
  CHECK(refused([](auto& c) { c.preset = ""; }) == " " + std::to_string(BERTH_UNKNOWN_PRESET));
  CHECK(refused([](auto& c) { c.max_jobs = 0; }) == "max_jobs" + bad_config);
  CHECK(refused([](auto& c) { c.max_jobs = ~0u; }) == "max_jobs" + bad_config);
  CHECK(refused([](auto& c) { c.acknowledge = 256; }) == "acknowledge" + bad_config);
  CHECK(refused([](auto& c) { c.acknowledge = 2; }) == "acknowledge" + bad_config);
  CHECK(refused([](auto& c) { c.impossible = -1; }) == "impossible" + bad_config);
  CHECK(refused([](auto& c) { c.gpu_types = 0; }) == "type" + bad_config);
  CHECK(refused([](auto& c) { c.gpu_types = 17; }) == "type" + bad_config);
  CHECK(refused([](auto& c) { c.retry_factor = 0; }) == "backoff" + bad_config);
  CHECK(refused([](auto& c) { c.reserved = 1; }) == bad_config);
  CHECK(refused([](auto& c) { c.reserved_too = 1; }) == bad_config);
  CHECK(refused([](auto& c) { c.max_rungs = 0; }) == "ladder" + bad_config);
  CHECK(refused([](auto& c) { c.max_rungs = ~0u; }) == "ladder" + bad_config);
  CHECK(refused([](auto& c) { c.borrow_again_after = -1; }) == "period" + bad_config);
  CHECK(refused([](auto& c) { c.node_count = ~0u; }) ==
        "max_nodes " + std::to_string(BERTH_CAPACITY_EXCEEDED));
  CHECK(refused([&](auto&) { node.gpus = 65; }) == "gpus " + std::to_string(BERTH_BAD_NUMBER));
  CHECK(refused([&](auto&) { node.type = 1; }) == "type " + std::to_string(BERTH_UNKNOWN_GPU_TYPE));
  CHECK(refused([&](auto&) { node.type = 256; }) == "type " + std::to_string(BERTH_BAD_NUMBER));
}

TEST_CASE("numbers that are no enumerators are refused, not cut") {
  berth_scheduler* const scheduler = make();
  std::uint64_t id = 0;
  auto const refused = [&](auto spoil) {
    berth_job job = good_job();
    spoil(job);
    berth_status const status = berth_submit(scheduler, &job, 0, &id);
    CHECK(BERTH_CODE(status) == BERTH_BAD_NUMBER);
    return std::string{berth_field_name(BERTH_FIELD(status))};
  };
  CHECK(refused([](auto& job) { job.layout = 256; }) == "layout");
  CHECK(refused([](auto& job) { job.layout = 3; }) == "layout");
  CHECK(refused([](auto& job) { job.pool = 512; }) == "pool");
  CHECK(refused([](auto& job) { job.allowed_types = 0x10001; }) == "allowed_types");
  CHECK(refused([](auto& job) { job.modes = 0x107; }) == "modes");
  CHECK(refused([](auto& job) { job.speed[0] = std::nan(""); }) == "speed");
  CHECK(refused([](auto& job) { job.borrows = 3; }) == "pool");
  CHECK(refused([](auto& job) { job.borrows = 256; }) == "pool");
  CHECK(refused([](auto& job) { job.resize = -1; }) == "resize");
  CHECK(refused([](auto& job) { job.reserved = 1; }).empty());
  CHECK(refused([](auto& job) { job.reserved_too = 1; }).empty());
  REQUIRE(berth_submit(scheduler, std::array{good_job()}.data(), 0, &id) == BERTH_OK);
  berth_event event;
  REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
  event.job = id;
  for (std::int32_t const kind : {0, 13, 257, -1}) {
    event.kind = kind;
    CHECK(BERTH_CODE(berth_report(scheduler, &event, 0)) == BERTH_BAD_NUMBER);
  }
  for (std::int32_t const wrong : {3, 256, -1}) {
    CHECK(BERTH_CODE(berth_set_node(scheduler, 0, wrong, 0)) == BERTH_BAD_NUMBER);
    CHECK(BERTH_CODE(berth_complete(scheduler, id, wrong, 0)) == BERTH_BAD_NUMBER);
  }
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}
