// SPDX-License-Identifier: BSL-1.0
// What a host may say about a job. Every function checks first and changes afterwards: an error
// leaves the state as it was.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/model/check_job.hpp>
#include <berth/model/event.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/feasibility.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/resizing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline result<void> check_time(core_state const& s, time_point now) noexcept {
  if (now < s.now) {
    return error{errc::time_went_back, field::now};
  }
  if (now.time_since_epoch() > max_instant || now.time_since_epoch() < -max_instant) {
    return error{errc::bad_number, field::now};
  }
  return {};
}

/// The slot of a living job that may take this event of this run now.
[[nodiscard]] inline result<std::uint32_t> check_report(core_state const& s, job_id id,
                                                        run_number run, job_event event,
                                                        time_point now) noexcept {
  if (auto const time = check_time(s, now); !time) {
    return time.error();
  }
  auto const slot = s.jobs.find(id);
  if (!slot) {
    return slot.error();
  }
  if (run != run_number{} && run != s.jobs[*slot].run) {
    return error{errc::stale_run, field::run};
  }
  if (!is_legal(s.jobs[*slot].state, event)) {
    return error{errc::wrong_state, field::state};
  }
  return *slot;
}

/// As check_report, for facts that hold only while the job is on its GPUs and change no state.
[[nodiscard]] inline result<std::uint32_t> check_running(core_state const& s, job_id id,
                                                         run_number run, time_point now) noexcept {
  auto const slot = check_report(s, id, run, job_event::complete, now);
  if (slot && s.jobs[*slot].run_since == never) {
    return error{errc::wrong_state, field::state};
  }
  return slot;
}

/// An exbibyte.
inline constexpr std::int64_t most_bytes_read = std::int64_t{1} << 60;

/// Links a job to those of its group that are not in yet. O(arrivals).
inline void join_group(core_state& s, std::uint32_t slot) noexcept {
  group_id const group = s.jobs[slot].spec.group;
  s.group_next[slot] = no_index;
  if (group == group_id{}) {
    return;
  }
  s.group_next[slot] = slot;
  for (job_id const id : s.arrivals) {
    auto const other = s.jobs.find(id);
    if (other && *other != slot && s.jobs[*other].state == job_state::submitted &&
        s.jobs[*other].spec.group == group) {
      s.group_next[slot] = s.group_next[*other];
      s.group_next[*other] = slot;
      return;
    }
  }
}

/// Forgets arrivals that ended before a tick saw them.
inline void compact_arrivals(core_state& s) noexcept {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.arrivals.size(); ++i) {
    if (s.jobs.find(s.arrivals[i])) {
      s.arrivals[kept++] = s.arrivals[i];
    }
  }
  s.arrivals.truncate(kept);
}

template <class Engine>
result<job_id> submit(Engine& e, job_spec const& spec, time_point now) noexcept {
  core_state& s = e.state;
  if (auto const time = check_time(s, now); !time) {
    return time.error();
  }
  auto const form = check(spec, s.books.type_count());
  if (!form) {
    return form.error();
  }
  if (static_cast<std::uint32_t>(spec.tenant) >= s.config.max_tenants) {
    return error{errc::unknown_tenant, field::tenant};
  }
  if (s.jobs.full()) {
    return error{errc::capacity_exceeded, field::max_jobs};
  }
  if (s.config.impossible == impossible_gangs::refuse &&
      judge(s, e.work, *form) != wait_reason::none) {
    return error{errc::gang_never_fits, field::gang};
  }
  s.accept(now);
  std::uint32_t const slot = s.jobs.add();
  job_record& job = s.jobs[slot];
  job.spec = spec;
  job.form = *form;
  if constexpr (quota_admission<typename Engine::admission_type>) {
    job.form.tenant = spec.tenant;
  }
  job.sequence = s.next_sequence++;
  job.submitted = now;
  job.waiting_since = now;
  s.reason[slot] = wait_reason::not_decided;
  s.exchanges[slot] = {};
  if constexpr (sizing_allocator<typename Engine::allocator_type>) {
    s.ladders.assume(slot, spec, form->gpus());
    set_gang(s, slot, s.ladders.of(slot).front().size);
  }
  s.books.open(slot, spec.tenant, spec.cpu_milli_per_gpu, spec.memory_mib_per_gpu);
  e.data[slot] = {};
  join_group(s, slot);
  if (s.arrivals.full()) {
    compact_arrivals(s);
  }
  s.arrivals.push_back(job.id);
  return job.id;
}

