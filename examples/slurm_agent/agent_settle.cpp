// SPDX-License-Identifier: BSL-1.0
// What berth believes of a job, against what Slurm says: every pair of the two has its line here.
//
//              | berth: waits             launching            running           draining, resizing
//  Slurm: held | -                        release it, or it    run_failed        stopped
//              |                          was refused
//     released | hold it, unless ahead    wait, or give up     hold it           hold it
//      running | rebuild, unless ahead    started              -                 stop it in time
//   completing | -                        -                    -                 -
//        ended | complete                 complete             complete          complete
#include <berth/interop/fmt.hpp>

#include <algorithm>

#include "agent.hpp"

namespace slurm_agent {
namespace {

[[nodiscard]] bool waits(berth::job_state state) {
  return state == berth::job_state::submitted || state == berth::job_state::pending ||
         state == berth::job_state::reserving;
}

}  // namespace

void agent::settle(job_record const& seen) {
  tracked_job* const job = find(seen.number);
  switch (seen.phase) {
    case job_phase::succeeded:
    case job_phase::failed: return;  // end() has seen to it
    case job_phase::completing: busy_ = true; return;
    case job_phase::running:
      if (job != nullptr) {
        settle_running(seen, *job);
      } else if (!seen.gpus.empty() && !strangers_.contains(seen.number)) {
        log_.write(severity::warning, "unexpected_run", "job={}", seen.number);
        rebuild_wanted_ = true;
      }
      return;
    case job_phase::held:
    case job_phase::released: break;
  }
  strangers_.erase(seen.number);
  if (job == nullptr) {
    adopt(seen);
  } else if (seen.phase == job_phase::held) {
    settle_held(seen, *job);
  } else {
    settle_released(seen, *job);
  }
}

// A waiting job that berth does not know yet.
void agent::adopt(job_record const& seen) {
  if (seen.not_yet) {
    return;
  }
  job_request request = read_request(seen, *types_, largest_node_);
  if (!request.refusal.empty()) {
    if (std::string& said = refused_[seen.number]; said != request.refusal) {
      said = request.refusal;
      log_.write(severity::warning, "refused", "job={} reason={}", seen.number,
                 journal::quoted(said));
      job_update change{.job = seen.number,
                        .note = write_note({"cannot be scheduled: " + said, seen.submitted})};
      change.hold = seen.phase == job_phase::released ? hold_order::hold : hold_order::none;
      send(change, nullptr, "note");
    }
    return;
  }
  if (request.without_gpus) {
    if (seen.phase == job_phase::held && seen.held_by_owner) {
      send({.job = seen.number, .hold = hold_order::release}, nullptr, "release_without_gpus");
    }
    return;
  }
  auto const id = engine_->submit(request.spec, at_.now);
  if (!id) {
    std::string const why = fmt::format("{}", id.error());
    if (std::string& said = refused_[seen.number]; said != why) {
      said = why;
      log_.write(severity::warning, "refused", "job={} reason={}", seen.number,
                 journal::quoted(said));
      send(
          {.job = seen.number, .note = write_note({"cannot be scheduled: " + why, seen.submitted})},
          nullptr, "note");
    }
    return;
  }
  refused_.erase(seen.number);
  bool const own_held = seen.phase == job_phase::held && !seen.held_by_owner;
  track(seen, *id, std::move(request));
  tracked_job& job = jobs_.at(seen.number);
  if (seen.restarts > 0) {
    job.rests_until = at_.now + settings_.between_runs;  // nobody knows when it ended
  }
  log_.write(severity::info, "adopted", "job={} members={} gpus={} priority={} problems={}",
             seen.number, job.request.spec.gang, job.request.spec.gpus_per_member,
             job.request.spec.priority, journal::quoted(job.request.said.problems));
  job_update change{.job = seen.number};
  change.hold = own_held ? hold_order::none : hold_order::hold;
  if (seen.phase == job_phase::released) {
    change.pin = "";
  }
  std::string const note = note_for(seen, job, describe(seen, job));
  if (note != seen.admin_comment) {
    change.note = note;
  }
  if (change.hold != hold_order::none || change.note) {
    send(change, &job, "adopt");
  }
}

void agent::settle_held(job_record const& seen, tracked_job& job) {
  berth::job_state const state = state_of(job);
  bool const was_released = job.release != release_state::none;
  job.seen_running = berth::never;
  if (was_released) {
    // Slurm takes back a release that it cannot ever grant.
    job.release = release_state::none;
    job.problem = "Slurm put it back: " + seen.reason;
    ++figures_.refusals;
    log_.write(severity::warning, "put_back", "job={} reason={}", seen.number,
               journal::quoted(seen.reason));
  }
  if (state == berth::job_state::launching) {
    if (was_released) {
      static_cast<void>(engine_->launch_failed(job.id, at_.now));
    }
    return;
  }
  if (state == berth::job_state::running || is_leaving(state)) {
    berth::duration const saved = job.stop ? job.stop->saved : berth::not_said;
    std::int64_t const lost = lost_by_stop(job);
    figures_.gpu_milliseconds_lost += lost;
    bool const ordered = static_cast<bool>(engine_->stopped(job.id, saved, at_.now));
    if (!ordered) {
      static_cast<void>(engine_->run_failed(job.id, at_.now));
    }
    log_.write(severity::info, ordered ? "stopped" : "requeued_by_others", "job={} lost_gpu_ms={}",
               seen.number, lost);
    job.stop.reset();
    job.rests_until = at_.now + settings_.between_runs;
  }
  job_request request = read_request(seen, *types_, largest_node_);
  if (!waits(state_of(job)) || (!job.adopted_running && asks_for_the_same(request, job.request))) {
    return;
  }
  // Its owner has altered it, or berth knows it by the shape in which it ran: told anew.
  static_cast<void>(engine_->cancel(job.id, at_.now));
  jobs_.erase(seen.number);
  adopt(seen);
}

// Milliseconds of GPUs. Of one that saves, the time of saving; else all that it has not kept.
std::int64_t agent::lost_by_stop(tracked_job const& job) const {
  auto const view = engine_->view(job.id);
  bool const saves = job.stop && job.stop->saved != berth::not_said;
  std::int64_t const lost = saves ? (at_.now - job.stop->told).count() * job.stop->gpus
                                  : (view->done() - view->safe()).count() * view->gang_gpus();
  return std::max<std::int64_t>(0, lost);
}

void agent::settle_released(job_record const& seen, tracked_job& job) {
  busy_ = true;
  berth::job_state const state = state_of(job);
  bool const wanted =
      (state == berth::job_state::launching && job.release != release_state::none) ||
      (state == berth::job_state::reserving && job.release == release_state::ahead);
  if (!wanted) {
    give_back(job);
    return;
  }
  if (at_.now - job.released_at < settings_.launch_timeout) {
    return;
  }
  log_.write(severity::warning, "start_timeout", "job={} reason={}", seen.number,
             journal::quoted(seen.reason));
  give_back(job);
  job.problem = "Slurm did not start it: " + seen.reason;
  if (state == berth::job_state::launching) {
    static_cast<void>(engine_->launch_failed(job.id, at_.now));
  }
}

// Takes a release back.
void agent::give_back(tracked_job& job) {
  job.release = release_state::none;
  job_update change{
      .job = static_cast<job_number>(job.request.spec.tag), .hold = hold_order::hold, .pin = ""};
  if (read_note(job.note).nodes > 0) {  // its owner may release it without an agent
    change.nodes_least = change.nodes_most = job.request.nodes;
  }
  send(change, &job, "hold");
}

void agent::settle_running(job_record const& seen, tracked_job& job) {
  berth::job_state const state = state_of(job);
  if (job.seen_running == berth::never) {
    job.seen_running = at_.now;
  }
  if (waits(state)) {
    busy_ = true;
    // It has its GPUs in the very moment in which the last victim left them; berth hears of both
    // now.
    bool const just_ahead = job.release == release_state::ahead &&
                            at_.now - job.seen_running < settings_.launch_timeout;
    if (!just_ahead) {
      log_.write(severity::warning, "unexpected_run", "job={}", seen.number);
      rebuild_wanted_ = true;
    }
    return;
  }
  if (state == berth::job_state::resizing) {
    return;  // berth has it where it was and where it shall be; it is requeued for that
  }
  if (!sits_where_berth_has_it(job, seen)) {
    log_.write(severity::warning, "runs_elsewhere", "job={}", seen.number);
    rebuild_wanted_ = true;
    return;
  }
  if (state == berth::job_state::launching ||
      (state == berth::job_state::draining && !engine_->view(job.id)->is_running())) {
    job.release = release_state::none;
    job.problem.clear();
    learn_numbers(job, seen);
    static_cast<void>(engine_->started(job.id, at_.now));
    log_.write(severity::info, "started", "job={}", seen.number);
  }
}

void agent::end(job_record const& seen) {
  refused_.erase(seen.number);
  strangers_.erase(seen.number);
  tracked_job* const job = find(seen.number);
  if (job == nullptr) {
    return;
  }
  bool const well = seen.phase == job_phase::succeeded;
  static_cast<void>(engine_->complete(job->id, at_.now,
                                      well ? berth::outcome::finished : berth::outcome::failed));
  log_.write(severity::info, "ended", "job={} well={}", seen.number, well);
  jobs_.erase(seen.number);
}

// Slurm drops its records of ended jobs after a while, and may lose the last ones when it is
// killed.
void agent::forget_vanished() {
  std::set<job_number> present;
  for (job_record const& seen : picture_.jobs) {
    present.insert(seen.number);
  }
  for (auto each = jobs_.begin(); each != jobs_.end();) {
    if (present.contains(each->first)) {
      ++each;
      continue;
    }
    static_cast<void>(engine_->complete(each->second.id, at_.now, berth::outcome::failed));
    log_.write(severity::info, "vanished", "job={}", each->first);
    each = jobs_.erase(each);
  }
}

}  // namespace slurm_agent
