// SPDX-License-Identifier: BSL-1.0
// A job goes on with other GPUs: the steps of a change of size. Its form is the new gang from the
// order on; until the host confirms, it holds what it had and what it gets, and drains what it is
// to leave.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Sizes are to be looked at again: a job or GPUs came or went.
inline void want_sizing(core_state& s) noexcept {
  s.sizing_due = true;
}

/// The gang of an elastic job with so many GPUs. Precondition: a multiple of a member's.
inline void set_gang(core_state& s, std::uint32_t slot, std::int32_t gpus) noexcept {
  job_record& job = s.jobs[slot];
  if (job.form.gpus() != gpus) {
    job.form.roles[0].members = gpus / job.form.roles[0].gpus;
  }
}

/// Its GPUs are booked as they will be. It makes no progress until the host says that it does.
inline void order_resize(core_state& s, std::uint32_t slot, std::int32_t gpus,
                         stop_reason reason = stop_reason::none) noexcept {
  count_service(s, slot);
  job_record& job = s.jobs[slot];
  duration const safe = s.view(slot).safe();
  job.done = s.view(slot).done();
  job.safe = safe;
  job.done_at = never;
  step(s, slot, job_event::resize);
  set_gang(s, slot, gpus);
  ++job.change;
  mirror_books(s, slot);
  s.resizes.push_back({slot, reason});
  s.touch(slot);  // it is nobody's victim until the host confirms
}

/// The GPUs that it was to leave are empty.
inline void vacate(core_state& s, std::uint32_t slot) noexcept {
  count_service(s, slot);
  std::int32_t const held = s.jobs[slot].gpus_held;
  s.books.vacate(slot);
  mirror_books(s, slot);
  s.sizing_due = s.sizing_due || s.jobs[slot].gpus_held < held;
  s.touch(slot);
}

/// It computes on its new GPUs.
inline void finish_resize(core_state& s, std::uint32_t slot) noexcept {
  vacate(s, slot);
  job_record& job = s.jobs[slot];
  step(s, slot, job_event::resized);
  job.rung_speed = s.ladders.speed_on(slot, job.gpus_held);
  job.done_at = s.now;
}

}  // namespace detail
BERTH_NAMESPACE_END
