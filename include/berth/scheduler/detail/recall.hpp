// SPDX-License-Identifier: BSL-1.0
// Adaptive task scaling for inference (ATS-I), after DeepBoot (Chen et al., IEEE TPDS 34(9), 2023):
// lent GPUs that inference needs are taken back where training loses least. All of a burst is
// decided at once, by the rule that sizes jobs: the same problem over the jobs with GPUs on loan,
// each with the sizes down to what it has of its own, and fewer GPUs than they have.
#pragma once

#include <berth/concepts/sizing_allocator.hpp>
#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/job.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/loans.hpp>
#include <berth/scheduler/detail/sizing_round.hpp>
#include <berth/scheduler/detail/sleepers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Sizes that a job can be shrunk to by what it has on loan, and the one that it has.
[[nodiscard]] inline std::span<rung const> rungs_above_own(core_state const& s, std::uint32_t slot,
                                                           std::int32_t lent) noexcept {
  std::int32_t const held = s.jobs[slot].gpus_held;
  auto const all = s.ladders.of(slot);
  auto const first = std::find_if(all.begin(), all.end(),
                                  [&](rung const& each) { return each.size >= held - lent; });
  auto const last =
      std::find_if(first, all.end(), [&](rung const& each) { return each.size > held; });
  return {first, last};
}

/// The problem of giving `excess` GPUs back. O(holders).
template <class Engine>
[[nodiscard]] sizing_problem put_recall(Engine& e, std::int64_t excess) noexcept {
  core_state const& s = e.state;
  sizing_round& round = e.work.sizing;
  round.jobs.clear();
  round.slots.clear();
  std::int64_t held = 0;
  for (std::uint32_t const slot : s.holders.members()) {
    std::int32_t const lent = is_sized_holder(s, slot) ? borrowed_by(s, slot) : 0;
    if (lent == 0) {
      continue;
    }
    put_job(e, slot);
    auto const rungs = rungs_above_own(s, slot, lent);
    if (rungs.empty()) {  // its ladder was changed since it got them
      round.jobs.pop_back();
      round.slots.pop_back();
      continue;
    }
    round.jobs.view().back().ladder = rungs;
    held += s.jobs[slot].gpus_held;
  }
  return {round.jobs.view(), static_cast<std::int32_t>(std::max<std::int64_t>(0, held - excess))};
}

/// Takes lent GPUs back as the answer says. Returns how many.
template <class Engine>
std::int64_t take_back(Engine& e, std::span<std::int32_t const> sizes) noexcept {
  core_state& s = e.state;
  std::int64_t taken = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::uint32_t const slot = e.work.sizing.slots[i];
    std::int32_t const held = s.jobs[slot].gpus_held;
    if (sizes[i] >= held) {
      continue;
    }
    std::int32_t const lent = borrowed_by(s, slot);
    if (sizes[i] > 0) {
      s.jobs[slot].target = sizes[i];
      shrink(s, slot, sizes[i], stop_reason::recalled);
      taken += held - sizes[i];
    } else if (stop_for_others(e, slot, stop_reason::recalled)) {
      taken += lent;
    }
  }
  return taken;
}

/// Gives inference what it waits for: GPUs that replicas sleep on, then what training has on loan
/// and may not have any more. A job that is given up whole returns GPUs of its own, too, so that
/// one look may not be enough; what is being launched or changed is looked at again when its host
/// has confirmed.
template <class Engine>
void recall_loans(Engine& e) noexcept {
  if constexpr (sizing_allocator<typename Engine::allocator_type>) {
    core_state& s = e.state;
    e.work.sizing.has_recalled = false;
    if (s.now >= s.next_loan_change) {
      s.loans_due = s.sizing_due = true;
    }
    if (!s.loans_due) {
      return;
    }
    stop_sleepers(s, wanted_by_inference(s) - free_soon(s, pool::inference));
    if (!s.lends) {
      s.loans_due = false;
      s.next_loan_change = never;
      return;
    }
    std::int64_t const has = borrowed(s);
    std::int64_t excess = has - may_have(s, has);
    bool any = false;
    for (std::int64_t taken = 1; excess > 0 && taken > 0; excess -= taken) {
      auto const answer = e.parts.allocator.size(put_recall(e, excess), e.work.sizing.memory);
      BERTH_ASSERT(answer.has_value(), "the problem is well formed and fits the workspace");
      taken = answer ? take_back(e, answer.value().sizes) : 0;
      any = any || taken > 0;
    }
    if (any) {
      s.borrow_after = saturating_add(s.now, s.config.borrow_again_after);
    }
    s.loans_due = excess > 0;
    s.lends = s.lent.gpus > 0 || has > 0;
    s.next_loan_change = next_loan_change(s);
    if (any) {  // the rest is the next tick's, at once: inference does not wait for it
      s.sizing_due = true;
      s.next_sizing = s.now;
      e.work.sizing.has_recalled = true;
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
