// SPDX-License-Identifier: BSL-1.0
// The readers on the real files: the figures are those published with the data.
#include <berth_sim/summary.hpp>
#include <berth_sim/traces/gavel.hpp>
#include <berth_sim/traces/openb.hpp>
#include <berth_sim/traces/philly.hpp>
#include <berth_sim/traces/pollux.hpp>
#include <berth_sim/traces/swf.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace traces_data_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

std::string const data = BERTH_DATA_DIR;

// So that the whole program can be run by hand without the traces, too.
bool absent() {
  if (data.empty()) {
    MESSAGE("skipped: needs the real traces (BERTH_DATA_DIR)");
  }
  return data.empty();
}

template <class T>
std::string error_of(parsed<T> const& result) {
  return result ? std::string{} : to_string(result.error());
}

}  // namespace

TEST_CASE("Philly has 82,247 jobs of the published sizes and run times, sorted") {
  if (absent()) {
    return;
  }
  auto const trace = read_philly_file(data + "/philly_pollux/philly.csv");
  REQUIRE_MESSAGE(trace.has_value(), error_of(trace));
  CHECK(trace->jobs.size() == 82'247);
  CHECK(trace->skipped.total() == 0);
  CHECK(trace->tenants.size() == 15);
  std::map<std::int32_t, int> sizes;
  std::vector<duration> works;
  for (sim::job const& each : trace->jobs) {
    ++sizes[each.gpus];
    works.push_back(each.work);
  }
  CHECK(sizes == std::map<std::int32_t, int>{{1, 76627},
                                             {2, 1818},
                                             {4, 1870},
                                             {8, 1643},
                                             {12, 7},
                                             {16, 199},
                                             {24, 7},
                                             {32, 67},
                                             {64, 6},
                                             {128, 3}});
  std::sort(works.begin(), works.end());
  CHECK(nearest_rank(works, 50) == 1144s);
  CHECK(nearest_rank(works, 90) == 11266s);
  CHECK(works.back() == 4628226s);
  CHECK(std::is_sorted(trace->jobs.begin(), trace->jobs.end(),
                       [](sim::job const& a, sim::job const& b) {
                         return a.submit != b.submit ? a.submit < b.submit : a.line < b.line;
                       }));
  CHECK(trace->jobs.front().submit == time_point{});
  // 2017-09-04 10:30:41 to 2017-12-22 08:02:11 on a uniform clock
  CHECK(trace->jobs.back().submit == time_point{9'408'690s});
  CHECK(trace->origin == 1'504'521'041s);
  CHECK(total_work(*trace) == gpu_time{3'521'082'502'000});
}

TEST_CASE("the Pollux workloads have 160 and 320 jobs whose shapes are all measured") {
  if (absent()) {
    return;
  }
  for (auto const& expected :
       std::map<std::string, std::size_t>{{"workloads/workload-1.csv", 160},
                                          {"workloads/workload-2.csv", 160},
                                          {"workloads/workload-3.csv", 160},
                                          {"workloads/workload-4.csv", 160},
                                          {"workloads-2.0/workload-1.csv", 320},
                                          {"workloads-2.0/workload-2.csv", 320}}) {
    CAPTURE(expected.first);
    auto const trace = read_pollux_file(data + "/pollux_workloads/" + expected.first);
    REQUIRE_MESSAGE(trace.has_value(), error_of(trace));
    CHECK(trace->jobs.size() == expected.second);
    CHECK(trace->applications.size() >= 5);
    CHECK(trace->jobs.back().submit <= time_point{8h});
    for (sim::job const& each : trace->jobs) {
      bool const measured =
          std::any_of(sim::detail::pollux_runs.begin(), sim::detail::pollux_runs.end(),
                      [&](sim::detail::pollux_run const& run) {
                        return run.application == trace->applications[each.application] &&
                               run.gpus == each.gpus && run.batch_size == each.batch_size;
                      });
      CHECK(measured);
    }
  }
}

TEST_CASE("all Gavel traces are read, with the built-in and with the published throughputs") {
  if (absent()) {
    return;
  }
  auto const speeds = read_gavel_throughputs_file(data + "/gavel/simulation_throughputs.json");
  REQUIRE_MESSAGE(speeds.has_value(), error_of(speeds));
  CHECK(speeds->size() == 492);
  CHECK(speeds->steps_per_second("k80", "ResNet-18 (batch size 16)", 1) ==
        doctest::Approx(4.795294551566172));
  // The built-in table is the V100 column of the file.
  gavel_throughputs const nominal = gavel_throughputs::nominal();
  for (char const* type : {"A3C", "CycleGAN", "LM (batch size 5)", "Transformer (batch size 256)",
                           "ResNet-50 (batch size 128)", "Recommendation (batch size 8192)"}) {
    CAPTURE(type);
    CHECK(nominal.steps_per_second("v100", type, 1) ==
          doctest::Approx(speeds->steps_per_second("v100", type, 1)).epsilon(0.004));
  }
  std::size_t physical = 0;
  for (char const* name : {"artifact_evaluation", "debug", "debug_v2", "highmem_test",
                           "max_min_fairness", "medium_test", "minimize_makespan", "small_test"}) {
    std::string const path = data + "/gavel/physical_cluster/" + name + ".trace";
    auto const trace = read_gavel_file(path);
    REQUIRE_MESSAGE(trace.has_value(), error_of(trace));
    physical += trace->jobs.size();
  }
  CHECK(physical == 287);
  std::size_t msr = 0;
  for (char const* name : {"0e4a51", "103959", "11cb48", "23dbec", "2869ce", "51b7ef", "795a4c"}) {
    gavel_options options;
    options.throughputs = &*speeds;
    auto const trace = read_gavel_file(data + "/gavel/msr_seed0/" + name + ".trace", options);
    REQUIRE_MESSAGE(trace.has_value(), error_of(trace));
    msr += trace->jobs.size();
  }
  CHECK(msr == 4'730);
}

TEST_CASE("the SWF sample is read to its last line, which has no end") {
  if (absent()) {
    return;
  }
  auto const trace = read_swf_file(data + "/swf_accasim_sample/workload.swf");
  REQUIRE_MESSAGE(trace.has_value(), error_of(trace));
  CHECK(trace->jobs.size() == 25);
  CHECK(trace->names[trace->jobs.back().name] == "5687");
  CHECK(trace->jobs.back().work == 4071s);
}

TEST_CASE("openb has 1,213 GPU nodes with 6,212 GPUs of seven models") {
  if (absent()) {
    return;
  }
  auto const list =
      read_openb_nodes_file(data + "/alibaba_openb_2023/openb_node_list_all_node.csv");
  REQUIRE_MESSAGE(list.has_value(), error_of(list));
  CHECK(list->nodes.size() == 1'213);
  CHECK(list->without_gpu == 310);
  CHECK(total_gpus(*list) == 6'212);
  std::map<std::string, std::int64_t> gpus;
  for (node_record const& node : list->nodes) {
    gpus[std::string{list->models[node.model]}] += node.gpus;
  }
  CHECK(gpus == std::map<std::string, std::int64_t>{{"A10", 2},
                                                    {"G2", 4392},
                                                    {"G3", 312},
                                                    {"P100", 265},
                                                    {"T4", 842},
                                                    {"V100M16", 195},
                                                    {"V100M32", 204}});
}

}  // namespace traces_data_test
