// SPDX-License-Identifier: BSL-1.0
// One run: its figures, and whether they add up.
#pragma once

#include <bench/preemption/cell.hpp>
#include <bench/preemption/schedulers.hpp>
#include <bench/preemption/world.hpp>

#include <cstdint>

namespace berth_bench {

[[nodiscard]] row measure(cell const& what, std::uint64_t seed, named_scheduler const& scheduler,
                          world const& in);

}  // namespace berth_bench
