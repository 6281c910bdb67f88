// SPDX-License-Identifier: BSL-1.0
// One row of the table: what was run, and what was measured.
#pragma once

#include <bench/support/thread_clock.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace berth_bench {

/// What waits.
enum class queue_kind : std::uint8_t {
  mixed,            ///< what the cluster runs
  blocked,          ///< jobs that want every GPU there is: they cannot run beside others
  blocked_at_head,  ///< the same, a thousand of them ahead of a mixed queue
  shapes_at_head,   ///< as before, but no two of the thousand look alike
};
inline const std::vector<std::string> queue_names{"mixed", "blocked", "blocked_at_head",
                                                  "shapes_at_head"};
[[nodiscard]] inline std::string const& name_of(queue_kind kind) {
  return queue_names[static_cast<std::size_t>(kind)];
}
[[nodiscard]] inline queue_kind queue_kind_named(std::string const& name) {
  auto const at = std::find(queue_names.begin(), queue_names.end(), name);
  return static_cast<queue_kind>(at - queue_names.begin());
}
inline constexpr std::int64_t blocked_ahead = 1000;

/// Which calls are counted, under callgrind.
enum class calls : std::uint8_t { none, ticks, all };

struct setting {
  std::string preset;
  std::int64_t gpus = 0;
  std::int64_t running = 0;  ///< aimed at; the gangs' sizes are chosen so that they fill 95 %
  std::int64_t pending = 0;
  double churn = 0;  ///< share of the running jobs that end, and as many arrive, between two ticks
  int types = 1;
  queue_kind blocked = queue_kind::mixed;
  int ticks = 0;
  calls counted = calls::none;
};

/// What calls of one kind cost.
struct distribution {
  double p50 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
  std::int64_t calls = 0;
  std::int64_t instructions = 0;  ///< of all of them; 0 where nobody counted
  [[nodiscard]] double instructions_per_call() const {
    return calls > 0 ? static_cast<double>(instructions) / static_cast<double>(calls) : 0;
  }
};

/// Microseconds of every call of one kind.
class samples {
 public:
  explicit samples(std::size_t capacity) { taken_.reserve(capacity); }
  void add(double microseconds) {
    if (taken_.size() < taken_.capacity()) {
      taken_.push_back(microseconds);
    }
  }
  [[nodiscard]] double sum() const {
    double all = 0;
    for (double const each : taken_) {
      all += each;
    }
    return all;
  }
  [[nodiscard]] distribution summary() const {
    if (taken_.empty()) {
      return {};
    }
    std::vector<double> sorted = taken_;
    std::sort(sorted.begin(), sorted.end());
    auto const at = [&](double share) {
      auto const i = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
      return sorted[std::min(i, sorted.size() - 1)];
    };
    return {at(0.5), at(0.99), at(0.999), sorted.back(), static_cast<std::int64_t>(sorted.size())};
  }

 private:
  std::vector<double> taken_;
};

/// How long a call took. The time of the thread, so that what else the machine does is not counted;
/// but asking for that is slow, and a short call is hardly ever interrupted.
class stopwatch {
 public:
  [[nodiscard]] double microseconds() const {
    double const wall = wall_microseconds() - wall_;
    return wall < 20 ? wall : std::min(wall, thread_microseconds() - cpu_);
  }

 private:
  double cpu_ = thread_microseconds();
  double wall_ = wall_microseconds();
};

struct row {
  setting what;
  std::int64_t nodes = 0;
  std::int64_t running = 0;  ///< on average, as it came about
  distribution tick;
  distribution submit;
  distribution complete;
  distribution report;
  std::uint64_t allocations = 0;
  double decisions_per_second = 0;  ///< starts and stops per second spent in tick()
  double actions_per_tick = 0;
  double extra_nodes_per_gang = 0;   ///< placement: nodes beyond the fewest, per gang that started
  double broken_nodes_per_gang = 0;  ///< and nodes left partly used that were whole before
  std::uint64_t digest = 0;
  std::string wrong;  ///< empty, or what check_invariants or the second run found

  /// Of a submit, complete, report or tick, as many as there were of each.
  [[nodiscard]] double instructions_per_event() const {
    auto const calls = tick.calls + submit.calls + complete.calls + report.calls;
    auto const all =
        tick.instructions + submit.instructions + complete.instructions + report.instructions;
    return calls > 0 ? static_cast<double>(all) / static_cast<double>(calls) : 0;
  }
};

}  // namespace berth_bench
