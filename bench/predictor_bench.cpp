// SPDX-License-Identifier: BSL-1.0
// What `history` predicts from four jobs of a model, on measured step times of six models, and
// whether its intervals hold what they promise. Exit status 1 if a promise does not hold.
#include <berth/core/random.hpp>
#include <berth/predictors/history.hpp>

#include <bench/predictor/profiles.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using berth_bench::measured_step;
using berth_bench::model_profile;

constexpr std::int32_t epochs = 100;
constexpr std::int64_t samples = 1'000'000;

/// The job that makes these steps.
berth::training_query job_of(measured_step const& step) {
  return {.model = berth::model_id{1},
          .gpus = step.gpus,
          .nodes = step.nodes,
          .batch_size = step.batch,
          .epochs = epochs,
          .samples = samples};
}
double run_milliseconds(measured_step const& step) {
  double const steps = 1.0 * epochs * static_cast<double>(samples) / step.gpus / step.batch;
  return 1000.0 * step.seconds * steps;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  auto const at = static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  return values[at];
}

/// Relative errors on every configuration of the model but those recorded.
std::vector<double> errors_after(model_profile const& model, std::vector<std::size_t> const& four) {
  berth::history past{4};
  for (std::size_t const i : four) {
    auto const took = std::llround(run_milliseconds(model.steps[i]));
    past.record({job_of(model.steps[i]), berth::duration{took}}).value();
  }
  std::vector<double> errors;
  for (std::size_t i = 0; i < model.steps.size(); ++i) {
    if (std::find(four.begin(), four.end(), i) == four.end()) {
      double const said = static_cast<double>(past.predict(job_of(model.steps[i])).p50.count());
      errors.push_back(std::abs(said / run_milliseconds(model.steps[i]) - 1.0));
    }
  }
  return errors;
}

/// The configuration on these GPUs whose batch lies at `part` of those that were measured there.
std::size_t find(model_profile const& model, std::int32_t gpus, std::int32_t nodes, double part) {
  std::vector<std::size_t> there;
  for (std::size_t i = 0; i < model.steps.size(); ++i) {
    if (model.steps[i].gpus == gpus && model.steps[i].nodes == nodes) {
      there.push_back(i);  // by batch, as profiles are sorted
    }
  }
  return there.at(static_cast<std::size_t>(part * static_cast<double>(there.size() - 1) + 0.5));
}

/// What a profiler would run, the same for every model: the smallest batch on one GPU, a larger one
/// on a whole node, and over four nodes the smallest and the largest.
std::vector<std::size_t> profiler_choice(model_profile const& model) {
  return {find(model, 1, 1, 0.0), find(model, 4, 1, 0.75), find(model, 12, 4, 0.0),
          find(model, 16, 4, 1.0)};
}

/// Four different configurations; `spread`: one GPU, several on a node, and two over several nodes.
std::vector<std::size_t> random_choice(model_profile const& model, berth::random_source& random,
                                       bool spread) {
  auto const fits = [&](measured_step const& step, std::size_t place) {
    bool const alone = step.gpus == 1;
    bool const node = step.gpus > 1 && step.nodes == 1;
    return !spread || (place == 0 && alone) || (place == 1 && node) ||
           (place >= 2 && step.nodes > 1);
  };
  std::vector<std::size_t> chosen;
  while (chosen.size() < 4) {
    std::size_t const i = random.below(model.steps.size());
    bool const is_new = std::find(chosen.begin(), chosen.end(), i) == chosen.end();
    if (is_new && fits(model.steps[i], chosen.size())) {
      chosen.push_back(i);
    }
  }
  return chosen;
}

struct row {
  std::string model;
  std::size_t configurations = 0;
  double median = 0;
  double p90 = 0;
  double spread_median = 0;  ///< over random choices that are spread: median of the medians
  double spread_worse = 0;   ///< ... and their 90 % quantile
  double spread_holds = 0;   ///< share of them below 10 %
  double random_median = 0;  ///< over any four: median of the medians
};

row measure(model_profile const& model, int choices) {
  row made{.model = model.name, .configurations = model.steps.size()};
  auto const errors = errors_after(model, profiler_choice(model));
  made.median = quantile(errors, 0.5);
  made.p90 = quantile(errors, 0.9);
  berth::random_source random{1};
  std::vector<double> spread;
  std::vector<double> any;
  for (int i = 0; i < choices; ++i) {
    spread.push_back(quantile(errors_after(model, random_choice(model, random, true)), 0.5));
    any.push_back(quantile(errors_after(model, random_choice(model, random, false)), 0.5));
  }
  made.spread_median = quantile(spread, 0.5);
  made.spread_worse = quantile(spread, 0.9);
  made.spread_holds = static_cast<double>(std::count_if(spread.begin(), spread.end(),
                                                        [](double e) { return e < 0.1; })) /
                      static_cast<double>(spread.size());
  made.random_median = quantile(any, 0.5);
  return made;
}

/// Shares of the outcomes of a noisy cluster that lie in the intervals said before.
struct coverage {
  int asked = 0;
  int inside = 0;
  int below_median = 0;
  [[nodiscard]] double part_inside() const { return asked == 0 ? 0.0 : 1.0 * inside / asked; }
  [[nodiscard]] double part_below() const { return asked == 0 ? 0.0 : 1.0 * below_median / asked; }
};

