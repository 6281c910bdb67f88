// SPDX-License-Identifier: BSL-1.0
// What the queues of a tree have, use, lend and borrow. A queue keeps back what it does not lend;
// the rest of its quota, and what its jobs use beyond what it keeps back, is its parent's affair,
// and so on up to the cluster, which has what no queue keeps back. The same sums as in Kueue's
// cohorts (its KEP-79, "Hierarchical Cohorts"), kept from job to job instead of made anew.
#pragma once

#include <berth/admission/tenant_spec.hpp>
#include <berth/concepts/quota_admission.hpp>
#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/model/fair_share.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

class tenant_tree {
 public:
  /// Errors: zero_or_negative (tenant) without queues; bad_number (gpus, weight, see check);
  /// inconsistent (tenant) for a parent that does not come before its child, or more than
  /// max_tenant_depth levels. Throws std::bad_alloc.
  [[nodiscard]] static result<tenant_tree> of(std::span<tenant_spec const> queues) {
    if (queues.empty()) {
      return error{errc::zero_or_negative, field::tenant};
    }
    tenant_tree made;
    made.lines_.reserve(queues.size());
    for (tenant_spec const& queue : queues) {
      if (auto const fine = check(queue); !fine) {
        return fine.error();
      }
      line next{.spec = queue};
      if (queue.parent != no_tenant) {
        if (!made.has(queue.parent) || made.at(queue.parent).depth == max_tenant_depth) {
          return error{errc::inconsistent, field::tenant};
        }
        next.depth = static_cast<quota_source>(made.at(queue.parent).depth + 1);
      }
      made.lines_.push_back(next);
    }
    made.sum_up();
    return result<tenant_tree>{std::move(made)};
  }

  [[nodiscard]] std::size_t size() const noexcept { return lines_.size(); }
  [[nodiscard]] bool has(tenant_id queue) const noexcept {
    return static_cast<std::size_t>(queue) < lines_.size();
  }
  [[nodiscard]] tenant_spec const& spec(tenant_id queue) const noexcept { return at(queue).spec; }
  /// Precondition: check() passed, the parent is the same. What is used stays. O(queues).
  void set(tenant_id queue, tenant_spec const& spec) noexcept {
    at(queue).spec = spec;
    sum_up();
    for (line& each : lines_) {
      each.used = each.own;
    }
    cluster_used_ = 0;
    for (std::size_t i = lines_.size(); i-- > 0;) {
      used_above(lines_[i]) += lines_[i].spill(lines_[i].used);
    }
  }

  /// Nobody uses anything. O(queues).
  void begin(std::int64_t gpu_total) noexcept {
    gpu_total_ = gpu_total;
    cluster_used_ = 0;
    for (line& each : lines_) {
      each.own = 0;
      each.used = 0;
      each.total = 0;
    }
  }
  /// Its jobs use so many more; fewer if negative. O(depth).
  void add(tenant_id queue, std::int64_t gpus) noexcept {
    at(queue).own += gpus;
    std::int64_t passed = gpus;
    for_each_up(queue, [&](line& here) {
      std::int64_t const before = here.spill(here.used);
      here.total += gpus;
      here.used += passed;
      passed = here.spill(here.used) - before;
    });
    cluster_used_ += passed;
  }

  /// GPUs that its own jobs use.
  [[nodiscard]] std::int64_t used_by(tenant_id queue) const noexcept { return at(queue).own; }
  /// GPUs that its jobs and those of all queues below it use.
  [[nodiscard]] std::int64_t used_below(tenant_id queue) const noexcept { return at(queue).total; }

  [[nodiscard]] bool is_within_own(tenant_id queue, std::int64_t gpus) const noexcept {
    return at(queue).own + gpus <= at(queue).spec.nominal;
  }
  /// Whose quota covers so many GPUs more: its own, else that of the nearest queue above it with
  /// room. O(depth).
  [[nodiscard]] quota_standing standing(tenant_id queue, std::int64_t gpus) const noexcept {
    if (is_within_own(queue, gpus)) {
      return {own_source(queue), false};
    }
    quota_standing found{0, true};
    std::int64_t passed = gpus;
    for_each_up(queue, [&](line const& here) {
      if (found.source == 0 && here.used + passed <= here.quota) {
        found.source = here.depth;
      }
      passed = here.spill(here.used + passed) - here.spill(here.used);
    });
    return found;
  }
  /// May it use so many more that are not its own? No queue on the way up goes beyond its borrowing
  /// limit, and the cluster still has what others keep back. O(depth).
  [[nodiscard]] bool may_borrow(tenant_id queue, std::int64_t gpus) const noexcept {
    bool may = true;
    std::int64_t passed = gpus;
    for_each_up(queue, [&](line const& here) {
      bool const limited = passed > 0 && here.spec.borrowing != unlimited_gpus;
      may = may && (!limited || here.used + passed <= here.quota + here.spec.borrowing);
      passed = here.spill(here.used + passed) - here.spill(here.used);
    });
    // Where nobody keeps anything back, the cluster itself decides what there is.
    return may &&
           (kept_back_ == 0 || passed == 0 || cluster_used_ + passed <= gpu_total_ - kept_back_);
  }

