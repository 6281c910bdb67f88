// SPDX-License-Identifier: BSL-1.0
#include <bench/preemption/promises.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace berth_bench {
namespace {

/// Answers what has to be at most `bound`, or nothing where it cannot be said.
using measure_of_cell = std::function<std::optional<double>(cell const&, outcome const&)>;

struct promise {
  std::string text;
  double bound;
  measure_of_cell seen;
};

double ratio(double a, double b) {
  return b > 0 ? a / b : a > 0 ? 1e9 : 1.0;
}

class judge {
 public:
  explicit judge(means const& all) : all_{all} {}

  [[nodiscard]] outcome const* find(cell const& what) const {
    auto const found = all_.find(what);
    return found == all_.end() ? nullptr : &found->second;
  }

  /// `part` of the preset over that of another scheduler in the same cell, for exact predictions.
  [[nodiscard]] measure_of_cell against(std::string const& other, double outcome::*part,
                                        double least_load, int least_scale = 0) const {
    return [=, this](cell const& what, outcome const& ours) -> std::optional<double> {
      outcome const* const theirs = find(what.with(other));
      bool const counts =
          what.sigma <= 0 && what.load >= least_load && what.overhead_scale >= least_scale;
      return theirs != nullptr && counts ? std::optional{ratio(ours.*part, theirs->*part)}
                                         : std::nullopt;
    };
  }
  /// The same against the least of several.
  [[nodiscard]] measure_of_cell against_best(std::vector<std::string> const& others,
                                             double outcome::*part, double least_load) const {
    return [=, this](cell const& what, outcome const& ours) -> std::optional<double> {
      std::optional<double> worst;
      for (std::string const& other : others) {
        auto const one = against(other, part, least_load)(what, ours);
        if (!one) {
          return std::nullopt;
        }
        worst = std::max(worst.value_or(0), *one);
      }
      return worst;
    };
  }
  /// Waiting with this error over waiting without.
  [[nodiscard]] measure_of_cell rise_at(double sigma) const {
    return [=, this](cell const& what, outcome const& ours) -> std::optional<double> {
      outcome const* const exact = find(what.with_sigma(0));
      return exact != nullptr && what.sigma == sigma
                 ? std::optional{ratio(ours.avg_wait, exact->avg_wait)}
                 : std::nullopt;
    };
  }

  [[nodiscard]] std::string verdict(promise const& given, std::string const& workload,
                                    std::string const& preset) const {
    int cells = 0;
    int held = 0;
    double worst = 0;
    cell where;
    for (auto const& [what, ours] : all_) {
      if (what.scheduler != preset || what.workload != workload) {
        continue;
      }
      if (auto const seen = given.seen(what, ours)) {
        ++cells;
        held += *seen <= given.bound ? 1 : 0;
        if (cells == 1 || *seen > worst) {
          worst = *seen;
          where = what;
        }
      }
    }
    if (cells == 0) {
      return "";
    }
    return fmt::format("| {} | {} | {:.3f} | {:.3f} | load {:.1f}, ×{} | {} of {} | {} |\n",
                       given.text, workload, given.bound, worst, where.load, where.overhead_scale,
                       held, cells, held == cells ? "yes" : "no");
  }

 private:
  means const& all_;
};

}  // namespace

std::string promises_of(means const& all, std::string const& preset) {
  judge const by{all};
  constexpr auto wait = &outcome::avg_wait;
  std::vector<promise> const list{
      {"1 waiting ÷ fifo's", 0.6, by.against("fifo", wait, 0.9)},
      {"1 waiting ÷ shortest_job's", 0.6, by.against("shortest_job", wait, 0.9)},
      {"1 waiting ÷ tiresias'", 0.6, by.against("tiresias", wait, 0.9)},
      {"1 makespan ÷ the best of these", 1.01,
       by.against_best({"fifo", "shortest_job", "tiresias"}, &outcome::makespan, 0.9)},
      {"2 waiting ÷ the better of shortest_remaining and the published rule", 1.02,
       by.against_best({"shortest_remaining", "pickyman_published"}, wait, 0)},
      {"2 preemptions ÷ shortest_remaining's, from ×20", 1.0 / 3,
       by.against("shortest_remaining", &outcome::preemptions, 0, 20)},
      {"3 waiting at σ 0.3 ÷ at σ 0", 1.1, by.rise_at(0.3)},
      {"3 waiting at σ 1.0 ÷ at σ 0", 1.4, by.rise_at(1.0)},
      {"4 longest wait ÷ fifo's", 1.2, by.against("fifo", &outcome::max_wait, 0)},
      {"4 GPU-time lost ÷ used, at ×1", 0.01,
       [](cell const& what, outcome const& ours) {
         return what.overhead_scale == 1 && what.sigma <= 0
                    ? std::optional{ratio(ours.gpu_lost, ours.gpu_used)}
                    : std::nullopt;
       }},
  };
  std::set<std::string> workloads;
  for (auto const& [what, seen] : all) {
    workloads.insert(what.workload);
  }
  std::string text =
      "| promise | workload | at most | worst | where | cells | holds "
      "|\n|---|---|--:|--:|---|--:|---|\n";
  for (promise const& each : list) {
    for (std::string const& workload : workloads) {
      text += by.verdict(each, workload, preset);
    }
  }
  return text;
}

}  // namespace berth_bench
