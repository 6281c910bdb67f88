// SPDX-License-Identifier: BSL-1.0
// How a scheduler comes to know what is already so: from a snapshot, or by Slurm's state alone.
//
// berth has no call that says "this job runs there", and needs none: where the GPUs of exactly one
// job are the only ones that are not withdrawn, and that job the only one that waits, every
// scheduler puts it there.
#include <berth/interop/fmt.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "agent.hpp"

namespace slurm_agent {
namespace {

// Only what Slurm says ends a job: neither failed runs nor refused launches add up to an end.
constexpr std::uint32_t any_number_of_failures = 1'000'000;

berth::scheduler_config config_for(std::size_t nodes, std::int64_t gpus,
                                   agent_settings const& settings) {
  auto const count = [](auto number) { return static_cast<std::uint32_t>(number); };
  berth::scheduler_config config;
  config.max_jobs = settings.max_jobs;
  // Nodes may be added to a running Slurm.
  config.max_nodes = count(nodes + nodes / 4 + 16);
  config.max_gpus = count(gpus + gpus / 4 + 128);
  config.minimum_run = settings.first_second;
  config.failure_limit = any_number_of_failures;
  config.retry.cap = std::chrono::minutes{1};
  return config;
}

// Does it run in a shape that it asks for?
bool has_its_shape(job_request const& request, std::vector<held_gpus> const& gpus) {
  berth::job_spec const& spec = request.spec;
  std::int32_t const least = spec.min_gang > 0 ? spec.min_gang : spec.gang;
  return request.refusal.empty() && std::cmp_greater_equal(gpus.size(), least) &&
         std::cmp_less_equal(gpus.size(), spec.gang) &&
         std::all_of(gpus.begin(), gpus.end(), [&](held_gpus const& part) {
           return berth::gpu_count(part.gpus) == request.spec.gpus_per_member;
         });
}

// The shape in which a job runs, whatever it asked for. No more than max_roles different shares.
bool set_shape(berth::job_spec& spec, std::vector<held_gpus> const& gpus) {
  spec.roles = {};
  spec.min_gang = 0;
  spec.layout = gpus.size() > 1 ? berth::spread::one_per_node : berth::spread::same_node;
  for (held_gpus const& part : gpus) {
    std::int32_t const count = berth::gpu_count(part.gpus);
    auto const role = std::find_if(
        spec.roles.begin(), spec.roles.end(),
        [&](berth::role const& each) { return each.gpus == count || each.members == 0; });
    if (role == spec.roles.end() || count == 0) {
      return false;
    }
    role->gpus = count;
    ++role->members;
  }
  return !gpus.empty();
}

}  // namespace

// False if no scheduler could be made.
bool agent::rebuild() {
  std::vector<std::string> names;
  std::int64_t gpus = 0;
  largest_node_ = 0;
  for (node_record const& node : picture_.nodes) {
    if (std::find(names.begin(), names.end(), node.gpu_type) == names.end()) {
      names.push_back(node.gpu_type);
    }
    gpus += node.gpus;
    largest_node_ = std::max(largest_node_, node.gpus);
  }
  types_.emplace(std::move(names));
  auto made = make_(*types_, config_for(picture_.nodes.size(), gpus, settings_));
  if (!made) {
    log_.write(severity::error, "no_scheduler", "error={}",
               journal::quoted(fmt::format("{}", made.error())));
    return false;
  }
  figures_.rebuilds += engine_ == nullptr ? 0u : 1u;
  engine_ = std::move(made).value();
  nodes_.clear();
  node_by_name_.clear();
  jobs_.clear();
  strangers_.clear();
  if (!mirror_nodes()) {
    return false;
  }
  std::vector<job_record const*> running;
  for (job_record const& seen : picture_.jobs) {
    if (seen.phase == job_phase::running) {
      running.push_back(&seen);
    }
  }
  std::sort(running.begin(), running.end(), [](job_record const* a, job_record const* b) {
    return std::pair{a->started, a->number} < std::pair{b->started, b->number};
  });
  for (tracked_node const& node : nodes_) {
    static_cast<void>(engine_->set_lost_gpus(node.id, all_gpus(node), at_.now));
  }
  for (job_record const* const seen : running) {
    adopt_running(*seen);
  }
  for (tracked_node& node : nodes_) {
    static_cast<void>(engine_->set_lost_gpus(node.id, node.lost, at_.now));
  }
  static_cast<void>(mirror_nodes());  // strangers have been found meanwhile
  log_.write(severity::info, "rebuilt", "nodes={} running={} strangers={}", nodes_.size(),
             jobs_.size(), strangers_.size());
  return true;
}

// Makes berth start a job exactly where it runs. Precondition: no GPU is offered and no job waits.
std::optional<berth::job_id> agent::place(berth::job_spec const& spec, job_record const& seen) {
  std::vector<tracked_node const*> opened;
  for (held_gpus const& part : seen.gpus) {
    auto const known = node_by_name_.find(part.node);
    if (known != node_by_name_.end()) {
      tracked_node const& node = nodes_[known->second];
      opened.push_back(&node);
      static_cast<void>(engine_->set_lost_gpus(
          node.id, all_gpus(node) & ~node.numbers.to_berth(part.gpus), at_.now));
      if (node.spec.health == berth::node_health::draining) {
        static_cast<void>(engine_->set_node(node.id, berth::node_health::up, at_.now));
      }
    }
  }
  auto const id = engine_->submit(spec, at_.now);
  bool const starts = id && !engine_->tick(at_.now).is_refused() &&
                      engine_->view(*id)->state() == berth::job_state::launching &&
                      shares_of(*id, berth::booking_kind::hold).size() == seen.gpus.size();
  for (tracked_node const* const node : opened) {
    static_cast<void>(engine_->set_lost_gpus(node->id, all_gpus(*node), at_.now));
    static_cast<void>(engine_->set_node(node->id, node->spec.health, at_.now));
  }
  if (starts) {
    return *id;
  }
  if (id) {
    static_cast<void>(engine_->launch_failed(*id, at_.now));
    static_cast<void>(engine_->cancel(*id, at_.now));
  }
  return std::nullopt;
}

// Precondition: as place().
void agent::adopt_running(job_record const& seen) {
  job_request request = read_request(seen, *types_, largest_node_);
  std::optional<berth::job_id> id;
  if (has_its_shape(request, seen.gpus)) {
    id = place(request.spec, seen);
  }
  bool const by_shape = !id;
  if (by_shape) {
    berth::job_spec running = request.spec;
    if (!set_shape(running, seen.gpus)) {
      if (!seen.gpus.empty()) {
        strangers_.insert(seen.number);
      }
      return;
    }
    running.cpu_milli_per_gpu = 0;  // Slurm has found room for it
    running.allowed_types = berth::any_type;
    running.tag = seen.number;
    running.preemptible = seen.can_requeue;
    id = place(running, seen);
  }
  if (!id) {
    strangers_.insert(seen.number);
    log_.write(severity::warning, "stranger", "job={}", seen.number);
    return;
  }
  static_cast<void>(engine_->started(*id, at_.now));
  auto const ran = std::clamp<std::int64_t>(at_.unix_seconds - seen.started, 0, 1'000'000'000);
  // The work is counted on the whole gang; of an elastic job only a part of it may run.
  std::int64_t const gang = by_shape ? 1 : request.spec.gang;
  std::int64_t const part = by_shape ? 1 : static_cast<std::int64_t>(seen.gpus.size());
  static_cast<void>(engine_->progress(*id, std::chrono::seconds{ran * part / gang}, at_.now));
  track(seen, *id, std::move(request));
  tracked_job& job = jobs_.at(seen.number);
  job.adopted_running = by_shape;
  job.seen_running = at_.now;
}

void agent::track(job_record const& seen, berth::job_id id, job_request request) {
  tracked_job job;
  job.id = id;
  job.request = std::move(request);
  job.note = seen.admin_comment;
  admin_note const note = read_note(seen.admin_comment);
  job.submitted = note.submitted > 0 ? note.submitted : seen.submitted;
  if (note.leaves > 0 && seen.phase == job_phase::running) {
    // An earlier agent told it to save; whoever saves does not work. It is told again, as nobody
    // knows whether it heard, and gets the rest of its time by a clock that may have been set
    // since.
    std::int64_t const left = std::clamp<std::int64_t>(note.leaves - at_.unix_seconds, 0,
                                                       job.request.said.checkpoint_seconds);
    job.stop.emplace();
    job.stop->leaves = at_.now + std::chrono::seconds{left};
    job.stop->leaves_unix = note.leaves;
  }
  jobs_.insert_or_assign(seen.number, std::move(job));
}

// False if there is no snapshot, or it does not fit Slurm's nodes.
bool agent::restore() {
  if (remembered_.empty()) {
    return false;
  }
  std::vector<std::byte> const bytes = std::exchange(remembered_, {});
  picture const now = std::exchange(picture_, {picture_.nodes, {}});
  bool usable = rebuild();  // an engine of the right kind, without jobs
  picture_ = now;
  auto const taken = usable ? engine_->restore(bytes) : berth::error{};
  usable = usable && taken && recognise_nodes();
  if (!usable) {
    log_.write(severity::warning, "snapshot_dropped", "error={}",
               journal::quoted(taken ? "other nodes" : fmt::format("{}", taken.error())));
    engine_.reset();
    return false;
  }
  std::vector<std::pair<job_number, berth::job_id>> known;
  engine_->for_each_job([&](berth::job_view const& job) {
    known.emplace_back(static_cast<job_number>(job.spec().tag), job.id());
  });
  for (auto const& [number, id] : known) {
    auto const seen =
        std::find_if(picture_.jobs.begin(), picture_.jobs.end(),
                     [wanted = number](job_record const& job) { return job.number == wanted; });
    if (seen == picture_.jobs.end()) {
      static_cast<void>(engine_->complete(id, at_.now, berth::outcome::failed));
      continue;
    }
    track(*seen, id, read_request(*seen, *types_, largest_node_));
  }
  log_.write(severity::info, "restored", "jobs={}", jobs_.size());
  return true;
}

}  // namespace slurm_agent
