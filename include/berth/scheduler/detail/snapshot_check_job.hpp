// SPDX-License-Identifier: BSL-1.0
// Is one job of a snapshot possible? What it says of itself, and what it has on nodes.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/check_job.hpp>
#include <berth/model/estimate.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>
#include <berth/scheduler/detail/snapshot_fields.hpp>
#include <berth/scheduler/detail/snapshot_scratch.hpp>
#include <berth/sizing/check_sizing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] constexpr error bad_data(field where) noexcept {
  return {errc::bad_data, where};
}

/// Instants and sums of durations that a scheduler can have come to.
[[nodiscard]] constexpr bool is_possible(time_point at) noexcept {
  constexpr duration limit = 4 * max_instant;
  return at == never || at == time_point::min() ||
         (at.time_since_epoch() >= -limit && at.time_since_epoch() <= limit);
}
[[nodiscard]] constexpr bool is_past(time_point at, time_point now) noexcept {
  return at == never || (at <= now && at.time_since_epoch() >= -max_instant);
}
[[nodiscard]] constexpr bool is_account(duration sum) noexcept {
  return sum >= duration{0} && sum <= 4 * max_instant;
}
[[nodiscard]] constexpr bool is_work(duration done, job_spec const& spec) noexcept {
  return done >= duration{0} && done <= spec.work && done <= duration{gpu_time::max().count()};
}
/// What a predictor may have said: not so far below zero that counting down would wrap.
[[nodiscard]] constexpr bool is_estimate(estimate const& said) noexcept {
  constexpr duration least = -4 * max_instant;
  return said.p10 >= least && said.p50 >= least && said.p90 >= least;
}
[[nodiscard]] inline bool is_known(wait_reason reason) noexcept {
  return *to_string(reason) != '?';
}

/// Roles that finished members can have left of `whole`: same order, no more members, not empty.
[[nodiscard]] constexpr bool is_rest_of(std::array<role, max_roles> const& rest,
                                        std::array<role, max_roles> const& whole) noexcept {
  std::size_t at = 0;
  for (role const& left : rest) {
    if (left == role{}) {
      continue;
    }
    while (at < max_roles && (left.gpus != whole[at].gpus || left.members > whole[at].members)) {
      ++at;
    }
    if (at == max_roles || left.members <= 0) {
      return false;
    }
    ++at;
  }
  for (std::size_t i = 1; i < max_roles; ++i) {
    if (rest[i - 1] == role{} && rest[i] != role{}) {
      return false;
    }
  }
  return rest[0] != role{};
}

/// Reads the form off the specification and checks both.
[[nodiscard]] inline result<void> check_form(job_record& job, int type_count,
                                             scheduler_config const& limits) noexcept {
  auto const whole = check(job.spec, type_count);
  if (!whole) {
    return bad_data(whole.error().where);
  }
  if (static_cast<std::uint32_t>(job.spec.tenant) >= limits.max_tenants) {
    return error{errc::capacity_exceeded, field::max_tenants};
  }
  std::array<role, max_roles> const rest = job.form.roles;
  if (!is_rest_of(rest, whole->roles)) {
    return bad_data(field::roles);
  }
  pool const where = job.form.where;
  bool const may_be_there =
      where == job.spec.where || (where == pool::inference && job.spec.borrows == borrowing::all);
  if (!may_be_there) {
    return bad_data(field::pool);
  }
  job.form = *whole;
  job.form.roles = rest;
  job.form.where = where;
  return static_cast<int>(job.type) < type_count ? result<void>{} : bad_data(field::type);
}

[[nodiscard]] inline result<void> check_times(job_record const& job, time_point now) noexcept {
  for (time_point const at : {job.submitted, job.waiting_since, job.first_start, job.run_since,
                              job.counted_since, job.done_at, job.safe_at, job.estimated_at}) {
    if (!is_past(at, now)) {
      return bad_data(field::now);
    }
  }
  if (!is_possible(job.not_before) || !is_possible(job.earmark_until) ||
      !is_possible(job.saves_at) || job.submitted == never) {
    return bad_data(field::now);
  }
  if ((job.state == job_state::draining) != (job.saves_at != never)) {
    return bad_data(field::state);
  }
  bool const runs = job.run_since != never;
  bool const resizes = job.state == job_state::resizing;
  bool const must_run = job.state == job_state::running || resizes;
  bool const may_run =
      must_run || job.state == job_state::draining || job.state == job_state::cancelling;
  if (runs ? !may_run : must_run || job.done_at != never || job.safe_at != never) {
    return bad_data(field::run);
  }
  // Between a change that was ordered and the end of it, or of the run, it makes no progress.
  bool const may_stand_still = job.change > 0 && job.state != job_state::running;
  bool const begun = job.counted_since != never && (job.done_at != never || may_stand_still) &&
                     job.estimated_at != never;
  if (runs ? !begun : job.counted_since != never) {
    return bad_data(field::run);
  }
  if (holds_gpus(job.state) != (job.waiting_since == never)) {
    return bad_data(field::state);
  }
  if (!is_past(job.asleep_since, now) || (job.asleep_since != never && !runs)) {
    return bad_data(field::run);
  }
  if (!is_past(job.epoch_began, now) || job.measured_epoch < duration{0} ||
      job.measured_epoch > max_duration) {
    return bad_data(field::epoch);
  }
  if (!is_estimate(job.remaining)) {
    return bad_data(field::estimate);
  }
  bool const accounts = is_account(job.waited) && is_account(job.executed) &&
                        is_account(job.destroyed) && job.destroyed <= job.executed &&
                        job.served >= gpu_time::zero() && !job.served.is_forbidden();
  return accounts && is_work(job.done, job.spec) && is_work(job.safe, job.spec)
             ? result<void>{}
             : bad_data(field::done);
}

