// SPDX-License-Identifier: BSL-1.0
// One line of the table: an input, what every solver took for it, and what was promised.
#pragma once

#include <bench/matching/peers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth_bench {

/// A promise: berth is so many times as fast as the fastest of these.
struct target {
  peer_set against;
  double at_least = 0;
  double aim = 0;                ///< 0: none
  bool counts_own_cold = false;  ///< berth's own cold solve is one of those to beat
  double memory_at_least = 0;    ///< so many times less memory than those as well; 0: no promise
};

/// What one solver took.
struct measurement {
  std::string name;
  double milliseconds = 0;  ///< median
  std::int64_t bytes = 0;   ///< the most that lived at once, besides the input
};

struct row {
  std::string shape;
  std::string kind;
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool is_warm = false;
  std::optional<target> promise;
  measurement berth;
  std::optional<measurement> berth_cold;  ///< of a warm row
  std::vector<measurement> peers;
  std::uint64_t warm_allocations = 0;
  bool optimum_agrees = true;
  bool is_certified = true;

  [[nodiscard]] measurement const* of(peer which) const {
    auto const found = std::find_if(peers.begin(), peers.end(), [which](measurement const& m) {
      return m.name == to_string(which);
    });
    return found == peers.end() ? nullptr : &*found;
  }

  /// The fastest of those that the promise is about; empty if none of them was measured.
  [[nodiscard]] std::optional<measurement> rival() const {
    std::optional<measurement> best;
    auto const consider = [&best](measurement const& candidate) {
      if (!best || candidate.milliseconds < best->milliseconds) {
        best = candidate;
      }
    };
    if (promise && promise->counts_own_cold && berth_cold) {
      consider(*berth_cold);
    }
    for (peer const which :
         promise ? promise->against : peer_set{std::begin(all_peers), std::end(all_peers)}) {
      if (measurement const* const measured = of(which)) {
        consider(*measured);
      }
    }
    return best;
  }
  [[nodiscard]] double ratio_to(measurement const& other) const {
    return other.milliseconds / std::max(berth.milliseconds, 1e-6);
  }
  [[nodiscard]] double memory_ratio_to(measurement const& other) const {
    return static_cast<double>(other.bytes) /
           static_cast<double>(std::max<std::int64_t>(berth.bytes, 1));
  }

  /// Whether what was promised of this row holds; empty if nothing was, or nobody was there to be
  /// compared with.
  [[nodiscard]] std::optional<bool> holds() const {
    if (!promise) {
      return std::nullopt;
    }
    std::optional<measurement> const best = rival();
    if (!best) {
      return std::nullopt;
    }
    return optimum_agrees && is_certified && ratio_to(*best) >= promise->at_least &&
           (promise->memory_at_least == 0 || memory_ratio_to(*best) >= promise->memory_at_least);
  }
  [[nodiscard]] bool reaches_aim() const {
    return holds().value_or(false) && promise->aim > 0 && rival() &&
           ratio_to(*rival()) >= promise->aim;
  }
  /// Boost.Graph is to be beaten by this much on every input.
  static constexpr double least_over_boost_graph = 25;
};

/// The input in a few words.
[[nodiscard]] inline std::string label_of(row const& named) {
  return named.shape + " " + named.kind + " " + std::to_string(named.rows) + " × " +
         std::to_string(named.columns) + (named.is_warm ? " warm" : " cold");
}

}  // namespace berth_bench