inline result<void> report(core_state& s, job_id id, started const& said, time_point now) noexcept {
  auto const slot = check_report(s, id, said.run, job_event::started, now);
  if (!slot) {
    return slot.error();
  }
  if (s.jobs[*slot].run_since != never) {
    return error{errc::wrong_state, field::state};  // it runs, and is stopping now
  }
  s.accept(now);
  begin_run(s, *slot);
  return {};
}

inline result<void> report(core_state& s, job_id id, launch_failed const& said,
                           time_point now) noexcept {
  auto const slot = check_report(s, id, said.run, job_event::launch_failed, now);
  if (!slot) {
    return slot.error();
  }
  if (s.jobs[*slot].run_since != never) {
    return error{errc::wrong_state, field::state};  // it was launched, and is stopping now
  }
  s.accept(now);
  if (s.jobs[*slot].state == job_state::cancelling) {
    end_job(s, *slot, job_event::launch_failed);
    return {};
  }
  std::uint32_t const attempt = ++s.jobs[*slot].launch_failures;
  requeue_later(s, *slot, job_event::launch_failed, attempt);
  return {};
}

inline result<void> report(core_state& s, job_id id, checkpointed const& said,
                           time_point now) noexcept {
  auto const slot = check_running(s, id, said.run, now);
  if (!slot) {
    return slot.error();
  }
  if (said.done != not_said && !(said.done >= duration{0} && said.done <= max_duration)) {
    return error{errc::bad_number, field::done};
  }
  s.accept(now);
  job_record& job = s.jobs[*slot];
  job.safe = said.done == not_said ? s.view(*slot).done() : std::min(said.done, job.spec.work);
  job.safe_at = now;
  s.touch(*slot);
  return {};
}

inline result<void> report(core_state& s, job_id id, stopped const& said, time_point now) noexcept {
  auto const slot = check_report(s, id, said.run, job_event::stopped, now);
  if (!slot) {
    return slot.error();
  }
  if (said.saved != not_said && !(said.saved >= duration{0} && said.saved <= max_duration)) {
    return error{errc::bad_number, field::done};
  }
  job_record& job = s.jobs[*slot];
  bool const was_told = job.state == job_state::draining || job.state == job_state::cancelling ||
                        job.state == job_state::resizing;
  if (!was_told && !job.stop_withdrawn) {
    return error{errc::wrong_state, field::state};
  }
  s.accept(now);
  job.preemptions += was_told ? 0u : 1u;  // the order had been obeyed before it was withdrawn
  end_run(s, *slot, said.saved);
  if (job.state == job_state::cancelling) {
    end_job(s, *slot, job_event::stopped);
  } else {
    requeue(s, *slot, job_event::stopped);
  }
  return {};
}

