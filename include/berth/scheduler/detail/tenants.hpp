// SPDX-License-Identifier: BSL-1.0
// Quotas in a tick: what tenants use is counted anew at its beginning, from the jobs that keep
// GPUs or have them earmarked, and then with every candidate. GPUs that a job was told to leave
// count for whom they are earmarked, and no more for the job.
#pragma once

#include <berth/concepts/quota_admission.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/model/fair_share.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <class Engine>
inline constexpr bool has_quotas = quota_admission<typename Engine::admission_type>;

[[nodiscard]] inline tenant_id tenant_of(core_state const& s, std::uint32_t slot) noexcept {
  return s.jobs[slot].spec.tenant;
}

/// Jobs that keep GPUs, and those that wait for earmarked ones, in rank order.
inline void list_users(core_state const& s, workspace& w) noexcept {
  w.by_rank.clear();
  for (std::uint32_t const slot : s.holders.members()) {
    job_state const now = s.jobs[slot].state;
    if (now != job_state::draining && now != job_state::cancelling) {
      w.by_rank.push_back(slot);
    }
  }
  for (std::uint32_t const slot : s.reserving) {
    w.by_rank.push_back(slot);
  }
  std::sort(w.by_rank.begin(), w.by_rank.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
    return shape_queues::goes_before(s.jobs, a, b);
  });
}

/// Counts what tenants use, and finds what is borrowed: of a tenant's jobs the first in rank order
/// are covered by its own quota, and of what is left the first by that of the nearest queue above.
/// So stopping all that is borrowed stops nothing that is not. O(users × log users + users ×
/// depth²).
template <class Engine>
void count_tenants(Engine& e) noexcept {
  if constexpr (has_quotas<Engine>) {
    core_state& s = e.state;
    auto& users = e.work.by_rank;
    auto& admission = e.parts.admission;
    list_users(s, e.work);
    admission.begin(s.books.gpu_total());
    auto const cover = [&](auto const& may) {
      std::size_t left = 0;
      for (std::uint32_t const slot : users) {
        bool const reserves = s.jobs[slot].state == job_state::reserving;
        std::int64_t const gpus = reserves ? s.jobs[slot].form.gpus() : s.jobs[slot].gpus_held;
        quota_standing const found = admission.standing(tenant_of(s, slot), gpus);
        if (!may(found)) {
          users[left++] = slot;
          continue;
        }
        admission.take(tenant_of(s, slot), gpus);
        s.standing[slot] = found;
        if (s.yielding.contains(slot)) {
          s.rank_holder(slot);
        }
      }
      users.resize(left);
    };
    cover([](quota_standing const& found) { return !found.borrows; });
    for (int source = max_tenant_depth; source >= 0; --source) {
      cover([source](quota_standing const& found) { return found.source >= source; });
    }
  }
}

/// The candidate and those that start with it use their GPUs from now on.
template <class Engine>
void take_quota(Engine& e, std::uint32_t leader) noexcept {
  if constexpr (has_quotas<Engine>) {
    for_each_of_group(e.state, leader, [&](std::uint32_t slot) {
      e.parts.admission.take(tenant_of(e.state, slot), e.state.jobs[slot].form.gpus());
    });
  }
}
template <class Engine>
void put_back_quota(Engine& e, std::uint32_t leader) noexcept {
  if constexpr (has_quotas<Engine>) {
    for_each_of_group(e.state, leader, [&](std::uint32_t slot) {
      e.parts.admission.put_back(tenant_of(e.state, slot), e.state.jobs[slot].form.gpus());
    });
  }
}

/// What quotas say to a candidate, and to those that start with it, one after the other.
template <class Engine>
[[nodiscard]] quota_answer ask_quota(Engine& e, std::uint32_t leader) noexcept {
  core_state& s = e.state;
  auto& admission = e.parts.admission;
  quota_answer answer = quota_answer::yes;
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    std::int64_t const gpus = s.jobs[slot].form.gpus();
    quota_answer const said = admission.may_start(tenant_of(s, slot), gpus, s.now);
    answer = answer == quota_answer::yes ? said : answer;
    s.standing[slot] = admission.standing(tenant_of(s, slot), gpus);
    admission.take(tenant_of(s, slot), gpus);
  });
  put_back_quota(e, leader);
  return answer;
}

