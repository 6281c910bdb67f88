// SPDX-License-Identifier: BSL-1.0
// Waiting jobs, one queue per shape. Jobs of one shape are interchangeable to the matching, so if
// the first of a queue finds no place, nobody behind it does, and the whole queue costs nothing
// more in that tick.
//
// Such a queue is parked: a tick does not see it until the event that can help it wakes it, be that
// GPUs that become free where it could use them or another job at its head. So what cannot run
// costs nothing, however many they are.
//
// A queue is an intrusive pairing heap (Fredman, Sedgewick, Sleator, Tarjan, Algorithmica 1986)
// over job slots: three links per job, no allocation, push O(1), pop and erase amortised O(log n).
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/model/fair_share.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/shape.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/job_table.hpp>

#include <algorithm>
#include <array>
#include <bit>
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
  wait_reason verdict = wait_reason::not_decided;  ///< of the last tick, for all jobs; judge() sets
  std::uint64_t checked_epoch = 0;    ///< cluster epoch in which it was last found possible or not
  std::uint64_t blocked_in_tick = 0;  ///< number of the tick in which its first job found no place
  std::uint32_t place_in_awake = no_index;  ///< no_index while it is parked
  std::uint32_t next_parked = no_index;
  std::uint32_t previous_parked = no_index;
  std::uint32_t parked_in = no_index;  ///< the list it is in
  std::uint32_t offered = no_index;    ///< the job of it that is among this tick's candidates
  tenant_rank rank;                    ///< where its jobs stand among those of other tenants
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
    awake_.reserve(max_jobs);
    clear();
  }

  /// Nobody waits. O(capacity).
  void clear() noexcept {
    std::fill(queue_of_.begin(), queue_of_.end(), no_index);
    std::fill(buckets_.begin(), buckets_.end(), no_index);
    active_.clear();
    awake_.clear();
    size_ = 0;
    hopeless_ = 0;
    parked_.fill(no_index);
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
    ++size_;
    hopeless_ += is_impossible(queues_[q].verdict) ? 1u : 0u;
    queues_[q].root = meld(jobs, queues_[q].root, job);
    ++queues_[q].size;
    if (queues_[q].root == job) {
      wake(q);
    }
  }
  /// Takes a job out of wherever it is in its queue. O(log n) amortised.
  void erase(job_table const& jobs, std::uint32_t job) noexcept {
    std::uint32_t const q = queue_of_[job];
    BERTH_ASSERT(q != no_index, "only waiting jobs are in a queue");
    std::uint32_t const below = merge_children(jobs, job);
    if (queues_[q].root == job) {
      queues_[q].root = below;
      wake(q);
    } else {
      cut(job);
      queues_[q].root = meld(jobs, queues_[q].root, below);
    }
    links_[job] = {};
    queue_of_[job] = no_index;
    --size_;
    hopeless_ -= is_impossible(queues_[q].verdict) ? 1u : 0u;
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
  /// Jobs in all queues.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Those of them that were found impossible.
  [[nodiscard]] std::size_t hopeless() const noexcept { return hopeless_; }
  /// What was found about all jobs of the queue.
  void judge(std::uint32_t q, wait_reason verdict) noexcept {
    hopeless_ -= is_impossible(queues_[q].verdict) ? queues_[q].size : 0u;
    hopeless_ += is_impossible(verdict) ? queues_[q].size : 0u;
    queues_[q].verdict = verdict;
  }
  /// Calls visit(job) for jobs none of which goes before `job`, and one of which goes before all
  /// others behind it in its queue. O(1) for each; amortised few.
  template <class Visit>
  void for_each_behind(std::uint32_t job, Visit&& visit) const {
    for (std::uint32_t at = links_[job].child; at != no_index; at = links_[at].sibling) {
      visit(at);
    }
  }
  /// Queues that have jobs, in no particular order.
  [[nodiscard]] std::vector<std::uint32_t> const& active() const noexcept { return active_; }
  /// Those of them that are not parked.
  [[nodiscard]] std::vector<std::uint32_t> const& awake() const noexcept { return awake_; }

  /// What wakes a parked queue beside another job at its head.
  /// GPUs that become free on a node that has at least `least` of them then, 1..max_gpus_per_node,
  /// when about `gpus` are free in all.
  [[nodiscard]] static constexpr std::uint32_t until_free(pool where, int least,
                                                          std::int64_t gpus) noexcept {
    return (static_cast<std::uint32_t>(where) * (max_gpus_per_node + 1) +
            static_cast<std::uint32_t>(least)) *
               magnitudes +
           magnitude(gpus);
  }
  /// Two per power of two, rising with `gpus`.
  [[nodiscard]] static constexpr std::uint32_t magnitude(std::int64_t gpus) noexcept {
    auto const number = static_cast<std::uint64_t>(gpus);
    auto const width = static_cast<std::uint32_t>(std::bit_width(number));
    std::uint32_t const second = width < 2 ? 0 : (number >> (width - 2)) & 1u;
    return std::min(2 * width + second, magnitudes - 1);
  }
  static constexpr std::uint32_t magnitudes = 52;  // gangs have less than 2^25 GPUs
  /// Any change of a job that runs: its head may displace others.
  static constexpr std::uint32_t until_others_change =
      pool_count * (max_gpus_per_node + 1) * magnitudes;
  /// Another cluster: on this one it never fits.
  static constexpr std::uint32_t until_cluster_changes = until_others_change + 1;

  [[nodiscard]] bool is_parked(std::uint32_t q) const noexcept {
    return queues_[q].place_in_awake == no_index;
  }
  /// Precondition: not parked. O(1).
  void park(std::uint32_t q, std::uint32_t until) noexcept {
    BERTH_ASSERT(!is_parked(q), "a queue is parked once");
    leave_awake(q);
    queues_[q].parked_in = until;
    queues_[q].next_parked = parked_[until];
    if (parked_[until] != no_index) {
      queues_[parked_[until]].previous_parked = q;
    }
    parked_[until] = q;
  }
  /// Does nothing if it is awake. O(1).
  void wake(std::uint32_t q) noexcept {
    if (!is_parked(q)) {
      return;
    }
    shape_queue& queue = queues_[q];
    if (queue.parked_in != no_index) {
      std::uint32_t& before = queue.previous_parked == no_index
                                  ? parked_[queue.parked_in]
                                  : queues_[queue.previous_parked].next_parked;
      before = queue.next_parked;
      if (queue.next_parked != no_index) {
        queues_[queue.next_parked].previous_parked = queue.previous_parked;
      }
      queue.next_parked = no_index;
      queue.previous_parked = no_index;
      queue.parked_in = no_index;
    }
    queue.place_in_awake = static_cast<std::uint32_t>(awake_.size());
    awake_.push_back(q);
  }
  /// Wakes the queues of a list for which `may_help(queue)` holds. O(queues in it).
  template <class MayHelp>
  void wake_parked(std::uint32_t until, MayHelp&& may_help) noexcept {
    for (std::uint32_t q = parked_[until]; q != no_index;) {
      std::uint32_t const following = queues_[q].next_parked;
      if (may_help(std::as_const(queues_[q]))) {
        wake(q);
      }
      q = following;
    }
  }
  void wake_all() noexcept {
    for (std::uint32_t const q : active_) {
      wake(q);
    }
  }

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

  void leave_awake(std::uint32_t q) noexcept {
    std::uint32_t const place = queues_[q].place_in_awake;
    awake_[place] = awake_.back();
    queues_[awake_[place]].place_in_awake = place;
    awake_.pop_back();
    queues_[q].place_in_awake = no_index;
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
    wake(made);
    return made;
  }
  void remove_queue(std::uint32_t q) noexcept {
    std::uint32_t* at = &buckets_[queues_[q].form.hash() & (buckets_.size() - 1)];
    while (*at != q) {
      at = &queues_[*at].next_in_bucket;
    }
    *at = queues_[q].next_in_bucket;
    wake(q);
    leave_awake(q);
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
  std::vector<std::uint32_t> awake_;
  std::array<std::uint32_t, until_cluster_changes + 1> parked_{};  ///< heads of the lists
  std::uint32_t first_unused_ = no_index;
  std::size_t size_ = 0;
  std::size_t hopeless_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
