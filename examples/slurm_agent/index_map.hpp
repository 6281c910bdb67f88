// SPDX-License-Identifier: BSL-1.0
// berth chooses GPUs by number inside a node; Slurm takes the node and chooses the numbers itself.
// Both choose equally many, so one is a renaming of the other: this map is the renaming of one
// node, made from what Slurm says it gave.
#pragma once

#include <berth/model/gpu.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace slurm_agent {

class index_map {
 public:
  index_map() {
    for (std::size_t i = 0; i < slurm_of_.size(); ++i) {
      slurm_of_[i] = static_cast<std::uint8_t>(i);
    }
  }

  [[nodiscard]] berth::gpu_mask to_slurm(berth::gpu_mask in_berth) const noexcept {
    berth::gpu_mask answer = 0;
    for (std::size_t i = 0; i < slurm_of_.size(); ++i) {
      answer |= has(in_berth, i) ? bit(slurm_of_[i]) : 0;
    }
    return answer;
  }
  [[nodiscard]] berth::gpu_mask to_berth(berth::gpu_mask in_slurm) const noexcept {
    berth::gpu_mask answer = 0;
    for (std::size_t i = 0; i < slurm_of_.size(); ++i) {
      answer |= has(in_slurm, slurm_of_[i]) ? bit(i) : 0;
    }
    return answer;
  }

  /// What berth calls `in_berth` is what Slurm calls `in_slurm`. Jobs whose GPUs are disjoint on
  /// both sides do not disturb each other. Precondition: equally many. O(GPUs²) of a node.
  void learn(berth::gpu_mask in_berth, berth::gpu_mask in_slurm) noexcept {
    std::size_t spare = 0;
    for (std::size_t i = 0; i < slurm_of_.size(); ++i) {
      if (!has(in_berth, i) || has(in_slurm, slurm_of_[i])) {
        continue;
      }
      while (spare < slurm_of_.size() &&
             (has(in_berth, spare) || !has(in_slurm, slurm_of_[spare]))) {
        ++spare;
      }
      if (spare == slurm_of_.size()) {
        return;
      }
      std::swap(slurm_of_[i], slurm_of_[spare]);
    }
  }

 private:
  [[nodiscard]] static berth::gpu_mask bit(std::size_t i) noexcept {
    return berth::gpu_mask{1} << i;
  }
  [[nodiscard]] static bool has(berth::gpu_mask mask, std::size_t i) noexcept {
    return (mask & bit(i)) != 0;
  }
  std::array<std::uint8_t, berth::max_gpus_per_node> slurm_of_{};
};

}  // namespace slurm_agent
