// SPDX-License-Identifier: BSL-1.0
// Strong ids. An id is a slot and a generation: a slot is reused, a generation is not, so that an
// id kept too long is recognised as stale instead of naming somebody else.
#pragma once

#include <berth/core/config.hpp>

#include <compare>
#include <cstdint>
#include <limits>

BERTH_NAMESPACE_BEGIN

template <class Tag>
class id {
 public:
  /// Names nothing.
  constexpr id() noexcept = default;
  constexpr id(std::uint32_t slot, std::uint32_t generation) noexcept
      : slot_{slot}, generation_{generation} {}

  [[nodiscard]] constexpr std::uint32_t slot() const noexcept { return slot_; }
  [[nodiscard]] constexpr std::uint32_t generation() const noexcept { return generation_; }
  [[nodiscard]] constexpr bool is_null() const noexcept { return slot_ == null_slot; }

  /// One number for logs and wire formats: generation in the high half.
  [[nodiscard]] constexpr std::uint64_t value() const noexcept {
    return (std::uint64_t{generation_} << 32) | slot_;
  }
  [[nodiscard]] static constexpr id from_value(std::uint64_t value) noexcept {
    return id{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  }

  friend constexpr auto operator<=>(id const&, id const&) noexcept = default;

 private:
  static constexpr std::uint32_t null_slot = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t slot_ = null_slot;
  std::uint32_t generation_ = 0;
};

using job_id = id<struct job_tag>;
using node_id = id<struct node_tag>;

/// Small dense numbers that a host chooses itself. They carry no generation: they are never reused.
enum class gpu_type : std::uint8_t {};     ///< index into the cluster's list of GPU types
enum class rack_id : std::uint32_t {};     ///< failure and switch domain
enum class tenant_id : std::uint32_t {};   ///< who pays
enum class group_id : std::uint64_t {};    ///< jobs that start together; 0 is no group
enum class model_id : std::uint32_t {};    ///< what is trained; 0 is not said
enum class user_id : std::uint32_t {};     ///< who submits; 0 is not said
enum class run_number : std::uint32_t {};  ///< how often a job was started; 0 is never

BERTH_NAMESPACE_END
