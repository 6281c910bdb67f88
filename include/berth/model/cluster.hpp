// SPDX-License-Identifier: BSL-1.0
// A cluster as the host describes it before the scheduler exists: GPU types and nodes. Afterwards
// nodes come, go and change through the scheduler.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/node.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// Is this node well formed for a cluster with `type_count` types? O(1).
[[nodiscard]] constexpr result<void> check(node_spec const& node, int type_count) noexcept {
  constexpr std::int64_t limit = std::int64_t{1} << 40;
  if (node.gpus < 0 || node.gpus > max_gpus_per_node) {
    return error{errc::bad_number, field::gpus};
  }
  if (static_cast<int>(node.type) >= type_count) {
    return error{errc::unknown_gpu_type, field::type};
  }
  if (static_cast<int>(node.owner) >= pool_count) {
    return error{errc::bad_number, field::pool};
  }
  if (node.health > node_health::down) {
    return error{errc::bad_number, field::health};
  }
  if (node.cpu_milli < 0 || node.cpu_milli > limit) {
    return error{errc::bad_number, field::cpu_milli};
  }
  if (node.memory_mib < 0 || node.memory_mib > limit) {
    return error{errc::bad_number, field::memory_mib};
  }
  return {};
}

class cluster {
 public:
  /// A cluster with one GPU type, "gpu".
  cluster() { types_.emplace_back("gpu"); }
  /// Names of the GPU types, at least one and at most 16; gpu_type{i} is names[i].
  explicit cluster(std::vector<std::string> type_names) : types_{std::move(type_names)} {
    if (types_.empty()) {
      types_.emplace_back("gpu");
    }
    if (types_.size() > max_gpu_types) {
      types_.resize(max_gpu_types);
    }
  }

  /// `nodes` equal nodes with `gpus` GPUs each, in one rack.
  [[nodiscard]] static result<cluster> uniform(std::int32_t nodes, std::int32_t gpus) {
    cluster made;
    for (std::int32_t i = 0; i < nodes; ++i) {
      if (auto const added = made.add(node_spec{.gpus = gpus}); !added) {
        return added.error();
      }
    }
    return made;
  }

  /// Adds a node. Errors: bad_number, unknown_gpu_type, duplicate_node (by tag). O(nodes) if it has
  /// a tag, else amortised O(1).
  result<node_id> add(node_spec const& node) {
    if (auto const fine = check(node, type_count()); !fine) {
      return fine.error();
    }
    if (node.tag != 0) {
      for (node_spec const& other : nodes_) {
        if (other.tag == node.tag) {
          return error{errc::duplicate_node, field::tag};
        }
      }
    }
    nodes_.push_back(node);
    return node_id{static_cast<std::uint32_t>(nodes_.size() - 1), 0};
  }

  [[nodiscard]] std::span<node_spec const> nodes() const noexcept { return nodes_; }
  [[nodiscard]] int type_count() const noexcept { return static_cast<int>(types_.size()); }
  /// Name of a type; empty if there is no such type.
  [[nodiscard]] std::string_view type_name(gpu_type type) const noexcept {
    auto const index = static_cast<std::size_t>(type);
    return index < types_.size() ? std::string_view{types_[index]} : std::string_view{};
  }
  /// Type of a name; an error if there is none.
  [[nodiscard]] result<gpu_type> type_named(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i] == name) {
        return gpu_type{static_cast<std::uint8_t>(i)};
      }
    }
    return error{errc::unknown_gpu_type, field::type};
  }
  [[nodiscard]] std::int64_t gpu_total() const noexcept {
    std::int64_t sum = 0;
    for (node_spec const& node : nodes_) {
      sum += node.gpus;
    }
    return sum;
  }

 private:
  std::vector<std::string> types_;
  std::vector<node_spec> nodes_;
};

BERTH_NAMESPACE_END
