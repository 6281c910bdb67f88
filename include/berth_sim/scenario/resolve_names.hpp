// SPDX-License-Identifier: BSL-1.0
// Expands `count` and `repeat` into names and checks that everything a case mentions exists.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/scenario/fields.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario::detail {

[[nodiscard]] inline std::string at_index(std::string_view list, std::size_t index) {
  return std::string{list} + "[" + std::to_string(index) + "]";
}

class name_resolver {
 public:
  name_resolver(situation& about, std::string root) : about_{&about}, root_{std::move(root)} {}

  void run() {
    count_submits();
    expand_nodes();
    expand_jobs();
    check_queues();
    check_events();
    check_node_starts();
    for (std::size_t i = 0; i < about_->expect.size(); ++i) {
      check_claims(about_->expect[i].claims, at_index("expect", i));
    }
  }

 private:
  static constexpr std::size_t most_names = 200'000;

  [[nodiscard]] std::string in_scenario(std::string_view list, std::size_t index,
                                        std::string_view member) const {
    return root_ + at_index(list, index) + "." + std::string{member};
  }

  void count_submits() {
    for (event_line const& event : about_->events) {
      submits_[event.job] += event.what == verb::submit ? 1 : 0;
    }
  }

  void expand_nodes() {
    for (std::size_t i = 0; i < about_->nodes.size(); ++i) {
      node_line const& line = about_->nodes[i];
      std::int32_t const copies = line.count.value_or(1);
      for (std::int32_t k = 0; k < copies; ++k) {
        std::string made = line.count ? line.id + std::to_string(k) : line.id;
        if (!nodes_.insert(made).second) {
          refuse(in_scenario("nodes", i, "id"), "\"" + made + "\" exists already");
        }
        if (nodes_.size() > most_names) {
          refuse(in_scenario("nodes", i, "count"), "too many nodes in all");
        }
        about_->all_nodes.push_back({std::move(made), i});
      }
    }
  }

  void expand_jobs() {
    std::set<std::string> lines;
    for (std::size_t i = 0; i < about_->jobs.size(); ++i) {
      job_line const& line = about_->jobs[i];
      if (!lines.insert(line.id).second) {
        refuse(in_scenario("jobs", i, "id"), "\"" + line.id + "\" exists already");
      }
      bool const family = line.count || line.repeat;
      std::int64_t const copies = line.repeat ? line.repeat->times
                                  : line.count
                                      ? *line.count * std::max<std::int64_t>(1, submits_[line.id])
                                      : 1;
      for (std::int64_t k = 0; k < copies; ++k) {
        std::string made = family ? line.id + std::to_string(k) : line.id;
        if (!jobs_.emplace(made, i).second) {
          refuse(in_scenario("jobs", i, "id"), "\"" + made + "\" exists already");
        }
        if (jobs_.size() > most_names) {
          refuse(in_scenario("jobs", i, "id"), "too many jobs in all");
        }
        about_->all_jobs.push_back({std::move(made), i});
      }
    }
  }

  void check_queues() {
    for (std::size_t i = 0; i < about_->queues.size(); ++i) {
      if (!queues_.insert(about_->queues[i].id).second) {
        refuse(in_scenario("queues", i, "id"), "exists already");
      }
    }
    for (std::size_t i = 0; i < about_->jobs.size(); ++i) {
      std::string const& queue = about_->jobs[i].queue;
      if (!queue.empty() && queues_.find(queue) == queues_.end()) {
        refuse(in_scenario("jobs", i, "queue"), "there is no queue \"" + queue + "\"");
      }
    }
  }

  [[nodiscard]] bool is_node(std::string const& node) const {
    return nodes_.find(node) != nodes_.end();
  }

  void check_submit(std::size_t index) {
    event_line const& event = about_->events[index];
    auto const line = std::find_if(about_->jobs.begin(), about_->jobs.end(),
                                   [&](job_line const& job) { return job.id == event.job; });
    std::string const path = in_scenario("events", index, "job");
    if (line == about_->jobs.end()) {
      refuse(path, "there is no job \"" + event.job + "\"");
    }
    if (line->repeat) {
      refuse(path, "a job with repeat is submitted by itself");
    }
    if (!submitted_.insert(event.job).second && !line->count) {
      refuse(path, "\"" + event.job + "\" is submitted more than once");
    }
  }

