// SPDX-License-Identifier: BSL-1.0
// What a host may say about a job's sizes. Every function checks first and changes afterwards.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>
#include <berth/scheduler/detail/reports.hpp>
#include <berth/scheduler/detail/resizing.hpp>
#include <berth/sizing/check_sizing.hpp>

#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// The slot of a job whose change under way this is about.
[[nodiscard]] inline result<std::uint32_t> check_change(core_state const& s, job_id id,
                                                        run_number run, std::uint32_t change,
                                                        time_point now) noexcept {
  auto const slot = check_report(s, id, run, job_event::resized, now);
  if (slot && change != 0 && change != s.jobs[*slot].change) {
    return error{errc::stale_run, field::resize};
  }
  return slot;
}

inline result<void> report(core_state& s, job_id id, vacated const& said, time_point now) noexcept {
  auto const slot = check_change(s, id, said.run, said.change, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  vacate(s, *slot);
  return {};
}

inline result<void> report(core_state& s, job_id id, resized const& said, time_point now) noexcept {
  auto const slot = check_change(s, id, said.run, said.change, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  finish_resize(s, *slot);
  return {};
}

/// The slot of a running replica.
[[nodiscard]] inline result<std::uint32_t> check_replica(core_state const& s, job_id id,
                                                         run_number run, time_point now) noexcept {
  auto const slot = check_running(s, id, run, now);
  if (slot &&
      (s.jobs[*slot].spec.where != pool::inference || s.jobs[*slot].state != job_state::running)) {
    return error{errc::wrong_state, field::state};
  }
  return slot;
}

inline result<void> report(core_state& s, job_id id, sleeps const& said, time_point now) noexcept {
  auto const slot = check_replica(s, id, said.run, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  if (s.jobs[*slot].asleep_since == never) {
    s.jobs[*slot].asleep_since = now;
    s.spare_due = true;
    s.loans_due = true;  // replicas may wait for its GPUs
  }
  return {};
}
/// One that was told to stop in its sleep cannot wake: it serves elsewhere.
inline result<void> report(core_state& s, job_id id, wakes const& said, time_point now) noexcept {
  auto const slot = check_replica(s, id, said.run, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  s.jobs[*slot].asleep_since = never;
  s.loans_due = s.loans_due || s.lends;
  return {};
}

/// What inference lends from now on, in place of what it lent before.
inline result<void> lend(core_state& s, loan const& lent, time_point now) noexcept {
  if (auto const time = check_time(s, now); !time) {
    return time.error();
  }
  if (lent.gpus < 0) {
    return error{errc::zero_or_negative, field::gpus};
  }
  if (lent.until != never && (lent.until.time_since_epoch() > max_instant ||
                              lent.until.time_since_epoch() < -max_instant)) {
    return error{errc::bad_number, field::deadline};
  }
  s.accept(now);
  s.lent = lent;
  s.lends = s.lends || lent.gpus > 0;
  s.loans_due = s.sizing_due = true;
  return {};
}

/// Sizes that this job can have: whole members, from its least to its gang.
[[nodiscard]] inline result<void> check_ladder(job_record const& job,
                                               std::span<rung const> ladder) noexcept {
  elastic_job asked;
  asked.ladder = ladder;
  if (auto const fine = check_elastic_job(asked); !fine) {
    return fine;
  }
  bool const is_elastic = job.spec.min_gang > 0;
  std::int32_t const per_member = is_elastic ? job.spec.gpus_per_member : job.form.gpus();
  std::int32_t const least = is_elastic ? job.spec.min_gang * per_member : per_member;
  std::int32_t const most = is_elastic ? job.spec.gang * per_member : per_member;
  for (rung const& each : ladder) {
    if (each.size < least || each.size > most || each.size % per_member != 0) {
      return error{errc::inconsistent, field::ladder};
    }
  }
  return {};
}

inline result<void> set_ladder(core_state& s, job_id id, std::span<rung const> ladder,
                               time_point now) noexcept {
  auto const slot = check_report(s, id, run_number{}, job_event::complete, now);
  if (!slot) {
    return slot.error();
  }
  if (ladder.size() > s.ladders.max_rungs()) {
    return error{errc::capacity_exceeded, field::ladder};
  }
  job_record& job = s.jobs[*slot];
  if (auto const fine = check_ladder(job, ladder); !fine) {
    return fine;
  }
  s.accept(now);
  if (job.done_at != never) {  // what it has done, it did at the speed that was known
    duration const safe = s.view(*slot).safe();
    job.done = s.view(*slot).done();
    job.safe = safe;
    job.done_at = now;
  }
  s.ladders.declare(*slot, ladder);
  if (job.gpus_held > 0) {
    job.rung_speed = s.ladders.speed_on(*slot, job.form.gpus());
  }
  s.touch(*slot);
  want_sizing(s);
  return {};
}

}  // namespace detail
BERTH_NAMESPACE_END
