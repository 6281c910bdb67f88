// SPDX-License-Identifier: BSL-1.0
// Waiting jobs, one queue per shape. Jobs of one shape are interchangeable to the matching, so if
// the first of a queue finds no place, nobody behind it does, and the whole queue costs nothing
// more in that tick.
//
// A queue is an intrusive pairing heap (Fredman, Sedgewick, Sleator, Tarjan, Algorithmica 1986)
// over job slots: three links per job, no allocation, push O(1), pop and erase amortised O(log n).
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/model/shape.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/job_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::uint32_t no_index = 0xffffffffu;

/// One shape with its waiting jobs.
struct shape_queue {
  shape form;
  std::uint32_t root = no_index;  ///< first job in rank order
  std::uint32_t size = 0;
  std::uint32_t next_in_bucket = no_index;
  std::uint32_t place_in_active = no_index;
  wait_reason verdict = wait_reason::not_decided;  ///< of the last tick, for all its jobs
  std::uint64_t checked_epoch = 0;    ///< cluster epoch in which it was last found possible or not
  std::uint64_t blocked_in_tick = 0;  ///< number of the tick in which its first job found no place
  std::uint32_t offered = no_index;   ///< the job of it that is among this tick's candidates
};

class shape_queues {
 public:
  explicit shape_queues(std::size_t max_jobs)
      : queues_(max_jobs), links_(max_jobs), queue_of_(max_jobs, no_index) {
    std::size_t buckets = 16;
    while (buckets < max_jobs) {
      buckets *= 2;
    }
    buckets_.assign(buckets, no_index);
    active_.reserve(max_jobs);
    clear();
  }

  /// Nobody waits. O(capacity).
  void clear() noexcept {
    std::fill(queue_of_.begin(), queue_of_.end(), no_index);
    std::fill(buckets_.begin(), buckets_.end(), no_index);
    active_.clear();
    first_unused_ = no_index;
    for (std::size_t i = queues_.size(); i-- > 0;) {
      queues_[i].next_in_bucket = first_unused_;
      first_unused_ = static_cast<std::uint32_t>(i);
    }
  }

  /// Adds a job to the queue of its shape. O(1) but for the hash.
  void push(job_table const& jobs, std::uint32_t job) noexcept {
    BERTH_ASSERT(queue_of_[job] == no_index, "a job waits in one queue");
    std::uint32_t const q = find_or_make(jobs[job].form);
    links_[job] = {};
    queue_of_[job] = q;
    queues_[q].root = meld(jobs, queues_[q].root, job);
    ++queues_[q].size;
  }
  /// Takes a job out of wherever it is in its queue. O(log n) amortised.
  void erase(job_table const& jobs, std::uint32_t job) noexcept {
    std::uint32_t const q = queue_of_[job];
    BERTH_ASSERT(q != no_index, "only waiting jobs are in a queue");
    std::uint32_t const below = merge_children(jobs, job);
    if (queues_[q].root == job) {
      queues_[q].root = below;
    } else {
      cut(job);
      queues_[q].root = meld(jobs, queues_[q].root, below);
    }
    links_[job] = {};
    queue_of_[job] = no_index;
    if (--queues_[q].size == 0) {
      remove_queue(q);
    }
  }
  [[nodiscard]] bool contains(std::uint32_t job) const noexcept {
    return queue_of_[job] != no_index;
  }
  [[nodiscard]] std::uint32_t queue_of(std::uint32_t job) const noexcept { return queue_of_[job]; }
  [[nodiscard]] shape_queue& operator[](std::uint32_t q) noexcept { return queues_[q]; }
  [[nodiscard]] shape_queue const& operator[](std::uint32_t q) const noexcept { return queues_[q]; }
  /// Queues that have jobs, in no particular order.
  [[nodiscard]] std::vector<std::uint32_t> const& active() const noexcept { return active_; }

