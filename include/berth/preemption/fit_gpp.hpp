// SPDX-License-Identifier: BSL-1.0
// Small jobs that leave soon yield first (FitGpp: Yabuuchi et al., OpML'19, arXiv 1902.01613). For
// comparison.
#pragma once

#include <berth/concepts/preemption_cost.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/preemption/epoch_boundary.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// A stop counts as Size / largest Size + s × GP / longest GP, in thousandths: Size is the length
/// of the vector of the job's demands, each over what a node has of it, and GP, the grace period,
/// the time until the job has left. The paper takes both maxima over the running jobs; here they
/// are members, so that a price depends on one job, and what exceeds them counts as the maximum. No
/// job is stopped more than P times. If nobody suffices the paper stops jobs at random; here, those
/// that the policy ranks last.
template <preemption_cost Base = epoch_boundary>
struct fit_gpp {
  using component_role = preemption_role;
  static constexpr bool allows_timelessly = berth::allows_timelessly<Base>;
  Base base{};
  std::int32_t grace_weight = 4;       ///< s of the paper
  std::uint32_t most_preemptions = 1;  ///< P of the paper
  std::int32_t node_gpus = 8;          ///< what a node has
  std::int64_t node_cpu_milli = 0;     ///< 0 = does not count
  std::int64_t node_memory_mib = 0;    ///< 0 = does not count
  std::int64_t largest_size = 8'000;   ///< thousandths of a node: 64 GPUs on nodes of 8
  duration longest_grace = std::chrono::minutes{20};

  [[nodiscard]] suspension suspend(job_view const& job, tick_context const& tick) const noexcept {
    suspension answer = base.suspend(job, tick);
    answer.allowed = answer.allowed && job.preemptions() < most_preemptions;
    return answer;
  }
  [[nodiscard]] duration resume(job_view const& job, tick_context const& tick) const noexcept {
    return base.resume(job, tick);
  }
  [[nodiscard]] gpu_time price(job_view const& job, suspension const& stop,
                               tick_context const&) const noexcept {
    std::int64_t const size = std::min(size_of(job), largest_size);
    std::int64_t const grace = std::min(stop.drain + stop.save, longest_grace).count();
    std::int64_t const longest = std::max<std::int64_t>(1, longest_grace.count());
    return gpu_time{1000 * size / std::max<std::int64_t>(1, largest_size) +
                    gpu_time{1000 * std::int64_t{grace_weight}, duration{grace}}.count() / longest};
  }

  /// Thousandths of a node, rounded down.
  [[nodiscard]] std::int64_t size_of(job_view const& job) const noexcept {
    std::int64_t const gpus = job.gpus_held();
    std::int64_t const squares =
        square_of_share(gpus, node_gpus) +
        square_of_share(gpus * job.spec().cpu_milli_per_gpu, node_cpu_milli) +
        square_of_share(gpus * job.spec().memory_mib_per_gpu, node_memory_mib);
    return root(squares);
  }

 private:
  // Shares above a thousand nodes count as a thousand.
  [[nodiscard]] static std::int64_t square_of_share(std::int64_t demand,
                                                    std::int64_t capacity) noexcept {
    if (capacity <= 0) {
      return 0;
    }
    std::int64_t const share = demand / capacity >= 1000 ? 1'000'000 : demand * 1000 / capacity;
    return share * share;
  }
  /// Largest integer whose square is at most `square`.
  [[nodiscard]] static std::int64_t root(std::int64_t square) noexcept {
    std::int64_t answer = 0;
    for (std::int64_t bit = std::int64_t{1} << 21; bit > 0; bit >>= 1) {
      if ((answer + bit) * (answer + bit) <= square) {
        answer += bit;
      }
    }
    return answer;
  }
};

BERTH_NAMESPACE_END
