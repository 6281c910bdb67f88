// SPDX-License-Identifier: BSL-1.0
// A scheduler in front of another one: passes every call on. Test doubles derive from it and change
// what they are about.
#pragma once

#include <tests/support/any_scheduler.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace tests {

class passing_scheduler : public any_scheduler {
 public:
  explicit passing_scheduler(std::unique_ptr<any_scheduler> behind) : behind_{std::move(behind)} {}

  berth::result<berth::job_id> submit(berth::job_spec const& job, berth::time_point now) override {
    return behind_->submit(job, now);
  }
  berth::result<void> complete(berth::job_id job, berth::time_point now,
                               berth::outcome how = berth::outcome::finished) override {
    return behind_->complete(job, now, how);
  }
  berth::result<void> cancel(berth::job_id job, berth::time_point now) override {
    return behind_->cancel(job, now);
  }
  berth::result<void> report(berth::job_id job, run_report const& said,
                             berth::time_point now) override {
    return behind_->report(job, said, now);
  }

  berth::result<berth::node_id> add_node(berth::node_spec const& node,
                                         berth::time_point now) override {
    return behind_->add_node(node, now);
  }
  berth::result<void> remove_node(berth::node_id node, berth::time_point now) override {
    return behind_->remove_node(node, now);
  }
  berth::result<void> set_node(berth::node_id node, berth::node_health health,
                               berth::time_point now) override {
    return behind_->set_node(node, health, now);
  }
  berth::result<void> set_lost_gpus(berth::node_id node, berth::gpu_mask lost,
                                    berth::time_point now) override {
    return behind_->set_lost_gpus(node, lost, now);
  }
  berth::result<void> set_capacity(berth::node_id node, std::int32_t gpus,
                                   berth::time_point now) override {
    return behind_->set_capacity(node, gpus, now);
  }

  [[nodiscard]] berth::plan tick(berth::time_point now) override { return behind_->tick(now); }
  [[nodiscard]] berth::time_point next_wakeup() const override { return behind_->next_wakeup(); }

  [[nodiscard]] std::size_t snapshot_size() const override { return behind_->snapshot_size(); }
  berth::result<std::size_t> snapshot(std::span<std::byte> into) const override {
    return behind_->snapshot(into);
  }
  berth::result<void> restore(std::span<std::byte const> from) override {
    return behind_->restore(from);
  }
  void become(any_scheduler& other) override { behind_->become(other); }

  [[nodiscard]] berth::time_point now() const override { return behind_->now(); }
  [[nodiscard]] berth::scheduler_config const& config() const override { return behind_->config(); }
  [[nodiscard]] std::size_t job_count() const override { return behind_->job_count(); }
  [[nodiscard]] std::size_t holder_count() const override { return behind_->holder_count(); }
  [[nodiscard]] berth::result<berth::job_view> view(berth::job_id job) const override {
    return behind_->view(job);
  }
  [[nodiscard]] berth::result<berth::wait_reason> why_waiting(berth::job_id job) const override {
    return behind_->why_waiting(job);
  }
  [[nodiscard]] berth::result<berth::exchange_note> last_exchange(
      berth::job_id job) const override {
    return behind_->last_exchange(job);
  }
  [[nodiscard]] berth::result<berth::time_point> forecast_end(berth::job_id job) const override {
    return behind_->forecast_end(job);
  }
  [[nodiscard]] berth::ledger const& books() const override { return behind_->books(); }
  [[nodiscard]] char const* check_invariants() const override {
    return behind_->check_invariants();
  }
  [[nodiscard]] std::uint64_t state_digest() const override { return behind_->state_digest(); }
  [[nodiscard]] std::uint64_t plans_digest() const override { return behind_->plans_digest(); }

  berth::result<void> visit_gpus(berth::job_id job, gpu_visitor const& visit) const override {
    return behind_->visit_gpus(job, visit);
  }
  void visit_jobs(job_visitor const& visit) const override { behind_->visit_jobs(visit); }

 protected:
  [[nodiscard]] any_scheduler& behind() noexcept { return *behind_; }
  [[nodiscard]] any_scheduler const& behind() const noexcept { return *behind_; }

 private:
  std::unique_ptr<any_scheduler> behind_;
};

}  // namespace tests
