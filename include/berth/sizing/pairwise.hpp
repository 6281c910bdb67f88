// SPDX-License-Identifier: BSL-1.0
// GPUs one by one to the winner of a contest of pairs: AFS (Hwang et al., NSDI 2021, §4). The rule
// is optimal for two jobs: the one that ends first has the GPU for a while only, after which the
// other can have it, so that each compares its gain with another speed of its own.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>
#include <berth/sizing/concave_majorant.hpp>
#include <berth/sizing/detail/first_rungs.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Everybody starts on the first rung, shortest remaining time first; who does not fit is passed
/// over. Then one step after the other: of two jobs, with a the one that would end first on what it
/// has and p the speed on k GPUs, b is given the next GPU if and only if
///
///   (p_b(k_b + 1) - p_b(k_b)) / p_b(k_b + 1)  >  (p_a(k_a + 1) - p_a(k_a)) / p_a(k_a)
///
/// Steps go along the concave majorant of the speeds, and count per GPU. Who is on the top rung,
/// gains nothing by the next, or needs more than is left, is out of the contest.
///
/// The relation of pairs is not transitive, so the winner of many depends on who meets whom: here a
/// knock-out in the order of remaining time on the first rung, then id, in which the winner's
/// matches alone are played again. Of equal remaining times, a is the lower id. `value` and `bound`
/// are 0. O(rungs + jobs log jobs + steps × log jobs).
struct pairwise {
  /// Errors: of check_sizing; capacity_exceeded (max_jobs, ladder) beyond the workspace;
  /// inconsistent (job) for an id that occurs twice. Does not allocate.
  [[nodiscard]] result<sizing> size(sizing_problem const& problem,
                                    sizing_workspace& workspace) const noexcept {
    detail::sizing_memory& memory = detail::sizing_access::memory(workspace);
    if (result<void> const begun = memory.begin(problem); !begun) {
      return begun.error();
    }
    contest{problem, memory}.play();
    return memory.answer(problem);
  }

  /// A job on a rung, and the step before it.
  struct contestant {
    elastic_job const* job = nullptr;
    rung now{};
    rung next{};
  };
  /// Whether b rather than a should have the next step; the rule above, whichever ends first.
  [[nodiscard]] static bool prefers_second(contestant const& a, contestant const& b) noexcept {
    return ends_first(a, b) ? long_one_wins(a, b) : !long_one_wins(b, a);
  }

 private:
  [[nodiscard]] static bool ends_first(contestant const& a, contestant const& b) noexcept {
    // remaining / speed, as fractions; both speeds 0: neither ends
    detail::int128 const left = static_cast<detail::int128>(a.job->remaining.count()) * b.now.speed;
    detail::int128 const right =
        static_cast<detail::int128>(b.job->remaining.count()) * a.now.speed;
    return left < right || (left == right && a.job->id < b.job->id);
  }
  [[nodiscard]] static bool long_one_wins(contestant const& a, contestant const& b) noexcept {
    // Both sides per GPU of the step: gain / (size × speed). A first speed of 0 is beaten by none.
    auto const gain = [](contestant const& c) -> detail::int128 {
      return c.next.speed - c.now.speed;
    };
    auto const size = [](contestant const& c) -> detail::int128 {
      return c.next.size - c.now.size;
    };
    return gain(b) * size(a) * a.now.speed > gain(a) * size(b) * b.next.speed;
  }

  class contest {
   public:
    contest(sizing_problem const& problem, detail::sizing_memory& memory) noexcept
        : problem_{problem}, memory_{memory} {}

    void play() noexcept {
      left_ = detail::for_first_rungs(problem_, memory_, [&](std::uint32_t at) {
        memory_.options.add_item(at);
        for (rung const& each : ladder(at)) {
          memory_.options.add_option(each.size, 0);
        }
        memory_.sizes[at] = ladder(at).front().size;
      });
      auto const items = static_cast<std::uint32_t>(memory_.options.size());
      for (std::uint32_t item = 0; item < items; ++item) {
        auto const rungs = ladder(memory_.options.job(item));
        memory_.vertex[item] = 0;
        memory_.vertex_count[item] =
            static_cast<std::uint32_t>(concave_majorant(rungs, vertices(item)).size());
        memory_.bracket[items + item] = can_go_on(item) ? item : nobody;
      }
      for (std::uint32_t node = items; node-- > 1;) {
        play_match(node);
      }
      while (items > 0) {
        // A bracket of one has no match; node 1 is then the leaf itself.
        std::uint32_t const winner = memory_.bracket[1];
        if (winner == nobody) {
          return;
        }
        if (can_go_on(winner)) {
          climb(winner);
        }
        if (!can_go_on(winner)) {
          memory_.bracket[items + winner] = nobody;
        }
        for (std::uint32_t node = (items + winner) / 2; node > 0; node /= 2) {
          play_match(node);
        }
      }
    }

   private:
    static constexpr std::uint32_t nobody = 0xffffffffu;

    [[nodiscard]] std::span<rung const> ladder(std::uint32_t at) const noexcept {
      return problem_.jobs[at].ladder;
    }
    [[nodiscard]] std::span<std::uint32_t> vertices(std::uint32_t item) noexcept {
      return std::span{memory_.vertices}.subspan(memory_.options.first(item),
                                                 memory_.options.of(item).size());
    }
    [[nodiscard]] contestant as_contestant(std::uint32_t item) noexcept {
      elastic_job const& job = problem_.jobs[memory_.options.job(item)];
      auto const at = vertices(item).subspan(memory_.vertex[item]);
      return {&job, job.ladder[at[0]], job.ladder[at[1]]};
    }
    /// There is a next step, it gains, and it fits.
    [[nodiscard]] bool can_go_on(std::uint32_t item) noexcept {
      if (memory_.vertex[item] + 1 >= memory_.vertex_count[item]) {
        return false;
      }
      contestant const it = as_contestant(item);
      return it.now.speed < it.next.speed && it.next.size - it.now.size <= left_;
    }
    void climb(std::uint32_t item) noexcept {
      contestant const it = as_contestant(item);
      left_ -= it.next.size - it.now.size;
      memory_.sizes[memory_.options.job(item)] = it.next.size;
      ++memory_.vertex[item];
    }
    void play_match(std::uint32_t node) noexcept {
      std::uint32_t const a = memory_.bracket[2 * node];
      std::uint32_t const b = memory_.bracket[2 * node + 1];
      bool const second =
          a == nobody || (b != nobody && prefers_second(as_contestant(a), as_contestant(b)));
      memory_.bracket[node] = second ? b : a;
    }

    sizing_problem const& problem_;
    detail::sizing_memory& memory_;
    std::int64_t left_ = 0;
  };
};

BERTH_NAMESPACE_END
