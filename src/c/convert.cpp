// SPDX-License-Identifier: BSL-1.0
#include "convert.hpp"

#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace c_api {
namespace {

// The enumerators of berth.h are berth's own.
static_assert(BERTH_START == static_cast<int>(action_kind::start) &&
              BERTH_STOP == static_cast<int>(action_kind::stop) &&
              BERTH_CARRY_ON == static_cast<int>(action_kind::carry_on) &&
              BERTH_RESIZE == static_cast<int>(action_kind::resize));
static_assert(BERTH_PREEMPTED == static_cast<int>(stop_reason::preempted) &&
              BERTH_CANCELLED == static_cast<int>(stop_reason::cancelled) &&
              BERTH_NODE_LOST == static_cast<int>(stop_reason::node_lost) &&
              BERTH_OUTBID == static_cast<int>(stop_reason::outbid) &&
              BERTH_RECALLED == static_cast<int>(stop_reason::recalled));
static_assert(BERTH_MODE_BOUNDARY == static_cast<int>(suspension_mode::boundary) &&
              BERTH_MODE_CHECKPOINT == static_cast<int>(suspension_mode::checkpoint) &&
              BERTH_MODE_KILL == static_cast<int>(suspension_mode::kill));
static_assert(BERTH_JOB_SUBMITTED == static_cast<int>(job_state::submitted) &&
              BERTH_JOB_PENDING == static_cast<int>(job_state::pending) &&
              BERTH_JOB_RESERVING == static_cast<int>(job_state::reserving) &&
              BERTH_JOB_LAUNCHING == static_cast<int>(job_state::launching) &&
              BERTH_JOB_RUNNING == static_cast<int>(job_state::running) &&
              BERTH_JOB_DRAINING == static_cast<int>(job_state::draining) &&
              BERTH_JOB_CANCELLING == static_cast<int>(job_state::cancelling) &&
              BERTH_JOB_RESIZING == static_cast<int>(job_state::resizing));
static_assert(BERTH_BORROW_NONE == static_cast<int>(borrowing::none) &&
              BERTH_BORROW_EXTRA == static_cast<int>(borrowing::extra) &&
              BERTH_BORROW_ALL == static_cast<int>(borrowing::all) &&
              BERTH_UNIT_SPEED == unit_rung_speed);
static_assert(BERTH_EXPLICIT_REPORTS == static_cast<int>(acknowledgement::explicit_reports) &&
              BERTH_IMPLICIT == static_cast<int>(acknowledgement::implicit) &&
              BERTH_ACCEPT_IMPOSSIBLE == static_cast<int>(impossible_gangs::accept) &&
              BERTH_REFUSE_IMPOSSIBLE == static_cast<int>(impossible_gangs::refuse));
static_assert(BERTH_POOL_TRAINING == static_cast<int>(pool::training) &&
              BERTH_POOL_INFERENCE == static_cast<int>(pool::inference));
static_assert(BERTH_NODE_UP == static_cast<int>(node_health::up) &&
              BERTH_NODE_DRAINING == static_cast<int>(node_health::draining) &&
              BERTH_NODE_DOWN == static_cast<int>(node_health::down));
static_assert(BERTH_PREFER_TOGETHER == static_cast<int>(spread::prefer_together) &&
              BERTH_SAME_NODE == static_cast<int>(spread::same_node) &&
              BERTH_ONE_PER_NODE == static_cast<int>(spread::one_per_node));
static_assert(BERTH_NOT_SAID == not_said.count() && BERTH_NEVER == milliseconds(never) &&
              BERTH_FOREVER == forever.count() && BERTH_NULL_ID == job_id{}.value());
static_assert(sizeof(berth_job::role_members) == sizeof(std::int32_t) * max_roles &&
              sizeof(berth_job::speed) == sizeof(double) * max_gpu_types);

/// Collects the first number that does not fit.
class narrowing {
 public:
  template <class To, class From>
  [[nodiscard]] To to(From number, field where) noexcept {
    if constexpr (std::is_enum_v<To>) {
      return static_cast<To>(to<std::underlying_type_t<To>>(number, where));
    } else {
      if (!std::in_range<To>(number)) {
        refuse(where);
      }
      return static_cast<To>(number);
    }
  }
  void refuse(field where) noexcept {
    if (fits_) {
      fits_ = false;
      where_ = where;
    }
  }
  template <class T>
  [[nodiscard]] result<T> done(T made, errc code = errc::bad_number) const noexcept {
    return fits_ ? result<T>{made} : result<T>{error{code, where_}};
  }

