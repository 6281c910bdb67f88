// SPDX-License-Identifier: BSL-1.0
// What a stop costs by when it comes and how: at the end of the epoch, after the iteration, or at
// once (after the published ideas of PickyMan, Chen et al., IPCCC 2022: a suspension finishes the
// epoch, a resumption reads model and data again; the formulas are ours).
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>
#include <berth/model/suspension.hpp>
#include <berth/model/transfer.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Four parts, each from what the job declares (job_spec::checkpoints) or else from the members:
/// - drain: rest of the epoch (boundary) or of the iteration (checkpoint); useful work goes on;
/// - save: checkpoint bytes over the bandwidth that the jobs that leave now share; no kill saves;
/// - rollback: time since the last checkpoint (kill);
/// - resume: container, framework, checkpoint and data read, warm-up.
/// Of the modes that the job allows the one that destroys least GPU-time is taken, among equals the
/// one that leaves soonest. A job that would be done before it could be back is no victim: such a
/// stop counts as gpu_time::max(), more than anything it could gain. It is not forbidden, because
/// then `allowed` would change with time alone.
struct epoch_boundary {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = true;

  /// Of one job that writes alone, bytes a second. BERT-size weights, about 1.4 GB, load in 14 s
  /// (measured cold starts of inference pods): 100 MB a second.
  std::int64_t write_bandwidth = 100'000'000;
  std::int64_t read_bandwidth = 100'000'000;     ///< of checkpoints, bytes a second; same source
  std::int64_t storage_bandwidth = 100'000'000;  ///< of training data, bytes a second; same source
  /// Checkpoint of a job that does not say. With 1.4 GB, stop and restart of one GPU take 61 s in
  /// all; Tiresias (NSDI'19) measured 62 s on average.
  std::int64_t assumed_checkpoint_bytes = 1'400'000'000;
  /// Between the last step and the first byte. Suspending takes 0.1 to 1 s in Gandiva (OSDI'18).
  duration sync = std::chrono::seconds{1};
  /// Container of an inference pod: 2 s.
  duration container_start = std::chrono::seconds{2};
  /// Framework and process group, a restart in ElasticFlow (ASPLOS'23): 27 s, and 2 s more for one
  /// GPU and for each doubling of the gang; 25 s more from 256 GPUs on.
  duration framework_start = std::chrono::seconds{27};
  duration per_doubling = std::chrono::seconds{2};
  std::int32_t large_gang = 256;
  duration large_gang_start = std::chrono::seconds{25};
  /// First steps. A rescale in which everything else is in place takes 1 to 5 s in DeepBoot.
  duration warm_up = std::chrono::seconds{1};
  /// Of jobs that only stop at ends of epochs, or only after iterations, and do not say how long
  /// those take. Assumptions, without a source.
  duration assumed_epoch = std::chrono::seconds{600};
  duration assumed_iteration = std::chrono::seconds{1};

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    if (!job.is_running()) {
      return {};  // it has done nothing yet
    }
    mode_mask const legal = legal_modes(job);
    suspension best{.allowed = false};
    for (int m = 0; m < suspension_mode_count; ++m) {
      auto const mode = static_cast<suspension_mode>(m);
      if (contains(legal, mode)) {
        suspension const next = suspend_by(job, mode, tick);
        best = !best.allowed || is_better(next, best) ? next : best;
      }
    }
    return best;
  }

  /// The same for one mode, legal or not. The job runs.
  [[nodiscard]] suspension suspend_by(job_view const& job, suspension_mode mode,
                                      tick_context const& tick) const noexcept {
    suspension answer{.mode = mode};
    if (mode == suspension_mode::kill) {
      answer.rollback = std::max(duration{0}, saturating_sub(tick.now, job.safe_since()));
      return answer;
    }
    answer.drain = mode == suspension_mode::boundary ? rest_of_epoch(job) : rest_of_iteration(job);
    answer.save = save_time(job, tick);
    return answer;
  }

  /// On a node that has none of its data.
  [[nodiscard]] duration resume(job_view const& job, tick_context const&) const noexcept {
    checkpointing const& said = job.spec().checkpoints;
    if (said.startup > duration{0}) {
      return said.startup;
    }
    std::int32_t const gpus = std::max(1, job.gang_gpus());
    auto const doublings = std::bit_width(static_cast<std::uint32_t>(gpus)) - 1;
    duration sum = container_start + framework_start + (doublings + 1) * per_doubling + warm_up;
    sum += gpus >= large_gang ? large_gang_start : duration{0};
    sum += transfer_time(checkpoint_bytes(said), read_bandwidth);
    sum += unhidden_reading(said, said.dataset_bytes, job.epoch_period(), storage_bandwidth);
    return std::min(sum, max_duration);
  }

  /// On `node`: on the one that it left, what is cached there is not read again.
  [[nodiscard]] duration resume_on(node_id node, job_view const& job,
                                   tick_context const& tick) const noexcept {
    checkpointing const& said = job.spec().checkpoints;
    duration const spared = node == job.last_node()
                                ? spared_reading(said, job.epoch_period(), storage_bandwidth)
                                : duration{0};
    return std::max(duration{0}, resume(job, tick) - spared);
  }

  [[nodiscard]] gpu_time price(job_view const& job, suspension const& stop,
                               tick_context const& tick) const noexcept {
    duration const back = resume(job, tick);
    if (job.is_running() && job.remaining().p10 <= stop.drain + stop.save + back) {
      return gpu_time::max();
    }
    std::int64_t const gpus = job.gpus_held();
    return gpu_time{gpus, stop.save} + gpu_time{gpus, stop.rollback} + gpu_time{gpus, back};
  }

 private:
  [[nodiscard]] static mode_mask legal_modes(job_view const& job) noexcept {
    checkpointing const& said = job.spec().checkpoints;
    if (said.modes != 0) {
      return said.modes;
    }
    mode_mask legal = only(suspension_mode::kill);
    if (job.epoch_period() > duration{0}) {
      legal = with(legal, suspension_mode::boundary);
    }
    if (is_known(said.iteration)) {
      legal = with(legal, suspension_mode::checkpoint);
    }
    return legal;
  }
  [[nodiscard]] static mode_mask with(mode_mask modes, suspension_mode mode) noexcept {
    return static_cast<mode_mask>(modes | only(mode));
  }
  [[nodiscard]] static bool is_better(suspension const& a, suspension const& b) noexcept {
    duration const of_a = a.save + a.rollback;  // on the same GPUs, and the restart is the same
    duration const of_b = b.save + b.rollback;
    return of_a != of_b ? of_a < of_b : a.drain < b.drain;
  }
  [[nodiscard]] static bool is_known(duration span) noexcept {
    return span > duration{0} && span != forever;
  }
  /// (1 - phase) * period; nothing at the very end of an epoch.
  [[nodiscard]] duration rest_of_epoch(job_view const& job) const noexcept {
    duration const period = job.epoch_period();
    if (period <= duration{0}) {
      return assumed_epoch;
    }
    duration const age = job.epoch_age();
    return age == duration{0} ? duration{0} : period - age;
  }
  /// Where in the iteration it is nobody knows: the whole of it, at worst.
  [[nodiscard]] duration rest_of_iteration(job_view const& job) const noexcept {
    duration const said = job.spec().checkpoints.iteration;
    return is_known(said) ? said : assumed_iteration;
  }
  [[nodiscard]] std::int64_t checkpoint_bytes(checkpointing const& said) const noexcept {
    return said.checkpoint_bytes > 0 ? said.checkpoint_bytes : assumed_checkpoint_bytes;
  }
  /// Everybody who leaves writes at the same time, at worst, and gets an equal share.
  [[nodiscard]] duration save_time(job_view const& job, tick_context const& tick) const noexcept {
    checkpointing const& said = job.spec().checkpoints;
    duration const alone = said.save > duration{0}
                               ? said.save
                               : transfer_time(checkpoint_bytes(said), write_bandwidth);
    duration const shared{gpu_time{1 + tick.jobs_leaving, alone}.count()};
    return std::min(sync + shared, max_duration);
  }
};

BERTH_NAMESPACE_END
