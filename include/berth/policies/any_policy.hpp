// SPDX-License-Identifier: BSL-1.0
// A policy chosen at run time, for hosts that read it from their configuration. One type, no
// allocation.
#pragma once

#include <berth/concepts/scheduling_policy.hpp>

#include <array>
#include <cstddef>
#include <new>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// Holds any trivially copyable policy of up to `policy_bytes`, with job data of less than
/// `data_bytes`.
class any_policy {
 public:
  using component_role = policy_role;
  static constexpr std::size_t policy_bytes = 128;
  static constexpr std::size_t data_bytes = 64;

  struct job_data {
    alignas(std::max_align_t) std::array<std::byte, data_bytes> bytes{};
  };
  static_assert(std::has_unique_object_representations_v<job_data>,
                "equal job data are equal bytes, in a snapshot and in a digest");

  template <class P>
    requires(!std::same_as<P, any_policy>) && scheduling_policy<P> &&
                (std::is_trivially_copyable_v<P> && sizeof(P) <= policy_bytes &&
                 alignof(P) <= alignof(std::max_align_t) && sizeof(job_data_of<P>) < data_bytes)
  any_policy(P policy) noexcept  // implicit: any_policy chosen = fifo{};
      : priority_{[](any_policy const& self, job_view const& job, job_data& data,
                     tick_context const& tick) noexcept {
          return ask_priority(self.held<P>(), job, held_data<P>(data), tick);
        }},
        next_change_{[](any_policy const& self, job_view const& job, job_data& data,
                        tick_context const& tick) noexcept {
          return ask_next_change(self.held<P>(), job, held_data<P>(data), tick);
        }} {
    ::new (static_cast<void*>(bytes_.data())) P{policy};
  }

  [[nodiscard]] priority_key priority(job_view const& job, job_data& data,
                                      tick_context const& tick) const noexcept {
    return priority_(*this, job, data, tick);
  }
  [[nodiscard]] time_point next_change(job_view const& job, job_data& data,
                                       tick_context const& tick) const noexcept {
    return next_change_(*this, job, data, tick);
  }

 private:
  template <class P>
  [[nodiscard]] P const& held() const noexcept {
    return *std::launder(reinterpret_cast<P const*>(bytes_.data()));
  }
  // Job data are trivially copyable and start as the scheduler's value-initialised bytes; the
  // policy's own initial value is laid over them on the first use, which the marker byte remembers.
  template <class P>
  [[nodiscard]] static job_data_of<P>& held_data(job_data& data) noexcept {
    static_assert(sizeof(job_data_of<P>) < data_bytes);
    std::byte& begun = data.bytes[data_bytes - 1];
    void* const place = data.bytes.data();
    if (begun == std::byte{0}) {
      begun = std::byte{1};
      return *::new (place) job_data_of<P>{};
    }
    return *std::launder(static_cast<job_data_of<P>*>(place));
  }

  alignas(std::max_align_t) std::array<std::byte, policy_bytes> bytes_{};
  priority_key (*priority_)(any_policy const&, job_view const&, job_data&,
                            tick_context const&) noexcept;
  time_point (*next_change_)(any_policy const&, job_view const&, job_data&,
                             tick_context const&) noexcept;
};

BERTH_NAMESPACE_END