 private:
  bool fits_ = true;
  field where_ = field::none;
};

checkpointing checkpoints_of(berth_job const& given, narrowing& fit) noexcept {
  checkpointing saving;
  saving.epoch_period = duration{given.epoch_period};
  saving.period = duration{given.checkpoint_period};
  saving.phase = duration{given.checkpoint_phase};
  saving.checkpoint_bytes = given.checkpoint_bytes;
  saving.dataset_bytes = given.dataset_bytes;
  saving.startup = duration{given.startup};
  saving.resize = duration{given.resize};
  saving.iteration = duration{given.iteration};
  saving.save = duration{given.save};
  saving.cached_bytes = given.cached_bytes;
  saving.modes = fit.to<mode_mask>(given.modes, field::modes);
  return saving;
}

}  // namespace

berth_node default_node() noexcept {
  berth_node made{};
  made.size = sizeof made;
  return made;
}

berth_config default_config() noexcept {
  scheduler_config const usual;
  berth_config made{};
  made.size = sizeof made;
  made.gpu_types = 1;
  made.preset = "fifo";
  made.node_size = sizeof(berth_node);
  made.max_jobs = usual.max_jobs;
  made.max_nodes = usual.max_nodes;
  made.max_gpus = usual.max_gpus;
  made.max_tenants = usual.max_tenants;
  made.look_ahead = usual.look_ahead;
  made.acknowledge = static_cast<std::int32_t>(usual.acknowledge);
  made.impossible = static_cast<std::int32_t>(usual.impossible);
  made.failure_limit = usual.failure_limit;
  made.earmark_expiry = usual.earmark_expiry.count();
  made.minimum_run = usual.minimum_run.count();
  made.retry_base = usual.retry.base.count();
  made.retry_factor = usual.retry.factor;
  made.retry_cap = usual.retry.cap.count();
  made.horizon = milliseconds(usual.horizon);
  made.borrow_again_after = usual.borrow_again_after.count();
  made.max_rungs = usual.max_rungs;
  return made;
}

berth_job default_job() noexcept {
  job_spec const usual;
  berth_job made{};
  made.size = sizeof made;
  made.gang = usual.gang;
  made.gpus_per_member = usual.gpus_per_member;
  made.allowed_types = usual.allowed_types;
  made.spread_loss = usual.spread_loss;
  made.preemptible = usual.preemptible ? 1 : 0;
  made.work = usual.work.count();
  made.estimate = usual.estimate.count();
  made.deadline = milliseconds(usual.deadline);
  return made;
}

berth_event default_event() noexcept {
  berth_event made{};
  made.size = sizeof made;
  made.job = BERTH_NULL_ID;
  made.node = BERTH_NULL_ID;
  made.done = BERTH_NOT_SAID;
  return made;
}

berth_plan default_plan() noexcept {
  berth_plan made{};
  made.size = sizeof made;
  made.action_size = sizeof(berth_action);
  made.range_size = sizeof(berth_gpu_range);
  return made;
}

result<node_spec> node_of(berth_node const& given) noexcept {
  narrowing fit;
  node_spec node;
  node.gpus = given.gpus;
  node.type = fit.to<gpu_type>(given.type, field::type);
  node.rack = rack_id{given.rack};
  node.owner = fit.to<pool>(given.pool, field::pool);
  node.health = fit.to<node_health>(given.health, field::health);
  node.cpu_milli = given.cpu_milli;
  node.memory_mib = given.memory_mib;
  node.tag = given.tag;
  return fit.done(node);
}

