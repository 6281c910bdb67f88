// SPDX-License-Identifier: BSL-1.0
// Workloads of the Pollux simulator (Qiao et al., OSDI 2021): name,time,application,num_replicas,
// batch_size. The file does not say how long a job runs; pollux_work() does, from a small table.
//
// Where the table comes from: for each size and batch size that occurs in the published workloads,
// iterations at the end of the recorded training curve (validation-<batch>.csv) × seconds an
// iteration takes on that many GPUs of 4-GPU T4 nodes, as few nodes as possible (placements.csv up
// to 16 GPUs, scalability.csv above; linear between measured batch sizes; what does not fit into
// one GPU's memory is accumulated, and only the last part pays for synchronisation). The
// measurements are part of petuum/adaptdl (Apache-2.0).
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>
#include <berth_sim/traces/read_options.hpp>
#include <berth_sim/workload.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

namespace detail {

struct pollux_run {
  std::string_view application;
  std::int32_t gpus;
  std::int64_t batch_size;
  std::int64_t seconds;
};

/// The first line of an application is its usual shape.
inline constexpr std::array pollux_runs{
    pollux_run{"bert", 12, 384, 1562},        pollux_run{"bert", 6, 384, 3013},
    pollux_run{"bert", 8, 384, 2480},         pollux_run{"bert", 16, 384, 1335},
    pollux_run{"cifar10", 8, 2048, 826},      pollux_run{"cifar10", 6, 2048, 853},
    pollux_run{"cifar10", 12, 4096, 572},     pollux_run{"cifar10", 16, 4096, 449},
    pollux_run{"deepspeech2", 8, 320, 3501},  pollux_run{"deepspeech2", 6, 320, 4116},
    pollux_run{"deepspeech2", 12, 640, 2542}, pollux_run{"imagenet", 32, 6400, 26207},
    pollux_run{"imagenet", 24, 3200, 31283},  pollux_run{"imagenet", 48, 6400, 18835},
    pollux_run{"ncf", 1, 32768, 33},          pollux_run{"yolov3", 4, 64, 11083}};

}  // namespace detail

/// Nominal run time of a whole training run; zero for an unknown application. A size or batch size
/// that was not measured gets the GPU-time of the application's usual shape, divided evenly. O(1).
[[nodiscard]] inline duration pollux_work(std::string_view application, std::int32_t gpus,
                                          std::int64_t batch_size) noexcept {
  auto const& runs = detail::pollux_runs;
  auto const exact = std::find_if(runs.begin(), runs.end(), [&](detail::pollux_run const& run) {
    return run.application == application && run.gpus == gpus && run.batch_size == batch_size;
  });
  if (exact != runs.end()) {
    return std::chrono::seconds{exact->seconds};
  }
  auto const usual = std::find_if(runs.begin(), runs.end(), [&](detail::pollux_run const& run) {
    return run.application == application;
  });
  if (usual == runs.end() || gpus <= 0) {
    return duration::zero();
  }
  return duration{(usual->seconds * usual->gpus * 1000 + gpus - 1) / gpus};
}

/// Reads a workload; members are one process a GPU. O(n log n).
[[nodiscard]] inline parsed<workload> read_pollux(std::istream& in, std::string const& file,
                                                  read_options options = {}) {
  static constexpr std::array<std::string_view, 5> names{"name", "time", "application",
                                                         "num_replicas", "batch_size"};
  workload trace;
  trace.source = "pollux " + file;
  auto const row = [&trace](std::vector<detail::cell> const& cells,
                            std::size_t line) -> std::optional<detail::bad_cell> {
    job each;
    duration submit{};
    if (cells[0].text.empty()) {
      return detail::complain(0, "is empty");
    }
    if (auto const wrong = detail::parse_seconds(cells[1].text, submit, max_instant)) {
      return detail::complain(1, wrong);
    }
    if (auto const wrong = detail::parse_gpus(cells[3].text, each.gpus)) {
      return detail::complain(3, wrong);
    }
    if (auto const wrong = detail::parse_integer(cells[4].text, each.batch_size)) {
      return detail::complain(4, wrong);
    }
    each.work = pollux_work(cells[2].text, each.gpus, each.batch_size);
    if (each.work <= duration::zero()) {
      return detail::complain(2, "is not an application whose run time is known");
    }
    each.submit = time_point{submit};
    each.members = each.gpus;
    each.name = trace.names.intern(cells[0].text);
    each.application = trace.applications.intern(cells[2].text);
    each.line = static_cast<std::uint32_t>(line);
    trace.jobs.push_back(std::move(each));
    return std::nullopt;
  };
  if (auto wrong =
          detail::read_csv(in, file, options.lenient, names, trace.skipped.malformed, row)) {
    return *std::move(wrong);
  }
  sort_by_submit(trace);
  rebase(trace);
  return trace;
}

[[nodiscard]] inline parsed<workload> read_pollux_file(std::string const& path,
                                                       read_options options = {}) {
  return detail::read_path(
      path, [&](std::istream& in) -> parsed<workload> { return read_pollux(in, path, options); });
}

}  // namespace sim

BERTH_NAMESPACE_END
