// SPDX-License-Identifier: BSL-1.0
// What one search of task_flow has reached: Dijkstra's algorithm over places, the same whether it
// runs along the ways or against them. Places that are as near as the one being settled, which in
// these networks are many, do not pass through the heap.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/indexed_heap.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// `unreachable` is longer than every path.
template <class Distance>
class task_flow_frontier {
 public:
  void reserve(std::size_t places, Distance unreachable) {
    unreachable_ = unreachable;
    distance_.assign(places, unreachable);
    via_.resize(places);
    reached_.resize(places);
    ready_.resize(places);
    heap_.reserve(places);
  }

  /// Distance of the place that is being settled.
  [[nodiscard]] Distance const& nearest() const noexcept { return nearest_; }
  [[nodiscard]] Distance const& distance(std::uint32_t place) const noexcept {
    return distance_[place];
  }
  /// The step that reached a place.
  [[nodiscard]] std::uint32_t via(std::uint32_t place) const noexcept { return via_[place]; }
  void set_via(std::uint32_t place, std::uint32_t step) noexcept { via_[place] = step; }

  /// A step to `place`; does nothing if it has been reached as near already.
  void reach(std::uint32_t place, Distance distance, std::uint32_t step) noexcept {
    if (!(distance < distance_[place])) {
      return;
    }
    if (distance_[place] == unreachable_) {
      reached_[reached_count_++] = place;
    }
    distance_[place] = distance;
    via_[place] = step;
    if (distance == nearest_) {
      ready_[ready_count_++] = place;
    } else {
      heap_.push({distance, place});
    }
  }

  /// Settles places, the nearest first, that are nearer than `goal`, which settle(place) may lower.
  template <class Settle>
  void settle_below(Distance const& goal, Settle settle) noexcept {
    while (nearest_ < goal) {
      if (ready_count_ > 0) {
        settle(ready_[--ready_count_]);
        continue;
      }
      if (heap_.empty() || !(heap_.top().distance < goal)) {
        return;
      }
      auto const [distance, place] = heap_.pop();
      if (distance == distance_[place]) {  // else it was settled from the ready ones
        nearest_ = distance;
        settle(place);
      }
    }
  }

  /// Calls visit(place, goal - distance) for the places nearer than `goal`.
  template <class Visit>
  void for_each_below(Distance const& goal, Visit visit) const noexcept {
    for (std::size_t i = 0; i < reached_count_; ++i) {
      std::uint32_t const place = reached_[i];
      if (distance_[place] < goal) {
        visit(place, goal - distance_[place]);
      }
    }
  }

  /// Ends the search. O(places reached).
  void forget() noexcept {
    for (std::size_t i = 0; i < reached_count_; ++i) {
      distance_[reached_[i]] = unreachable_;
    }
    reached_count_ = 0;
    ready_count_ = 0;
    nearest_ = Distance{};
    heap_.clear();
  }

 private:
  struct open_place {
    Distance distance;
    std::uint32_t slot;
    [[nodiscard]] constexpr bool goes_before(open_place const& other) const noexcept {
      return distance < other.distance || (distance == other.distance && slot < other.slot);
    }
  };
  Distance unreachable_{};
  Distance nearest_{};
  std::vector<Distance> distance_;  ///< unreachable between searches
  std::vector<std::uint32_t> via_;
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> ready_;  ///< as near as the one being settled
  std::size_t reached_count_ = 0;
  std::size_t ready_count_ = 0;
  indexed_heap<open_place> heap_;
};

}  // namespace detail
BERTH_NAMESPACE_END
