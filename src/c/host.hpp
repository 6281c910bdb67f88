// SPDX-License-Identifier: BSL-1.0
// A scheduler without its composition in the type: what the functions of berth.h call. Each preset
// is compiled once behind it, in a file of its own.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/node.hpp>
#include <berth/model/rung.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>

BERTH_NAMESPACE_BEGIN
namespace c_api {

using run_report = std::variant<started, launch_failed, progress, bytes_read, checkpointed, stopped,
                                member_finished, run_failed, vacated, resized, sleeps, wakes>;

class host {
 public:
  host() = default;
  host(host const&) = delete;
  host& operator=(host const&) = delete;
  virtual ~host() = default;

  virtual result<job_id> submit(job_spec const& job, time_point now) = 0;
  virtual result<void> complete(job_id job, time_point now, outcome how) = 0;
  virtual result<void> cancel(job_id job, time_point now) = 0;
  virtual result<void> report(job_id job, run_report const& said, time_point now) = 0;
  virtual result<void> set_ladder(job_id job, std::span<rung const> ladder, time_point now) = 0;
  virtual result<void> lend(loan const& lent, time_point now) = 0;

  virtual result<node_id> add_node(node_spec const& node, time_point now) = 0;
  virtual result<void> remove_node(node_id node, time_point now) = 0;
  virtual result<void> set_node(node_id node, node_health health, time_point now) = 0;
  virtual result<void> set_lost_gpus(node_id node, gpu_mask lost, time_point now) = 0;
  virtual result<void> set_capacity(node_id node, std::int32_t gpus, time_point now) = 0;

  [[nodiscard]] virtual plan tick(time_point now) = 0;
  [[nodiscard]] virtual time_point next_wakeup() const = 0;

  [[nodiscard]] virtual std::size_t snapshot_size() const = 0;
  virtual result<std::size_t> snapshot(std::span<std::byte> into) const = 0;
  virtual result<void> restore(std::span<std::byte const> from) = 0;

  [[nodiscard]] virtual std::size_t job_count() const = 0;
  [[nodiscard]] virtual std::int64_t gpus_on_loan() const = 0;
  [[nodiscard]] virtual ledger const& books() const = 0;
  [[nodiscard]] virtual result<job_view> view(job_id job) const = 0;
  [[nodiscard]] virtual result<wait_reason> why_waiting(job_id job) const = 0;
  [[nodiscard]] virtual result<time_point> forecast_end(job_id job) const = 0;
  [[nodiscard]] virtual char const* check_invariants() const = 0;
  [[nodiscard]] virtual std::uint64_t state_digest() const = 0;
  [[nodiscard]] virtual std::uint64_t plans_digest() const = 0;
};

using made_host = result<std::unique_ptr<host>>;

// One a file. Errors: what make_scheduler refuses. Throws std::bad_alloc.
made_host make_fifo(cluster const& nodes, scheduler_config const& config);
made_host make_easy_backfill(cluster const& nodes, scheduler_config const& config);
made_host make_shortest_remaining(cluster const& nodes, scheduler_config const& config);
made_host make_tiresias(cluster const& nodes, scheduler_config const& config);
made_host make_pickyman(cluster const& nodes, scheduler_config const& config);
made_host make_deepboot(cluster const& nodes, scheduler_config const& config);
made_host make_pollux(cluster const& nodes, scheduler_config const& config);
made_host make_optimus(cluster const& nodes, scheduler_config const& config);
made_host make_afs(cluster const& nodes, scheduler_config const& config);
made_host make_lyra(cluster const& nodes, scheduler_config const& config);

}  // namespace c_api
BERTH_NAMESPACE_END
