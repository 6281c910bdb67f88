// SPDX-License-Identifier: BSL-1.0
// Compares what a case claims with what the scheduler says.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/node.hpp>

#include <berth_sim/scenario/actor.hpp>
#include <berth_sim/scenario/claim.hpp>
#include <berth_sim/scenario/host.hpp>
#include <berth_sim/scenario/journal.hpp>
#include <berth_sim/scenario/metrics_of_run.hpp>
#include <berth_sim/scenario/reason_codes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

namespace detail {

[[nodiscard]] inline std::optional<job_state> state_of(host const& seen, actor const& job) {
  auto const view = job.is_submitted ? seen.scheduler().view(job.id)
                                     : result<job_view>{error{errc::unknown_job, field::job}};
  return view ? std::optional{view->state()} : std::nullopt;
}
[[nodiscard]] inline bool runs(host const& seen, actor const& job) {
  auto const state = state_of(seen, job);
  return state == job_state::launching || state == job_state::running;
}
/// Told to stop and not gone yet is neither running nor pending.
[[nodiscard]] inline bool waits(host const& seen, actor const& job) {
  auto const state = state_of(seen, job);
  return state == job_state::submitted || state == job_state::pending ||
         state == job_state::reserving;
}

template <class Test>
[[nodiscard]] std::vector<std::string> names_of(host const& seen, Test test) {
  std::vector<std::string> names;
  for (actor const& job : seen.jobs().actors()) {
    if (test(seen, job)) {
      names.push_back(job.name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

[[nodiscard]] inline std::string list(std::vector<std::string> const& names) {
  constexpr std::size_t most = 12;
  std::string text = "[";
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > most ? fmt::format(", ... {} in all]", names.size()) : "]");
}
[[nodiscard]] inline std::string show(double number) {
  return std::isinf(number) ? (number > 0 ? "inf" : "-inf") : fmt::format("{}", number);
}

/// GPUs that are empty on nodes that take new work, earmarked or not.
[[nodiscard]] inline std::int64_t empty_gpus(host const& seen) {
  ledger const& books = seen.scheduler().books();
  std::int64_t sum = 0;
  for (std::uint32_t n = 0; n < books.node_slots(); ++n) {
    node_book const& node = books.node(n);
    if (node.exists && node.spec.health == node_health::up) {
      sum += gpu_count((node.in(gpu_state::free) | node.in(gpu_state::reserved)) & ~node.lost);
    }
  }
  return sum;
}

/// What the job holds on a node, by the scheduler's books.
[[nodiscard]] inline gpu_mask held_on(host const& seen, actor const& job, node_id node) {
  gpu_mask held = 0;
  if (job.is_submitted) {
    static_cast<void>(seen.scheduler().for_each_gpu(
        job.id, [&](gpu_range const& range) { held |= range.node == node ? range.gpus : 0; }));
  }
  return held;
}
[[nodiscard]] inline bool is_held(host const& seen, actor const& job, member const& one) {
  return one.mask != 0 && (one.mask & ~held_on(seen, job, one.node)) == 0;
}

[[nodiscard]] inline std::vector<std::string> nodes_of(host const& seen,
                                                       std::string const& subject) {
  std::vector<std::string> names;
  if (seen.jobs().has(subject)) {
    actor const& job = seen.jobs()[seen.jobs().index_of(subject)];
    if (job.is_submitted) {
      static_cast<void>(seen.scheduler().for_each_gpu(job.id, [&](gpu_range const& range) {
        names.push_back(seen.jobs().node_name(range.node));
      }));
    }
  } else {
    auto const dot = subject.rfind('.');
    actor const& job = seen.jobs()[seen.jobs().index_of(subject.substr(0, dot))];
    auto const& roles = seen.jobs().line_of(job).roles;
    for (member const& one : job.members) {
      if (roles[one.role].name == subject.substr(dot + 1) && is_held(seen, job, one)) {
        names.push_back(seen.jobs().node_name(one.node));
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

[[nodiscard]] inline std::int64_t running_members(host const& seen, actor const& job) {
  return !runs(seen, job)
             ? 0
             : std::count_if(job.members.begin(), job.members.end(),
                             [&](member const& one) { return is_held(seen, job, one); });
}

[[nodiscard]] inline std::string reason_of(host const& seen, actor const& job) {
  if (!waits(seen, job)) {
    return "does not wait";
  }
  wait_reason const why = *seen.scheduler().why_waiting(job.id);
  std::string_view const code = code_of(why);
  return code.empty() ? to_string(why) : std::string{code};
}

[[nodiscard]] inline double forecast_of(host const& seen, actor const& job) {
  auto const end = seen.scheduler().forecast_end(job.id);
  return end && *end != never ? static_cast<double>(end->time_since_epoch().count()) / 1000.0
                              : std::numeric_limits<double>::infinity();
}

class claim_check {
 public:
  claim_check(host const& seen, std::vector<std::string>& differences)
      : seen_{&seen}, differences_{&differences} {}

  void check(claim const& said) {
    switch (said.kind) {
      case claim_kind::running: same(said, names_of(*seen_, runs)); break;
      case claim_kind::pending: same(said, names_of(*seen_, waits)); break;
      case claim_kind::running_includes: among(said, names_of(*seen_, runs)); break;
      case claim_kind::pending_includes: among(said, names_of(*seen_, waits)); break;
      case claim_kind::pending_count: equal(said, names_of(*seen_, waits).size()); break;
      case claim_kind::free: equal(said, empty_gpus(*seen_)); break;
      case claim_kind::place: same(said, nodes_of(*seen_, said.subject)); break;
      case claim_kind::tasks: equal(said, running_members(*seen_, job(said))); break;
      case claim_kind::tasks_min:
        bounded(said, said.number, running_members(*seen_, job(said)), top);
        break;
      case claim_kind::starts: equal(said, job(said).starts); break;
      case claim_kind::stops: equal(said, job(said).stops); break;
      case claim_kind::stops_max: bounded(said, 0.0, most_stops(), said.number); break;
      case claim_kind::stops_total: equal(said, all_stops()); break;
      case claim_kind::no_stops_after: no_stops_after(said); break;
      case claim_kind::failures: equal(said, job(said).failures); break;
      case claim_kind::reason: same(said, {reason_of(*seen_, job(said))}); break;
      case claim_kind::forecast_end: equal(said, forecast_of(*seen_, job(said))); break;
      case claim_kind::backoff: delays(said); break;
      case claim_kind::metrics:
        bounded(said, said.number, metric_of(seen_->metrics(), said.subject), said.largest);
        break;
      case claim_kind::any_of: any_of(said); break;
    }
  }

 private:
  static constexpr double top = std::numeric_limits<double>::infinity();

  [[nodiscard]] actor const& job(claim const& said) const {
    return seen_->jobs()[seen_->jobs().index_of(said.subject)];
  }
  void differ(claim const& said, std::string const& expected, std::string const& actual) {
    differences_->push_back(fmt::format(
        "at {}: {}{}: expected {}, actual {}", in_seconds(seen_->now()), word_of(said.kind),
        said.subject.empty() ? "" : " " + said.subject, expected, actual));
  }
  void same(claim const& said, std::vector<std::string> const& actual) {
    std::vector<std::string> expected = said.names;
    std::sort(expected.begin(), expected.end());
    if (expected != actual) {
      differ(said, list(expected), list(actual));
    }
  }
  void among(claim const& said, std::vector<std::string> const& actual) {
    bool const all = std::all_of(said.names.begin(), said.names.end(), [&](auto const& name) {
      return std::binary_search(actual.begin(), actual.end(), name);
    });
    if (!all) {
      differ(said, list(said.names) + " among them", list(actual));
    }
  }
  template <class Number>
  void equal(claim const& said, Number actual) {
    bounded(said, said.number, static_cast<double>(actual), said.number);
  }
  template <class Number>
  void bounded(claim const& said, double low, Number actual, double high) {
    auto const number = static_cast<double>(actual);
    if (!(number >= low && number <= high)) {
      differ(said, range_text(said, low, high), show(number));
    }
  }
  [[nodiscard]] static std::string range_text(claim const& said, double low, double high) {
    if (said.kind == claim_kind::stops_max || low == -top) {
      return "at most " + show(high);
    }
    if (high == top) {
      return "at least " + show(low);
    }
    return low == high ? show(low) : show(low) + " to " + show(high);
  }
  [[nodiscard]] std::int64_t most_stops() const {
    std::int64_t most = 0;
    for (actor const& one : seen_->jobs().actors()) {
      most = std::max(most, one.stops);
    }
    return most;
  }
  [[nodiscard]] std::int64_t all_stops() const {
    std::int64_t sum = 0;
    for (actor const& one : seen_->jobs().actors()) {
      sum += one.stops;
    }
    return sum;
  }
  void no_stops_after(claim const& said) {
    for (actor const& one : seen_->jobs().actors()) {
      bool const later =
          one.stops > 0 &&
          static_cast<double>(one.last_stop.time_since_epoch().count()) / 1000.0 > said.number;
      if (later) {
        differ(said, "no stop order after " + show(said.number),
               one.name + " was stopped at " + in_seconds(one.last_stop));
      }
    }
  }
  void delays(claim const& said) {
    std::size_t const attempt = std::stoul(said.subject);
    bool any = false;
    for (actor const& one : seen_->jobs().actors()) {
      if (one.delays.empty()) {
        continue;
      }
      any = true;
      if (attempt > one.delays.size()) {
        differ(said, show(said.number) + " s",
               fmt::format("{} was refused {} times", one.name, one.delays.size()));
      } else {
        equal(said, static_cast<double>(one.delays[attempt - 1].count()) / 1000.0);
      }
    }
    if (!any) {
      differ(said, show(said.number) + " s", "no launch was refused");
    }
  }
  void any_of(claim const& said) {
    std::vector<std::string> all;
    for (std::vector<claim> const& alternative : said.alternatives) {
      std::vector<std::string> mine;
      claim_check one{*seen_, mine};
      for (claim const& each : alternative) {
        one.check(each);
      }
      if (mine.empty()) {
        return;
      }
      all.insert(all.end(), mine.begin(), mine.end());
    }
    differences_->push_back(
        fmt::format("at {}: any_of: no alternative holds", in_seconds(seen_->now())));
    for (std::string const& each : all) {
      differences_->push_back("  " + each);
    }
  }

  host const* seen_;
  std::vector<std::string>* differences_;
};

}  // namespace detail

/// Adds a line to `differences` for each claim that does not hold now.
inline void check_claims(host const& seen, std::vector<claim> const& claims,
                         std::vector<std::string>& differences) {
  detail::claim_check check{seen, differences};
  for (claim const& each : claims) {
    check.check(each);
  }
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
