// SPDX-License-Identifier: BSL-1.0
// Do jobs, queues and books agree? And one number for the whole state, by which tests see that a
// refused call changed nothing.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/scheduler/detail/snapshot_write.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline char const* audit_job(core_state const& s, std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  job_book const& book = s.books.job(slot);
  if (!book.open) {
    return "a living job has no book";
  }
  if (job.gpus_held != book.gpus_held || job.nodes_held != book.nodes_held) {
    return "a job's record and its book disagree";
  }
  bool const whole = book.gpus_held == job.form.gpus();
  switch (job.state) {
    case job_state::submitted:
    case job_state::pending:
      if (book.gpus_held != 0 || book.gpus_earmarked != 0) {
        return "a waiting job has GPUs";
      }
      break;
    case job_state::reserving:
      if (book.gpus_held != 0 || (!book.earmark_broken && book.gpus_earmarked != job.form.gpus())) {
        return "an earmark does not cover its gang";
      }
      break;
    case job_state::launching:
    case job_state::running:
      if (!whole || book.gpus_earmarked != 0) {
        return "a running gang is not whole";
      }
      break;
    case job_state::draining:
    case job_state::cancelling:
      if (book.gpus_held == 0 || book.gpus_earmarked != 0 ||
          (book.gpus_held > job.form.gpus() && job.change == 0)) {
        return "a stopping gang has too many GPUs or none";
      }
      break;
    case job_state::resizing: {
      std::int32_t kept = 0;
      s.books.for_each_hold(slot, [&](booking const& held) {
        kept += gpu_count(held.gpus & ~s.books.leaving(held));
      });
      if (kept != job.form.gpus() || book.gpus_earmarked != 0) {
        return "a gang that changes its GPUs does not get what it should";
      }
      break;
    }
    case job_state::finished:
    case job_state::failed:
    case job_state::cancelled: return "an ended job is still in the table";
  }
  if ((job.state == job_state::draining) != (job.saves_at != never)) {
    return "a draining job has no instant at which it saves, or another one has";
  }
  bool const on_gpus = holds_gpus(job.state);
  if (on_gpus != (job.waiting_since == never) || on_gpus != s.holders.contains(slot)) {
    return "a job both waits and holds GPUs, or neither";
  }
  if (s.yielding.contains(slot) && !on_gpus) {
    return "a job without GPUs is in the order of yielding";
  }
  if (s.yielding.contains(slot) && s.yielding.at(slot).gpus != job.gpus_held) {
    return "the order of yielding counts other GPUs than a job holds";
  }
  if ((job.run_since != never) && !on_gpus) {
    return "a job runs without GPUs";
  }
  if (s.queues.contains(slot) && job.state != job_state::pending) {
    return "a job that does not wait is in a queue";
  }
  bool const backs_off = s.timers.at(slot) <= job.not_before;
  bool const accounted = s.queues.contains(slot) || s.is_changed[slot] != 0 || backs_off ||
                         s.group_next[slot] != no_index || job.target == 0;
  if (job.state == job_state::pending && !accounted) {
    return "a waiting job is lost: no queue, no alarm, no change brings it back";
  }
  if (job.served < gpu_time::zero() || job.executed < duration{0} || job.done < duration{0} ||
      job.waited < duration{0}) {
    return "a job's account is negative";
  }
  return nullptr;
}

/// nullptr, or what is broken. O(jobs + GPUs).
[[nodiscard]] inline char const* audit(core_state const& s) noexcept {
  if (char const* const broken = s.books.check_invariants()) {
    return broken;
  }
  std::size_t living = 0;
  std::uint32_t leaving = 0;
  for (std::uint32_t slot = 0; slot < s.jobs.capacity(); ++slot) {
    if (!s.jobs.is_used(slot)) {
      if (s.books.job(slot).open) {
        return "an ended job has a book";
      }
      continue;
    }
    ++living;
    leaving += s.jobs[slot].state == job_state::draining ? 1u : 0u;
    if (char const* const broken = audit_job(s, slot)) {
      return broken;
    }
  }
  if (leaving != s.leaving) {
    return "the number of leaving jobs is wrong";
  }
  return living == s.jobs.size() ? nullptr : "the number of living jobs is wrong";
}

/// Everything that later decisions depend on: exactly what a snapshot writes, through the same
/// lists of members. O(jobs + nodes + bookings).
template <class Engine>
[[nodiscard]] std::uint64_t state_digest(Engine const& e) noexcept {
  byte_digester digester;
  write_state(digester, e);
  return digester.value();
}

}  // namespace detail
BERTH_NAMESPACE_END
