// SPDX-License-Identifier: BSL-1.0
// Gangs keep their size; the queue is strict or skips.
#pragma once

#include <berth/concepts/gang_allocator.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

enum class queue_order : std::uint8_t {
  skip,    ///< a candidate that does not fit is passed over
  strict,  ///< it blocks all later ones on every GPU type that it could use
};

/// Every candidate gets its whole gang or nothing.
struct rigid {
  using component_role = allocator_role;
  queue_order order = queue_order::skip;

  [[nodiscard]] grant allocate(job_view const& job, queue_state const& queue,
                               tick_context const&) const noexcept {
    type_mask const open =
        order == queue_order::strict ? static_cast<type_mask>(~queue.blocked_types) : any_type;
    bool const any = (job.form().types & open) != 0;
    return {.gpus = any ? job.gang_gpus() : 0, .types = open};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return false; }
  [[nodiscard]] bool looks_at_queue() const noexcept { return order == queue_order::strict; }
};

BERTH_NAMESPACE_END
