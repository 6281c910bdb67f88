// SPDX-License-Identifier: BSL-1.0
// Elastic jobs that own their ladders, seeded ones, and every way to size a few of them.
#pragma once

#include <berth/core/ids.hpp>
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tests {

/// A speed as a rung has it.
inline std::int64_t speed(double times) {
  return static_cast<std::int64_t>(times * static_cast<double>(berth::unit_rung_speed) + 0.5);
}

struct elastic_jobs {
  std::vector<std::vector<berth::rung>> ladders;
  std::vector<berth::elastic_job> jobs;

  /// Sizes 1, 2, 3, … with these speeds. The next id, unless one is given later.
  berth::elastic_job& add(berth::duration remaining, std::vector<double> const& speeds) {
    std::vector<berth::rung> ladder;
    for (double const each : speeds) {
      ladder.push_back({static_cast<std::int32_t>(ladder.size()) + 1, speed(each)});
    }
    return add(remaining, std::move(ladder));
  }
  berth::elastic_job& add(berth::duration remaining, std::vector<berth::rung> ladder) {
    ladders.push_back(std::move(ladder));
    jobs.push_back({.id = berth::job_id{static_cast<std::uint32_t>(jobs.size()), 1},
                    .ladder = ladders.back(),
                    .remaining = remaining});
    return jobs.back();
  }
  [[nodiscard]] berth::sizing_problem within(std::int32_t capacity) const {
    return {jobs, capacity};
  }
};

struct drawn_sizing {
  elastic_jobs owner;
  std::int32_t capacity = 0;
  [[nodiscard]] berth::sizing_problem problem() const { return owner.within(capacity); }
};

/// What is drawn.
struct sizing_shape {
  bool is_concave = false;  ///< sizes 1, 2, 3, … and no gain above the one before
  bool runs = false;        ///< some jobs hold GPUs and have restart times
  std::size_t jobs = 4;     ///< at most
  std::size_t rungs = 4;    ///< at most, of one
};

inline drawn_sizing draw_sizing(std::uint64_t seed, sizing_shape const& shape) {
  berth::random_source random{seed};
  drawn_sizing drawn;
  std::size_t const count = 1 + random.below(shape.jobs);
  for (std::size_t job = 0; job < count; ++job) {
    std::vector<berth::rung> ladder;
    std::size_t const rungs = 1 + random.below(shape.rungs);
    std::int32_t size = shape.is_concave ? 1 : static_cast<std::int32_t>(random.between(1, 2));
    std::int64_t gain = random.between(berth::unit_rung_speed / 2, berth::unit_rung_speed * 2);
    std::int64_t at = 0;
    for (std::size_t rung = 0; rung < rungs; ++rung) {
      at += gain;
      ladder.push_back({size, at});
      size += shape.is_concave ? 1 : static_cast<std::int32_t>(random.between(1, 3));
      gain = shape.is_concave ? gain * random.between(0, 100) / 100
                              : random.between(-berth::unit_rung_speed / 8, berth::unit_rung_speed);
      gain = at + gain < 0 ? 0 : gain;
    }
    auto& added = drawn.owner.add(berth::duration{random.between(2'000, 9'000'000)}, ladder);
    added.weight = static_cast<std::uint32_t>(random.between(1, 3));
    added.age = berth::duration{random.between(0, 4'000'000)};
    added.restarts = static_cast<std::uint32_t>(random.below(4));
    if (shape.runs && random.below(3) > 0) {
      added.current = random.below(4) == 0 ? static_cast<std::int32_t>(random.between(1, 6))
                                           : ladder[random.below(rungs)].size;
      added.resize.first = berth::duration{random.between(0, 120'000)};
      added.resize.next =
          random.below(2) == 0 ? added.resize.first : berth::duration{random.between(0, 5'000)};
      added.resize.next =
          added.resize.next > added.resize.first ? added.resize.first : added.resize.next;
    }
  }
  drawn.capacity = static_cast<std::int32_t>(random.between(0, 12));
  return drawn;
}

/// Calls see(sizes) for every choice of 0 or a rung per job that fits, `may_wait` permitting 0.
template <class See>
void for_every_sizing(berth::sizing_problem const& problem, bool may_wait, See see) {
  std::vector<std::int32_t> sizes;
  auto const go_on = [&](auto const& self, std::int64_t left) -> void {
    if (sizes.size() == problem.jobs.size()) {
      see(sizes);
      return;
    }
    auto const& job = problem.jobs[sizes.size()];
    if (may_wait) {
      sizes.push_back(0);
      self(self, left);
      sizes.pop_back();
    }
    for (berth::rung const& each : job.ladder) {
      if (each.size <= left) {
        sizes.push_back(each.size);
        self(self, left - each.size);
        sizes.pop_back();
      }
    }
  };
  go_on(go_on, problem.capacity);
}

}  // namespace tests