/// Jobs of twenty models, whose times are log-normal around a model of their own; of some only the
/// user and the name are known, of some not even these.
std::vector<coverage> cover(double sigma, int jobs) {
  berth::random_source random{7};
  berth::history past;
  std::vector<berth::step_time_model> models;
  for (int m = 0; m < 20; ++m) {
    models.emplace_back(berth::detail::four{1e3 * random.unit(), 50.0 * random.unit(),
                                            3.0 * random.unit(), 5e3 * random.unit()});
  }
  std::vector<coverage> by_basis(7);
  for (int i = 0; i < jobs; ++i) {
    auto const m = static_cast<std::uint32_t>(random.below(models.size()));
    berth::training_query job{.model = static_cast<berth::model_id>(m + 1),
                              .user = static_cast<berth::user_id>(1 + m / 2),
                              .name = std::uint64_t{m} * 0x9e3779b97f4a7c15u,
                              .gpus = static_cast<std::int32_t>(1u << random.below(6)),
                              .batch_size = static_cast<std::int32_t>(8u << random.below(4)),
                              .epochs = static_cast<std::int32_t>(random.between(1, 40)),
                              .samples = 200'000};
    job.nodes = (job.gpus + 3) / 4;
    double const steps =
        1.0 * job.epochs * static_cast<double>(job.samples) / job.gpus / job.batch_size;
    double noise = -6.0;
    for (int k = 0; k < 12; ++k) {
      noise += random.unit();
    }
    double const took =
        steps * models[m].step({job.gpus, job.nodes, job.batch_size}) * std::exp(sigma * noise);
    std::uint64_t const known = random.below(10);
    if (known < 3) {
      job.model = {};
    }
    if (known < 2) {
      job.name = 0;
    }
    if (known < 1) {
      job.user = {};
    }
    berth::duration const truth{std::llround(took)};
    if (i >= jobs / 10) {
      berth::estimate const said = past.predict(job);
      coverage& of = by_basis[static_cast<std::size_t>(past.basis(job))];
      ++of.asked;
      of.inside += truth >= said.p10 && truth <= said.p90 ? 1 : 0;
      of.below_median += truth <= said.p50 ? 1 : 0;
    }
    past.record({job, truth}).value();
  }
  return by_basis;
}

constexpr char const* basis_names[] = {
    "same configuration", "step time", "same size", "similar name",
    "same user",          "everybody", "all"};

}  // namespace

int main(int argc, char** argv) {
  std::string json_file;
  std::string data = BERTH_DATA_DIR;
  int choices = 300;
  int jobs = 20'000;
  CLI::App app{"How well history predicts, from four jobs of a model"};
  app.add_option("--json", json_file, "write the rows to this file");
  app.add_option("--data", data, "folder with pollux_profiles");
  app.add_option("--choices", choices, "random choices of four")->check(CLI::Range(1, 100'000));
  app.add_option("--jobs", jobs, "jobs of the noisy cluster")->check(CLI::Range(1'000, 10'000'000));
  CLI11_PARSE(app, argc, argv);

  bool holds = true;
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("relative error on the configurations that were not recorded, from four that were\n");
  fmt::print("{:12} {:>5}  {:>7} {:>7}   {:>22}   {:>9}\n", "", "", "chosen", "",
             fmt::format("{} choices, spread", choices), "any four");
  fmt::print("{:12} {:>5}  {:>7} {:>7}   {:>7} {:>7} {:>6}   {:>9}\n", "model", "rows", "median",
             "p90", "median", "p90", "<10%", "median");
  for (std::string const& name : berth_bench::profiled_models) {
    model_profile const model = berth_bench::read_profile(data, name);
    if (model.steps.empty()) {
      fmt::print("{:12} skipped: no profile in --data {}\n", name, data.empty() ? "FOLDER" : data);
      holds = holds && data.empty();
      continue;
    }
    row const r = measure(model, choices);
    bool const ok = r.median < 0.1;
    holds = holds && ok;
    fmt::print("{:12} {:5}  {:6.1f}% {:6.1f}%   {:6.1f}% {:6.1f}% {:5.0f}%   {:8.1f}%  {}\n",
               r.model, r.configurations, 100 * r.median, 100 * r.p90, 100 * r.spread_median,
               100 * r.spread_worse, 100 * r.spread_holds, 100 * r.random_median,
               ok ? "holds" : "NO");
    rows.push_back({{"model", r.model},
                    {"configurations", r.configurations},
                    {"median", r.median},
                    {"p90", r.p90},
                    {"spread_median", r.spread_median},
                    {"spread_p90", r.spread_worse},
                    {"spread_holds", r.spread_holds},
                    {"random_median", r.random_median},
                    {"holds", ok}});
  }

  fmt::print("\nshare of {} noisy jobs between p10 and p90, and below p50\n", jobs);
  for (double const sigma : {0.1, 0.3, 1.0}) {
    auto by_basis = cover(sigma, jobs);
    coverage all;
    for (coverage const& each : by_basis) {
      all.asked += each.asked;
      all.inside += each.inside;
      all.below_median += each.below_median;
    }
    by_basis.back() = all;
    for (std::size_t b = 0; b < by_basis.size(); ++b) {
      coverage const& c = by_basis[b];
      if (c.asked == 0) {
        continue;
      }
      bool const is_sum = b + 1 == by_basis.size();
      bool const ok = !is_sum || (c.part_inside() >= 0.75 && c.part_inside() <= 0.85);
      holds = holds && ok;
      fmt::print("sigma {:.1f}  {:19} {:6} jobs  {:5.1f}%  {:5.1f}%  {}\n", sigma, basis_names[b],
                 c.asked, 100 * c.part_inside(), 100 * c.part_below(),
                 !is_sum ? ""
                 : ok    ? "holds"
                         : "NO");
      rows.push_back({{"sigma", sigma},
                      {"basis", basis_names[b]},
                      {"jobs", c.asked},
                      {"inside", c.part_inside()},
                      {"below_median", c.part_below()}});
    }
  }
  if (!json_file.empty()) {
    std::ofstream{json_file} << nlohmann::json{{"rows", rows}}.dump(2) << '\n';
  }
  return holds ? 0 : 1;
}
