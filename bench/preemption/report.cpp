// SPDX-License-Identifier: BSL-1.0
#include <bench/preemption/report.hpp>

#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace berth_bench {
namespace {

struct figure {
  std::string_view title;
  double (*of)(outcome const&);
  int digits = 0;
};

constexpr figure figures[] = {
    {"average waiting, seconds", [](outcome const& o) { return o.avg_wait; }},
    {"p99 of waiting, thousand seconds", [](outcome const& o) { return o.p99_wait / 1000; }, 1},
    {"longest waiting, thousand seconds", [](outcome const& o) { return o.max_wait / 1000; }, 1},
    {"makespan, thousand seconds", [](outcome const& o) { return o.makespan / 1000; }},
    {"preemptions", [](outcome const& o) { return o.preemptions; }},
    {"GPU-time lost, % of GPU-time used",
     [](outcome const& o) { return 100 * o.gpu_lost / o.gpu_used; }, 2},
};

}  // namespace

means means_of(std::vector<row> const& rows) {
  means sums;
  std::map<cell, double> counts;
  for (row const& each : rows) {
    if (!each.wrong.empty()) {
      continue;
    }
    outcome& sum = sums[each.what];
    sum.avg_wait += each.seen.avg_wait;
    sum.p99_wait += each.seen.p99_wait;
    sum.max_wait += each.seen.max_wait;
    sum.makespan += each.seen.makespan;
    sum.preemptions += each.seen.preemptions;
    sum.gpu_lost += each.seen.gpu_lost;
    sum.gpu_used += each.seen.gpu_used;
    counts[each.what] += 1;
  }
  for (auto& [what, sum] : sums) {
    double const count = counts[what];
    for (double* const part : {&sum.avg_wait, &sum.p99_wait, &sum.max_wait, &sum.makespan,
                               &sum.preemptions, &sum.gpu_lost, &sum.gpu_used}) {
      *part /= count;
    }
  }
  return sums;
}

std::string to_tables(means const& all, std::vector<std::string> const& schedulers) {
  std::set<int> scales;
  std::set<cell> groups;  // scheduler and scale left out
  for (auto const& [what, seen] : all) {
    scales.insert(what.overhead_scale);
    cell group = what.with("");
    group.overhead_scale = 0;
    groups.insert(group);
  }
  std::string text;
  for (figure const& each : figures) {
    text += fmt::format("\n**{}**\n\n| workload | load | σ | scheduler |", each.title);
    std::string rule = "|---|--:|--:|---|";
    for (int const scale : scales) {
      text += fmt::format(" ×{} |", scale);
      rule += "--:|";
    }
    text += "\n" + rule + "\n";
    for (cell const& group : groups) {
      for (std::string const& scheduler : schedulers) {
        std::string line = fmt::format("| {} | {:.1f} | {:.1f} | {} |", group.workload, group.load,
                                       group.sigma, scheduler);
        bool is_there = false;
        for (int const scale : scales) {
          cell what = group.with(scheduler);
          what.overhead_scale = scale;
          auto const found = all.find(what);
          is_there = is_there || found != all.end();
          line += found == all.end()
                      ? std::string{" |"}
                      : fmt::format(" {:.{}f} |", each.of(found->second), each.digits);
        }
        text += is_there ? line + "\n" : "";
      }
    }
  }
  return text;
}

nlohmann::json to_json(std::vector<row> const& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (row const& each : rows) {
    nlohmann::json made{{"workload", each.what.workload},
                        {"load", each.what.load},
                        {"overhead_scale", each.what.overhead_scale},
                        {"sigma", each.what.sigma},
                        {"scheduler", each.what.scheduler},
                        {"seed", each.seed}};
    if (each.wrong.empty()) {
      made["avg_wait_s"] = each.seen.avg_wait;
      made["p99_wait_s"] = each.seen.p99_wait;
      made["max_wait_s"] = each.seen.max_wait;
      made["makespan_s"] = each.seen.makespan;
      made["preemptions"] = static_cast<std::int64_t>(each.seen.preemptions);
      made["gpu_s_lost"] = each.seen.gpu_lost;
      made["gpu_s_used"] = each.seen.gpu_used;
    } else {
      made["wrong"] = each.wrong;
    }
    list.push_back(made);
  }
  return {{"rows", list}};
}

}  // namespace berth_bench
