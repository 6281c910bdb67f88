// SPDX-License-Identifier: BSL-1.0
// The seam that says what a tenant may have now, and whose GPUs it may take back.
#pragma once

#include <berth/concepts/admission_policy.hpp>
#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/fair_share.hpp>

#include <concepts>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

enum class quota_answer : std::uint8_t {
  yes,
  over_quota,     ///< neither its own quota nor what others lend covers it
  loan_recalled,  ///< it would borrow, and its last loan was taken back a short while ago
};

/// Where the quota that covers a job comes from: 0 from nobody's, the cluster has the GPUs; then
/// the queues on the way down to its tenant; the greatest is the tenant's own.
using quota_source = std::uint8_t;

/// What is known of a job's GPUs, as the last tick counted.
struct quota_standing {
  quota_source source = 0;
  bool borrows = false;  ///< they are not covered by its tenant's own quota
};

// A quota_admission is an admission_policy that is also asked whenever a candidate is about to be
// placed. It keeps a count of what tenants use; the scheduler makes it anew in every tick.
//
//   Given  a: A&, c: A const&, t: tenant_id, g: GPUs, at: time_point, d: quota_source
//   a.begin(total)               nobody uses anything of a cluster with so many GPUs
//   a.take(t, g)                 t uses so many more; put_back(t, g): fewer
//   c.standing(t, g)   -> quota_standing   what would cover g more
//   c.may_start(t, g, at) -> quota_answer
//   c.rank(t, g)       -> tenant_rank      who is asked first
//   c.reclaims(t, d, u, e) -> bool         may a job of t, covered by d, take the place of one of
//   u,
//                                          covered by e, whatever the policy says?
//   a.recalled(t, at)            a borrower of t was told to stop for that
//   c.stops_left(at)   -> int64  so many jobs may still be told to stop for others
//   a.stopped(at)                one was
//   c.next_change(at)  -> time_point       when an answer changes by itself; never
//
// Semantics  1. All noexcept, O(depth of the tree), no allocation; stops_left, stopped and
//               next_change in O(tenants).
//            2. Within a tick ranks only fall behind as more is taken; put_back undoes take.
//            3. reclaims is asymmetric.
// Models     tenant_quota
template <class A>
concept quota_admission =
    admission_policy<A> &&
    requires(A& a, A const& c, tenant_id t, std::int64_t g, time_point at, quota_source d) {
      { a.begin(g) } noexcept;
      { a.take(t, g) } noexcept;
      { a.put_back(t, g) } noexcept;
      { c.standing(t, g) } noexcept -> std::same_as<quota_standing>;
      { c.may_start(t, g, at) } noexcept -> std::same_as<quota_answer>;
      { c.rank(t, g) } noexcept -> std::same_as<tenant_rank>;
      { c.reclaims(t, d, t, d) } noexcept -> std::same_as<bool>;
      { a.recalled(t, at) } noexcept;
      { c.stops_left(at) } noexcept -> std::same_as<std::int64_t>;
      { a.stopped(at) } noexcept;
      { c.next_change(at) } noexcept -> std::same_as<time_point>;
    };

// An admission with a state of its own has it in snapshots.
//
//   c.save(archive)       the same list of numbers for a counter, a writer and a digester
//   c.accepts(in) -> bool reads what save wrote: could load() take it?
//   a.load(in)            reads it again; it was accepted
template <class A>
concept saved_admission =
    admission_policy<A> &&
    requires(A& a, A const& c, detail::byte_writer& out, detail::byte_reader& in) {
      { c.save(out) } noexcept;
      { c.accepts(in) } noexcept -> std::same_as<bool>;
      { a.load(in) } noexcept;
    };

BERTH_NAMESPACE_END
