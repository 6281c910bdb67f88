// SPDX-License-Identifier: BSL-1.0
// A case as its file describes it: cluster, jobs, events, settings, expectations. Plain data with
// the file's words; docs/scenarios.md explains each.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/scenario/claim.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

struct node_line {
  std::string id;  ///< a prefix if `count` is given
  std::int32_t gpus = 0;
  std::string type = "g";
  std::string rack;
  std::optional<std::int64_t> mem_mib;  ///< of each GPU; not said: enough for every job
  std::optional<std::int32_t> count;
  std::optional<time_point> up_at;  ///< down until a node_up
  bool drained = false;
};

struct queue_line {
  std::string id;
  std::int32_t quota = 0;
  double weight = 1.0;
  std::int32_t prio = 0;
  bool borrow = true;
};

/// Members of a gang that look alike.
struct role_line {
  std::string name;
  std::int32_t tasks = 1;
  std::int32_t gpus = 0;
  bool same_rack = false;
};

struct repetition {
  time_point first{};
  duration every{0};
  std::int32_t times = 0;
};

struct job_line {
  std::string id;
  std::string queue;
  std::int32_t prio = 0;
  std::int32_t tasks = 1;
  std::int32_t gpus = 1;
  std::optional<std::int32_t> milli;  ///< thousandths of one GPU
  std::int64_t mem_mib = 0;           ///< on each GPU
  std::optional<std::int32_t> min;
  std::optional<std::int32_t> max;
  std::string type;  ///< empty: any
  bool one_per_node = false;
  bool same_node = false;
  double locality = 1.0;
  std::string group;
  std::optional<std::int32_t> count;
  std::optional<duration> dur;
  duration walltime = forever;
  std::optional<time_point> checkpoint;
  duration restart_cost{0};
  std::vector<role_line> roles;
  std::optional<repetition> repeat;
  bool fails = false;  ///< `result: "failed"`
};

enum class verb : std::uint8_t {
  submit,
  complete,
  cancel,
  task_done,
  restart_tasks,
  resize,
  ack_stop,
  ack_all,
  launch_failed,
  refuse_launches,
  node_down,
  node_up,
  capacity,
  quota,
  save_restore,
  tick,
  note,
};

struct event_line {
  time_point at{};
  verb what = verb::note;
  std::string job;  ///< a job line for submit, else one job of it
  std::string node;
  std::string queue;
  std::optional<std::int32_t> number;  ///< run, times, gpus, quota; task of task_done
  std::vector<std::int32_t> tasks;  ///< of restart_tasks: which; of resize, ack_stop: one, how many
};

struct backing_off {
  duration base{0};
  std::int32_t factor = 2;
  duration cap{0};
};

struct settings {
  std::optional<duration> tick_every;
  duration ack_stop_after{1000};
  std::string policy;
  std::string preset;
  std::optional<backing_off> cooldown;
  std::optional<backing_off> backoff;
  std::optional<time_point> horizon;
  std::optional<std::int32_t> failure_limit;
  std::optional<std::int32_t> look_ahead;
};

/// What must hold after the tick at `at`.
struct expectation {
  time_point at{};
  std::vector<claim> claims;
};

/// One job of a job line: the line itself, or one of `count` or `repeat`.
struct job_instance {
  std::string name;
  std::size_t line = 0;
};

/// One node of a node line.
struct node_instance {
  std::string name;
  std::size_t line = 0;
};

struct situation {
  std::string id;
  std::string title;
  std::vector<node_line> nodes;
  std::vector<queue_line> queues;
  std::vector<job_line> jobs;
  std::vector<event_line> events;
  settings config;
  std::vector<expectation> expect;  ///< by time

  std::vector<node_instance> all_nodes;  ///< in the order of the lines
  std::vector<job_instance> all_jobs;    ///< in the order of the lines
};

}  // namespace sim::scenario

BERTH_NAMESPACE_END
