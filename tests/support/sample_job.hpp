// SPDX-License-Identifier: BSL-1.0
// A job record as the scheduler would have made it, for tests of components that see only a
// job_view.
#pragma once

#include <berth/concepts/tick_context.hpp>
#include <berth/core/time.hpp>
#include <berth/model/check_job.hpp>
#include <berth/model/estimate.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>

#include <cstdint>

namespace berth_test {

[[nodiscard]] constexpr berth::time_point at(berth::duration since_zero) noexcept {
  return berth::time_point{since_zero};
}

/// The hook context at an instant.
[[nodiscard]] constexpr berth::tick_context tick_at(berth::time_point now) noexcept {
  return {now, 64, 64};
}

struct sample_job {
  berth::job_record record;

  /// Waits since the clock's zero.
  explicit sample_job(berth::job_spec const& spec, int type_count = 2) {
    record.spec = spec;
    record.form = berth::check(spec, type_count).value();
    record.id = berth::job_id{0, 0};
    record.state = berth::job_state::pending;
    record.submitted = at(berth::duration{0});
    record.waiting_since = at(berth::duration{0});
  }
  /// Runs from `since` on `gpus` GPUs of `type`.
  void run(berth::time_point since, std::int32_t gpus, berth::gpu_type type = {}) {
    record.state = berth::job_state::running;
    record.waited += berth::saturating_sub(since, record.waiting_since);
    record.waiting_since = berth::never;
    record.run_since = since;
    record.counted_since = since;
    record.done_at = since;
    record.first_start = record.first_start == berth::never ? since : record.first_start;
    record.gpus_held = gpus;
    record.nodes_held = 1;
    record.type = type;
  }
  /// Stops at `now` with what it has done; waits again.
  void stop(berth::time_point now) {
    berth::job_view const seen = view(now);
    berth::gpu_time const served = seen.attained_service();
    berth::duration const executed = seen.executed();
    berth::duration const done = seen.done();
    record.served = served;
    record.executed = executed;
    record.done = done;
    record.safe = done;
    record.state = berth::job_state::pending;
    record.waiting_since = now;
    record.run_since = berth::never;
    record.counted_since = berth::never;
    record.done_at = berth::never;
    record.gpus_held = 0;
    record.nodes_held = 0;
  }
  /// The predictor's answer at `now`.
  void predict(berth::duration remaining, berth::time_point now) {
    record.remaining = berth::estimate::exactly(remaining);
    record.estimated_at = now;
  }
  [[nodiscard]] berth::job_view view(berth::time_point now) const { return {record, now}; }
};

}  // namespace berth_test
