// SPDX-License-Identifier: BSL-1.0
// Names of GPUs inside a node: a renaming stays one, and jobs do not disturb each other.
#include <berth/core/random.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include <examples/slurm_agent/index_map.hpp>

using slurm_agent::index_map;

TEST_CASE("nobody has said anything: both use the same numbers") {
  index_map const names;
  CHECK(names.to_slurm(0xf00f) == 0xf00f);
  CHECK(names.to_berth(0xf00f) == 0xf00f);
}

TEST_CASE("what was learned is answered, in both directions") {
  index_map names;
  names.learn(0b0011, 0b1010);
  CHECK(names.to_slurm(0b0011) == 0b1010);
  CHECK(names.to_berth(0b1010) == 0b0011);
  CHECK(names.to_slurm(0b1111) == 0b1111);
}

TEST_CASE("jobs that share a node are all where Slurm says, whatever was believed before") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    berth::random_source random{seed};
    index_map names;
    for (int round = 0; round < 4; ++round) {
      // Two divisions of 8 GPUs among jobs: equal sizes, unrelated numbers.
      std::array<int, 8> ours{0, 1, 2, 3, 4, 5, 6, 7};
      std::array<int, 8> theirs = ours;
      for (std::size_t i = 7; i > 0; --i) {
        std::swap(ours[i], ours[random.below(i + 1)]);
        std::swap(theirs[i], theirs[random.below(i + 1)]);
      }
      std::vector<std::pair<berth::gpu_mask, berth::gpu_mask>> jobs(3);
      for (std::size_t i = 0; i < 7; ++i) {
        auto& job = jobs[random.below(3)];
        job.first |= berth::gpu_mask{1} << ours[i];
        job.second |= berth::gpu_mask{1} << theirs[i];
      }
      for (auto const& [berths, slurms] : jobs) {
        names.learn(berths, slurms);
      }
      for (auto const& [berths, slurms] : jobs) {
        CHECK(names.to_slurm(berths) == slurms);
        CHECK(names.to_berth(slurms) == berths);
      }
      CHECK(names.to_slurm(0xff) == 0xff);
    }
  }
}