  void check_task(std::size_t index) {
    event_line const& event = about_->events[index];
    std::int32_t const tasks = about_->jobs[jobs_.at(event.job)].tasks;
    if (event.what == verb::task_done && event.number && *event.number >= tasks) {
      refuse(in_scenario("events", index, "task"),
             "\"" + event.job + "\" has " + std::to_string(tasks) + " tasks");
    }
  }

  void check_events() {
    time_point before{};
    for (std::size_t i = 0; i < about_->events.size(); ++i) {
      event_line const& event = about_->events[i];
      if (event.at < before) {
        refuse(in_scenario("events", i, "t"), "is before the event above it");
      }
      before = event.at;
      if (event.what == verb::submit) {
        check_submit(i);
      } else if (!event.job.empty()) {
        if (jobs_.find(event.job) == jobs_.end()) {
          refuse(in_scenario("events", i, "job"), "there is no job \"" + event.job + "\"");
        }
        check_task(i);
      }
      if (!event.node.empty() && !is_node(event.node)) {
        refuse(in_scenario("events", i, "node"), "there is no node \"" + event.node + "\"");
      }
      if (!event.queue.empty() && queues_.find(event.queue) == queues_.end()) {
        refuse(in_scenario("events", i, "queue"), "there is no queue \"" + event.queue + "\"");
      }
    }
  }

  // `up_at` says when the node_up is; both are there so that a reader of the file sees it at the
  // node.
  void check_node_starts() {
    for (node_instance const& node : about_->all_nodes) {
      auto const& up_at = about_->nodes[node.line].up_at;
      bool const agreed =
          !up_at ||
          std::any_of(about_->events.begin(), about_->events.end(), [&](auto const& event) {
            return event.what == verb::node_up && event.node == node.name && event.at == *up_at;
          });
      if (!agreed) {
        refuse(in_scenario("nodes", node.line, "up_at"), "there is no node_up for it at that time");
      }
    }
  }

  [[nodiscard]] bool is_job_or_role(std::string const& subject, bool roles) const {
    if (jobs_.find(subject) != jobs_.end()) {
      return true;
    }
    auto const dot = subject.rfind('.');
    if (!roles || dot == std::string::npos) {
      return false;
    }
    auto const job = jobs_.find(subject.substr(0, dot));
    if (job == jobs_.end()) {
      return false;
    }
    auto const& parts = about_->jobs[job->second].roles;
    return std::any_of(parts.begin(), parts.end(),
                       [&](role_line const& role) { return role.name == subject.substr(dot + 1); });
  }

  void check_claim(claim const& said, std::string const& path) const {
    bool const about_a_job = !said.subject.empty() && said.kind != claim_kind::backoff &&
                             said.kind != claim_kind::metrics;
    if (about_a_job && !is_job_or_role(said.subject, said.kind == claim_kind::place)) {
      refuse(path + "." + said.subject, "there is no such job");
    }
    bool const lists_jobs = said.kind <= claim_kind::pending_includes;
    for (std::string const& each : said.names) {
      if (lists_jobs && jobs_.find(each) == jobs_.end()) {
        refuse(path, "there is no job \"" + each + "\"");
      }
      if (said.kind == claim_kind::place && !is_node(each)) {
        refuse(path + "." + said.subject, "there is no node \"" + each + "\"");
      }
    }
    for (std::size_t i = 0; i < said.alternatives.size(); ++i) {
      check_claims(said.alternatives[i], at_index(path, i));
    }
  }

  void check_claims(std::vector<claim> const& claims, std::string const& path) const {
    for (claim const& said : claims) {
      check_claim(said, path + "." + std::string{word_of(said.kind)});
    }
  }

  situation* about_;
  std::string root_;
  std::map<std::string, std::int64_t> submits_;
  std::set<std::string> submitted_;  ///< by the events that were checked
  std::set<std::string> nodes_;
  std::map<std::string, std::size_t> jobs_;
  std::set<std::string> queues_;
};

}  // namespace sim::scenario::detail

BERTH_NAMESPACE_END
