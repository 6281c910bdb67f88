// SPDX-License-Identifier: BSL-1.0
// The tick of the fifo preset: strict submit order, no preemption. And what a scheduler weighs.
#include <bench/tick/presets.hpp>
#include <tests/support/counting_new.hpp>

#include <cstdint>

namespace {

std::int64_t bytes_of(std::uint32_t jobs, std::int32_t nodes) {
  berth::scheduler_config config;
  config.max_jobs = jobs;
  config.max_nodes = static_cast<std::uint32_t>(nodes);
  config.max_gpus = static_cast<std::uint32_t>(nodes * berth_bench::gpus_per_node);
  berth::cluster const empty;
  std::int64_t const before = tests::living_bytes();
  auto const made = berth::presets::fifo(empty, config);
  return made ? tests::living_bytes() - before : 0;
}

}  // namespace

berth_bench::row berth_bench::measure_fifo(setting const& what) {
  return measure(what, true,
                 [](berth::cluster const& nodes, berth::scheduler_config const& config) {
                   return berth::presets::fifo(nodes, config);
                 });
}

berth_bench::footprint berth_bench::measure_footprint() {
  constexpr std::uint32_t jobs = 1u << 14;
  constexpr std::int32_t nodes = 1 << 11;
  auto const base = static_cast<double>(bytes_of(jobs, nodes));
  return {(static_cast<double>(bytes_of(3 * jobs, nodes)) - base) / (2 * jobs),
          (static_cast<double>(bytes_of(jobs, 3 * nodes)) - base) / (2 * nodes * gpus_per_node)};
}
