// SPDX-License-Identifier: BSL-1.0
// A scheduler whose idle ticks are doubted: a twin in the same state, which looks at all that wait
// because its cluster has got another node, without GPUs, does so at the same instant. If parking
// is right, it finds nothing to do. Ticks that do decide are not compared: a job that is looked at
// in vain ends a batch, so that who looks at more may cut its batches elsewhere.
#pragma once

#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/node.hpp>

#include <tests/support/any_scheduler.hpp>
#include <tests/support/forall.hpp>
#include <tests/support/passing_scheduler.hpp>
#include <tests/support/snapshot_twins.hpp>

#include <cstdint>
#include <memory>
#include <utility>

namespace tests {

class with_woken_twin final : public passing_scheduler {
 public:
  /// Two empty schedulers of the same make; the twin has room for one node more.
  with_woken_twin(std::unique_ptr<any_scheduler> first, std::unique_ptr<any_scheduler> twin)
      : passing_scheduler{std::move(first)}, twin_{std::move(twin)} {}

  std::uint64_t doubted = 0;         ///< idle ticks with somebody who waited
  std::uint64_t waited_in_vain = 0;  ///< jobs at which the twin looked then

  [[nodiscard]] berth::plan tick(berth::time_point now) override {
    auto const plan = behind().tick(now);
    if (plan.is_idle()) {
      look_at_all(now);
    }
    return plan;
  }

 private:
  void look_at_all(berth::time_point now) {
    std::uint64_t waiting = 0;
    for_each_job([&](berth::job_view const& job) {
      waiting += job.state() == berth::job_state::pending ? 1u : 0u;
    });
    if (waiting == 0) {
      return;
    }
    auto const bytes = saved(behind());
    expect(twin_->restore(bytes).has_value(), "a snapshot is refused");
    expect(twin_->add_node({}, now).has_value(), "the twin has no room for its node");
    auto const found = twin_->tick(now);
    expect(!found.is_idle(), "the twin did not look");
    expect(found.empty(), "a job that could be seated was not looked at");
    for_each_job([&](berth::job_view const& job) {
      expect(twin_->view(job.id())->state() == job.state(),
             "a job that could have GPUs earmarked was not looked at");
    });
    waited_in_vain += waiting;
    ++doubted;
  }

  std::unique_ptr<any_scheduler> twin_;
};

}  // namespace tests