  /// Rank order of two waiting jobs: key, then submit sequence.
  [[nodiscard]] static bool goes_before(job_table const& jobs, std::uint32_t a,
                                        std::uint32_t b) noexcept {
    auto const by_key = jobs[a].key <=> jobs[b].key;
    return by_key != 0 ? by_key < 0 : jobs[a].sequence < jobs[b].sequence;
  }

 private:
  struct link {
    std::uint32_t child = no_index;
    std::uint32_t sibling = no_index;
    std::uint32_t previous = no_index;  // left sibling, or the parent of a leftmost child
  };

  std::uint32_t meld(job_table const& jobs, std::uint32_t a, std::uint32_t b) noexcept {
    if (a == no_index || b == no_index) {
      return a == no_index ? b : a;
    }
    if (goes_before(jobs, b, a)) {
      std::swap(a, b);
    }
    links_[b].sibling = links_[a].child;
    links_[b].previous = a;
    if (links_[a].child != no_index) {
      links_[links_[a].child].previous = b;
    }
    links_[a].child = b;
    links_[a].sibling = no_index;
    links_[a].previous = no_index;
    return a;
  }
  // Two passes: pairs from left to right, then all of them from right to left. No recursion.
  std::uint32_t merge_children(job_table const& jobs, std::uint32_t parent) noexcept {
    std::uint32_t at = links_[parent].child;
    std::uint32_t pairs = no_index;  // a stack through `previous`
    while (at != no_index) {
      std::uint32_t const first = at;
      std::uint32_t const second = links_[first].sibling;
      at = second == no_index ? no_index : links_[second].sibling;
      links_[first].sibling = no_index;
      if (second != no_index) {
        links_[second].sibling = no_index;
      }
      std::uint32_t const pair = meld(jobs, first, second);
      links_[pair].previous = pairs;
      pairs = pair;
    }
    std::uint32_t merged = no_index;
    while (pairs != no_index) {
      std::uint32_t const below = links_[pairs].previous;
      links_[pairs].previous = no_index;
      merged = meld(jobs, merged, pairs);
      pairs = below;
    }
    links_[parent].child = no_index;
    return merged;
  }
  void cut(std::uint32_t job) noexcept {
    std::uint32_t const previous = links_[job].previous;
    std::uint32_t const sibling = links_[job].sibling;
    if (links_[previous].child == job) {
      links_[previous].child = sibling;
    } else {
      links_[previous].sibling = sibling;
    }
    if (sibling != no_index) {
      links_[sibling].previous = previous;
    }
  }

  std::uint32_t find_or_make(shape const& form) noexcept {
    std::uint32_t& bucket = buckets_[form.hash() & (buckets_.size() - 1)];
    for (std::uint32_t q = bucket; q != no_index; q = queues_[q].next_in_bucket) {
      if (queues_[q].form == form) {
        return q;
      }
    }
    std::uint32_t const made = first_unused_;
    first_unused_ = queues_[made].next_in_bucket;
    queues_[made] = shape_queue{};
    queues_[made].form = form;
    queues_[made].next_in_bucket = bucket;
    bucket = made;
    queues_[made].place_in_active = static_cast<std::uint32_t>(active_.size());
    active_.push_back(made);
    return made;
  }
  void remove_queue(std::uint32_t q) noexcept {
    std::uint32_t* at = &buckets_[queues_[q].form.hash() & (buckets_.size() - 1)];
    while (*at != q) {
      at = &queues_[*at].next_in_bucket;
    }
    *at = queues_[q].next_in_bucket;
    std::uint32_t const place = queues_[q].place_in_active;
    active_[place] = active_.back();
    queues_[active_[place]].place_in_active = place;
    active_.pop_back();
    queues_[q].next_in_bucket = first_unused_;
    first_unused_ = q;
  }

  std::vector<shape_queue> queues_;
  std::vector<link> links_;
  std::vector<std::uint32_t> queue_of_;
  std::vector<std::uint32_t> buckets_;
  std::vector<std::uint32_t> active_;
  std::uint32_t first_unused_ = no_index;
};

}  // namespace detail
BERTH_NAMESPACE_END
