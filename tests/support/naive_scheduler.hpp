// SPDX-License-Identifier: BSL-1.0
// The obvious scheduler, for comparison: plain vectors, no queues per shape, no heap, no matching.
// Gangs sit on one node of one GPU type. It knows who must start by trying every packing; in the
// choice of nodes, where packing leaves freedom, it follows the real scheduler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tests {

enum class naive_order : std::uint8_t { strict, skip, classes };

struct naive_job {
  int number = 0;  ///< in submit order
  int gpus = 1;
  int priority = 0;
  int node = -1;  ///< where it runs or drains
  bool draining = false;
  bool cancelled = false;
  bool ended = false;
  int reserved_on = -1;  ///< GPUs there are kept for it, and some are not empty yet
  [[nodiscard]] bool waits() const { return !ended && node < 0 && reserved_on < 0; }
};

class naive_scheduler {
 public:
  naive_scheduler(naive_order order, std::vector<int> gpus_of_node)
      : order_{order}, size_{std::move(gpus_of_node)} {}

  std::vector<naive_job> jobs;

  /// GPUs of a node that nobody holds or waits for. Draining ones are not free; what is reserved is
  /// taken from free and draining ones alike, so the sum may not fall below zero.
  [[nodiscard]] int unclaimed(int node) const {
    int left = size_[static_cast<std::size_t>(node)];
    for (naive_job const& job : jobs) {
      bool const holds = !job.ended && job.node == node;
      bool const claims = !job.ended && job.reserved_on == node;
      left -= (holds && !job.draining) || claims ? job.gpus : 0;
    }
    return left;
  }
  /// Of those, the ones that are empty already: what drains goes to reservations last.
  [[nodiscard]] int offered(int node) const {
    int empty = size_[static_cast<std::size_t>(node)];
    int claimed = 0;
    for (naive_job const& job : jobs) {
      empty -= !job.ended && job.node == node ? job.gpus : 0;
      claimed += !job.ended && job.reserved_on == node ? job.gpus : 0;
    }
    return std::max(0, empty - claimed);
  }
  [[nodiscard]] int nodes() const { return static_cast<int>(size_.size()); }

  /// Waiting jobs, those that go first in front.
  [[nodiscard]] std::vector<int> ranked() const {
    std::vector<int> order;
    for (naive_job const& job : jobs) {
      if (job.waits()) {
        order.push_back(job.number);
      }
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return order_ == naive_order::classes && at(a).priority > at(b).priority;
    });
    return order;
  }

  /// The jobs at the front of the rank order that can be packed together into what is free.
  [[nodiscard]] std::vector<int> front() const {
    std::vector<int> chosen;
    std::vector<int> room;
    for (int n = 0; n < nodes(); ++n) {
      room.push_back(offered(n));
    }
    for (int const job : ranked()) {
      chosen.push_back(job);
      if (!fits(chosen, room)) {
        chosen.pop_back();
        break;
      }
    }
    return chosen;
  }
  /// Does a waiting job fit on a node as it is now?
  [[nodiscard]] bool could_start_another() const {
    for (int const job : ranked()) {
      for (int n = 0; n < nodes(); ++n) {
        if (at(job).gpus <= offered(n)) {
          return true;
        }
      }
    }
    return false;
  }
  [[nodiscard]] bool is_strict() const { return order_ == naive_order::strict; }

  [[nodiscard]] naive_job& at(int number) { return jobs[static_cast<std::size_t>(number)]; }
  [[nodiscard]] naive_job const& at(int number) const {
    return jobs[static_cast<std::size_t>(number)];
  }

 private:
  // Every assignment of jobs to nodes, largest job first so that hopeless branches end early.
  [[nodiscard]] bool fits(std::vector<int> chosen, std::vector<int> const& room) const {
    std::sort(chosen.begin(), chosen.end(), [&](int a, int b) { return at(a).gpus > at(b).gpus; });
    std::vector<int> left = room;
    return seat(chosen, 0, left);
  }
  [[nodiscard]] bool seat(std::vector<int> const& chosen, std::size_t next,
                          std::vector<int>& left) const {
    if (next == chosen.size()) {
      return true;
    }
    int const gpus = at(chosen[next]).gpus;
    for (int& here : left) {
      if (here >= gpus) {
        here -= gpus;
        bool const done = seat(chosen, next + 1, left);
        here += gpus;
        if (done) {
          return true;
        }
      }
    }
    return false;
  }

  naive_order order_;
  std::vector<int> size_;
};

}  // namespace tests
