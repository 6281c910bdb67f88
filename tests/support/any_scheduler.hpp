// SPDX-License-Identifier: BSL-1.0
// A scheduler without its composition in the type: every member of berth::scheduler that hosts and
// properties call, as a virtual function. A test that runs over many compositions is compiled once,
// and each composition is compiled once (tests/support/compositions.hpp). No member allocates that
// does not in berth::scheduler.
#pragma once

#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/exchange_note.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/node.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>

namespace tests {

/// What a host reports of a run: any of berth's messages about one.
using run_report =
    std::variant<berth::started, berth::launch_failed, berth::progress, berth::bytes_read,
                 berth::checkpointed, berth::stopped, berth::member_finished, berth::run_failed>;

class any_scheduler {
 public:
  any_scheduler() = default;
  any_scheduler(any_scheduler const&) = delete;
  any_scheduler& operator=(any_scheduler const&) = delete;
  virtual ~any_scheduler() = default;

  virtual berth::result<berth::job_id> submit(berth::job_spec const& job,
                                              berth::time_point now) = 0;
  virtual berth::result<void> complete(berth::job_id job, berth::time_point now,
                                       berth::outcome how = berth::outcome::finished) = 0;
  virtual berth::result<void> cancel(berth::job_id job, berth::time_point now) = 0;
  virtual berth::result<void> report(berth::job_id job, run_report const& said,
                                     berth::time_point now) = 0;

  virtual berth::result<berth::node_id> add_node(berth::node_spec const& node,
                                                 berth::time_point now) = 0;
  virtual berth::result<void> remove_node(berth::node_id node, berth::time_point now) = 0;
  virtual berth::result<void> set_node(berth::node_id node, berth::node_health health,
                                       berth::time_point now) = 0;
  virtual berth::result<void> set_lost_gpus(berth::node_id node, berth::gpu_mask lost,
                                            berth::time_point now) = 0;
  virtual berth::result<void> set_capacity(berth::node_id node, std::int32_t gpus,
                                           berth::time_point now) = 0;

  [[nodiscard]] virtual berth::plan tick(berth::time_point now) = 0;
  [[nodiscard]] virtual berth::time_point next_wakeup() const = 0;

  [[nodiscard]] virtual std::size_t snapshot_size() const = 0;
  virtual berth::result<std::size_t> snapshot(std::span<std::byte> into) const = 0;
  virtual berth::result<void> restore(std::span<std::byte const> from) = 0;
  /// Becomes `other`, of the same composition, which is left empty: scheduler's move assignment.
  virtual void become(any_scheduler& other) = 0;

  [[nodiscard]] virtual berth::time_point now() const = 0;
  [[nodiscard]] virtual berth::scheduler_config const& config() const = 0;
  [[nodiscard]] virtual std::size_t job_count() const = 0;
  [[nodiscard]] virtual std::size_t holder_count() const = 0;
  [[nodiscard]] virtual berth::result<berth::job_view> view(berth::job_id job) const = 0;
  [[nodiscard]] virtual berth::result<berth::wait_reason> why_waiting(berth::job_id job) const = 0;
  [[nodiscard]] virtual berth::result<berth::exchange_note> last_exchange(
      berth::job_id job) const = 0;
  [[nodiscard]] virtual berth::result<berth::time_point> forecast_end(berth::job_id job) const = 0;
  [[nodiscard]] virtual berth::ledger const& books() const = 0;
  [[nodiscard]] virtual char const* check_invariants() const = 0;
  [[nodiscard]] virtual std::uint64_t state_digest() const = 0;
  /// Of all plans so far: what its digest_observer says.
  [[nodiscard]] virtual std::uint64_t plans_digest() const = 0;

  // A std::function of a reference never allocates.
  template <class Visit>
  berth::result<void> for_each_gpu(berth::job_id job, Visit&& visit) const {
    return visit_gpus(job, std::ref(visit));
  }
  template <class Visit>
  void for_each_job(Visit&& visit) const {
    visit_jobs(std::ref(visit));
  }

  using gpu_visitor = std::function<void(berth::gpu_range const&)>;
  using job_visitor = std::function<void(berth::job_view const&)>;
  virtual berth::result<void> visit_gpus(berth::job_id job, gpu_visitor const& visit) const = 0;
  virtual void visit_jobs(job_visitor const& visit) const = 0;
};

}  // namespace tests
