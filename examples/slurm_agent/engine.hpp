// SPDX-License-Identifier: BSL-1.0
// berth's scheduler is a type per composition; the agent chooses one by name when it starts. This
// is the part of its interface that the agent uses, as virtual functions: one call a job, not one a
// comparison, so it costs nothing that shows.
#pragma once

#include <berth/core/result.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/config.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace slurm_agent {

class engine {
 public:
  virtual ~engine() = default;

  virtual berth::result<berth::job_id> submit(berth::job_spec const& job,
                                              berth::time_point now) = 0;
  virtual berth::result<void> complete(berth::job_id job, berth::time_point now,
                                       berth::outcome how) = 0;
  virtual berth::result<void> cancel(berth::job_id job, berth::time_point now) = 0;
  virtual berth::result<void> started(berth::job_id job, berth::time_point now) = 0;
  virtual berth::result<void> progress(berth::job_id job, berth::duration done,
                                       berth::time_point now) = 0;
  virtual berth::result<void> launch_failed(berth::job_id job, berth::time_point now) = 0;
  virtual berth::result<void> stopped(berth::job_id job, berth::duration saved,
                                      berth::time_point now) = 0;
  virtual berth::result<void> run_failed(berth::job_id job, berth::time_point now) = 0;

  virtual berth::result<berth::node_id> add_node(berth::node_spec const& node,
                                                 berth::time_point now) = 0;
  virtual berth::result<void> set_node(berth::node_id node, berth::node_health health,
                                       berth::time_point now) = 0;
  virtual berth::result<void> set_lost_gpus(berth::node_id node, berth::gpu_mask lost,
                                            berth::time_point now) = 0;

  virtual berth::plan tick(berth::time_point now) = 0;
  [[nodiscard]] virtual berth::time_point next_wakeup() const = 0;
  [[nodiscard]] virtual berth::time_point now() const = 0;
  [[nodiscard]] virtual berth::result<berth::job_view> view(berth::job_id job) const = 0;
  virtual void for_each_job(std::function<void(berth::job_view const&)> const& visit) const = 0;
  [[nodiscard]] virtual berth::wait_reason why_waiting(berth::job_id job) const = 0;
  [[nodiscard]] virtual berth::ledger const& books() const = 0;
  [[nodiscard]] virtual char const* check_invariants() const = 0;

  [[nodiscard]] virtual std::vector<std::byte> snapshot() const = 0;
  virtual berth::result<void> restore(std::span<std::byte const> from) = 0;
};

using engine_factory = std::function<berth::result<std::unique_ptr<engine>>(
    berth::cluster const&, berth::scheduler_config const&)>;

struct named_engine {
  std::string_view name;
  std::string_view what;
  berth::result<std::unique_ptr<engine>> (*make)(berth::cluster const&,
                                                 berth::scheduler_config const&);
};

/// fifo, easy_backfill, priority, tiresias.
[[nodiscard]] std::span<named_engine const> blind_engines();
/// Those that look at how long jobs take: shortest_remaining, pickyman.
[[nodiscard]] std::span<named_engine const> informed_engines();
/// Those that resize elastic jobs: deepboot, pollux, optimus, afs, lyra.
[[nodiscard]] std::span<named_engine const> elastic_engines();
/// An empty function if no engine has this name.
[[nodiscard]] engine_factory engine_named(std::string_view name);

}  // namespace slurm_agent
