// SPDX-License-Identifier: BSL-1.0
// Two schedulers that look like one to a host: the first is never saved; the second is replaced by
// a restored snapshot of the first time and again. Every answer must be the same.
#pragma once

#include <berth/core/ids.hpp>
#include <berth/core/random.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/node.hpp>

#include <tests/support/any_scheduler.hpp>
#include <tests/support/forall.hpp>
#include <tests/support/passing_scheduler.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tests {

[[nodiscard]] inline bool is_same(berth::action const& a, berth::action const& b) {
  bool const head = a.kind == b.kind && a.reason == b.reason && a.job == b.job && a.run == b.run &&
                    a.beneficiary == b.beneficiary && a.mode == b.mode &&
                    a.saves_at == b.saves_at && a.tag == b.tag && a.gpus.size() == b.gpus.size();
  bool gpus = head;
  for (std::size_t i = 0; gpus && i < a.gpus.size(); ++i) {
    gpus = a.gpus[i] == b.gpus[i];
  }
  return gpus;
}

[[nodiscard]] inline std::vector<std::byte> saved(any_scheduler const& scheduler) {
  std::vector<std::byte> bytes(scheduler.snapshot_size());
  auto const written = scheduler.snapshot(bytes);
  expect(written.has_value() && *written == bytes.size(),
         "snapshot writes another number of bytes");
  return bytes;
}

class snapshot_twins final : public passing_scheduler {
 public:
  /// `make` gives an empty scheduler; on average one call of `every` is followed by a restore.
  snapshot_twins(std::function<std::unique_ptr<any_scheduler>()> make, std::uint64_t seed,
                 std::uint64_t every)
      : passing_scheduler{make()},
        make_{std::move(make)},
        restored_{make_()},
        random_{seed},
        every_{every} {}

  std::uint64_t restores = 0;

  berth::result<berth::job_id> submit(berth::job_spec const& job, berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.submit(job, now); });
  }
  berth::result<void> complete(berth::job_id job, berth::time_point now,
                               berth::outcome how) override {
    return both([&](any_scheduler& s) { return s.complete(job, now, how); });
  }
  berth::result<void> cancel(berth::job_id job, berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.cancel(job, now); });
  }
  berth::result<void> report(berth::job_id job, run_report const& said,
                             berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.report(job, said, now); });
  }
  berth::result<berth::node_id> add_node(berth::node_spec const& node,
                                         berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.add_node(node, now); });
  }
  berth::result<void> remove_node(berth::node_id node, berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.remove_node(node, now); });
  }
  berth::result<void> set_node(berth::node_id node, berth::node_health health,
                               berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.set_node(node, health, now); });
  }
  berth::result<void> set_lost_gpus(berth::node_id node, berth::gpu_mask lost,
                                    berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.set_lost_gpus(node, lost, now); });
  }
  berth::result<void> set_capacity(berth::node_id node, std::int32_t gpus,
                                   berth::time_point now) override {
    return both([&](any_scheduler& s) { return s.set_capacity(node, gpus, now); });
  }

  /// The plan is the never-saved one's, which later restores do not touch.
  [[nodiscard]] berth::plan tick(berth::time_point now) override {
    maybe_restore();
    auto const plan = never_saved().tick(now);
    auto const other = restored_->tick(now);
    expect(plan.size() == other.size() && plan.is_refused() == other.is_refused(),
           "after a restore a plan has another length");
    for (std::size_t i = 0; i < plan.size(); ++i) {
      expect(is_same(plan[i], other[i]), "after a restore a plan is another");
    }
    compare();
    return plan;
  }

  [[nodiscard]] char const* check_invariants() const override {
    char const* const broken = never_saved().check_invariants();
    return broken != nullptr ? broken : restored_->check_invariants();
  }

 private:
  [[nodiscard]] any_scheduler& never_saved() noexcept { return behind(); }
  [[nodiscard]] any_scheduler const& never_saved() const noexcept { return behind(); }

  template <class Call>
  std::invoke_result_t<Call, any_scheduler&> both(Call&& call) {
    maybe_restore();
    auto const answer = call(never_saved());
    auto const other = call(*restored_);
    expect(answer.has_value() == other.has_value(), "after a restore a call is answered otherwise");
    if (!answer) {
      expect(answer.error() == other.error(), "after a restore an error is another");
    } else if constexpr (!std::is_same_v<decltype(answer), berth::result<void> const>) {
      expect(*answer == *other, "after a restore an id is another");
    }
    compare();
    return answer;
  }

  void compare() const {
    expect(never_saved().state_digest() == restored_->state_digest(),
           "a restored state is another");
    expect(never_saved().next_wakeup() == restored_->next_wakeup(), "a restored alarm is another");
    never_saved().for_each_job([&](berth::job_view const& job) {
      expect(
          never_saved().why_waiting(job.id()).value() == restored_->why_waiting(job.id()).value(),
          "a restored reason is another");
      expect(job.key() == restored_->view(job.id())->key(), "a restored rank is another");
    });
  }

  void maybe_restore() {
    if (random_.below(every_) != 0) {
      return;
    }
    ++restores;
    auto const bytes = saved(never_saved());
    switch (random_.below(3)) {
      case 0: restored_->become(*make_()); break;
      case 1: wander(); break;
      default: break;
    }
    auto const done = restored_->restore(bytes);
    expect(done.has_value(), done ? std::string{}
                                  : std::string{"a snapshot is refused: "} +
                                        berth::to_string(done.error().code) + " " +
                                        berth::to_string(done.error().where));
    expect(saved(*restored_) == bytes, "a snapshot of the restored one differs");
    compare();
  }
  /// The one that is going to be replaced lives on for a while as it likes.
  void wander() {
    auto const now = restored_->now();
    for (int i = 0; i < 3; ++i) {
      auto const later = now == berth::time_point::min() ? berth::time_point{berth::duration{i}}
                                                         : now + berth::duration{60'000 * i};
      berth::job_spec job;
      job.gang = 1 + static_cast<std::int32_t>(random_.below(6));
      job.priority = static_cast<std::int32_t>(random_.below(9));
      static_cast<void>(restored_->submit(job, later));
      static_cast<void>(restored_->tick(later));
    }
  }

  std::function<std::unique_ptr<any_scheduler>()> make_;
  std::unique_ptr<any_scheduler> restored_;
  berth::random_source random_;
  std::uint64_t every_;
};

}  // namespace tests
