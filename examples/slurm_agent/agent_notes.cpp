// SPDX-License-Identifier: BSL-1.0
// What stands on a job for its owner: why it waits, where it runs, for whom it leaves.
#include <berth/interop/fmt.hpp>

#include "agent.hpp"

namespace slurm_agent {

std::string agent::describe(job_record const& seen, tracked_job const& job) const {
  std::string text;
  switch (state_of(job)) {
    case berth::job_state::running: {
      text = "runs on";
      for (held_gpus const& part : seen.gpus) {
        text += fmt::format(" {}[{} GPUs]", part.node, berth::gpu_count(part.gpus));
      }
      break;
    }
    case berth::job_state::draining:
    case berth::job_state::resizing: text = job.stop ? job.stop->why : stop_order{}.why; break;
    case berth::job_state::launching: text = "starts on " + job.pinned; break;
    default: {
      berth::wait_reason const why = engine_->why_waiting(job.id);
      text =
          std::string{berth::is_impossible(why) ? "can never start: " : ""} + berth::to_string(why);
      break;
    }
  }
  if (!job.problem.empty()) {
    text += " (" + job.problem + ")";
  }
  if (!job.request.said.problems.empty()) {
    text += " (in its comment: " + job.request.said.problems + ")";
  }
  return text;
}

std::string agent::note_for(job_record const& seen, tracked_job const& job,
                            std::string const& text) const {
  admin_note note = read_note(seen.admin_comment);
  note.text = text;
  note.submitted = job.submitted;
  note.leaves = job.stop ? job.stop->leaves_unix : 0;
  return write_note(note);
}

// Writes what has changed, if that needs no more than `left` requests.
void agent::annotate(job_record const& seen, std::size_t& left) {
  tracked_job* const job = find(seen.number);
  if (job == nullptr || seen.phase == job_phase::completing || seen.phase == job_phase::succeeded ||
      seen.phase == job_phase::failed || job->release != release_state::none) {
    return;
  }
  berth::job_state const state = state_of(*job);
  if (state == berth::job_state::submitted || state == berth::job_state::launching) {
    return;
  }
  std::string const note = note_for(seen, *job, describe(seen, *job));
  if (note == job->note) {
    return;
  }
  if (left == 0) {
    busy_ = true;
    return;
  }
  --left;
  answer const said = slurm_.update({.job = seen.number, .note = note});
  if (said.is_ok()) {
    job->note = note;
  }
}

}  // namespace slurm_agent
