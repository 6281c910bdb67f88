// SPDX-License-Identifier: BSL-1.0
// The compositions that properties are tested over: every shipped policy, placement, allocator and
// preemption cost is in one of them at least. Each is compiled once, in compositions/*.cpp:
// most of the time goes into what they share, so that a file has several.
#pragma once

#include <berth/model/cluster.hpp>
#include <berth/scheduler/config.hpp>

#include <tests/support/any_scheduler.hpp>

#include <array>
#include <memory>
#include <string_view>

namespace tests {

struct composition {
  std::string_view name;
  std::unique_ptr<any_scheduler> (*make)(berth::cluster const&, berth::scheduler_config const&);
};

extern composition const strict_fifo;
extern composition const skipping_fifo;
extern composition const backfill;
extern composition const tiresias_like;
extern composition const shortest_first;
extern composition const classes;
extern composition const classes_together;
extern composition const classes_at_boundaries;
extern composition const shortest_at_epochs;
extern composition const weighing;
extern composition const weighing_unlearned;
extern composition const classes_with_promise;
extern composition const tenants;

/// What properties of any host and any job are tested over.
inline constexpr std::array every_composition{
    &strict_fifo,          &backfill, &tiresias_like,
    &shortest_first,       &classes,  &classes_at_boundaries,
    &classes_with_promise, &weighing, &tenants};
/// The same for properties of snapshots, which do not hold what was learned.
inline constexpr std::array every_composition_unlearned{&strict_fifo,
                                                        &backfill,
                                                        &tiresias_like,
                                                        &shortest_first,
                                                        &classes,
                                                        &classes_at_boundaries,
                                                        &classes_with_promise,
                                                        &weighing_unlearned,
                                                        &tenants};

}  // namespace tests
