// SPDX-License-Identifier: BSL-1.0
// The tick of the fifo preset: strict submit order, no preemption. And what a scheduler weighs.
#include <bench/tick/allocation_counter.hpp>
#include <bench/tick/presets.hpp>

#include <cstdint>

namespace {

std::uint64_t bytes_of(std::uint32_t jobs, std::int32_t nodes) {
  berth::scheduler_config config;
  config.max_jobs = jobs;
  config.max_nodes = static_cast<std::uint32_t>(nodes);
  config.max_gpus = static_cast<std::uint32_t>(nodes * bench::gpus_per_node);
  berth::cluster const empty;
  std::uint64_t const before = bench::allocated_bytes();
  auto const made = berth::presets::fifo(empty, config);
  return made ? bench::allocated_bytes() - before : 0;
}

}  // namespace

bench::row bench::measure_fifo(setting const& what) {
  return measure(what, true,
                 [](berth::cluster const& nodes, berth::scheduler_config const& config) {
                   return berth::presets::fifo(nodes, config);
                 });
}

bench::footprint bench::measure_footprint() {
  constexpr std::uint32_t jobs = 1u << 14;
  constexpr std::int32_t nodes = 1 << 11;
  auto const base = static_cast<double>(bytes_of(jobs, nodes));
  return {(static_cast<double>(bytes_of(3 * jobs, nodes)) - base) / (2 * jobs),
          (static_cast<double>(bytes_of(jobs, 3 * nodes)) - base) / (2 * nodes * gpus_per_node)};
}
