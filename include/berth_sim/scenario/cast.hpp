// SPDX-License-Identifier: BSL-1.0
// The jobs of a case while it is played, and its nodes, by name.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>

#include <berth_sim/scenario/actor.hpp>
#include <berth_sim/scenario/members.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

/// `about` outlives it. Looking up a name that the case does not have throws std::out_of_range;
/// read_cases has refused such a case.
class cast {
 public:
  explicit cast(situation const& about) : about_{&about} {
    for (job_instance const& job : about.all_jobs) {
      actor one;
      one.name = job.name;
      one.line = job.line;
      one.members = members_of(about.jobs[job.line]);
      by_name_.emplace(job.name, actors_.size());
      actors_.push_back(std::move(one));
    }
    for (std::size_t n = 0; n < about.all_nodes.size(); ++n) {
      nodes_.emplace(about.all_nodes[n].name, node_id{static_cast<std::uint32_t>(n), 0});
    }
    for (event_line const& event : about.events) {
      if (event.what == verb::ack_stop) {
        (*this)[index_of(event.job)].acks_by_event = true;
      } else if (event.what == verb::launch_failed) {
        ++(*this)[index_of(event.job)].failures_ahead;
      }
    }
  }

  [[nodiscard]] std::vector<actor> const& actors() const noexcept { return actors_; }
  [[nodiscard]] std::size_t size() const noexcept { return actors_.size(); }
  [[nodiscard]] actor& operator[](std::size_t index) noexcept { return actors_[index]; }
  [[nodiscard]] actor const& operator[](std::size_t index) const noexcept { return actors_[index]; }
  [[nodiscard]] std::size_t index_of(std::string const& job) const { return by_name_.at(job); }
  [[nodiscard]] bool has(std::string const& job) const { return by_name_.count(job) > 0; }
  [[nodiscard]] job_line const& line_of(actor const& job) const { return about_->jobs[job.line]; }

  [[nodiscard]] node_id node(std::string const& name) const { return nodes_.at(name); }
  [[nodiscard]] std::string const& node_name(node_id node) const {
    return about_->all_nodes[node.slot()].name;
  }

 private:
  situation const* about_;
  std::vector<actor> actors_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, node_id> nodes_;
};

}  // namespace sim::scenario

BERTH_NAMESPACE_END
