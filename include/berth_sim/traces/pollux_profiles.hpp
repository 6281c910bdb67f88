// SPDX-License-Identifier: BSL-1.0
// Reads what was measured of an application: a folder with placements.csv, scalability.csv and
// validation-<batch>.csv, as in the Pollux artifact (petuum/adaptdl, Apache-2.0).
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/measured_steps.hpp>
#include <berth_sim/elastic/placement_shape.hpp>
#include <berth_sim/elastic/training_curve.hpp>
#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

using cells_of_row = std::vector<cell> const&;

/// Two cells, from `first`, with the time of a step and its part that synchronises.
[[nodiscard]] inline std::optional<bad_cell> parse_timing(cells_of_row cells, std::size_t first,
                                                          step_timing& out) {
  double sync = 0;
  if (auto const wrong = parse_real(cells[first].text, out.step)) {
    return complain(first, wrong);
  }
  if (auto const wrong = parse_real(cells[first + 1].text, sync)) {
    return complain(first + 1, wrong);
  }
  if (!(sync < out.step)) {
    return complain(first + 1, "is not less than the step");
  }
  out.compute = out.step - sync;
  return std::nullopt;
}

/// A digit per node: its GPUs.
[[nodiscard]] inline complaint parse_shape(std::string_view text, placement_shape& out) {
  std::array<std::int32_t, placement_shape::ordered_nodes> nodes{};
  if (text.empty() || text.size() > nodes.size()) {
    return "is not a placement on one to four nodes";
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    // Some copies of the data have rows for nodes of eight GPUs. They were not measured: each
    // repeats a row with four GPUs less on a node.
    if (text[at] < '1' || text[at] > '4') {
      return "has a node without one to four GPUs, which was not measured";
    }
    nodes[at] = text[at] - '0';
  }
  out = placement_shape::of({nodes.data(), text.size()});
  return nullptr;
}

}  // namespace detail

/// Adds placements.csv: step times of every placement of a few nodes. O(n log n).
[[nodiscard]] inline std::optional<parse_error> read_placements(std::istream& in,
                                                                std::string const& file,
                                                                measured_steps& steps) {
  constexpr std::array<std::string_view, 4> names{"placement", "local_bsz", "step_time",
                                                  "sync_time"};
  std::int64_t malformed = 0;
  return detail::read_csv(in, file, false, names, malformed,
                          [&](detail::cells_of_row cells, std::size_t) {
                            placement_shape shape;
                            std::int32_t batch = 0;
                            step_timing seen;
                            if (auto const wrong = detail::parse_shape(cells[0].text, shape)) {
                              return detail::complain(0, wrong);
                            }
                            if (auto const wrong = detail::parse_gpus(cells[1].text, batch)) {
                              return detail::complain(1, wrong);
                            }
                            auto bad = detail::parse_timing(cells, 2, seen);
                            if (!bad) {
                              steps.add_placement(shape, batch, seen);
                            }
                            return bad;
                          });
}

/// Adds scalability.csv: step times on more nodes. O(n log n).
[[nodiscard]] inline std::optional<parse_error> read_scalability(std::istream& in,
                                                                 std::string const& file,
                                                                 measured_steps& steps) {
  constexpr std::array<std::string_view, 5> names{"num_nodes", "num_replicas", "local_bsz",
                                                  "step_time", "sync_time"};
  std::int64_t malformed = 0;
  return detail::read_csv(
      in, file, false, names, malformed, [&](detail::cells_of_row cells, std::size_t) {
        std::array<std::int32_t, 3> numbers{};
        for (std::size_t at = 0; at < numbers.size(); ++at) {
          if (auto const wrong = detail::parse_gpus(cells[at].text, numbers[at])) {
            return detail::complain(at, wrong);
          }
        }
        if (numbers[1] < numbers[0]) {
          return detail::complain(1, "is less than a GPU on each node");
        }
        step_timing seen;
        auto bad = detail::parse_timing(cells, 3, seen);
        if (!bad) {
          steps.add_size(numbers[0], numbers[1], numbers[2], seen);
        }
        return bad;
      });
}

