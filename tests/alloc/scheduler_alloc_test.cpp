// SPDX-License-Identifier: BSL-1.0
// After construction no call allocates; and a constructor that runs out of memory leaves nothing
// behind.
#include <tests/support/compositions.hpp>
#include <tests/support/counting_new.hpp>
#include <tests/support/plain_load.hpp>

#include <cstdint>
#include <new>

#include <doctest/doctest.h>

namespace scheduler_alloc_test {

namespace {

using namespace tests;

TEST_CASE("100,000 mixed calls allocate nothing") {
  for (composition const* const each : every_composition) {
    CAPTURE(each->name);
    auto const nodes = load_cluster();
    for (auto const how :
         {berth::acknowledgement::explicit_reports, berth::acknowledgement::implicit}) {
      auto const made = each->make(nodes, load_config(how));
      plain_load load{*made, 11, 12};
      std::uint64_t const before = allocations();
      load.calls(50'000);
      CHECK(allocations() == before);
      CHECK(load.starts > 200);
      CHECK(load.refused > 1000);
      CHECK(made->check_invariants() == nullptr);
    }
  }
}

TEST_CASE("the mixed calls preempt") {
  auto const nodes = load_cluster();
  auto const made = classes.make(nodes, load_config(berth::acknowledgement::explicit_reports));
  plain_load load{*made, 12, 12};
  load.calls(20'000);
  CHECK(load.preemptions > 100);
}

TEST_CASE("a constructor that runs out of memory throws and leaks nothing") {
  for (composition const* const each : {&strict_fifo, &tiresias_like}) {
    CAPTURE(each->name);
    auto const nodes = load_cluster();
    auto const config = load_config(berth::acknowledgement::explicit_reports);
    bool complete = false;
    int refusals = 0;
    for (std::int64_t granted = 0; !complete && granted < 1000; ++granted) {
      std::int64_t const before = living_blocks();
      grant_allocations(granted);
      try {
        auto const made = each->make(nodes, config);
        grant_allocations(-1);
        complete = made != nullptr;
      } catch (std::bad_alloc const&) {
        grant_allocations(-1);
        ++refusals;
      }
      CHECK(living_blocks() == before);
    }
    CHECK(complete);
    CHECK(refusals > 20);
  }
}

}  // namespace

}  // namespace scheduler_alloc_test
