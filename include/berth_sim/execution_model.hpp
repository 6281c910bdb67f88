// SPDX-License-Identifier: BSL-1.0
// What happens on the GPUs: how long it takes to launch, to stop, to come back, what a stop loses,
// and how often nodes break. Times have sources; every one can be set.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/suspension.hpp>

#include <berth_sim/workload.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// How a job answers an order to stop.
enum class stop_mode : std::uint8_t {
  save_now,     ///< finishes the iteration, writes its state, leaves: nothing but time is lost
  at_boundary,  ///< goes on to its next epoch or checkpoint, then writes its state
  kill,         ///< leaves at once and falls back to its last checkpoint
  as_ordered,   ///< what the order says (action::mode)
};

struct execution_model {
  stop_mode stopping = stop_mode::save_now;
  /// From the order to start until the gang runs.
  duration launch{1000};
  /// From running to the first useful step, when a job comes back. 30 s is what Pollux's simulator
  /// charges per restart (Qiao et al., OSDI'21). The first start is part of a trace's durations.
  duration restart = std::chrono::seconds{30};
  duration first_start{0};
  /// Writing the state; with the restart this makes the 40 s per preemption that the simulators of
  /// Lucid (ASPLOS'23) and GFS charge for up to 8 GPUs.
  duration save = std::chrono::seconds{10};
  /// Between a kill, or an order that needs no saving, and the empty GPU.
  duration grace{1000};
  /// For jobs whose trace says nothing of checkpoints or epochs.
  duration checkpoint_period = std::chrono::minutes{30};
  /// Slow-down by others on the same node, in thousandths per busy GPU of theirs; 0 = off.
  std::int32_t interference = 0;
  /// Mean time between failures of one node; forever = nodes never fail.
  duration node_mtbf = forever;
  duration node_repair = std::chrono::hours{1};
  std::uint64_t seed = 1;

  /// How a job obeys this order to stop: what is left of a broken gang has nothing to save.
  [[nodiscard]] stop_mode mode_of(action const& order) const noexcept {
    if (order.reason == stop_reason::node_lost) {
      return stop_mode::kill;
    }
    if (stopping != stop_mode::as_ordered) {
      return stopping;
    }
    switch (order.mode) {
      case suspension_mode::boundary: return stop_mode::at_boundary;
      case suspension_mode::checkpoint: return stop_mode::save_now;
      case suspension_mode::kill: return stop_mode::kill;
    }
    return stop_mode::kill;
  }
  [[nodiscard]] duration save_of(job const& each) const noexcept {
    return each.save > duration{0} ? each.save : save;
  }
  [[nodiscard]] duration restart_of(job const& each) const noexcept {
    return each.restart > duration{0} ? each.restart : restart;
  }
  /// The ways in which jobs leave their GPUs, as they are declared; 0 = whatever is ordered.
  [[nodiscard]] mode_mask modes() const noexcept {
    switch (stopping) {
      case stop_mode::save_now: return only(suspension_mode::checkpoint);
      case stop_mode::at_boundary: return only(suspension_mode::boundary);
      case stop_mode::kill: return only(suspension_mode::kill);
      case stop_mode::as_ordered: break;
    }
    return 0;
  }
  [[nodiscard]] duration boundary_period(job const& each) const noexcept {
    duration const own =
        each.epoch_period > duration{0} ? each.epoch_period : each.checkpoint_period;
    return own > duration{0} ? own : checkpoint_period;
  }
  [[nodiscard]] duration save_period(job const& each) const noexcept {
    return each.checkpoint_period > duration{0} ? each.checkpoint_period : boundary_period(each);
  }
};

/// An exponentially distributed time with this mean, by comparisons of uniform draws alone (von
/// Neumann, 1951): the same on every platform.
[[nodiscard]] inline duration draw_exponential(random_source& random, duration mean) noexcept {
  for (std::int64_t whole = 0;; ++whole) {
    std::uint64_t const first = random.next() >> 32;
    std::uint64_t last = first;
    bool odd = false;
    for (;;) {
      odd = !odd;
      std::uint64_t const drawn = random.next() >> 32;
      if (drawn >= last) {
        break;
      }
      last = drawn;
    }
    if (odd) {
      std::int64_t const bounded = std::min<std::int64_t>(mean.count(), std::int64_t{1} << 40);
      std::int64_t const part = bounded / 65536 * static_cast<std::int64_t>(first >> 16) +
                                bounded % 65536 * static_cast<std::int64_t>(first >> 16) / 65536;
      return duration{std::max<std::int64_t>(1, whole * bounded + part)};
    }
  }
}

}  // namespace sim

BERTH_NAMESPACE_END
