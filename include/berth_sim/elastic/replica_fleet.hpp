// SPDX-License-Identifier: BSL-1.0
// Inference tasks and the replicas that serve them, after DeepBoot's life cycle of pods (Chen et
// al., IEEE TPDS 34(9), 2023): a replica starts for a task, is protected for a while after it has
// served, the longer the more often it was hit, and then sleeps until somebody needs its GPU.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct pod_rules {
  duration protect = std::chrono::seconds{30};  ///< after the first task
  duration per_hit = std::chrono::seconds{15};  ///< and more for each time that it was warm
  duration longest = std::chrono::seconds{120};
};

enum class pod_state : std::uint8_t {
  waiting,   ///< for a GPU
  starting,  ///< loads its model
  serving,   ///< runs a task
  protect,   ///< idle, for tasks of its own service
  asleep,    ///< idle, until somebody needs its GPU
  leaving,   ///< was told to stop
  gone,
};

inline constexpr std::uint32_t no_task = 0xffffffffu;

/// A replica.
struct pod {
  job_id job;
  std::string service;
  pod_state state = pod_state::waiting;
  std::uint32_t task = no_task;
  std::int32_t hits = 0;       ///< warm starts in a row
  time_point changes = never;  ///< when its state changes by itself
};

/// Replicas by number, in the order in which they were started. Who drives it tells the scheduler.
class replica_fleet {
 public:
  explicit replica_fleet(pod_rules const& rules = {}) : rules_{rules} {}

  [[nodiscard]] std::vector<pod> const& pods() const noexcept { return pods_; }
  [[nodiscard]] pod& at(std::uint32_t number) { return pods_[number]; }

  /// A new one, which waits for a GPU; `task` is whom it was started for.
  std::uint32_t add(job_id job, std::string const& service, std::uint32_t task) {
    auto const number = static_cast<std::uint32_t>(pods_.size());
    pods_.push_back({job, service, pod_state::waiting, task, 0, never});
    living_.push_back(number);
    return number;
  }
  [[nodiscard]] std::uint32_t of_job(job_id job) const {
    auto const found = std::find_if(living_.begin(), living_.end(),
                                    [&](std::uint32_t n) { return pods_[n].job == job; });
    BERTH_ASSERT(found != living_.end(), "a replica of this fleet");
    return *found;
  }

  /// An idle replica of the service: the one that was hit most often, of equals the first.
  [[nodiscard]] std::optional<std::uint32_t> warm(std::string const& service) const {
    std::optional<std::uint32_t> best;
    for (std::uint32_t const n : living_) {
      pod const& each = pods_[n];
      bool const idle = each.state == pod_state::protect || each.state == pod_state::asleep;
      if (idle && each.service == service && (!best || each.hits > pods_[*best].hits)) {
        best = n;
      }
    }
    return best;
  }
  /// One that waits or starts for a task of the service: its task may be served by another.
  [[nodiscard]] std::optional<std::uint32_t> waiting(std::string const& service) const {
    for (std::uint32_t const n : living_) {
      if (pods_[n].state == pod_state::waiting && pods_[n].service == service &&
          pods_[n].task != no_task) {
        return n;
      }
    }
    return std::nullopt;
  }

  void start(std::uint32_t number, duration cold_start, time_point now) {
    pods_[number].state = pod_state::starting;
    pods_[number].changes = now + cold_start;
  }
  void serve(std::uint32_t number, std::uint32_t task, duration length, time_point now) {
    pod& each = pods_[number];
    each.hits = each.state == pod_state::protect  ? each.hits + 1
                : each.state == pod_state::asleep ? 0
                                                  : each.hits;
    each.state = pod_state::serving;
    each.task = task;
    each.changes = now + length;
  }
  void protect(std::uint32_t number, time_point now) {
    pod& each = pods_[number];
    each.state = pod_state::protect;
    each.task = no_task;
    each.changes = now + std::min(rules_.longest, rules_.protect + rules_.per_hit * each.hits);
  }
  void sleep(std::uint32_t number) {
    pods_[number].state = pod_state::asleep;
    pods_[number].hits = 0;
    pods_[number].changes = never;
  }
  void leave(std::uint32_t number) {
    pods_[number].state = pod_state::leaving;
    pods_[number].changes = never;
  }
  void remove(std::uint32_t number) {
    pods_[number].state = pod_state::gone;
    pods_[number].changes = never;
    living_.erase(std::find(living_.begin(), living_.end(), number));
  }

  [[nodiscard]] time_point next_change() const {
    time_point next = never;
    for (std::uint32_t const n : living_) {
      next = std::min(next, pods_[n].changes);
    }
    return next;
  }
  /// Calls visit(number) for those whose state changes now, oldest first; it may change the fleet.
  template <class Visit>
  void for_each_due(time_point now, Visit&& visit) {
    std::vector<std::uint32_t> const all = living_;
    for (std::uint32_t const n : all) {
      if (pods_[n].changes <= now) {
        visit(n);
      }
    }
  }
  /// GPUs that inference uses or waits for: all but those that sleep or leave.
  [[nodiscard]] std::int32_t in_use() const {
    return static_cast<std::int32_t>(
        std::count_if(living_.begin(), living_.end(), [&](std::uint32_t n) {
          return pods_[n].state != pod_state::asleep && pods_[n].state != pod_state::leaving;
        }));
  }

 private:
  pod_rules rules_;
  std::vector<pod> pods_;
  std::vector<std::uint32_t> living_;
};

}  // namespace sim

BERTH_NAMESPACE_END
