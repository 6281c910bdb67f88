// SPDX-License-Identifier: BSL-1.0
// Workloads, their names and their order; lists of nodes.
#include <berth_sim/nodes.hpp>
#include <berth_sim/string_table.hpp>
#include <berth_sim/workload.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace workload_test {

using namespace berth;
using namespace berth::sim;

namespace {

sim::job job_at(std::int64_t submit, std::uint32_t line, std::int32_t gpus = 1,
                std::int64_t work = 10) {
  sim::job each;
  each.submit = time_point{duration{submit}};
  each.line = line;
  each.gpus = gpus;
  each.work = duration{work};
  return each;
}

std::vector<std::uint32_t> lines_of(workload const& trace) {
  std::vector<std::uint32_t> lines;
  for (sim::job const& each : trace.jobs) {
    lines.push_back(each.line);
  }
  return lines;
}

}  // namespace

TEST_CASE("equal names have equal numbers, in order of appearance") {
  string_table table;
  CHECK(table.intern("b") == name_id{0});
  CHECK(table.intern("a") == name_id{1});
  CHECK(table.intern("b") == name_id{0});
  CHECK(table.size() == 2);
  CHECK(table[name_id{1}] == "a");
}

TEST_CASE("an empty name is none, and none has an empty text") {
  string_table table;
  CHECK(table.intern("") == name_id::none);
  CHECK(table.size() == 0);
  CHECK(table[name_id::none].empty());
  CHECK(table.find("absent") == name_id::none);
}

TEST_CASE("jobs submitted at the same instant keep the order of their lines") {
  workload trace;
  trace.jobs = {job_at(7, 9), job_at(5, 4), job_at(5, 2), job_at(1, 8)};
  sort_by_submit(trace);
  CHECK(lines_of(trace) == std::vector<std::uint32_t>{8, 2, 4, 9});
}

TEST_CASE("rebasing puts the first submission at zero and remembers the shift") {
  workload trace;
  trace.jobs = {job_at(100, 1), job_at(130, 2)};
  rebase(trace);
  CHECK(trace.jobs[0].submit == time_point{});
  CHECK(trace.jobs[1].submit == time_point{duration{30}});
  CHECK(trace.origin == duration{100});
  rebase(trace);
  CHECK(trace.origin == duration{100});
}

TEST_CASE("a cut keeps a half-open interval and then the first jobs of it") {
  workload trace;
  trace.jobs = {job_at(0, 1), job_at(10, 2), job_at(20, 3), job_at(30, 4), job_at(40, 5)};
  cut(trace, time_point{duration{10}}, time_point{duration{40}}, 2);
  CHECK(lines_of(trace) == std::vector<std::uint32_t>{2, 3});
  CHECK(trace.jobs[0].submit == time_point{});
  CHECK(trace.origin == duration{10});
}

TEST_CASE("a cut without a limit keeps all, and may keep nothing") {
  workload trace;
  trace.jobs = {job_at(0, 1), job_at(10, 2)};
  cut(trace, time_point{}, never, 0);
  CHECK(trace.jobs.size() == 2);
  cut(trace, time_point{duration{11}}, never, 0);
  CHECK(trace.jobs.empty());
}

TEST_CASE("total work is GPUs times time") {
  workload trace;
  trace.jobs = {job_at(0, 1, 4, 100), job_at(0, 2, 2, 50)};
  CHECK(total_work(trace) == gpu_time{500});
}

TEST_CASE("uniform nodes have names of their own and one model") {
  node_list const list = uniform_nodes(3, 8, "v100");
  REQUIRE(list.nodes.size() == 3);
  CHECK(total_gpus(list) == 24);
  CHECK(list.names.size() == 3);
  CHECK(list.names[list.nodes[2].name] == "node2");
  CHECK(list.models[list.nodes[0].model] == "v100");
  CHECK(list.source == "3x8");
}

}  // namespace workload_test
