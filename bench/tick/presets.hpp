// SPDX-License-Identifier: BSL-1.0
// The compositions that the tick is measured with, one translation unit each.
#pragma once

#include <bench/tick/busy_host.hpp>
#include <bench/tick/row.hpp>

#include <utility>

namespace berth_bench {

[[nodiscard]] row measure_fifo(setting const& what);
[[nodiscard]] row measure_tiresias(setting const& what);
[[nodiscard]] row measure_pickyman_style(setting const& what);
[[nodiscard]] row measure_pickyman(setting const& what);

/// Heap bytes of a scheduler per job and per GPU that its limits allow.
struct footprint {
  double per_job = 0;
  double per_gpu = 0;
};
[[nodiscard]] footprint measure_footprint();

/// Runs the same calls on two schedulers: they must decide the same, and be sound at the end.
template <class Make>
[[nodiscard]] row measure(setting const& what, bool twice, Make make) {
  berth::cluster const nodes = make_cluster(what);
  auto made = make(nodes, make_limits(what));
  if (!made) {
    row refused;
    refused.what = what;
    refused.wrong = "no scheduler could be made";
    return refused;
  }
  busy_host host{made.value(), what};
  host.run();
  row measured = host.result();
  if (char const* const broken = made.value().check_invariants()) {
    measured.wrong = broken;
  }
  if (twice && what.counted == calls::none) {
    auto second = make(nodes, make_limits(what));
    busy_host same{second.value(), what};
    same.run();
    if (same.decisions() != host.decisions()) {
      measured.wrong = "equal calls gave different plans";
    }
  }
  return measured;
}

}  // namespace berth_bench
