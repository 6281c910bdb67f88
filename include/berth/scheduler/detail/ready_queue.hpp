// SPDX-License-Identifier: BSL-1.0
// The candidates of one tick in rank order: a merge of the first jobs of all shape queues. The only
// user of Boost.Heap: an immutable 4-ary heap with its capacity reserved, which neither allocates
// nor is copied (copying a mutable one of Boost 1.74 doubles it).
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/fair_share.hpp>
#include <berth/scheduler/detail/job_table.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>

#include <cstddef>
#include <cstdint>

#include <boost/heap/d_ary_heap.hpp>

BERTH_NAMESPACE_BEGIN
namespace detail {

class ready_queue {
 public:
  /// Every queue is in it once; the rest is for entries that became stale within a tick.
  explicit ready_queue(std::size_t capacity) : limit_{2 * capacity} { heap_.reserve(limit_ + 1); }
  ready_queue(ready_queue const&) = delete;
  ready_queue& operator=(ready_queue const&) = delete;
  ready_queue(ready_queue&&) noexcept = default;
  ready_queue& operator=(ready_queue&&) noexcept = default;

  void clear() noexcept { heap_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  [[nodiscard]] bool full() const noexcept { return heap_.size() >= limit_; }
  /// Precondition: !full().
  void push(job_table const& jobs, tenant_rank const& rank, std::uint32_t queue,
            std::uint32_t job) noexcept {
    heap_.push({jobs[job].key, jobs[job].sequence, queue, job, rank});
  }
  struct head {
    priority_key key;
    std::uint64_t sequence = 0;
    std::uint32_t queue = 0;
    std::uint32_t job = 0;
    tenant_rank rank;  ///< of its tenant, before its own key; all equal where there are no quotas
  };
  [[nodiscard]] head const& top() const noexcept { return heap_.top(); }
  void pop() noexcept { heap_.pop(); }

 private:
  struct later {
    bool operator()(head const& a, head const& b) const noexcept {
      if (auto const by_tenant = a.rank <=> b.rank; by_tenant != 0) {
        return by_tenant > 0;
      }
      auto const by_key = a.key <=> b.key;
      return by_key != 0 ? by_key > 0 : a.sequence > b.sequence;
    }
  };
  std::size_t limit_;
  boost::heap::d_ary_heap<head, boost::heap::arity<4>, boost::heap::compare<later>> heap_;
};

}  // namespace detail
BERTH_NAMESPACE_END
