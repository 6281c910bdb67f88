// SPDX-License-Identifier: BSL-1.0
// Measured step times of six models, by GPUs, nodes and batch size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace berth_bench {

struct measured_step {
  std::int32_t gpus = 0;
  std::int32_t nodes = 0;
  std::int32_t batch = 0;  ///< per GPU
  double seconds = 0;
};

struct model_profile {
  std::string name;
  std::vector<measured_step> steps;  ///< one per configuration
};

inline const std::vector<std::string> profiled_models{"bert",     "cifar10", "deepspeech2",
                                                      "imagenet", "ncf",     "yolov3"};

namespace detail {
inline std::vector<std::string> cells(std::string const& line) {
  std::vector<std::string> found(1);
  for (char const c : line) {
    if (c == ',') {
      found.emplace_back();
    } else if (c != '\r') {
      found.back() += c;
    }
  }
  return found;
}
template <class Visit>
void for_each_row(std::string const& file, Visit&& visit) {
  std::ifstream in{file};
  std::string line;
  std::getline(in, line);  // names of the columns
  while (std::getline(in, line)) {
    visit(cells(line));
  }
}
}  // namespace detail

/// Reads both files of a model; a configuration that was measured several times counts with its
/// mean. Empty if there are none.
inline model_profile read_profile(std::string const& folder, std::string const& model) {
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::pair<double, int>> sums;
  auto const add = [&](std::int32_t gpus, std::int32_t nodes, std::string const& batch,
                       std::string const& seconds) {
    auto& [sum, count] = sums[{gpus, nodes, std::stoi(batch)}];
    sum += std::stod(seconds);
    ++count;
  };
  std::string const at = folder + "/pollux_profiles/" + model;
  // A placement is a digit per node: its GPUs.
  detail::for_each_row(at + "/placements.csv", [&](std::vector<std::string> const& row) {
    std::int32_t gpus = 0;
    for (char const c : row.at(0)) {
      gpus += c - '0';
    }
    add(gpus, static_cast<std::int32_t>(row.at(0).size()), row.at(1), row.at(2));
  });
  detail::for_each_row(at + "/scalability.csv", [&](std::vector<std::string> const& row) {
    add(std::stoi(row.at(1)), std::stoi(row.at(0)), row.at(2), row.at(3));
  });
  model_profile made{model, {}};
  for (auto const& [where, sum] : sums) {
    auto const& [gpus, nodes, batch] = where;
    made.steps.push_back({gpus, nodes, batch, sum.first / sum.second});
  }
  return made;
}

}  // namespace berth_bench