/// Reads validation-<batch>.csv: a row for each epoch, of which there must be `epochs`. O(n).
[[nodiscard]] inline parsed<std::vector<epoch_record>> read_epochs(std::istream& in,
                                                                   std::string const& file,
                                                                   std::int32_t epochs) {
  constexpr std::array<std::string_view, 5> names{"progress", "iteration", "metric", "grad_sqr",
                                                  "grad_var"};
  std::vector<epoch_record> record;
  std::int64_t malformed = 0;
  auto wrong = detail::read_csv(
      in, file, false, names, malformed,
      [&](detail::cells_of_row cells, std::size_t) -> std::optional<detail::bad_cell> {
        epoch_record row;
        std::array<double*, 5> const into{&row.progress, &row.iteration, nullptr, &row.square,
                                          &row.variance};
        for (std::size_t at = 0; at < into.size(); ++at) {
          if (into[at] != nullptr) {
            if (auto const bad = detail::parse_real(cells[at].text, *into[at])) {
              return detail::complain(at, bad);
            }
          }
        }
        if (!(row.progress > (record.empty() ? 0.0 : record.back().progress))) {
          return detail::complain(0, "is not more than before");
        }
        record.push_back(row);
        return std::nullopt;
      });
  if (wrong) {
    return *std::move(wrong);
  }
  if (record.size() != static_cast<std::size_t>(epochs)) {
    return parse_error{file, 0, 0, {}, "has not " + std::to_string(epochs) + " epochs"};
  }
  return record;
}

/// Reads the folder of an application: `folder`/<name of the application>.
[[nodiscard]] inline parsed<application> read_application(std::string const& folder,
                                                          application_facts const& facts) {
  application made{facts, {}, measured_steps{}};
  std::string const here = folder + "/" + std::string{facts.name};
  auto& steps = *std::get_if<measured_steps>(&made.steps);
  using problem = std::optional<parse_error>;
  std::string const placements = here + "/placements.csv";
  if (problem wrong = detail::read_path(placements, [&](std::istream& in) -> problem {
        return read_placements(in, placements, steps);
      })) {
    return *std::move(wrong);
  }
  std::string const scalability = here + "/scalability.csv";
  if (problem wrong = detail::read_path(scalability, [&](std::istream& in) -> problem {
        return read_scalability(in, scalability, steps);
      })) {
    return *std::move(wrong);
  }
  std::vector<std::int32_t> batches;
  std::error_code unreadable;
  for (auto const& entry : std::filesystem::directory_iterator{here, unreadable}) {
    std::string const name = entry.path().stem().string();
    std::int32_t batch = 0;
    if (name.starts_with("validation-") &&
        detail::parse_gpus(std::string_view{name}.substr(11), batch) == nullptr) {
      batches.push_back(batch);
    }
  }
  std::sort(batches.begin(), batches.end());
  if (batches.empty() || batches.front() != facts.limits.initial_batch) {
    return parse_error{here, 0, 0, {}, "has no validation file of the initial batch size"};
  }
  for (std::int32_t const batch : batches) {
    std::string const path = here + "/validation-" + std::to_string(batch) + ".csv";
    auto record = detail::read_path(
        path, [&](std::istream& in) { return read_epochs(in, path, facts.epochs); });
    if (!record) {
      return record.error();
    }
    made.curve.add(batch, *std::move(record));
  }
  return made;
}

/// All known applications, in their order.
[[nodiscard]] inline parsed<std::vector<application>> read_applications(std::string const& folder) {
  std::vector<application> all;
  for (application_facts const& facts : known_applications) {
    auto one = read_application(folder, facts);
    if (!one) {
      return one.error();
    }
    all.push_back(*std::move(one));
  }
  return all;
}

}  // namespace sim

BERTH_NAMESPACE_END
