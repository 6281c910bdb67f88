// SPDX-License-Identifier: BSL-1.0
// Which member of a gang sits where. A start names GPUs by node; the host puts members on them. Any
// way in which every member is whole on one node and no GPU is left over is right; this takes the
// first one.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/node.hpp>

#include <berth_sim/scenario/situation.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

struct member {
  std::size_t role = 0;  ///< index into job_line::roles; 0 without roles
  std::int32_t gpus = 1;
  bool has_finished = false;  ///< it ended well and is not started again
  node_id node;               ///< of the present run
  gpu_mask mask = 0;          ///< 0: it is not on GPUs
};

/// The members of a job, by task number: roles in their order.
[[nodiscard]] inline std::vector<member> members_of(job_line const& job) {
  std::vector<member> made;
  if (job.roles.empty()) {
    made.assign(static_cast<std::size_t>(job.tasks), member{0, job.gpus, false, {}, 0});
    return made;
  }
  for (std::size_t r = 0; r < job.roles.size(); ++r) {
    made.insert(made.end(), static_cast<std::size_t>(job.roles[r].tasks),
                member{r, job.roles[r].gpus, false, {}, 0});
  }
  return made;
}

namespace detail {

/// Exhaustive search over ranges, members in order; small, because members of a role are alike.
class seating {
 public:
  seating(std::vector<member>& members, std::span<gpu_range const> ranges)
      : members_{&members}, ranges_{ranges} {}
  [[nodiscard]] bool run() { return fill(0, ranges_.empty() ? 0 : ranges_[0].gpus, 0); }

 private:
  [[nodiscard]] static gpu_mask lowest(gpu_mask free, std::int32_t count) noexcept {
    gpu_mask taken = 0;
    for (; count > 0; --count) {
      taken |= free & (~free + 1);
      free &= free - 1;
    }
    return taken;
  }
  [[nodiscard]] bool is_free(member const& m) const noexcept {
    return !m.has_finished && m.mask == 0;
  }
  [[nodiscard]] bool fill(std::size_t range, gpu_mask free, std::size_t from) {
    if (range == ranges_.size()) {
      for (member const& m : *members_) {
        if (is_free(m)) {
          return false;
        }
      }
      return true;
    }
    if (free == 0) {
      return fill(range + 1, range + 1 < ranges_.size() ? ranges_[range + 1].gpus : 0, 0);
    }
    std::int32_t tried = 0;  // the members before this one of equal size did not lead to an answer
    for (std::size_t i = from; i < members_->size(); ++i) {
      member& m = (*members_)[i];
      if (!is_free(m) || m.gpus > gpu_count(free) || m.gpus == tried) {
        continue;
      }
      tried = m.gpus;
      m.node = ranges_[range].node;
      m.mask = lowest(free, m.gpus);
      if (fill(range, free & ~m.mask, i + 1)) {
        return true;
      }
      m.mask = 0;
    }
    return false;
  }
  std::vector<member>* members_;
  std::span<gpu_range const> ranges_;
};

}  // namespace detail

/// Seats the members that have not finished on what a start gave them. False: the GPUs do not fit
/// the gang, which would be a bug of the scheduler.
[[nodiscard]] inline bool seat(std::vector<member>& members, std::span<gpu_range const> ranges) {
  for (member& m : members) {
    m.mask = 0;
  }
  return detail::seating{members, ranges}.run();
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
