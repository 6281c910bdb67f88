// SPDX-License-Identifier: BSL-1.0
// Does this set of gangs fit at all? Answered on counts alone: how many nodes of a type have how
// many free GPUs. A packing found here exists; the matching then chooses a good one.
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/node.hpp>
#include <berth/scheduler/detail/gang_part.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Nodes per (pool, type, free GPUs). Copying it copies the types and node sizes that the cluster
/// has, and not all that it could have.
class free_counts {
 public:
  free_counts() noexcept = default;
  free_counts(free_counts const& other) noexcept { *this = other; }
  free_counts& operator=(free_counts const& other) noexcept {
    types_ = other.types_;
    largest_ = other.largest_;
    std::copy_n(other.counts_.begin(), used(), counts_.begin());
    return *this;
  }

  void load(ledger const& books) noexcept {
    types_ = books.type_count();
    largest_ = books.largest_node();
    for (int p = 0; p < pool_count; ++p) {
      for (int t = 0; t < types_; ++t) {
        for (int f = 0; f <= largest_; ++f) {
          at(static_cast<pool>(p), t, f) = books.free_nodes().count(
              static_cast<pool>(p), gpu_type{static_cast<std::uint8_t>(t)}, f);
        }
      }
    }
  }
  /// No nodes yet; there will be none with more GPUs than `largest_node`.
  void clear(int types, int largest_node) noexcept {
    types_ = types;
    largest_ = largest_node;
    std::fill_n(counts_.begin(), used(), 0);
  }
  void add(pool where, gpu_type type, int free_gpus, std::int32_t nodes) noexcept {
    at(where, static_cast<int>(type), free_gpus) += nodes;
  }
  void move_node(pool where, gpu_type type, int from, int to) noexcept {
    --at(where, static_cast<int>(type), from);
    ++at(where, static_cast<int>(type), to);
  }

  /// A bucket of nodes with equal type and equally many free GPUs.
  struct bucket {
    int type = -1;
    int free_gpus = 0;
    [[nodiscard]] bool exists() const noexcept { return type >= 0; }
  };

  [[nodiscard]] std::int32_t nodes(pool where, gpu_type type, int free_gpus) noexcept {
    return at(where, static_cast<int>(type), free_gpus);
  }

  /// The tightest bucket with a node that holds this part whole. O(types × GPUs per node).
  [[nodiscard]] bucket tightest_for(gang_part const& part) noexcept {
    for (int f = part.total(); f <= largest_; ++f) {
      for (int t = 0; t < types_; ++t) {
        if (allows(part, t) && at(part.where, t, f) > 0) {
          return {t, f};
        }
      }
    }
    return {};
  }

  /// Takes the tightest node, or the fewest nodes, for one part. False, and nothing taken, if there
  /// are none. O(types × GPUs per node).
  [[nodiscard]] bool take(gang_part const& part) noexcept {
    if (part.layout == spread::one_per_node) {
      return take_one_per_node(part);
    }
    return take_one_node(part) || (!part.needs_one_node() && take_several_nodes(part));
  }

 private:
  [[nodiscard]] std::int32_t& at(pool where, int type, int free_gpus) noexcept {
    return counts_[(static_cast<std::size_t>(type) * pool_count + static_cast<std::size_t>(where)) *
                       levels() +
                   static_cast<std::size_t>(free_gpus)];
  }
  [[nodiscard]] std::size_t used() const noexcept {
    return static_cast<std::size_t>(types_) * pool_count * levels();
  }
  void shrink(pool where, int type, int from, int gpus) noexcept {
    --at(where, type, from);
    ++at(where, type, from - gpus);
  }
  [[nodiscard]] static bool allows(gang_part const& part, int type) noexcept {
    return contains(part.types, static_cast<gpu_type>(type));
  }

  bool take_one_node(gang_part const& part) noexcept {
    if (part.total() > largest_) {
      return false;
    }
    bucket const found = tightest_for(part);
    if (found.exists()) {
      shrink(part.where, found.type, found.free_gpus, part.total());
    }
    return found.exists();
  }
  bool take_several_nodes(gang_part const& part) noexcept {
    for (int t = 0; t < types_; ++t) {
      if (!allows(part, t)) {
        continue;
      }
      std::int64_t hosts = 0;
      for (int f = part.gpus; f <= largest_; ++f) {
        hosts += std::int64_t{at(part.where, t, f)} * (f / part.gpus);
      }
      if (hosts < part.members) {
        continue;
      }
      std::int32_t left = part.members;
      for (int f = largest_; f >= part.gpus && left > 0; --f) {
        while (left > 0 && at(part.where, t, f) > 0) {
          int tight = f;
          if (left <= f / part.gpus) {
            for (tight = left * part.gpus; at(part.where, t, tight) == 0; ++tight) {
            }
          }
          std::int32_t const here = std::min(left, tight / part.gpus);
          shrink(part.where, t, tight, here * part.gpus);
          left -= here;
        }
      }
      return true;
    }
    return false;
  }
  bool take_one_per_node(gang_part const& part) noexcept {
    for (int t = 0; t < types_; ++t) {
      if (!allows(part, t)) {
        continue;
      }
      std::int64_t hosts = 0;
      for (int f = part.gpus; f <= largest_; ++f) {
        hosts += at(part.where, t, f);
      }
      if (hosts < part.members) {
        continue;
      }
      std::int32_t left = part.members;
      for (int f = part.gpus; f <= largest_ && left > 0; ++f) {
        // What is taken moves to f - gpus, below the walk: no node is taken twice.
        std::int32_t const here = std::min(left, at(part.where, t, f));
        at(part.where, t, f) -= here;
        // The rest of a node may go to anybody but another role of the same gang.
        at(part.where, t, f - part.gpus) += part.has_siblings ? 0 : here;
        left -= here;
      }
      return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t levels() const noexcept {
    return static_cast<std::size_t>(largest_) + 1;
  }
  int types_ = 1;
  int largest_ = 0;  ///< GPUs of the largest node
  std::array<std::int32_t, max_gpu_types * pool_count*(max_gpus_per_node + 1)> counts_{};
};

/// Packs the parts of a batch one candidate after the other, and all of them anew, largest first,
/// where one after the other does not do.
class packer {
 public:
  /// Starts from these counts with an empty batch.
  void begin(free_counts const& counts) noexcept {
    base_ = counts;
    counts_ = counts;
  }
  /// Do `parts` (the batch so far and, from `first_new` on, one more candidate) fit? If not, the
  /// packer is as before. `scratch` has room for them.
  [[nodiscard]] bool fits(std::span<gang_part const> parts, std::size_t first_new,
                          std::span<std::uint32_t> scratch) noexcept {
    trial_ = counts_;
    bool all = first_new > 0;  // a candidate alone is packed in the order in which it is placed
    for (std::size_t i = first_new; i < parts.size() && all; ++i) {
      all = trial_.take(parts[i]);
    }
    if (!all) {
      trial_ = base_;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        scratch[i] = static_cast<std::uint32_t>(i);
      }
      auto const order = scratch.first(parts.size());
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
        return parts[a].goes_before(parts[b]) || (!parts[b].goes_before(parts[a]) && a < b);
      });
      all = true;
      for (std::size_t i = 0; i < order.size() && all; ++i) {
        all = trial_.take(parts[order[i]]);
      }
    }
    if (all) {
      counts_ = trial_;
    }
    return all;
  }

 private:
  free_counts base_;
  free_counts counts_;
  free_counts trial_;
};

}  // namespace detail
BERTH_NAMESPACE_END
