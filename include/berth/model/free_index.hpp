// SPDX-License-Identifier: BSL-1.0
// Nodes by what they have free: for every (pool, GPU type, free GPUs) the set of nodes, as bits in
// node order, and above them a bit per word that is not empty. A class of equivalent berths is one
// of these sets; walking it costs its members, and little for the rest of the cluster.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/node.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

class free_index {
 public:
  static constexpr std::uint32_t no_node = 0xffffffffu;

  free_index() = default;
  free_index(int type_count, std::size_t max_nodes)
      : types_{static_cast<std::size_t>(type_count)},
        words_{(max_nodes + 63) / 64},
        summary_words_{(words_ + 63) / 64},
        count_(buckets(), 0),
        bits_(buckets() * words_, 0),
        summary_(buckets() * summary_words_, 0) {}

  /// O(buckets × words).
  void clear() noexcept {
    std::fill(count_.begin(), count_.end(), 0);
    std::fill(bits_.begin(), bits_.end(), std::uint64_t{0});
    std::fill(summary_.begin(), summary_.end(), std::uint64_t{0});
  }
  void insert(std::uint32_t node, pool owner, gpu_type type, int free_gpus) noexcept {
    std::size_t const b = bucket(owner, type, free_gpus);
    std::uint64_t& word = bits_[b * words_ + node / 64];
    BERTH_ASSERT(((word >> (node % 64)) & 1u) == 0, "a node is in one bucket once");
    word |= std::uint64_t{1} << (node % 64);
    summary_[b * summary_words_ + node / 4096] |= std::uint64_t{1} << (node / 64 % 64);
    ++count_[b];
  }
  void erase(std::uint32_t node, pool owner, gpu_type type, int free_gpus) noexcept {
    std::size_t const b = bucket(owner, type, free_gpus);
    std::uint64_t& word = bits_[b * words_ + node / 64];
    BERTH_ASSERT(((word >> (node % 64)) & 1u) != 0, "erase of a node that is elsewhere");
    word &= ~(std::uint64_t{1} << (node % 64));
    if (word == 0) {
      summary_[b * summary_words_ + node / 4096] &= ~(std::uint64_t{1} << (node / 64 % 64));
    }
    --count_[b];
  }

  /// Nodes in the bucket. O(1).
  [[nodiscard]] std::int32_t count(pool owner, gpu_type type, int free_gpus) const noexcept {
    return count_[bucket(owner, type, free_gpus)];
  }
  /// Lowest node >= `from` in the bucket, or no_node. O(1 + nodes between / 4096).
  [[nodiscard]] std::uint32_t next(pool owner, gpu_type type, int free_gpus,
                                   std::uint32_t from) const noexcept {
    std::size_t const b = bucket(owner, type, free_gpus);
    std::size_t const first = from / 64;
    if (count_[b] == 0 || first >= words_) {
      return no_node;
    }
    std::uint64_t const* const row = &bits_[b * words_];
    if (std::uint64_t const word = row[first] & (~std::uint64_t{0} << (from % 64)); word != 0) {
      return first_bit(first, word);
    }
    std::uint64_t const* const summary = &summary_[b * summary_words_];
    std::size_t at = (first + 1) / 64;
    if (at >= summary_words_) {
      return no_node;
    }
    std::uint64_t words = summary[at] & (~std::uint64_t{0} << ((first + 1) % 64));
    while (words == 0) {
      if (++at == summary_words_) {
        return no_node;
      }
      words = summary[at];
    }
    std::size_t const found = at * 64 + static_cast<std::size_t>(std::countr_zero(words));
    return first_bit(found, row[found]);
  }

 private:
  static constexpr std::size_t levels = max_gpus_per_node + 1;
  [[nodiscard]] std::size_t buckets() const noexcept { return pool_count * types_ * levels; }
  [[nodiscard]] std::size_t bucket(pool owner, gpu_type type, int free_gpus) const noexcept {
    return (static_cast<std::size_t>(owner) * types_ + static_cast<std::size_t>(type)) * levels +
           static_cast<std::size_t>(free_gpus);
  }
  [[nodiscard]] static std::uint32_t first_bit(std::size_t word, std::uint64_t bits) noexcept {
    return static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }
  std::size_t types_ = 0;
  std::size_t words_ = 0;          ///< per bucket
  std::size_t summary_words_ = 0;  ///< per bucket
  std::vector<std::int32_t> count_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> summary_;  ///< a bit per word of bits_ that is not empty
};

BERTH_NAMESPACE_END
