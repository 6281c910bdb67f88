// SPDX-License-Identifier: BSL-1.0
// How long it takes to say how many GPUs each elastic job gets, by every rule, and how far the
// answer can be from the best. Exit status 1 if an answer is wrong.
#include <berth/core/random.hpp>
#include <berth/core/time.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/power_mean.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/sizing/sizing_workspace.hpp>
#include <berth/sizing/two_phase.hpp>

#include <bench/support/thread_clock.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

/// Jobs whose speeds follow Amdahl's law, three quarters of them running while there is room.
struct cluster_of_jobs {
  std::vector<std::vector<berth::rung>> ladders;
  std::vector<berth::elastic_job> jobs;
  std::int32_t capacity = 0;
  std::size_t rungs = 0;

  [[nodiscard]] berth::sizing_problem problem() const { return {jobs, capacity}; }
};

cluster_of_jobs draw(std::size_t count, std::int32_t capacity, bool powers) {
  berth::random_source random{1};
  cluster_of_jobs drawn;
  drawn.capacity = capacity;
  std::int32_t held = 0;
  for (std::uint32_t number = 0; number < count; ++number) {
    double const serial = 0.01 + 0.2 * random.unit();
    auto const top = static_cast<std::int32_t>(random.between(1, 64));
    std::vector<berth::rung> ladder;
    for (std::int32_t size = 1; size <= top; size = powers ? 2 * size : size + 1) {
      double const times = size / (1.0 - serial + serial * size);
      ladder.push_back({size, std::llround(times * static_cast<double>(berth::unit_rung_speed))});
    }
    drawn.rungs += ladder.size();
    drawn.ladders.push_back(ladder);
    berth::elastic_job job{.id = berth::job_id{number, 1},
                           .ladder = drawn.ladders.back(),
                           .remaining = berth::duration{random.between(10'000, 40'000'000)},
                           .age = berth::duration{random.between(0, 10'000'000)}};
    std::int32_t const size = ladder[random.below(ladder.size())].size;
    if (random.below(4) > 0 && held + size <= capacity) {
      held += size;
      job.current = size;
      job.resize.first = berth::duration{random.between(18'000, 103'000)};
      job.resize.next = berth::duration{random.between(1'000, 5'000)};
    }
    drawn.jobs.push_back(job);
  }
  return drawn;
}

struct row {
  std::string rule;
  std::size_t jobs = 0;
  std::int32_t gpus = 0;
  std::string ladders;
  double microseconds = 0;  ///< median
  double gap = 0;           ///< of the bound, relative to the value
  bool has_measure = true;  ///< else there is no bound, and no gap
  bool is_right = true;
};

/// The same jobs the other way round get the same, and no more than there is.
template <class Rule>
bool is_right(Rule const& rule, cluster_of_jobs const& drawn, berth::sizing const& answer,
              std::size_t table) {
  auto jobs = drawn.jobs;
  std::reverse(jobs.begin(), jobs.end());
  berth::sizing_workspace workspace(jobs.size(), drawn.rungs, table);
  auto const other = rule.size({jobs, drawn.capacity}, workspace).value();
  return answer.given <= drawn.capacity && answer.value <= answer.bound &&
         std::equal(answer.sizes.begin(), answer.sizes.end(), other.sizes.rbegin());
}

template <class Rule>
row measure(std::string const& name, Rule const& rule, cluster_of_jobs const& drawn,
            std::string const& ladders, int repeat) {
  std::size_t const table = drawn.jobs.size() > 500 ? 0 : static_cast<std::size_t>(drawn.capacity);
  berth::sizing_workspace workspace(drawn.jobs.size(), drawn.rungs, table);
  std::vector<double> times;
  for (int turn = 0; turn < repeat; ++turn) {
    double const before = berth_bench::thread_microseconds();
    bool const is_there = rule.size(drawn.problem(), workspace).has_value();
    times.push_back(is_there ? berth_bench::thread_microseconds() - before : 0.0);
  }
  std::sort(times.begin(), times.end());
  auto const answer = rule.size(drawn.problem(), workspace).value();
  double const scale = std::max(1.0, std::abs(static_cast<double>(answer.value)));
  return {.rule = name,
          .jobs = drawn.jobs.size(),
          .gpus = drawn.capacity,
          .ladders = ladders,
          .microseconds = times[times.size() / 2],
          .gap = static_cast<double>(answer.bound - answer.value) / scale,
          .has_measure = !std::is_same_v<Rule, berth::pairwise>,
          .is_right = is_right(rule, drawn, answer, table)};
}

std::vector<row> measure_all(std::size_t jobs, std::int32_t gpus, bool powers, int repeat) {
  auto const drawn = draw(jobs, gpus, powers);
  std::string const ladders = powers ? "powers of two" : "one by one";
  return {
      measure("choice_knapsack_sizing", berth::choice_knapsack_sizing{}, drawn, ladders, repeat),
      measure("marginal_gain", berth::marginal_gain{}, drawn, ladders, repeat),
      measure("pairwise", berth::pairwise{}, drawn, ladders, repeat),
      measure("two_phase", berth::two_phase{}, drawn, ladders, repeat),
      measure("power_mean", berth::power_mean{}, drawn, ladders, repeat)};
}

void write(std::string const& file, std::vector<row> const& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (row const& each : rows) {
    nlohmann::json made{{"rule", each.rule},
                        {"jobs", each.jobs},
                        {"gpus", each.gpus},
                        {"ladders", each.ladders},
                        {"decision_us", each.microseconds}};
    if (each.has_measure) {
      made["gap"] = each.gap;
    }
    all.push_back(made);
  }
  std::ofstream{file} << all.dump(2) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"How long sizing elastic jobs takes, by rule"};
  int repeat = 21;
  std::string file;
  app.add_option("--repeat", repeat, "runs of which the median is told")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--json", file, "write the rows there, too");
  CLI11_PARSE(app, argc, argv);

  std::vector<row> rows;
  for (bool const powers : {false, true}) {
    for (auto const& [jobs, gpus] :
         {std::pair<std::size_t, std::int32_t>{40, 64}, {160, 64}, {160, 640}, {2000, 16'000}}) {
      auto const more = measure_all(jobs, gpus, powers, repeat);
      rows.insert(rows.end(), more.begin(), more.end());
    }
  }
  fmt::print("{:>5} {:>6} {:<14} {:<23} {:>9} {:>10}\n", "jobs", "GPUs", "ladders", "rule", "us",
             "gap");
  bool all_right = true;
  for (row const& each : rows) {
    std::string const gap = each.has_measure ? fmt::format("{:.2e}", each.gap) : "-";
    fmt::print("{:>5} {:>6} {:<14} {:<23} {:>9.1f} {:>10}{}\n", each.jobs, each.gpus, each.ladders,
               each.rule, each.microseconds, gap, each.is_right ? "" : "  WRONG");
    all_right = all_right && each.is_right;
  }
  if (!file.empty()) {
    write(file, rows);
  }
  return all_right ? 0 : 1;
}
