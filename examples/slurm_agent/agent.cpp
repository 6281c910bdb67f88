// SPDX-License-Identifier: BSL-1.0
#include "agent.hpp"

#include <berth/interop/fmt.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace slurm_agent {
namespace {

// Adds the time until its end.
class stopwatch {
 public:
  explicit stopwatch(std::chrono::nanoseconds& sum) noexcept : sum_{sum} {}
  stopwatch(stopwatch const&) = delete;
  stopwatch& operator=(stopwatch const&) = delete;
  ~stopwatch() { sum_ += std::chrono::steady_clock::now() - begin_; }

 private:
  std::chrono::nanoseconds& sum_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// A rebuild forgets service and progress; what asks for one again and again must not do so in every
// cycle.
constexpr berth::duration between_rebuilds{3'000};

}  // namespace

agent::agent(host& slurm, engine_factory make, agent_settings const& settings, journal const& log)
    : slurm_{slurm}, make_{std::move(make)}, settings_{settings}, log_{log} {}

cycle_outcome agent::cycle(instant at) {
  at_ = at;
  figures_.last = {};
  ++figures_.cycles;
  load_outcome loaded{};
  {
    stopwatch const watch{figures_.last.load};
    loaded = slurm_.load(picture_);
  }
  if (loaded == load_outcome::unreachable) {
    ++figures_.unreachable;
    return cycle_outcome::unreachable;
  }
  bool const awake = at_.now >= next_wakeup();
  if (loaded == load_outcome::unchanged && !busy_ && !awake && !rebuild_wanted_) {
    return cycle_outcome::quiet;
  }
  busy_ = false;
  {
    stopwatch const watch{figures_.last.settle};
    if (engine_ != nullptr && !mirror_nodes()) {
      rebuild_wanted_ = true;
    }
    if (rebuild_wanted_ && (engine_ == nullptr || at_.now >= rebuilt_at_ + between_rebuilds)) {
      if (!restore() && !rebuild()) {
        return cycle_outcome::unreachable;
      }
      rebuild_wanted_ = false;
      rebuilt_at_ = at_.now;
    }
    forget_vanished();
    // Ends first: they make room for what runs in their place.
    for (job_record const& seen : picture_.jobs) {
      if (seen.phase == job_phase::succeeded || seen.phase == job_phase::failed) {
        end(seen);
      }
    }
    for (job_record const& seen : picture_.jobs) {
      settle(seen);
    }
  }
  if (rebuild_wanted_) {
    return cycle_outcome::busy;  // nothing is decided from a picture that contradicts itself
  }
  {
    stopwatch const watch{figures_.last.decide};
    decide();
  }
  {
    stopwatch const watch{figures_.last.act};
    act();
  }
  count();
  return busy_ ? cycle_outcome::busy : cycle_outcome::quiet;
}

void agent::decide() {
  // A tick that stops jobs may be followed by one that uses what was free already.
  for (int round = 0; round < 4; ++round) {
    berth::plan const plan = engine_->tick(at_.now);
    if (plan.is_refused()) {
      log_.write(severity::error, "tick_refused", "error={}",
                 journal::quoted(fmt::format("{}", plan.error())));
      return;
    }
    figures_.decisions += plan.is_idle() ? 0u : 1u;
    for (berth::action const& order : plan) {
      busy_ = true;
      log_.write(severity::info, "decision", "job={} order={}", order.tag,
                 journal::quoted(fmt::format("{}", order)));
      note_order(order);
    }
    if (plan.empty()) {
      return;
    }
  }
}

// What act() needs beyond the state in which berth has the job since.
void agent::note_order(berth::action const& order) {
  tracked_job* const job = find(static_cast<job_number>(order.tag));
  if (order.kind == berth::action_kind::start) {
    ++figures_.starts;
  }
  if (job == nullptr ||
      (order.kind != berth::action_kind::stop && order.kind != berth::action_kind::resize)) {
    return;
  }
  if (!job->stop) {  // one that saves already goes on saving
    job->stop.emplace();
  }
  if (order.kind == berth::action_kind::resize) {
    ++figures_.resizes;
    job->stop->why = fmt::format("saves, to go on with {} node{}", order.gpus.size(),
                                 order.gpus.size() == 1 ? "" : "s");
    return;
  }
  ++figures_.preemptions;
  if (auto const gains = engine_->view(order.beneficiary)) {
    job->stop->why = fmt::format("makes way for job {}", gains->spec().tag);
  }
}

agent::tracked_job* agent::find(job_number number) {
  auto const found = jobs_.find(number);
  return found == jobs_.end() ? nullptr : &found->second;
}

berth::job_state agent::state_of(tracked_job const& job) const {
  auto const view = engine_->view(job.id);
  return view ? view->state() : berth::job_state::failed;
}

void agent::send(job_update const& change, tracked_job* job, char const* what) {
  busy_ = true;
  answer const said = slurm_.update(change);
  log_.write(said.is_ok() ? severity::info : severity::warning, what,
             "job={} nodes={} code={} answer={}", change.job, change.pin.value_or("-"), said.code,
             journal::quoted(said.text));
  if (!said.is_ok()) {
    ++figures_.refusals;
  }
  if (job == nullptr) {
    return;
  }
  job->problem = said.is_ok() ? std::string{} : "Slurm refused: " + said.text;
  if (said.is_ok() && change.note) {
    job->note = *change.note;
  }
}

void agent::count() {
  figures_.waiting = figures_.running = figures_.stopping = 0;
  for (auto const& [number, job] : jobs_) {
    switch (state_of(job)) {
      case berth::job_state::launching:
      case berth::job_state::running: ++figures_.running; break;
      case berth::job_state::draining:
      case berth::job_state::resizing: ++figures_.stopping; break;
      default: ++figures_.waiting; break;
    }
  }
  figures_.gpus = {};
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    berth::node_book const& book = engine_->books().node(nodes_[n].id.slot());
    for (std::size_t s = 0; s < figures_.gpus.size(); ++s) {
      figures_.gpus[s] += berth::gpu_count(book.gpus[s]);
    }
  }
}

berth::time_point agent::next_wakeup() const {
  if (engine_ == nullptr) {
    return berth::time_point::min();
  }
  berth::time_point next = engine_->next_wakeup();
  for (auto const& [number, job] : jobs_) {
    if (job.stop && !job.stop->requeued) {
      next = std::min(next, job.stop->leaves);
    }
  }
  return next;
}

std::vector<std::byte> agent::snapshot() const {
  return engine_ == nullptr ? std::vector<std::byte>{} : engine_->snapshot();
}

void agent::shut_down(instant at) {
  at_ = at;
  if (slurm_.load(picture_) == load_outcome::unreachable || engine_ == nullptr) {
    return;
  }
  for (job_record const& seen : picture_.jobs) {
    tracked_job* const job = find(seen.number);
    if (job != nullptr && seen.phase == job_phase::released) {
      give_back(*job);
    }
  }
}

}  // namespace slurm_agent
