// SPDX-License-Identifier: BSL-1.0
#include "inputs.hpp"

#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>

#include <berth_sim/synthetic.hpp>
#include <berth_sim/traces/gavel.hpp>
#include <berth_sim/traces/openb.hpp>
#include <berth_sim/traces/philly.hpp>
#include <berth_sim/traces/pollux.hpp>
#include <berth_sim/traces/swf.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace replay {
namespace {

namespace sim = berth::sim;

template <class T>
T take(sim::parsed<T> read) {
  if (!read) {
    throw input_error{sim::to_string(read.error())};
  }
  return std::move(*read);
}

std::int32_t number(std::string_view text, std::int32_t least, std::int32_t most) {
  std::int32_t value = 0;
  auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value < least || value > most) {
    throw input_error{
        fmt::format("--cluster: '{}' is not a number from {} to {}; write NODESxGPUS, such as 64x8",
                    text, least, most)};
  }
  return value;
}

sim::workload read_trace(options const& o, std::int64_t gpus) {
  if (o.format == "synthetic") {
    sim::philly_like_options wanted;
    wanted.jobs = o.limit != 0 ? o.limit : 20000;
    wanted.seed = o.seed;
    wanted.load_percent = o.load_percent;
    wanted.gpus = static_cast<std::int32_t>(gpus);
    return sim::philly_like(wanted);
  }
  if (o.jobs_file.empty()) {
    throw input_error{"--format " + o.format + " needs --jobs FILE"};
  }
  if (o.format == "philly") {
    return take(sim::read_philly_file(o.jobs_file, {o.lenient}));
  }
  if (o.format == "pollux") {
    return take(sim::read_pollux_file(o.jobs_file, {o.lenient}));
  }
  if (o.format == "swf") {
    sim::swf_options how;
    how.lenient = o.lenient;
    return take(sim::read_swf_file(o.jobs_file, how));
  }
  sim::gavel_options how;
  how.lenient = o.lenient;
  if (o.throughputs_file.empty()) {
    return take(sim::read_gavel_file(o.jobs_file, how));
  }
  auto const table = take(sim::read_gavel_throughputs_file(o.throughputs_file));
  how.throughputs = &table;
  return take(sim::read_gavel_file(o.jobs_file, how));
}

berth::time_point hour(double hours) {
  return berth::time_point{berth::duration{static_cast<std::int64_t>(hours * 3'600'000.0)}};
}

}  // namespace

sim::node_list load_nodes(options const& o) {
  if (!o.nodes_file.empty()) {
    sim::node_list list = take(sim::read_openb_nodes_file(o.nodes_file, {o.lenient}));
    for (sim::node_record const& node : list.nodes) {
      if (node.gpus > berth::max_gpus_per_node) {
        throw input_error{fmt::format("{}: node {}: gpu: {} is more than {}", o.nodes_file,
                                      list.names[node.name], node.gpus, berth::max_gpus_per_node)};
      }
    }
    if (list.models.size() > static_cast<std::size_t>(berth::max_gpu_types)) {
      throw input_error{fmt::format("{}: model: {} GPU types are more than {}", o.nodes_file,
                                    list.models.size(), berth::max_gpu_types)};
    }
    if (sim::total_gpus(list) == 0) {
      throw input_error{o.nodes_file + ": no node has a GPU"};
    }
    return list;
  }
  auto const cross = o.cluster.find('x');
  if (cross == std::string::npos) {
    throw input_error{"--cluster: write NODESxGPUS, such as 64x8"};
  }
  std::string_view const text = o.cluster;
  std::int32_t const count = number(text.substr(0, cross), 1, 1'000'000);
  std::int32_t const gpus = number(text.substr(cross + 1), 1, berth::max_gpus_per_node);
  return sim::uniform_nodes(static_cast<std::size_t>(count), gpus);
}

sim::workload load_workload(options const& o, sim::node_list const& nodes) {
  sim::workload trace = read_trace(o, sim::total_gpus(nodes));
  if (o.to > 0 && o.to <= o.from) {
    throw input_error{"--to must be later than --from"};
  }
  if (o.format != "synthetic" || o.from > 0 || o.to > 0) {
    sim::cut(trace, hour(o.from), o.to > 0 ? hour(o.to) : berth::never, o.limit);
  }
  if (trace.jobs.empty()) {
    throw input_error{"no job is left to replay"};
  }
  for (sim::job& each : trace.jobs) {
    std::vector<sim::name_id> there;
    for (sim::name_id const type : each.allowed_types) {
      if (auto const known = nodes.models.find(trace.gpu_types[type]);
          known != sim::name_id::none) {
        there.push_back(known);
      }
    }
    if (there.empty() && !each.allowed_types.empty()) {
      throw input_error{
          fmt::format("line {}: no node has a GPU type that the job allows", each.line)};
    }
    each.allowed_types = std::move(there);
  }
  return trace;
}

}  // namespace replay
