// SPDX-License-Identifier: BSL-1.0
// What is still to happen in a case, by time and then in the order in which it was scheduled.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/scenario/cast.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

enum class step_kind : std::uint8_t {
  event,   ///< of the case: index into its events
  submit,  ///< a job with `repeat`: index into its jobs, like the rest
  checkpoint,
  stop_ack,  ///< the run has left its GPUs
  run_end,   ///< `dur` is over
  look,      ///< an expectation: a tick, so that there is something to look at
};

struct timeline_step {
  step_kind kind = step_kind::event;
  std::size_t index = 0;
  run_number run{};
};

class timeline {
 public:
  void add(time_point at, timeline_step step) { steps_.emplace(at, step); }
  [[nodiscard]] time_point next() const noexcept {
    return steps_.empty() ? never : steps_.begin()->first;
  }
  /// The first step that is due at `now`.
  [[nodiscard]] std::optional<timeline_step> pop(time_point now) {
    if (steps_.empty() || steps_.begin()->first > now) {
      return std::nullopt;
    }
    timeline_step const first = steps_.begin()->second;
    steps_.erase(steps_.begin());
    return first;
  }

 private:
  std::multimap<time_point, timeline_step> steps_;
};

/// The first multiple of `every` after `now`.
[[nodiscard]] constexpr time_point next_multiple(time_point now, duration every) noexcept {
  auto const passed = now.time_since_epoch();
  return now < time_point{} ? time_point{} : time_point{(passed / every + 1) * every};
}

/// Events, submissions, checkpoints and expectations: all that is known before the first tick.
[[nodiscard]] inline timeline known_steps(situation const& about, cast const& jobs) {
  timeline made;
  for (std::size_t i = 0; i < about.events.size(); ++i) {
    made.add(about.events[i].at, {step_kind::event, i, {}});
  }
  std::int32_t nth = 0;  // of its line
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    nth = i > 0 && jobs[i].line == jobs[i - 1].line ? nth + 1 : 0;
    job_line const& line = jobs.line_of(jobs[i]);
    if (line.repeat) {
      made.add(line.repeat->first + nth * line.repeat->every, {step_kind::submit, i, {}});
    }
    if (line.checkpoint) {
      made.add(*line.checkpoint, {step_kind::checkpoint, i, {}});
    }
  }
  for (std::size_t i = 0; i < about.expect.size(); ++i) {
    made.add(about.expect[i].at, {step_kind::look, i, {}});
  }
  return made;
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
