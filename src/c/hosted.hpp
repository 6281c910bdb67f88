// SPDX-License-Identifier: BSL-1.0
// Puts a berth::scheduler behind the interface `host`.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "host.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

/// Its observer is a digest_observer.
template <class Scheduler>
class hosted_scheduler final : public host {
 public:
  explicit hosted_scheduler(Scheduler made) : scheduler_{std::move(made)} {}

  result<job_id> submit(job_spec const& job, time_point now) override {
    return scheduler_.submit(job, now);
  }
  result<void> complete(job_id job, time_point now, outcome how) override {
    return scheduler_.complete(job, now, how);
  }
  result<void> cancel(job_id job, time_point now) override { return scheduler_.cancel(job, now); }
  result<void> report(job_id job, run_report const& said, time_point now) override {
    return std::visit([&](auto const& each) { return scheduler_.report(job, each, now); }, said);
  }
  result<void> set_ladder(job_id job, std::span<rung const> ladder, time_point now) override {
    return scheduler_.set_ladder(job, ladder, now);
  }
  result<void> lend(loan const& lent, time_point now) override {
    return scheduler_.lend(lent, now);
  }

  result<node_id> add_node(node_spec const& node, time_point now) override {
    return scheduler_.add_node(node, now);
  }
  result<void> remove_node(node_id node, time_point now) override {
    return scheduler_.remove_node(node, now);
  }
  result<void> set_node(node_id node, node_health health, time_point now) override {
    return scheduler_.set_node(node, health, now);
  }
  result<void> set_lost_gpus(node_id node, gpu_mask lost, time_point now) override {
    return scheduler_.set_lost_gpus(node, lost, now);
  }
  result<void> set_capacity(node_id node, std::int32_t gpus, time_point now) override {
    return scheduler_.set_capacity(node, gpus, now);
  }

  [[nodiscard]] plan tick(time_point now) override { return scheduler_.tick(now); }
  [[nodiscard]] time_point next_wakeup() const override { return scheduler_.next_wakeup(); }

  [[nodiscard]] std::size_t snapshot_size() const override { return scheduler_.snapshot_size(); }
  result<std::size_t> snapshot(std::span<std::byte> into) const override {
    return scheduler_.snapshot(into);
  }
  result<void> restore(std::span<std::byte const> from) override {
    return scheduler_.restore(from);
  }

  [[nodiscard]] std::size_t job_count() const override { return scheduler_.job_count(); }
  [[nodiscard]] std::int64_t gpus_on_loan() const override { return scheduler_.gpus_on_loan(); }
  [[nodiscard]] ledger const& books() const override { return scheduler_.books(); }
  [[nodiscard]] result<job_view> view(job_id job) const override { return scheduler_.view(job); }
  [[nodiscard]] result<wait_reason> why_waiting(job_id job) const override {
    return scheduler_.why_waiting(job);
  }
  [[nodiscard]] result<time_point> forecast_end(job_id job) const override {
    return scheduler_.forecast_end(job);
  }
  [[nodiscard]] char const* check_invariants() const override {
    return scheduler_.check_invariants();
  }
  [[nodiscard]] std::uint64_t state_digest() const override { return scheduler_.state_digest(); }
  [[nodiscard]] std::uint64_t plans_digest() const override {
    return scheduler_.observer().value();
  }

 private:
  Scheduler scheduler_;
};

template <class Scheduler>
[[nodiscard]] made_host hosted(result<Scheduler> made) {
  if (!made) {
    return made.error();
  }
  return std::unique_ptr<host>{
      std::make_unique<hosted_scheduler<Scheduler>>(std::move(made).value())};
}

}  // namespace c_api
BERTH_NAMESPACE_END
