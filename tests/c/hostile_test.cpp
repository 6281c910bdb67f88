// SPDX-License-Identifier: BSL-1.0
// Callers that get everything wrong are refused, by a code that says what; nothing crashes and
// nothing is changed.
#include <berth/c/berth.h>
#include <berth/core/random.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <src/c/handles.hpp>

namespace {

berth_config good_config(berth_node& node) {
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

berth_scheduler* make() {
  berth_node node;
  berth_config const config = good_config(node);
  berth_scheduler* made = nullptr;
  REQUIRE(berth_create(&config, &made) == BERTH_OK);
  return made;
}

berth_job good_job() {
  berth_job job;
  REQUIRE(berth_job_init(&job, sizeof job) == BERTH_OK);
  return job;
}

std::uint64_t state_of(berth_scheduler* scheduler) {
  std::uint64_t digest = 0;
  REQUIRE(berth_state_digest(scheduler, &digest) == BERTH_OK);
  return digest;
}

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
  return {berth_submit(scheduler, &job, 0, &number),
          berth_complete(scheduler, 0, BERTH_FINISHED, 0),
          berth_cancel(scheduler, 0, 0),
          berth_report(scheduler, &event, 0),
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
  CHECK(refused([](auto& job) { job.reserved = 1; }).empty());
  REQUIRE(berth_submit(scheduler, std::array{good_job()}.data(), 0, &id) == BERTH_OK);
  berth_event event;
  REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
  event.job = id;
  for (std::int32_t const kind : {0, 9, 257, -1}) {
    event.kind = kind;
    CHECK(BERTH_CODE(berth_report(scheduler, &event, 0)) == BERTH_BAD_NUMBER);
  }
  for (std::int32_t const wrong : {3, 256, -1}) {
    CHECK(BERTH_CODE(berth_set_node(scheduler, 0, wrong, 0)) == BERTH_BAD_NUMBER);
    CHECK(BERTH_CODE(berth_complete(scheduler, id, wrong, 0)) == BERTH_BAD_NUMBER);
  }
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("a plan that does not fit is kept until it is taken, and nothing is decided meanwhile") {
  berth_scheduler* const scheduler = make();
  berth_job const job = good_job();
  std::uint64_t id = 0;
  REQUIRE(berth_submit(scheduler, &job, 0, &id) == BERTH_OK);
  REQUIRE(berth_submit(scheduler, &job, 0, &id) == BERTH_OK);
  std::array<berth_action, 2> actions{};
  std::array<berth_gpu_range, 2> ranges{};
  berth_plan plan;
  REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
  plan.actions = actions.data();
  plan.ranges = ranges.data();
  plan.action_capacity = 1;
  plan.range_capacity = 2;
  CHECK(berth_tick(scheduler, 5, &plan) == BERTH_BUFFER_TOO_SMALL);
  CHECK(plan.action_count == 2);
  CHECK(plan.range_count == 2);
  CHECK(actions[0].size == 0);  // nothing was written
  auto const decided = state_of(scheduler);

  berth_node node;
  REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
  CHECK(berth_submit(scheduler, &job, 5, &id) == BERTH_PLAN_PENDING);
  CHECK(berth_cancel(scheduler, id, 5) == BERTH_PLAN_PENDING);
  CHECK(berth_add_node(scheduler, &node, 5, nullptr) == BERTH_PLAN_PENDING);
  CHECK(berth_restore(scheduler, &node, sizeof node) == BERTH_PLAN_PENDING);
  CHECK(berth_tick(scheduler, 6, &plan) == BERTH_BUFFER_TOO_SMALL);
  plan.action_capacity = 2;
  plan.range_capacity = 1;
  CHECK(berth_tick(scheduler, 6, &plan) == BERTH_BUFFER_TOO_SMALL);
  plan.range_capacity = 2;
  CHECK(berth_tick(scheduler, 7, &plan) == BERTH_OK);
  CHECK(state_of(scheduler) == decided);
  CHECK(plan.action_count == 2);
  CHECK(actions[1].job == id);
  CHECK(actions[1].first_range == 1);
  CHECK(ranges[1].gpus == 2);
  CHECK(berth_tick(scheduler, 5, &plan) == BERTH_OK);  // the clock stood at the tick that decided
  CHECK(plan.action_count == 0);
  CHECK(BERTH_CODE(berth_tick(scheduler, 4, &plan)) == BERTH_TIME_WENT_BACK);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("a text or snapshot that does not fit is not begun, and says what it needs") {
  berth_scheduler* const scheduler = make();
  berth_job const job = good_job();
  std::uint64_t id = 0;
  REQUIRE(berth_submit(scheduler, &job, 0, &id) == BERTH_OK);
  std::array<char, 64> text{};
  text.fill('#');
  std::size_t needed = 0;
  std::int32_t reason = -1;
  CHECK(berth_explain(scheduler, id, &reason, text.data(), 5, &needed) == BERTH_BUFFER_TOO_SMALL);
  CHECK(reason == 1);
  CHECK(text[0] == '#');
  REQUIRE(needed < text.size());
  CHECK(berth_explain(scheduler, id, nullptr, text.data(), needed - 1, nullptr) ==
        BERTH_BUFFER_TOO_SMALL);
  CHECK(berth_explain(scheduler, id, nullptr, text.data(), needed, nullptr) == BERTH_OK);
  CHECK(text.data() == std::string{"not decided yet"});
  CHECK(text[needed] == '#');
  CHECK(BERTH_CODE(berth_explain(scheduler, id + 1, nullptr, text.data(), text.size(), nullptr)) ==
        BERTH_UNKNOWN_JOB);

  REQUIRE(berth_snapshot(scheduler, nullptr, 0, &needed) == BERTH_BUFFER_TOO_SMALL);
  std::vector<unsigned char> bytes(needed, 0xee);
  CHECK(berth_snapshot(scheduler, bytes.data(), needed - 1, nullptr) == BERTH_BUFFER_TOO_SMALL);
  CHECK(bytes == std::vector<unsigned char>(needed, 0xee));
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("every code has a text, and what is none has not") {
  for (std::int32_t code = 0; code < 256; ++code) {
    CAPTURE(code);
    bool const is_known =
        code <= BERTH_BAD_DATA || (code >= BERTH_BAD_HANDLE && code <= BERTH_INVARIANT_BROKEN);
    CHECK((std::string{berth_code_text(code)} == "?") == !is_known);
  }
  CHECK(berth_code_text(-1) == std::string{"?"});
  CHECK(berth_field_name(-1) == std::string{"?"});
  CHECK(berth_field_name(1000) == std::string{"?"});
  berth_scheduler* const scheduler = make();
  berth_job job = good_job();
  job.gang = 0;
  std::uint64_t id = 0;
  std::array<char, 64> text{};
  REQUIRE(berth_status_text(berth_submit(scheduler, &job, 0, &id), text.data(), text.size(),
                            nullptr) == BERTH_OK);
  CHECK(text.data() == std::string{"gang: must be positive"});
  CHECK(berth_version() == std::string{"0.1.0"});
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("random structs do no harm") {
  berth_scheduler* const scheduler = make();
  berth::random_source random{7};
  std::array<berth_action, 64> actions{};
  std::array<berth_gpu_range, 256> ranges{};
  std::int64_t now = 0;
  int refused = 0;
  int served = 0;
  // One member in a few is anything at all; the others keep their defaults, to get past the door.
  auto const disturb = [&](auto& given) {
    auto* const bytes = reinterpret_cast<unsigned char*>(&given);
    std::size_t const members = sizeof given / 4;
    for (std::size_t i = 1; i < members; ++i) {
      if (random.below(members) == 0) {
        std::uint64_t const value = random.below(2) == 0 ? random.next() : random.below(4);
        std::memcpy(bytes + i * 4, &value, 4);
      }
    }
  };
  auto const count = [&](berth_status status) { ++(status == BERTH_OK ? served : refused); };
  for (int i = 0; i < 20'000; ++i) {
    now += static_cast<std::int64_t>(random.below(1000));
    std::uint64_t id = random.below(2) == 0 ? random.next() : random.below(20);
    switch (random.below(6)) {
      case 0: {
        berth_job job = good_job();
        disturb(job);
        count(berth_submit(scheduler, &job, now, &id));
        break;
      }
      case 1: {
        berth_event event;
        REQUIRE(berth_event_init(&event, sizeof event) == BERTH_OK);
        event.job = random.below(16);
        disturb(event);
        event.kind = static_cast<std::int32_t>(random.below(10));
        count(berth_report(scheduler, &event, now));
        break;
      }
      case 2: {
        berth_node node;
        REQUIRE(berth_node_init(&node, sizeof node) == BERTH_OK);
        disturb(node);
        count(berth_add_node(scheduler, &node, now, nullptr));
        break;
      }
      case 3:
        count(berth_set_lost_gpus(scheduler, id, random.next(), now));
        count(berth_set_capacity(scheduler, id, static_cast<std::int32_t>(random.next()), now));
        break;
      case 4:
        count(berth_complete(scheduler, id, static_cast<std::int32_t>(random.below(3)), now));
        count(berth_cancel(scheduler, random.below(16), now));
        break;
      default: {
        berth_plan plan;
        REQUIRE(berth_plan_init(&plan, sizeof plan) == BERTH_OK);
        plan.actions = actions.data();
        plan.ranges = ranges.data();
        plan.action_capacity = static_cast<std::uint32_t>(random.below(65));
        plan.range_capacity = static_cast<std::uint32_t>(random.below(257));
        count(berth_tick(scheduler, now, &plan));
      }
    }
  }
  CHECK(refused > 1000);
  CHECK(served > 1000);
  std::array<char, 256> text{};
  CHECK(berth_check_invariants(scheduler, text.data(), text.size(), nullptr) == BERTH_OK);
  CHECK(text.data() == std::string{});
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("random bytes are no snapshot") {
  berth_scheduler* const scheduler = make();
  auto const before = state_of(scheduler);
  berth::random_source random{11};
  for (int i = 0; i < 500; ++i) {
    std::vector<std::uint64_t> words(random.below(200) + 1);
    for (std::uint64_t& word : words) {
      word = random.next();
    }
    CHECK(BERTH_CODE(berth_restore(scheduler, words.data(), words.size() * 8)) == BERTH_BAD_DATA);
  }
  CHECK(state_of(scheduler) == before);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}

TEST_CASE("nothing that is thrown gets past the boundary") {
  using berth::c_api::guarded;
  CHECK(guarded([]() -> berth_status { throw std::bad_alloc{}; }) == BERTH_OUT_OF_MEMORY);
  CHECK(guarded([]() -> berth_status { throw std::length_error{"more than all"}; }) ==
        BERTH_OUT_OF_MEMORY);
  CHECK(guarded([]() -> berth_status { throw 1; }) == BERTH_INTERNAL);
  CHECK(guarded([]() -> berth_status { return BERTH_OK; }) == BERTH_OK);
}

TEST_CASE("calls from several threads on one scheduler are served or found busy, never mixed") {
  berth_scheduler* const scheduler = make();
  std::atomic<int> served{0};
  std::atomic<int> busy{0};
  auto const ask = [&] {
    for (int i = 0; i < 20'000; ++i) {
      std::uint64_t digest = 0;
      berth_status const status = berth_state_digest(scheduler, &digest);
      served += status == BERTH_OK ? 1 : 0;
      busy += status == BERTH_BUSY ? 1 : 0;
    }
  };
  std::thread first{ask};
  std::thread second{ask};
  first.join();
  second.join();
  CHECK(served > 0);
  CHECK(served + busy == 40'000);
  CHECK(berth_destroy(scheduler) == BERTH_OK);
}