inline result<void> report(core_state& s, job_id id, run_failed const& said,
                           time_point now) noexcept {
  auto const slot = check_report(s, id, said.run, job_event::run_failed, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  end_run(s, *slot, not_said);
  std::uint32_t const failures = ++s.jobs[*slot].failures;
  if (s.jobs[*slot].state == job_state::cancelling) {
    end_job(s, *slot, job_event::run_failed);
  } else if (failures >= s.config.failure_limit) {
    end_job(s, *slot, job_event::give_up);
  } else {
    requeue_later(s, *slot, job_event::run_failed, failures);
  }
  return {};
}

template <class Engine>
result<void> report(Engine& e, job_id id, progress const& said, time_point now) noexcept {
  core_state& s = e.state;
  auto const slot = check_running(s, id, said.run, now);
  if (!slot) {
    return slot.error();
  }
  if (!(said.done >= duration{0} && said.done <= max_duration)) {
    return error{errc::bad_number, field::done};
  }
  s.accept(now);
  if constexpr (observing_predictor<std::remove_cvref_t<decltype(e.parts.predictor)>>) {
    e.parts.predictor.observe(s.view(*slot), e.data[*slot].predictor, said);
  }
  job_record& job = s.jobs[*slot];
  job.done = std::min(said.done, job.spec.work);
  job.done_at = job.state == job_state::resizing ? never : now;
  s.touch(*slot);
  return {};
}

/// Changes nothing but what a reading predictor keeps.
template <class Engine>
result<void> report(Engine& e, job_id id, bytes_read const& said, time_point now) noexcept {
  core_state& s = e.state;
  auto const slot = check_running(s, id, said.run, now);
  if (!slot) {
    return slot.error();
  }
  if (said.total < 0 || said.total > most_bytes_read) {
    return error{errc::bad_number, field::total};
  }
  s.now = now;
  if constexpr (reading_predictor<std::remove_cvref_t<decltype(e.parts.predictor)>>) {
    s.accept(now);
    e.parts.predictor.observe(s.view(*slot), e.data[*slot].predictor, said);
    s.touch(*slot);
  }
  return {};
}

/// The gang without members that had `gpus` GPUs in all; empty roles if that is none of its roles.
[[nodiscard]] inline shape without_members(shape form, int gpus) noexcept {
  for (std::size_t r = 0; r < max_roles; ++r) {
    role& part = form.roles[r];
    if (part.gpus > 0 && gpus % part.gpus == 0 && gpus / part.gpus <= part.members) {
      part.members -= gpus / part.gpus;
      if (part.members == 0) {
        for (std::size_t i = r; i < max_roles; ++i) {
          form.roles[i] = i + 1 < max_roles ? form.roles[i + 1] : role{};
        }
      }
      return form;
    }
  }
  form.roles = {};
  return form;
}

inline result<void> report(core_state& s, job_id id, member_finished const& said,
                           time_point now) noexcept {
  auto const slot = check_report(s, id, said.run, job_event::complete, now);
  if (!slot) {
    return slot.error();
  }
  if (!holds_gpus(s.jobs[*slot].state) || s.jobs[*slot].state == job_state::resizing) {
    return error{errc::wrong_state, field::state};
  }
  gpu_mask held = 0;
  s.books.for_each_hold(*slot, [&](booking const& line) {
    held |= s.books.id_of(line.node) == said.node ? line.gpus : 0;
  });
  if (said.gpus == 0 || (said.gpus & ~held) != 0) {
    return error{errc::not_held, field::mask};
  }
  job_record& job = s.jobs[*slot];
  bool const last = gpu_count(said.gpus) == job.form.gpus();
  shape const rest = without_members(job.form, gpu_count(said.gpus));
  if (!last && rest.gpus() == 0) {
    return error{errc::inconsistent, field::mask};
  }
  s.accept(now);
  if (last) {
    end_job(s, *slot, job_event::complete);
    return {};
  }
  if (gpu_count(said.gpus) == job.gpus_held) {  // the others went down with their nodes
    job.form = rest;
    end_run(s, *slot, not_said);
    if (job.state == job_state::cancelling) {
      end_job(s, *slot, job_event::gang_lost);
    } else {
      requeue(s, *slot, job_event::gang_lost);
    }
    return {};
  }
  count_service(s, *slot);
  s.books.release(*slot, said.node.slot(), said.gpus);
  mirror_books(s, *slot);
  job.form = rest;
  s.touch(*slot);
  return {};
}

/// A job ends well: its predictor, if it learns, is told how long it took.
template <class Engine>
void learn(Engine& e, std::uint32_t slot) noexcept {
  if constexpr (learning_predictor<std::remove_cvref_t<decltype(e.parts.predictor)>>) {
    job_view const job = e.state.view(slot);
    if (job.is_running()) {
      e.parts.predictor.learn(job, e.data[slot].predictor, job.useful_run_time());
    }
  }
}

template <class Engine>
result<void> complete(Engine& e, job_id id, job_event how, time_point now) noexcept {
  core_state& s = e.state;
  auto const slot = check_report(s, id, run_number{}, how, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  if (how == job_event::complete) {
    learn(e, *slot);
  }
  end_job(s, *slot, how);
  return {};
}

inline result<void> cancel(core_state& s, job_id id, time_point now) noexcept {
  auto const slot = check_report(s, id, run_number{}, job_event::cancel, now);
  if (!slot) {
    return slot.error();
  }
  s.accept(now);
  job_state const before = s.jobs[*slot].state;
  bool const works_on = before == job_state::draining && now < s.jobs[*slot].saves_at;
  if (!holds_gpus(before)) {
    end_job(s, *slot, job_event::cancel);
    return {};
  }
  step(s, *slot, job_event::cancel);
  if (before != job_state::draining) {
    order_stop(s, *slot, stop_reason::cancelled, job_id{});
  } else if (works_on) {  // what it was told may take long; else it has its order already
    s.stops.push_back({id, stop_reason::cancelled, job_id{}, suspension_mode::kill, now});
  }
  return {};
}

}  // namespace detail
BERTH_NAMESPACE_END