result<scheduler_config> config_of(berth_config const& given) noexcept {
  narrowing fit;
  scheduler_config config;
  config.max_jobs = given.max_jobs;
  config.max_nodes = given.max_nodes;
  config.max_gpus = given.max_gpus;
  config.max_tenants = given.max_tenants;
  config.look_ahead = given.look_ahead;
  config.acknowledge = fit.to<acknowledgement>(given.acknowledge, field::acknowledge);
  config.impossible = fit.to<impossible_gangs>(given.impossible, field::impossible);
  config.failure_limit = given.failure_limit;
  config.earmark_expiry = duration{given.earmark_expiry};
  config.minimum_run = duration{given.minimum_run};
  config.retry = {duration{given.retry_base}, given.retry_factor, duration{given.retry_cap}};
  config.horizon = instant(given.horizon);
  config.borrow_again_after = duration{given.borrow_again_after};
  config.max_rungs = given.max_rungs;
  if (given.gpu_types < 1 || given.gpu_types > max_gpu_types) {
    fit.refuse(field::type);
  }
  if (given.reserved != 0 || given.reserved_too != 0) {
    fit.refuse(field::none);
  }
  return fit.done(config, errc::bad_config);
}

result<job_spec> job_of(berth_job const& given) noexcept {
  narrowing fit;
  job_spec job;
  job.gang = given.gang;
  job.min_gang = given.min_gang;
  job.gpus_per_member = given.gpus_per_member;
  for (std::size_t i = 0; i < max_roles; ++i) {
    job.roles[i] = {given.role_members[i], given.role_gpus[i]};
  }
  job.group = group_id{given.group};
  job.group_size = given.group_size;
  job.cpu_milli_per_gpu = given.cpu_milli_per_gpu;
  job.memory_mib_per_gpu = given.memory_mib_per_gpu;
  job.allowed_types = fit.to<type_mask>(given.allowed_types, field::allowed_types);
  for (std::size_t t = 0; t < max_gpu_types; ++t) {
    job.speed[t] = given.speed[t];
  }
  job.layout = fit.to<spread>(given.layout, field::layout);
  job.where = fit.to<pool>(given.pool, field::pool);
  job.borrows = fit.to<borrowing>(given.borrows, field::pool);
  job.spread_loss = given.spread_loss;
  job.priority = given.priority;
  job.tenant = tenant_id{given.tenant};
  job.work = duration{given.work};
  job.estimate = duration{given.estimate};
  job.deadline = instant(given.deadline);
  job.model = model_id{given.model};
  job.user = user_id{given.user};
  job.name = given.name;
  job.batch_size = given.batch_size;
  job.epochs = given.epochs;
  job.samples = given.samples;
  job.preemptible = given.preemptible != 0;
  job.checkpoints = checkpoints_of(given, fit);
  job.tag = given.tag;
  if (given.reserved != 0 || given.reserved_too != 0) {
    fit.refuse(field::none);
  }
  return fit.done(job);
}

result<run_report> report_of(berth_event const& given) noexcept {
  run_number const run{given.run};
  duration const done{given.done};
  if (given.reserved != 0 || given.reserved_too != 0) {
    return error{errc::bad_number, field::none};
  }
  switch (given.kind) {
    case BERTH_STARTED: return run_report{started{run}};
    case BERTH_LAUNCH_FAILED: return run_report{launch_failed{run}};
    case BERTH_PROGRESS: return run_report{progress{done, run}};
    case BERTH_BYTES_READ: return run_report{bytes_read{given.bytes, run}};
    case BERTH_CHECKPOINTED: return run_report{checkpointed{done, run}};
    case BERTH_STOPPED: return run_report{stopped{done, run}};
    case BERTH_MEMBER_FINISHED:
      return run_report{member_finished{node_id::from_value(given.node), given.gpus, run}};
    case BERTH_RUN_FAILED: return run_report{run_failed{run}};
    case BERTH_VACATED: return run_report{vacated{run, given.change}};
    case BERTH_RESIZED: return run_report{resized{run, given.change}};
    case BERTH_SLEEPS: return run_report{sleeps{run}};
    case BERTH_WAKES: return run_report{wakes{run}};
    default: return error{errc::bad_number, field::message};
  }
}

}  // namespace c_api
BERTH_NAMESPACE_END