[[nodiscard]] constexpr wait_reason reason_of(quota_answer answer) noexcept {
  return answer == quota_answer::loan_recalled ? wait_reason::loan_recalled
                                               : wait_reason::over_quota;
}

/// Where the jobs of a queue stand among those of other tenants.
template <class Engine>
void rank_tenant(Engine& e, std::uint32_t queue) noexcept {
  if constexpr (has_quotas<Engine>) {
    shape_queue& q = e.state.queues[queue];
    q.rank = e.parts.admission.rank(q.form.tenant, q.form.gpus());
  }
}

/// Could it ever take somebody's place? What its own queue or one above it covers may be taken
/// back.
template <class Engine>
[[nodiscard]] bool can_displace_at_all(Engine const& e, std::uint32_t slot) noexcept {
  core_state const& s = e.state;
  return s.jobs[slot].key.can_displace_at_all() ||
         (has_quotas<Engine> && s.standing[slot].source > 0);
}

/// May `waiter` take the place of `holder`? It takes back what is borrowed of the quota that covers
/// it; nobody takes a place that would be taken back from him; else the policy decides.
template <class Engine>
[[nodiscard]] bool yields_to(Engine const& e, std::uint32_t waiter, std::uint32_t holder) noexcept {
  core_state const& s = e.state;
  if constexpr (has_quotas<Engine>) {
    tenant_id const his = tenant_of(s, waiter);
    tenant_id const theirs = tenant_of(s, holder);
    quota_source const for_him = s.standing[waiter].source;
    quota_source const for_them = s.standing[holder].source;
    if (his != theirs && e.parts.admission.reclaims(his, for_him, theirs, for_them)) {
      return true;
    }
    if (his != theirs && e.parts.admission.reclaims(theirs, for_them, his, for_him)) {
      return false;
    }
  }
  return may_displace(s.jobs[waiter].key, s.jobs[holder].key);
}

/// May somebody be told to stop for others in this tick?
template <class Engine>
[[nodiscard]] std::int64_t stops_left(Engine const& e) noexcept {
  return e.parts.admission.stops_left(e.state.now);
}

/// Calls visit(waiter, holder) for those that stop for a candidate and its group.
template <class Visit>
void for_each_stop_for(core_state const& s, std::uint32_t leader, Visit&& visit) {
  for_each_of_group(s, leader, [&](std::uint32_t slot) {
    for (stop_order const& order : s.stops) {
      if (order.beneficiary == s.jobs[slot].id) {
        visit(slot, order.job.slot());
      }
    }
  });
}

/// Candidates for whom more would have to stop than may do not start.
template <class Engine>
void keep_stop_limit(Engine& e) noexcept {
  if constexpr (has_quotas<Engine>) {
    std::int64_t left = stops_left(e);
    for (candidate& c : e.work.batch) {
      std::int64_t stops = 0;
      for_each_stop_for(e.state, c.job, [&](std::uint32_t, std::uint32_t) { ++stops; });
      c.complete = c.complete && stops <= left;
      left -= c.complete ? stops : 0;
    }
  }
}

/// Admission hears of those that are told to stop for a candidate, and of whom a loan is recalled.
template <class Engine>
void note_stops(Engine& e, std::uint32_t leader) noexcept {
  if constexpr (has_quotas<Engine>) {
    core_state const& s = e.state;
    auto& admission = e.parts.admission;
    for_each_stop_for(s, leader, [&](std::uint32_t waiter, std::uint32_t holder) {
      tenant_id const loser = tenant_of(s, holder);
      admission.stopped(s.now);
      if (loser != tenant_of(s, waiter) &&
          admission.reclaims(tenant_of(s, waiter), s.standing[waiter].source, loser,
                             s.standing[holder].source)) {
        admission.recalled(loser, s.now);
      }
    });
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