/// What the line says without its bookings.
[[nodiscard]] inline result<void> check_line(job_line& line, totals_line const& totals,
                                             scheduler_config const& limits) noexcept {
  job_record& job = line.record;
  if (has_ended(job.state) || static_cast<int>(job.state) >= job_state_count) {
    return bad_data(field::state);
  }
  if (auto const form = check_form(job, totals.type_count, limits); !form) {
    return form.error();
  }
  if (auto const times = check_times(job, totals.now); !times) {
    return times.error();
  }
  if (job.sequence >= totals.next_sequence || job.launched_in_tick > totals.tick_number) {
    return bad_data(field::job);
  }
  if (!is_known(line.reason) || !is_known(line.verdict) ||
      (line.judged && is_impossible(line.verdict)) ||
      (!line.queued && (line.judged || line.verdict != wait_reason::not_decided)) ||
      (line.queued && job.state != job_state::pending) ||
      (line.earmark_broken && job.state != job_state::reserving)) {
    return bad_data(field::state);
  }
  if (job.target < -1 || job.target > max_gang_gpus || job.rung_speed < 1 ||
      job.rung_speed > max_rung_speed ||
      (job.state == job_state::resizing && (job.change == 0 || job.spec.min_gang == 0))) {
    return bad_data(field::ladder);
  }
  bool const grouped = line.group_next != no_index;
  if (grouped && (job.spec.group == group_id{} || line.group_next >= totals.slots)) {
    return bad_data(field::group);
  }
  return {};
}

/// One booking of the job in `slot`, and what it leaves in the scratch.
[[nodiscard]] inline result<void> check_booking(booking_line const& line, std::uint32_t slot,
                                                booking_kind kind, job_state state,
                                                snapshot_scratch& scratch,
                                                std::uint32_t node_count) noexcept {
  if (line.node >= node_count) {
    return bad_data(field::node);
  }
  node_check& node = scratch.nodes[line.node];
  bool const is_hold = kind == booking_kind::hold;
  gpu_mask& taken = is_hold ? node.held : node.earmarked;
  std::uint32_t& last = is_hold ? node.held_by : node.earmarked_by;
  if (!node.exists || node.health == node_health::down || last == slot) {
    return bad_data(field::node);
  }
  if (line.gpus == 0 || (line.gpus & ~node.all) != 0 || (line.gpus & taken) != 0) {
    return bad_data(field::mask);
  }
  std::uint64_t& places = node.places[line.place / 64 % 2];
  std::uint64_t const place = std::uint64_t{1} << (line.place % 64);
  if (line.place >= 128 || (places & place) != 0) {
    return bad_data(field::node);
  }
  places |= place;
  taken |= line.gpus;
  last = slot;
  bool const leaves = state == job_state::draining || state == job_state::cancelling;
  bool const may_leave = is_hold && (leaves || state == job_state::resizing);
  if ((line.leaving & ~(may_leave ? line.gpus : 0)) != 0 ||
      (leaves && is_hold && line.leaving != line.gpus)) {
    return bad_data(field::mask);
  }
  node.leaving |= line.leaving;
  return {};
}

/// After all bookings: the chain has no gap, and an earmark is on GPUs that are empty and in
/// service, or being left.
[[nodiscard]] inline bool is_consistent(node_check const& node) noexcept {
  bool const second = node.places[1] != 0;
  std::uint64_t const last = node.places[second ? 1 : 0];
  bool const no_gap = (last & (last + 1)) == 0 && (!second || node.places[0] == ~std::uint64_t{0});
  gpu_mask const reserved = node.earmarked & ~node.held;
  return no_gap && (node.earmarked & node.held & ~node.leaving) == 0 && (reserved & node.lost) == 0;
}

/// Are so many GPUs right for its state?
[[nodiscard]] inline bool is_whole(job_line const& line, std::int64_t held, std::int64_t leaving,
                                   std::int64_t earmarked) noexcept {
  std::int64_t const gang = line.record.form.gpus();
  switch (line.record.state) {
    case job_state::submitted:
    case job_state::pending: return held == 0 && earmarked == 0;
    case job_state::reserving:
      return held == 0 && (line.earmark_broken ? earmarked <= gang : earmarked == gang);
    case job_state::launching:
    case job_state::running: return held == gang && earmarked == 0;
    case job_state::draining:
    case job_state::cancelling:
      return held > 0 && (held <= gang || line.record.change > 0) && earmarked == 0;
    case job_state::resizing: return held - leaving == gang && earmarked == 0;
    case job_state::finished:
    case job_state::failed:
    case job_state::cancelled: break;
  }
  return false;
}

}  // namespace detail
BERTH_NAMESPACE_END
