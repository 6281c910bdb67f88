// SPDX-License-Identifier: BSL-1.0
// Preemption only where it pays, after PickyMan's published ideas (IPCCC 2022): the running jobs
// are divided into blocks that stop in favour of one waiting job each, and a rest that is kept. The
// paper's rule is public in outline only; this one is ours (docs/components/ordered_division.md).
#pragma once

#include <berth/concepts/component.hpp>
#include <berth/concepts/exchange.hpp>
#include <berth/concepts/gang_allocator.hpp>
#include <berth/concepts/preemption_cost.hpp>
#include <berth/concepts/tick_context.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>

#include <algorithm>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A block is stopped for a job if the job gains more time than all lose together:
///
///   A(w) - F(S)  >  sum over v in S of (stay(w) + overhead(v)) + price × GPU-time lost + guard
///
/// A(w) is when w would start if nobody stopped for it, F(S) when the last victim has left, stay(w)
/// how long w then runs, overhead(v) what v's stop and return take. A GPU·ms lost delays everybody
/// who waits: its price is the number of waiting jobs over the number of GPUs. With one victim of
/// equal size and nobody else, this is shortest remaining time first with a margin for the switch.
struct ordered_division {
  using component_role = allocator_role;

  /// A(w) is counted behind the jobs before w in the queue; else as if w were alone.
  bool queue_aware = true;
  /// GPU-time lost is charged to whoever waits; and w's own, on GPUs that the others would not have
  /// had, is credited: its work no longer stands before theirs.
  bool prices_gpu_time = true;
  /// Asked on top, in thousandths of stay(w). The error of a prediction is not its business: an
  /// uncertain estimate is an interval, and what remains of it does not fall to nothing.
  std::int64_t guard_permille = 0;
  /// Of two victims the one that has more left to run: what counts against the other, in
  /// thousandths of the difference. Whoever comes next uses the GPUs of one that stays away without
  /// another stop.
  std::int64_t prefer_long_permille = 200;
  /// A job that has been stopped so often is left alone: none is stopped for ever.
  std::uint32_t most_preemptions = 16;
  /// How the victims of a node are chosen.
  cover_rule cover = cover_rule::exact;

  /// What the paper's abstract says and no more, as a baseline: A(w) as if w were alone, a tenth of
  /// the run time as a guard, no price of GPU-time (spec of the reconstruction: docs page).
  [[nodiscard]] static constexpr ordered_division as_published() noexcept {
    return {.queue_aware = false,
            .prices_gpu_time = false,
            .guard_permille = 100,
            .prefer_long_permille = 0};
  }

  [[nodiscard]] grant allocate(job_view const& job, queue_state const&,
                               tick_context const&) const noexcept {
    return {.gpus = job.gang_gpus()};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return false; }
  [[nodiscard]] bool looks_at_queue() const noexcept { return false; }
  [[nodiscard]] bool counts_queue() const noexcept { return queue_aware; }
  [[nodiscard]] cover_rule covers_by() const noexcept { return cover; }

  [[nodiscard]] duration loss(job_view const& victim, suspension const& how, duration resume,
                              tick_context const& tick) const noexcept {
    duration const overhead =
        std::min(bounded(how.save) + bounded(how.rollback) + bounded(resume), max_duration);
    bool const ends_first = victim.remaining().p50 <= bounded(how.drain) + bounded(how.save);
    if (victim.preemptions() >= most_preemptions || ends_first) {
      return forever;
    }
    return overhead + worth(gpu_time{victim.gpus_held(), overhead}, tick);
  }
  [[nodiscard]] duration stay(job_view const& job, tick_context const&) const noexcept {
    return job.remaining().p50;
  }
  [[nodiscard]] duration returns_sooner(duration less, tick_context const&) const noexcept {
    return duration{gpu_time{prefer_long_permille, std::min(less, max_duration)}.count() / 1000};
  }
  [[nodiscard]] duration worth(gpu_time lost, tick_context const& tick) const noexcept {
    bool const counts = prices_gpu_time && tick.gpu_total > 0;
    return counts ? duration{(tick.jobs_waiting * lost).count() / tick.gpu_total} : duration{0};
  }
  [[nodiscard]] bool pays(job_view const& job, duration wait, duration cost,
                          tick_context const& tick) const noexcept {
    duration const run = stay(job, tick);
    if (run == forever) {
      return false;  // nobody knows for how long the victims would be kept out
    }
    duration const guard{gpu_time{guard_permille, run}.count() / 1000};
    duration const gain = std::min(wait, max_duration) + relief(job, run, tick);
    return guard < gain - cost;
  }

 private:
  [[nodiscard]] static duration bounded(duration span) noexcept {
    return std::clamp(span, duration{0}, max_duration);
  }
  /// What the other waiting jobs gain: w's work is out of their way.
  [[nodiscard]] duration relief(job_view const& job, duration run,
                                tick_context const& tick) const noexcept {
    if (!prices_gpu_time || tick.gpu_total <= 0) {
      return duration{0};
    }
    std::int64_t const others = std::max<std::int64_t>(0, tick.jobs_waiting - 1);
    gpu_time const work{job.gang_gpus(), run};
    return std::min(duration{(others * work).count() / tick.gpu_total}, max_duration);
  }
};

BERTH_NAMESPACE_END
