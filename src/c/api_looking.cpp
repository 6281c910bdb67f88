// SPDX-License-Identifier: BSL-1.0
// berth.h: what a scheduler knows, and its snapshots.
#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/wait_reason.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "convert.hpp"
#include "handles.hpp"
#include "sized.hpp"
#include "status.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {
namespace {

/// Writes ask(host) to `*into`.
template <class T, class Ask>
berth_status answer(berth_scheduler* scheduler, T* into, Ask ask) noexcept {
  return looking(scheduler, [&](seat& at) -> berth_status {
    if (into == nullptr) {
      return BERTH_NULL_POINTER;
    }
    *into = ask(*at.scheduler);
    return BERTH_OK;
  });
}

}  // namespace
}  // namespace c_api
BERTH_NAMESPACE_END

using namespace berth;
using namespace berth::c_api;

berth_status berth_view(berth_scheduler* scheduler, uint64_t job, berth_job_info* info) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    auto const found = at.scheduler->view(job_id::from_value(job));
    if (!found) {
      return status_of(found);
    }
    auto const forecast = at.scheduler->forecast_end(job_id::from_value(job));
    if (!forecast) {
      return status_of(forecast);
    }
    berth_job_info made{};
    made.state = static_cast<std::int32_t>(found->state());
    made.gpus_held = found->gpus_held();
    made.nodes_held = found->nodes_held();
    made.preemptions = found->preemptions();
    made.failures = found->failures();
    made.submitted = milliseconds(found->submitted());
    made.first_start = milliseconds(found->first_start());
    made.waited = found->waited().count();
    made.executed = found->executed().count();
    made.done = found->done().count();
    made.forecast_end = milliseconds(*forecast);
    made.tag = found->spec().tag;
    return write_struct(made, info);
  });
}

berth_status berth_job_gpus(berth_scheduler* scheduler, uint64_t job, berth_gpu_range* ranges,
                            uint32_t capacity, uint32_t range_size, uint32_t* count) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    if (!is_size_of<berth_gpu_range>(range_size)) {
      return BERTH_BAD_SIZE;
    }
    auto const found = at.scheduler->view(job_id::from_value(job));
    if (!found) {
      return status_of(found);
    }
    ledger const& books = at.scheduler->books();
    std::uint32_t const slot = found->id().slot();
    std::uint32_t held = 0;
    books.for_each_hold(slot, [&](booking const&) { ++held; });
    if (count != nullptr) {
      *count = held;
    }
    if (held > capacity) {
      return BERTH_BUFFER_TOO_SMALL;
    }
    if (held > 0 && ranges == nullptr) {
      return BERTH_NULL_POINTER;
    }
    std::uint32_t i = 0;
    books.for_each_hold(slot, [&](booking const& line) {
      berth_gpu_range range{};
      range.node = books.id_of(line.node).value();
      range.gpus = line.gpus;
      static_cast<void>(init_struct(range, element(ranges, i++, range_size), range_size));
    });
    return BERTH_OK;
  });
}

berth_status berth_job_count(berth_scheduler* scheduler, uint32_t* count) {
  return answer(scheduler, count,
                [](host const& at) { return static_cast<std::uint32_t>(at.job_count()); });
}

berth_status berth_explain(berth_scheduler* scheduler, uint64_t job, int32_t* reason, char* text,
                           size_t capacity, size_t* needed) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    auto const why = at.scheduler->why_waiting(job_id::from_value(job));
    if (!why) {
      return status_of(why);
    }
    if (reason != nullptr) {
      *reason = static_cast<std::int32_t>(*why);
    }
    return copy_text(to_string(*why), text, capacity, needed);
  });
}

berth_status berth_check_invariants(berth_scheduler* scheduler, char* text, size_t capacity,
                                    size_t* needed) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    char const* const broken = at.scheduler->check_invariants();
    if (broken == nullptr) {
      return BERTH_OK;
    }
    static_cast<void>(copy_text(broken, text, capacity, needed));
    return BERTH_INVARIANT_BROKEN;
  });
}

berth_status berth_state_digest(berth_scheduler* scheduler, uint64_t* digest) {
  return answer(scheduler, digest, [](host const& at) { return at.state_digest(); });
}

berth_status berth_plans_digest(berth_scheduler* scheduler, uint64_t* digest) {
  return answer(scheduler, digest, [](host const& at) { return at.plans_digest(); });
}

berth_status berth_snapshot(berth_scheduler* scheduler, void* into, size_t capacity,
                            size_t* needed) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    std::size_t const size = at.scheduler->snapshot_size();
    if (needed != nullptr) {
      *needed = size;
    }
    if (capacity < size) {
      return BERTH_BUFFER_TOO_SMALL;
    }
    if (into == nullptr) {
      return BERTH_NULL_POINTER;
    }
    return status_of(at.scheduler->snapshot({static_cast<std::byte*>(into), size}));
  });
}

berth_status berth_restore(berth_scheduler* scheduler, void const* from, size_t bytes) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    if (from == nullptr) {
      return BERTH_NULL_POINTER;
    }
    return status_of(at.scheduler->restore({static_cast<std::byte const*>(from), bytes}));
  });
}
