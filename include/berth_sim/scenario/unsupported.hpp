// SPDX-License-Identifier: BSL-1.0
// What a case needs that berth does not have yet, by name.
#pragma once

#include <berth/core/config.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_spec.hpp>

#include <berth_sim/scenario/claim.hpp>
#include <berth_sim/scenario/composition.hpp>
#include <berth_sim/scenario/metrics_of_run.hpp>
#include <berth_sim/scenario/situation.hpp>
#include <berth_sim/scenario/translate.hpp>

#include <algorithm>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

namespace detail {

class feature_search {
 public:
  [[nodiscard]] std::vector<std::string> run(situation const& about) {
    for (queue_line const& queue : about.queues) {
      need(queue.prio != 0, "priorities of queues");
    }
    if (!is_known_composition(about.config)) {
      need(true, about.config.preset.empty() ? "policy " + about.config.policy
                                             : "preset " + about.config.preset);
    }
    need(type_table{about}.size() > max_gpu_types, "more than 16 GPU types");
    for (node_line const& node : about.nodes) {
      need(node.gpus > max_gpus_per_node, "more than 64 GPUs on a node");
    }
    for (job_line const& job : about.jobs) {
      search(job);
    }
    for (event_line const& event : about.events) {
      search(event);
    }
    for (expectation const& expected : about.expect) {
      search(expected.claims);
    }
    return found_;
  }

 private:
  void need(bool needed, std::string const& feature) {
    if (needed && std::find(found_.begin(), found_.end(), feature) == found_.end()) {
      found_.push_back(feature);
    }
  }
  void search(job_line const& job) {
    std::int32_t const most = job.max.value_or(job.tasks);
    need(job.min.value_or(job.tasks) < most, "elastic members");
    need(job.milli.has_value(), "fractional GPUs");
    need(job.locality < 1.0, "locality per job");
    need(job.roles.size() > static_cast<std::size_t>(max_roles), "more than 4 roles");
    for (role_line const& role : job.roles) {
      need(role.same_rack, "roles in one rack");
    }
  }
  void search(event_line const& event) {
    need(event.what == verb::resize || (event.what == verb::ack_stop && !event.tasks.empty()),
         "elastic members");
    need(event.what == verb::restart_tasks, "restarting single members");
  }
  void search(std::vector<claim> const& claims) {
    for (claim const& said : claims) {
      if (said.kind == claim_kind::reason) {
        need(said.names[0] == "NODE_LOST", "reason NODE_LOST");
      }
      need(said.kind == claim_kind::metrics && !is_metric(said.subject), "metric " + said.subject);
      for (std::vector<claim> const& alternative : said.alternatives) {
        search(alternative);
      }
    }
  }
  std::vector<std::string> found_;
};

}  // namespace detail

/// Each feature once, in the order in which the case needs it; empty: the case can run.
[[nodiscard]] inline std::vector<std::string> unsupported_features(situation const& about) {
  return detail::feature_search{}.run(about);
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
