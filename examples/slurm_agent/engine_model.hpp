// SPDX-License-Identifier: BSL-1.0
// Any scheduler of berth as an engine.
#pragma once

#include <memory>
#include <utility>

#include "engine.hpp"

namespace slurm_agent {

template <class Scheduler>
class engine_model final : public engine {
 public:
  explicit engine_model(Scheduler made) : scheduler_{std::move(made)} {}

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
  berth::result<void> started(berth::job_id job, berth::time_point now) override {
    return scheduler_.report(job, berth::started{}, now);
  }
  berth::result<void> progress(berth::job_id job, berth::duration done,
                               berth::time_point now) override {
    return scheduler_.report(job, berth::progress{done, {}}, now);
  }
  berth::result<void> launch_failed(berth::job_id job, berth::time_point now) override {
    return scheduler_.report(job, berth::launch_failed{}, now);
  }
  berth::result<void> stopped(berth::job_id job, berth::duration saved,
                              berth::time_point now) override {
    return scheduler_.report(job, berth::stopped{saved, {}}, now);
  }
  berth::result<void> run_failed(berth::job_id job, berth::time_point now) override {
    return scheduler_.report(job, berth::run_failed{}, now);
  }

  berth::result<berth::node_id> add_node(berth::node_spec const& node,
                                         berth::time_point now) override {
    return scheduler_.add_node(node, now);
  }
  berth::result<void> set_node(berth::node_id node, berth::node_health health,
                               berth::time_point now) override {
    return scheduler_.set_node(node, health, now);
  }
  berth::result<void> set_lost_gpus(berth::node_id node, berth::gpu_mask lost,
                                    berth::time_point now) override {
    return scheduler_.set_lost_gpus(node, lost, now);
  }

  berth::plan tick(berth::time_point now) override { return scheduler_.tick(now); }
  [[nodiscard]] berth::time_point next_wakeup() const override { return scheduler_.next_wakeup(); }
  [[nodiscard]] berth::time_point now() const override { return scheduler_.now(); }
  [[nodiscard]] berth::result<berth::job_view> view(berth::job_id job) const override {
    return scheduler_.view(job);
  }
  void for_each_job(std::function<void(berth::job_view const&)> const& visit) const override {
    scheduler_.for_each_job(visit);
  }
  [[nodiscard]] berth::wait_reason why_waiting(berth::job_id job) const override {
    auto const reason = scheduler_.why_waiting(job);
    return reason ? *reason : berth::wait_reason::none;
  }
  [[nodiscard]] berth::ledger const& books() const override { return scheduler_.books(); }
  [[nodiscard]] char const* check_invariants() const override {
    return scheduler_.check_invariants();
  }

  [[nodiscard]] std::vector<std::byte> snapshot() const override {
    std::vector<std::byte> bytes(scheduler_.snapshot_size());
    auto const written = scheduler_.snapshot(bytes);
    bytes.resize(written ? *written : 0);
    return bytes;
  }
  berth::result<void> restore(std::span<std::byte const> from) override {
    return scheduler_.restore(from);
  }

 private:
  Scheduler scheduler_;
};

/// Makes an engine of what a preset or make_scheduler returned.
template <class Scheduler>
[[nodiscard]] berth::result<std::unique_ptr<engine>> as_engine(berth::result<Scheduler> made) {
  if (!made) {
    return made.error();
  }
  return std::unique_ptr<engine>{
      std::make_unique<engine_model<Scheduler>>(std::move(made).value())};
}

}  // namespace slurm_agent
