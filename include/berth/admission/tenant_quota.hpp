// SPDX-License-Identifier: BSL-1.0
// Tenants with quotas that they lend to each other: docs/tenants.md.
#pragma once

#include <berth/admission/recall_waits.hpp>
#include <berth/admission/stop_limit.hpp>
#include <berth/admission/tenant_spec.hpp>
#include <berth/admission/tenant_tree.hpp>
#include <berth/concepts/admission_policy.hpp>
#include <berth/concepts/quota_admission.hpp>
#include <berth/core/backoff.hpp>
#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/fair_share.hpp>
#include <berth/model/job.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

BERTH_NAMESPACE_BEGIN

/// Habits of tenant_quota.
struct tenant_rules {
  /// A tenant whose loan was recalled borrows nothing so long. Base 0: it does so at once.
  backoff after_recall{std::chrono::minutes{1}, 2, std::chrono::hours{1}};
  std::uint32_t stops_per_minute = 0;  ///< jobs told to stop for others; 0 = no limit
};

/// A tree of queues. A tenant always gets what its own quota covers, by taking back what others
/// have borrowed of it if need be. Beyond that it borrows what is free, within the borrowing limits
/// on its way up and what others lend. Jobs of tenants that the tree does not have stay outside.
class tenant_quota {
 public:
  using component_role = admission_role;

  /// Errors: see tenant_tree::of; bad_config (backoff) for rules out of their range. Throws
  /// std::bad_alloc.
  [[nodiscard]] static result<tenant_quota> of(std::span<tenant_spec const> queues,
                                               tenant_rules const& rules = {}) {
    backoff const& wait = rules.after_recall;
    if (wait.base < duration{0} || wait.factor < 1 || wait.cap < wait.base ||
        wait.cap > max_duration || rules.stops_per_minute > most_stops) {
      return error{errc::bad_config, field::backoff};
    }
    auto tree = tenant_tree::of(queues);
    if (!tree) {
      return tree.error();
    }
    return result<tenant_quota>{tenant_quota{std::move(*tree), rules}};
  }

  /// Other numbers for a queue; its parent stays. Where its quota falls below its use nothing is
  /// stopped: what is beyond it counts as borrowed from then on. Call it through
  /// scheduler::reconfigure. Errors: unknown_tenant, see check(tenant_spec); inconsistent (tenant)
  /// for another parent. O(queues).
  result<void> set_queue(tenant_id queue, tenant_spec const& spec) noexcept {
    if (!tree_.has(queue)) {
      return error{errc::unknown_tenant, field::tenant};
    }
    if (auto const fine = check(spec); !fine) {
      return fine.error();
    }
    if (spec.parent != tree_.spec(queue).parent) {
      return error{errc::inconsistent, field::tenant};
    }
    tree_.set(queue, spec);
    return {};
  }
  /// The queues, with what they used at the end of the last tick that decided something.
  [[nodiscard]] tenant_tree const& tree() const noexcept { return tree_; }

  [[nodiscard]] bool admit(job_view const& job, tick_context const&) const noexcept {
    return tree_.has(job.spec().tenant);
  }

  // What the scheduler asks: see concepts/quota_admission.hpp.
  void begin(std::int64_t gpu_total) noexcept { tree_.begin(gpu_total); }
  void take(tenant_id tenant, std::int64_t gpus) noexcept { tree_.add(tenant, gpus); }
  void put_back(tenant_id tenant, std::int64_t gpus) noexcept { tree_.add(tenant, -gpus); }
  [[nodiscard]] quota_standing standing(tenant_id tenant, std::int64_t gpus) const noexcept {
    return tree_.standing(tenant, gpus);
  }
  [[nodiscard]] quota_answer may_start(tenant_id tenant, std::int64_t gpus,
                                       time_point now) const noexcept {
    if (tree_.is_within_own(tenant, gpus)) {
      return quota_answer::yes;
    }
    if (!tree_.may_borrow(tenant, gpus)) {
      return quota_answer::over_quota;
    }
    return waits_.waits(tenant, now) ? quota_answer::loan_recalled : quota_answer::yes;
  }
  [[nodiscard]] tenant_rank rank(tenant_id tenant, std::int64_t gpus) const noexcept {
    return tree_.rank(tenant, gpus);
  }
  [[nodiscard]] bool reclaims(tenant_id waiter, quota_source source, tenant_id holder,
                              quota_source held) const noexcept {
    return tree_.reclaims(waiter, source, holder, held);
  }
  void recalled(tenant_id tenant, time_point now) noexcept { waits_.recalled(tenant, now); }
  [[nodiscard]] std::int64_t stops_left(time_point now) const noexcept { return stops_.left(now); }
  void stopped(time_point now) noexcept { stops_.stopped(now); }
  [[nodiscard]] time_point next_change(time_point now) const noexcept {
    return std::min(waits_.next_end(now), stops_.next_left(now));
  }

  // Its part of a snapshot: the queues as they are now, and what was recalled and stopped lately.
  template <class Archive>
  void save(Archive& a) const noexcept {
    a(static_cast<std::uint32_t>(tree_.size()));
    for (std::uint32_t i = 0; i < tree_.size(); ++i) {
      tenant_spec const& queue = tree_.spec(tenant_id{i});
      a(queue.nominal);
      a(queue.weight);
      a(queue.borrowing);
      a(queue.lending);
      a(queue.parent);
    }
    a(static_cast<std::uint32_t>(stops_.limit()));
    waits_.save(a);
    stops_.save(a);
  }
  [[nodiscard]] bool accepts(detail::byte_reader& in) const noexcept {
    bool fine = in.read<std::uint32_t>() == tree_.size();
    for (std::uint32_t i = 0; fine && i < tree_.size(); ++i) {
      tenant_spec const queue = read_queue(in);
      fine = check(queue).has_value() && queue.parent == tree_.spec(tenant_id{i}).parent;
    }
    fine = fine && in.read<std::uint32_t>() == stops_.limit();
    return fine && waits_.accepts(in) && stops_.accepts(in);
  }
  void load(detail::byte_reader& in) noexcept {
    in.skip(detail::wire_bytes<std::uint32_t>());
    for (std::uint32_t i = 0; i < tree_.size(); ++i) {
      tree_.set(tenant_id{i}, read_queue(in));
    }
    in.skip(detail::wire_bytes<std::uint32_t>());
    waits_.load(in);
    stops_.load(in);
  }

 private:
  static constexpr std::uint32_t most_stops = 1024;

  tenant_quota(tenant_tree tree, tenant_rules const& rules)
      : tree_{std::move(tree)},
        waits_{rules.after_recall, tree_.size()},
        stops_{rules.stops_per_minute} {}

  [[nodiscard]] static tenant_spec read_queue(detail::byte_reader& in) noexcept {
    tenant_spec read;
    in(read.nominal);
    in(read.weight);
    in(read.borrowing);
    in(read.lending);
    in(read.parent);
    return read;
  }

  tenant_tree tree_;
  recall_waits waits_;
  stop_limit stops_;
};
static_assert(quota_admission<tenant_quota> && saved_admission<tenant_quota>);

BERTH_NAMESPACE_END
