// SPDX-License-Identifier: BSL-1.0
// Orders to Slurm: what is still missing for berth's state to come true.
#include <berth/interop/fmt.hpp>

#include <algorithm>
#include <chrono>

#include "agent.hpp"

namespace slurm_agent {

void agent::act() {
  // A beneficiary is released before its victims leave: a node that becomes free is looked at by
  // Slurm at once, a release only at its next second.
  std::size_t notes = settings_.notes_per_cycle;
  for (job_record const& seen : picture_.jobs) {
    if (tracked_job* const job = find(seen.number); job != nullptr) {
      prepare_stop(seen, *job);
    }
  }
  for (job_record const& seen : picture_.jobs) {
    if (tracked_job* const job = find(seen.number); job != nullptr) {
      switch (state_of(*job)) {
        case berth::job_state::launching: launch(seen, *job); break;
        case berth::job_state::reserving: release_ahead(seen, *job); break;
        default: break;
      }
    }
  }
  for (job_record const& seen : picture_.jobs) {
    if (tracked_job* const job = find(seen.number); job != nullptr) {
      requeue(seen, *job);
    }
  }
  for (job_record const& seen : picture_.jobs) {
    annotate(seen, notes);
  }
}

void agent::launch(job_record const& seen, tracked_job& job) {
  busy_ = true;
  if (at_.now < job.rests_until) {
    return;
  }
  if (seen.phase == job_phase::held && job.release == release_state::none) {
    release(seen, job, berth::booking_kind::hold);
    if (job.release == release_state::none) {
      static_cast<void>(engine_->launch_failed(job.id, at_.now));
    }
    return;
  }
  if (job.release == release_state::ahead && seen.phase != job_phase::completing) {
    // Released for GPUs that were still in use. If berth has chosen others since, back and again.
    std::string wanted = node_list(shares_of(job.id, berth::booking_kind::hold));
    if (wanted == job.pinned) {
      job.release = release_state::ordered;
    } else if (seen.phase == job_phase::released) {
      give_back(job);
    }
  }
}

std::string agent::node_list(shares const& chosen) const {
  std::string list;
  for (auto const& [node, gpus] : chosen) {
    list += (list.empty() ? "" : ",") + nodes_[node].name;
  }
  return list;
}

void agent::release(job_record const& seen, tracked_job& job, berth::booking_kind kind) {
  shares const chosen = shares_of(job.id, kind);
  auto const nodes = static_cast<std::int64_t>(chosen.size());
  job_update change{.job = seen.number, .hold = hold_order::release, .pin = node_list(chosen)};
  change.nodes_least = change.nodes_most = nodes;
  change.begin_now = seen.restarts > 0;
  admin_note note{"starts on " + *change.pin, job.submitted,
                  nodes == job.request.nodes ? 0 : job.request.nodes};
  change.note = write_note(note);
  job.pinned = *change.pin;
  send(change, &job, kind == berth::booking_kind::hold ? "release" : "release_ahead");
  if (job.problem.empty()) {
    job.release = kind == berth::booking_kind::hold ? release_state::ordered : release_state::ahead;
    job.released_at = at_.now;
  }
}

// A job whose GPUs still drain is released as soon as the last of those who leave has had its time.
void agent::release_ahead(job_record const& seen, tracked_job& job) {
  if (seen.phase != job_phase::held || job.release != release_state::none || seen.not_yet ||
      at_.now < job.rests_until) {
    return;
  }
  bool all_leave_now = true;
  for (auto const& [node, gpus] : shares_of(job.id, berth::booking_kind::earmark)) {
    engine_->books().for_each_booking(node, [&, wanted = gpus](berth::booking const& line) {
      if (line.kind != berth::booking_kind::hold || (line.gpus & wanted) == 0) {
        return;
      }
      auto const holder = std::find_if(jobs_.begin(), jobs_.end(), [&](auto const& each) {
        return each.second.id.slot() == line.job;
      });
      all_leave_now = all_leave_now && holder != jobs_.end() && holder->second.stop &&
                      holder->second.stop->leaves <= at_.now;
    });
  }
  if (all_leave_now) {
    release(seen, job, berth::booking_kind::earmark);
  }
}

// An order to stop, as far as its holder's time to save.
void agent::prepare_stop(job_record const& seen, tracked_job& job) {
  bool const leaves = is_leaving(state_of(job));
  if (leaves && !job.stop) {
    job.stop.emplace();  // of a restored scheduler
  }
  if (!job.stop) {
    return;
  }
  busy_ = true;
  bool const has_begun = job.stop->leaves != berth::never;
  if (!leaves && !has_begun) {
    job.stop.reset();  // withdrawn before it was told
    return;
  }
  if (seen.phase == job_phase::held && leaves && job.release == release_state::none) {
    static_cast<void>(engine_->stopped(job.id, berth::not_said, at_.now));  // it never came up
    job.stop.reset();
    return;
  }
  if (seen.phase == job_phase::running && job.seen_running != berth::never &&
      (!has_begun || !job.stop->signalled)) {
    begin_stop(seen, job);
  }
}

// The end of its time to save.
void agent::requeue(job_record const& seen, tracked_job& job) {
  if (!job.stop || seen.phase != job_phase::running || job.stop->leaves > at_.now ||
      job.stop->requeued) {
    return;
  }
  stop_order& order = *job.stop;
  order.requeued = true;
  answer const said = slurm_.requeue_held(seen.number);
  log_.write(said.is_ok() ? severity::info : severity::warning, "requeue",
             "job={} why={} code={} answer={}", seen.number, journal::quoted(order.why), said.code,
             journal::quoted(said.text));
  if (!said.is_ok()) {
    ++figures_.refusals;
    order.requeued = false;
    order.leaves = at_.now + std::chrono::seconds{1};
  }
}

// Tells it to save, at the instant that berth has chosen, and no sooner than it has run for a
// second.
void agent::begin_stop(job_record const& seen, tracked_job& job) {
  stop_order& order = *job.stop;
  auto const view = engine_->view(job.id);
  berth::time_point begin = job.seen_running + settings_.first_second;
  if (view->state() == berth::job_state::draining && view->saves_at() != berth::never) {
    begin = std::max(begin, view->saves_at());
  }
  if (at_.now < begin) {
    return;
  }
  std::int64_t const save = job.request.said.checkpoint_seconds;
  bool const told_before = order.leaves != berth::never;
  order.signalled = true;
  if (save == 0) {
    order.leaves = at_.now;
    return;
  }
  if (!told_before) {
    order.leaves = at_.now + std::chrono::seconds{save};
    order.leaves_unix = at_.unix_seconds + save;
    // First the note, then the signal: a job that saves and is not known to would wait for ever.
    send({.job = seen.number,
          .note =
              write_note({order.why, job.submitted, read_note(job.note).nodes, order.leaves_unix})},
         &job, "mark");
  }
  order.saved = view->done();
  if (order.told == berth::never) {
    order.told = at_.now;
    for (held_gpus const& part : seen.gpus) {
      order.gpus += berth::gpu_count(part.gpus);
    }
  }
  answer const said = slurm_.signal(seen.number);
  log_.write(said.is_ok() ? severity::info : severity::warning, "signal",
             "job={} seconds={} code={} answer={}", seen.number, save, said.code,
             journal::quoted(said.text));
  if (!said.is_ok()) {
    order.saved = berth::not_said;
  }
}

}  // namespace slurm_agent
