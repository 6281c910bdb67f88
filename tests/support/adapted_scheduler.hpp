// SPDX-License-Identifier: BSL-1.0
// Puts a berth::scheduler behind the interface that tests use.
#pragma once

#include <berth/scheduler/scheduler.hpp>

#include <tests/support/any_scheduler.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>

namespace tests {

template <class Scheduler>
class adapted_scheduler final : public any_scheduler {
 public:
  explicit adapted_scheduler(Scheduler made) : scheduler_{std::move(made)} {}

  berth::result<berth::job_id> submit(berth::job_spec const& job, berth::time_point now) override {
    return scheduler_.submit(job, now);
  }
  berth::result<void> complete(berth::job_id job, berth::time_point now,
                               berth::outcome how) override {
    return scheduler_.complete(job, now, how);
  }
  berth::result<void> cancel(berth::job_id job, berth::time_point now) override {
    return scheduler_.cancel(job, now);
  }
  berth::result<void> report(berth::job_id job, run_report const& said,
                             berth::time_point now) override {
    return std::visit([&](auto const& each) { return scheduler_.report(job, each, now); }, said);
  }

  berth::result<berth::node_id> add_node(berth::node_spec const& node,
                                         berth::time_point now) override {
    return scheduler_.add_node(node, now);
  }
  berth::result<void> remove_node(berth::node_id node, berth::time_point now) override {
    return scheduler_.remove_node(node, now);
  }
  berth::result<void> set_node(berth::node_id node, berth::node_health health,
                               berth::time_point now) override {
    return scheduler_.set_node(node, health, now);
  }
  berth::result<void> set_lost_gpus(berth::node_id node, berth::gpu_mask lost,
                                    berth::time_point now) override {
    return scheduler_.set_lost_gpus(node, lost, now);
  }
  berth::result<void> set_capacity(berth::node_id node, std::int32_t gpus,
                                   berth::time_point now) override {
    return scheduler_.set_capacity(node, gpus, now);
  }

  [[nodiscard]] berth::plan tick(berth::time_point now) override { return scheduler_.tick(now); }
  [[nodiscard]] berth::time_point next_wakeup() const override { return scheduler_.next_wakeup(); }

  [[nodiscard]] std::size_t snapshot_size() const override { return scheduler_.snapshot_size(); }
  berth::result<std::size_t> snapshot(std::span<std::byte> into) const override {
    return scheduler_.snapshot(into);
  }
  berth::result<void> restore(std::span<std::byte const> from) override {
    return scheduler_.restore(from);
  }
  void become(any_scheduler& other) override {
    scheduler_ = std::move(dynamic_cast<adapted_scheduler&>(other).scheduler_);
  }

  [[nodiscard]] berth::time_point now() const override { return scheduler_.now(); }
  [[nodiscard]] berth::scheduler_config const& config() const override {
    return scheduler_.config();
  }
  [[nodiscard]] std::size_t job_count() const override { return scheduler_.job_count(); }
  [[nodiscard]] std::size_t holder_count() const override { return scheduler_.holder_count(); }
  [[nodiscard]] berth::result<berth::job_view> view(berth::job_id job) const override {
    return scheduler_.view(job);
  }
  [[nodiscard]] berth::result<berth::wait_reason> why_waiting(berth::job_id job) const override {
    return scheduler_.why_waiting(job);
  }
  [[nodiscard]] berth::result<berth::exchange_note> last_exchange(
      berth::job_id job) const override {
    return scheduler_.last_exchange(job);
  }
  [[nodiscard]] berth::result<berth::time_point> forecast_end(berth::job_id job) const override {
    return scheduler_.forecast_end(job);
  }
  [[nodiscard]] berth::ledger const& books() const override { return scheduler_.books(); }
  [[nodiscard]] char const* check_invariants() const override {
    return scheduler_.check_invariants();
  }
  [[nodiscard]] std::uint64_t state_digest() const override { return scheduler_.state_digest(); }
  [[nodiscard]] std::uint64_t plans_digest() const override {
    return scheduler_.observer().value();
  }

  berth::result<void> visit_gpus(berth::job_id job, gpu_visitor const& visit) const override {
    return scheduler_.for_each_gpu(job, visit);
  }
  void visit_jobs(job_visitor const& visit) const override { scheduler_.for_each_job(visit); }

 private:
  Scheduler scheduler_;
};

/// Throws what result::value() does of a scheduler that was not made.
template <class Scheduler>
[[nodiscard]] std::unique_ptr<any_scheduler> adapted(berth::result<Scheduler> made) {
  return std::make_unique<adapted_scheduler<Scheduler>>(std::move(made).value());
}

}  // namespace tests
