// SPDX-License-Identifier: BSL-1.0
// Reads workloads of elastic jobs: name,time,application,num_replicas,batch_size as in the Pollux
// artifact, or with DeepBoot's two further columns, duration and num_task, where applications named
// infer-<model> are inference tasks. Unlike read_pollux, which plays jobs of one size with a
// nominal run time, this keeps what an elastic job is: an application and its batch size.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

[[nodiscard]] inline std::optional<std::size_t> application_number(std::string_view name) noexcept {
  auto const found = find_application(name);
  if (found == nullptr) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - known_applications.data());
}

/// "infer-bert-3" and "infer-bert" are of bert.
[[nodiscard]] inline std::string_view model_of_service(std::string_view service) noexcept {
  std::string_view const model = service.substr(service.find('-') + 1);
  return model.substr(0, model.find('-'));
}

[[nodiscard]] inline std::optional<bad_cell> parse_task(std::vector<cell> const& cells,
                                                        time_point submit, elastic_workload& out) {
  task_row task{submit, {}, cells[0].text, cells[2].text, 0};
  auto const model = application_number(model_of_service(task.service));
  if (!model) {
    return complain(2, "is not a service of a known application");
  }
  if (cells.size() < 6) {
    return complain(2, "needs a duration, which this file has not");
  }
  if (auto const wrong = parse_seconds(cells[5].text, task.length)) {
    return complain(5, wrong);
  }
  if (task.length <= duration{0}) {
    return complain(5, "is zero");
  }
  task.application = *model;
  out.tasks.push_back(std::move(task));
  return std::nullopt;
}

[[nodiscard]] inline std::optional<bad_cell> parse_training(std::vector<cell> const& cells,
                                                            time_point submit,
                                                            elastic_workload& out) {
  training_row job{submit, cells[0].text, 0, 1, 1};
  auto const number = application_number(cells[2].text);
  if (!number) {
    return complain(2, "is not a known application");
  }
  job.application = *number;
  if (auto const wrong = parse_gpus(cells[3].text, job.gpus)) {
    return complain(3, wrong);
  }
  if (auto const wrong = parse_gpus(cells[4].text, job.batch)) {
    return complain(4, wrong);
  }
  batch_limits const& limits = known_applications[*number].limits;
  if (job.batch < limits.initial_batch || job.batch > limits.max_batch) {
    return complain(4, "is not a batch size of that application");
  }
  out.jobs.push_back(std::move(job));
  return std::nullopt;
}

}  // namespace detail

/// Reads either format; the header says which. O(n log n).
[[nodiscard]] inline parsed<elastic_workload> read_elastic_workload(std::istream& in,
                                                                    std::string const& file) {
  constexpr std::array<std::string_view, 7> names{
      "name", "time", "application", "num_replicas", "batch_size", "duration", "num_task"};
  std::istringstream text{std::string{std::istreambuf_iterator<char>{in}, {}}};
  std::string const header = text.str().substr(0, text.str().find('\n'));
  bool const is_longer = header.find("duration") != std::string::npos;
  elastic_workload made;
  std::int64_t malformed = 0;
  auto wrong = detail::read_csv(
      text, file, false, std::span{names}.first(is_longer ? 7 : 5), malformed,
      [&](std::vector<detail::cell> const& cells, std::size_t) -> std::optional<detail::bad_cell> {
        if (cells[0].text.empty()) {
          return detail::complain(0, "is empty");
        }
        duration submit{};
        if (auto const bad = detail::parse_seconds(cells[1].text, submit, max_instant)) {
          return detail::complain(1, bad);
        }
        return cells[2].text.starts_with("infer-")
                   ? detail::parse_task(cells, time_point{submit}, made)
                   : detail::parse_training(cells, time_point{submit}, made);
      });
  if (wrong) {
    return *std::move(wrong);
  }
  auto const by_submit = [](auto const& a, auto const& b) { return a.submit < b.submit; };
  std::stable_sort(made.jobs.begin(), made.jobs.end(), by_submit);
  std::stable_sort(made.tasks.begin(), made.tasks.end(), by_submit);
  return made;
}

[[nodiscard]] inline parsed<elastic_workload> read_elastic_workload_file(std::string const& path) {
  return detail::read_path(path, [&](std::istream& in) -> parsed<elastic_workload> {
    return read_elastic_workload(in, path);
  });
}

}  // namespace sim

BERTH_NAMESPACE_END