  /// O(depth).
  [[nodiscard]] tenant_rank rank(tenant_id queue, std::int64_t gpus) const noexcept {
    tenant_rank made;
    made.borrows = !is_within_own(queue, gpus);
    made.depth = at(queue).depth;
    for_each_up(queue, [&](line const& here) {
      made.path[here.depth - 1u] = {static_cast<std::int32_t>(here.total), here.spec.weight};
    });
    return made;
  }

  /// `waiter` needs nothing of what it shares with `holder`, and `holder` does. O(depth).
  [[nodiscard]] bool reclaims(tenant_id waiter, quota_source source, tenant_id holder,
                              quota_source held) const noexcept {
    quota_source const shared = shared_depth(waiter, holder);
    return source > shared && held <= shared;
  }

 private:
  struct line {
    tenant_spec spec;
    quota_source depth = 1;
    std::int64_t quota = 0;      ///< its own, and what the queues below lend
    std::int64_t kept_back = 0;  ///< of it, what it does not lend
    std::int64_t own = 0;        ///< GPUs that its own jobs use
    std::int64_t used = 0;       ///< these, and what the queues below use beyond what they keep
    std::int64_t total = 0;      ///< GPUs that all jobs here and below use

    /// Of so many in use, those that are its parent's affair.
    [[nodiscard]] std::int64_t spill(std::int64_t gpus) const noexcept {
      return std::max<std::int64_t>(0, gpus - kept_back);
    }
  };

  tenant_tree() = default;

  [[nodiscard]] line& at(tenant_id queue) noexcept {
    BERTH_ASSERT(has(queue), "a tenant of the tree");
    return lines_[static_cast<std::size_t>(queue)];
  }
  [[nodiscard]] line const& at(tenant_id queue) const noexcept {
    BERTH_ASSERT(has(queue), "a tenant of the tree");
    return lines_[static_cast<std::size_t>(queue)];
  }
  [[nodiscard]] quota_source own_source(tenant_id queue) const noexcept {
    return static_cast<quota_source>(at(queue).depth + 1);
  }
  [[nodiscard]] std::int64_t& used_above(line const& here) noexcept {
    return here.spec.parent == no_tenant ? cluster_used_ : at(here.spec.parent).used;
  }

  template <class Visit>
  void for_each_up(tenant_id queue, Visit&& visit) noexcept {
    for (tenant_id n = queue; n != no_tenant; n = at(n).spec.parent) {
      visit(at(n));
    }
  }
  template <class Visit>
  void for_each_up(tenant_id queue, Visit&& visit) const noexcept {
    for (tenant_id n = queue; n != no_tenant; n = at(n).spec.parent) {
      visit(at(n));
    }
  }
  /// Depth of the lowest queue that is above both, or is one of them; 0: they share the cluster.
  [[nodiscard]] quota_source shared_depth(tenant_id a, tenant_id b) const noexcept {
    while (a != b) {
      tenant_id& lower = a == no_tenant ? b : b == no_tenant || at(a).depth >= at(b).depth ? a : b;
      lower = at(lower).spec.parent;
    }
    return a == no_tenant ? quota_source{0} : at(a).depth;
  }

  void sum_up() noexcept {
    for (line& each : lines_) {
      each.quota = each.spec.nominal;
    }
    kept_back_ = 0;
    for (std::size_t i = lines_.size(); i-- > 0;) {  // children first
      line& here = lines_[i];
      here.kept_back = here.spec.lending == unlimited_gpus
                           ? 0
                           : std::max<std::int64_t>(0, here.quota - here.spec.lending);
      if (here.spec.parent == no_tenant) {
        kept_back_ += here.kept_back;
      } else {
        at(here.spec.parent).quota += here.quota - here.kept_back;
      }
    }
  }

  std::vector<line> lines_;
  std::int64_t kept_back_ = 0;     ///< of the cluster
  std::int64_t cluster_used_ = 0;  ///< GPUs in use beyond what the uppermost queues keep back
  std::int64_t gpu_total_ = 0;
};

BERTH_NAMESPACE_END
