// SPDX-License-Identifier: BSL-1.0
// What is going to happen, in order of time; events of one instant in the order in which they were
// foreseen.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

enum class event_kind : std::uint8_t {
  submit,
  started,
  finished,
  stopped,
  node_fails,
  node_repaired
};

struct event {
  time_point when;
  std::uint64_t order;
  event_kind kind;
  std::uint32_t subject;  ///< job or node
  std::uint32_t version;  ///< of the job's run: an event of an earlier one is void
  friend bool operator>(event const& a, event const& b) noexcept {
    return a.when != b.when ? a.when > b.when : a.order > b.order;
  }
};

class event_queue {
 public:
  void push(time_point when, event_kind kind, std::uint32_t subject, std::uint32_t version) {
    events_.push({when, order_++, kind, subject, version});
  }
  [[nodiscard]] bool empty() const noexcept { return events_.empty(); }
  /// `never` if nothing is foreseen.
  [[nodiscard]] time_point next_time() const {
    return events_.empty() ? never : events_.top().when;
  }
  /// Precondition: !empty().
  event pop() {
    event const next = events_.top();
    events_.pop();
    return next;
  }

 private:
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
};

}  // namespace sim

BERTH_NAMESPACE_END
