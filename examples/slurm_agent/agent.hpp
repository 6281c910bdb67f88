// SPDX-License-Identifier: BSL-1.0
// The agent: makes Slurm's state and berth's the same, and carries out what berth decides.
//
// It is level-triggered. A cycle reads Slurm's state, tells berth how it differs from what berth
// believes, ticks, and sends what is still missing for berth's state to come true: a job that berth
// launches is released, one that drains is told to save and then requeued, one that waits is held.
// An order is not remembered as done; it is done when Slurm says so. What cannot be brought
// together (a job that runs where berth has another) is settled by telling a new scheduler
// everything from the start.
#pragma once

#include <berth/core/time.hpp>
#include <berth/model/cluster.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "figures.hpp"
#include "host.hpp"
#include "index_map.hpp"
#include "job_request.hpp"
#include "journal.hpp"

namespace slurm_agent {

struct agent_settings {
  std::uint32_t max_jobs = 4096;
  berth::duration launch_timeout{30'000};  ///< from a release to Slurm's start
  berth::duration first_second{1'500};     ///< a job that runs for less is not stopped
  /// slurmd takes a run that begins in the very second of its job's last end for the old one, and
  /// the job fails ("job credential revoked").
  berth::duration between_runs{1'200};
  std::size_t notes_per_cycle = 32;  ///< requests for notes alone
};

/// The two clocks of one cycle: berth's, which is never set, and Slurm's.
struct instant {
  berth::time_point now;
  std::int64_t unix_seconds = 0;
};

enum class cycle_outcome : std::uint8_t {
  quiet,        ///< nothing is under way
  busy,         ///< Slurm still carries out what it was asked for
  unreachable,  ///< no answer; nothing was decided
};

/// How far a job that berth stops has come, or one that leaves its GPUs for others in number.
struct stop_order {
  std::string why = "makes way for others";  ///< for its owner
  berth::time_point leaves = berth::never;   ///< when its time to save is over
  std::int64_t leaves_unix = 0;              ///< the same by Slurm's clock
  bool signalled = false;
  bool requeued = false;
  berth::duration saved = berth::not_said;
  berth::time_point told = berth::never;  ///< to save; from then on it does no work
  std::int32_t gpus = 0;                  ///< that it had then
};

class agent {
 public:
  agent(host& slurm, engine_factory make, agent_settings const& settings, journal const& log);

  cycle_outcome cycle(instant at);
  /// Leaves waiting jobs held and running ones running. The last call.
  void shut_down(instant at);

  /// When the next cycle is worth while even if Slurm has nothing new; `never` if it is not.
  [[nodiscard]] berth::time_point next_wakeup() const;
  [[nodiscard]] figures const& counted() const noexcept { return figures_; }
  /// Empty before the first cycle.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// For the first cycle, instead of Slurm's state alone; dropped if it does not fit. The clock
  /// must not be before the instant at which it was taken.
  void remember(std::vector<std::byte> snapshot) { remembered_ = std::move(snapshot); }

 private:
  struct tracked_node {
    berth::node_id id;
    berth::node_spec spec;
    std::string name;
    index_map numbers;
    berth::gpu_mask lost = 0;
  };
  enum class release_state : std::uint8_t { none, ahead, ordered };
  struct tracked_job {
    berth::job_id id;
    job_request request;
    bool adopted_running = false;  ///< berth was told the shape that it runs in
    std::int64_t submitted = 0;
    std::string note;     ///< its whole admin comment, as it is in Slurm
    std::string problem;  ///< what Slurm said when it refused
    release_state release = release_state::none;
    std::string pinned;
    berth::time_point released_at = berth::never;
    berth::time_point seen_running = berth::never;
    berth::time_point rests_until = berth::time_point::min();  ///< is not released before
    std::optional<stop_order> stop;
  };
  /// GPUs by the slot of their node, which is its place in nodes_.
  using shares = std::map<std::uint32_t, berth::gpu_mask>;

  // agent.cpp
  void count();
  void decide();
  [[nodiscard]] tracked_job* find(job_number number);
  void send(job_update const& change, tracked_job* job, char const* what);
  [[nodiscard]] berth::job_state state_of(tracked_job const& job) const;
  void note_order(berth::action const& order);
  /// To stop, or to go on with another size: in both it leaves its GPUs.
  [[nodiscard]] static bool is_leaving(berth::job_state state) {
    return state == berth::job_state::draining || state == berth::job_state::resizing;
  }

  // agent_nodes.cpp
  [[nodiscard]] bool mirror_nodes();
  void mirror_node(tracked_node& node, node_record const& seen);
  void know_node(berth::node_id id, berth::node_spec const& spec, std::string const& name);
  [[nodiscard]] bool recognise_nodes();
  void set_health(tracked_node& node, berth::node_health health);
  [[nodiscard]] static berth::gpu_mask all_gpus(tracked_node const& node) {
    return berth::first_gpus(node.spec.gpus);
  }
  [[nodiscard]] shares shares_of(berth::job_id job, berth::booking_kind kind) const;
  [[nodiscard]] bool sits_where_berth_has_it(tracked_job const& job, job_record const& seen) const;
  void learn_numbers(tracked_job const& job, job_record const& seen);

  // agent_rebuild.cpp
  [[nodiscard]] bool rebuild();
  [[nodiscard]] bool restore();
  [[nodiscard]] std::optional<berth::job_id> place(berth::job_spec const& spec,
                                                   job_record const& seen);
  void adopt_running(job_record const& seen);
  void track(job_record const& seen, berth::job_id id, job_request request);

  // agent_settle.cpp
  void settle(job_record const& seen);
  void adopt(job_record const& seen);
  void settle_held(job_record const& seen, tracked_job& job);
  void settle_released(job_record const& seen, tracked_job& job);
  void settle_running(job_record const& seen, tracked_job& job);
  void end(job_record const& seen);
  void forget_vanished();
  void give_back(tracked_job& job);
  [[nodiscard]] std::int64_t lost_by_stop(tracked_job const& job) const;

  // agent_orders.cpp
  void act();
  void launch(job_record const& seen, tracked_job& job);
  [[nodiscard]] std::string node_list(shares const& chosen) const;
  void release(job_record const& seen, tracked_job& job, berth::booking_kind kind);
  void release_ahead(job_record const& seen, tracked_job& job);
  void prepare_stop(job_record const& seen, tracked_job& job);
  void requeue(job_record const& seen, tracked_job& job);
  void begin_stop(job_record const& seen, tracked_job& job);

  // agent_notes.cpp
  void annotate(job_record const& seen, std::size_t& left);
  [[nodiscard]] std::string describe(job_record const& seen, tracked_job const& job) const;
  [[nodiscard]] std::string note_for(job_record const& seen, tracked_job const& job,
                                     std::string const& text) const;

  host& slurm_;
  engine_factory make_;
  agent_settings settings_;
  journal const& log_;
  figures figures_;

  picture picture_;
  std::unique_ptr<engine> engine_;
  std::vector<std::byte> remembered_;
  std::optional<berth::cluster> types_;
  std::int32_t largest_node_ = 0;
  std::vector<tracked_node> nodes_;
  std::map<std::string, std::size_t> node_by_name_;
  std::map<job_number, tracked_job> jobs_;
  std::set<job_number> strangers_;  ///< run, and berth cannot be told; their GPUs are withdrawn
  std::map<job_number, std::string> refused_;  ///< what is written on jobs that berth cannot take
  bool rebuild_wanted_ = true;
  bool busy_ = false;
  berth::time_point rebuilt_at_ = berth::time_point::min();
  instant at_{};
};

}  // namespace slurm_agent
