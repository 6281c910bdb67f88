// SPDX-License-Identifier: BSL-1.0
// One job line of a case.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/scenario/fields.hpp>
#include <berth_sim/scenario/read_cluster.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <cstdint>
#include <string>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario::detail {

[[nodiscard]] inline role_line read_role(json const& value, std::string const& path) {
  fields in{value, path};
  role_line made;
  made.name = name(in.need("name"), in.path_of("name"));
  in.with("tasks", [&](auto& v, auto p) { made.tasks = count(v, p, 1); });
  made.gpus = count(in.need("gpus"), in.path_of("gpus"), 1);
  in.with("rack", [&](auto& v, auto p) {
    if (text(v, p) != "same") {
      refuse(p, "must be \"same\"");
    }
    made.same_rack = true;
  });
  in.finish();
  return made;
}

[[nodiscard]] inline repetition read_repetition(json const& value, std::string const& path) {
  fields in{value, path};
  repetition made;
  made.first = instant(in.need("first"), in.path_of("first"));
  made.every = seconds(in.need("every"), in.path_of("every"), shortest);
  made.times = count(in.need("times"), in.path_of("times"), 1, 100'000);
  in.finish();
  return made;
}

inline void read_roles(fields& in, job_line& job, bool has_tasks, bool has_gpus) {
  std::int64_t tasks = 0;
  std::int64_t gpus = 0;
  bool const given = in.with("roles", [&](auto& v, auto p) {
    for_each_element(v, p, [&](json const& element, std::string const& at) {
      role_line const made = read_role(element, at);
      for (role_line const& other : job.roles) {
        if (other.name == made.name) {
          refuse(at + ".name", "is taken by another role");
        }
      }
      tasks += made.tasks;
      gpus += std::int64_t{made.tasks} * made.gpus;
      job.roles.push_back(made);
    });
    if (job.roles.empty()) {
      refuse(p, "is empty");
    }
  });
  if (!given) {
    return;
  }
  if (has_tasks && job.tasks != tasks) {
    refuse(in.path_of("tasks"), "is not the sum over the roles, " + std::to_string(tasks));
  }
  if (has_gpus && job.gpus != gpus) {
    refuse(in.path_of("gpus"), "is not the sum over the roles, " + std::to_string(gpus));
  }
  if (job.min || job.max || job.milli) {
    refuse(in.path_of("roles"), "cannot stand beside min, max or milli");
  }
  job.tasks = static_cast<std::int32_t>(tasks);
}

inline void read_size(fields& in, job_line& job) {
  bool const has_tasks = in.with("tasks", [&](auto& v, auto p) { job.tasks = count(v, p, 1); });
  bool const has_gpus = in.with("gpus", [&](auto& v, auto p) { job.gpus = count(v, p, 1); });
  in.with("milli", [&](auto& v, auto p) {
    job.milli = count(v, p, 1, 1000);
    if (has_gpus) {
      refuse(p, "cannot stand beside gpus");
    }
  });
  in.with("min", [&](auto& v, auto p) {
    job.min = count(v, p, 1);
    if (has_tasks && *job.min > job.tasks) {
      refuse(p, "is above tasks");
    }
  });
  in.with("max", [&](auto& v, auto p) {
    job.max = count(v, p, 1);
    if (*job.max < job.min.value_or(1) || (has_tasks && *job.max < job.tasks)) {
      refuse(p, "is below min or tasks");
    }
  });
  if (!has_tasks) {
    job.tasks = job.max.value_or(job.min.value_or(1));
  }
  read_roles(in, job, has_tasks, has_gpus);
}

inline void read_layout(fields& in, job_line& job) {
  in.with("type", [&](auto& v, auto p) { job.type = name(v, p); });
  in.with("mem_mib", [&](auto& v, auto p) { job.mem_mib = integer(v, p, 0, max_mib); });
  in.with("spread", [&](auto& v, auto p) {
    if (text(v, p) != "node") {
      refuse(p, "must be \"node\"");
    }
    job.one_per_node = true;
  });
  in.with("same_node", [&](auto& v, auto p) {
    job.same_node = truth(v, p);
    if (job.same_node && job.one_per_node) {
      refuse(p, "contradicts spread");
    }
  });
  in.with("locality", [&](auto& v, auto p) { job.locality = real(v, p, 0.0, 1.0); });
}

inline void read_times(fields& in, job_line& job) {
  in.with("dur", [&](auto& v, auto p) { job.dur = seconds(v, p, shortest); });
  in.with("walltime", [&](auto& v, auto p) {
    job.walltime = v == json("inf") ? forever : seconds(v, p, shortest);
  });
  in.with("ckpt", [&](auto& v, auto p) {
    if (v != json("none")) {
      job.checkpoint = instant(v, p);
    }
  });
  in.with("restart_cost", [&](auto& v, auto p) { job.restart_cost = seconds(v, p); });
  in.with("repeat", [&](auto& v, auto p) {
    job.repeat = read_repetition(v, p);
    if (job.count || !job.group.empty()) {
      refuse(p, "cannot stand beside count or group");
    }
  });
}

[[nodiscard]] inline job_line read_job(json const& value, std::string const& path) {
  fields in{value, path};
  job_line job;
  job.id = name(in.need("id"), in.path_of("id"));
  in.with("queue", [&](auto& v, auto p) { job.queue = name(v, p); });
  in.with("prio", [&](auto& v, auto p) { job.prio = count(v, p, -max_prio, max_prio); });
  in.with("group", [&](auto& v, auto p) { job.group = name(v, p); });
  in.with("count", [&](auto& v, auto p) { job.count = count(v, p, 1, 100'000); });
  read_size(in, job);
  read_layout(in, job);
  read_times(in, job);
  in.with("result", [&](auto& v, auto p) {
    if (text(v, p) != "failed") {
      refuse(p, "must be \"failed\"");
    }
    job.fails = true;
  });
  in.finish();
  return job;
}

}  // namespace sim::scenario::detail

BERTH_NAMESPACE_END
