// SPDX-License-Identifier: BSL-1.0
// The reader of elastic workloads, with and without inference tasks.
#include <berth/core/time.hpp>

#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/traces/pollux_elastic.hpp>
#include <berth_sim/traces/pollux_profiles.hpp>

#include <chrono>
#include <istream>
#include <sstream>
#include <string>

#include "read_text.hpp"
#include <doctest/doctest.h>

namespace pollux_elastic_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

std::string const header = "name,time,application,num_replicas,batch_size\n";
std::string const longer = "name,time,application,num_replicas,batch_size,duration,num_task\n";
constexpr auto reader = [](std::istream& in, std::string const& file) {
  return read_elastic_workload(in, file);
};

}  // namespace

TEST_CASE("read_elastic_workload: jobs keep their batch size and the clock of the file") {
  auto const work =
      sample::read_text(header + "c-0,107,cifar10,6,2048\nn-1,100.5,ncf,1,32768\n", reader);
  REQUIRE(work.has_value());
  CHECK(work->tasks.empty());
  REQUIRE(work->jobs.size() == 2);
  CHECK(work->jobs[0] == training_row{time_point{100'500ms}, "n-1", 4, 1, 32768});
  CHECK(work->jobs[1] == training_row{time_point{107s}, "c-0", 1, 6, 2048});
}

TEST_CASE("read_elastic_workload: with a duration, infer-* are tasks and others are jobs") {
  auto const work = sample::read_text(
      longer +
          "i-0,60,infer-bert-3,1,1,4,2\nc-0,50,cifar10,6,2048,-1,0\ni-1,7,infer-ncf,1,1,2.5,1\n",
      reader);
  REQUIRE(work.has_value());
  REQUIRE(work->jobs.size() == 1);
  CHECK(work->jobs[0].application == 1);
  REQUIRE(work->tasks.size() == 2);
  CHECK(work->tasks[0] == task_row{time_point{7s}, 2500ms, "i-1", "infer-ncf", 4});
  CHECK(work->tasks[1] == task_row{time_point{60s}, 4s, "i-0", "infer-bert-3", 0});
}

TEST_CASE("read_elastic_workload: a malformed line is refused with its place") {
  using sample::refusal;
  for (refusal const& each :
       {refusal{header + ",107,cifar10,6,2048\n", 2, 1, "name", "empty"},
        refusal{header + "a,x,cifar10,6,2048\n", 2, 3, "time", "not a number"},
        refusal{header + "a,107,gpt,6,2048\n", 2, 7, "application", "'gpt' is not"},
        refusal{header + "a,107,cifar10,0,2048\n", 2, 15, "num_replicas", "zero"},
        refusal{header + "a,107,cifar10,6,64\n", 2, 17, "batch_size", "not a batch size"},
        refusal{header + "a,107,cifar10,6,8192\n", 2, 17, "batch_size", "not a batch size"},
        refusal{header + "a,1,infer-bert,1,1\n", 2, 5, "application", "needs a duration"},
        refusal{longer + "a,1,infer-gpt-2,1,1,4,1\n", 2, 5, "application", "known"},
        refusal{longer + "a,1,infer-bert,1,1,0,1\n", 2, 20, "duration", "zero"},
        refusal{"timestamp,duration\n", 1, 1, "name", "wrong format"}}) {
    sample::check_refused(each, reader);
  }
}

TEST_CASE("read_placements: rows of larger nodes are refused, for nobody measured them") {
  std::string const columns = "placement,local_bsz,step_time,sync_time\n";
  auto const error_of = [&](std::string const& row) {
    std::istringstream in{columns + row};
    measured_steps steps;
    auto const wrong = read_placements(in, "t", steps);
    return wrong ? wrong->message : std::string{};
  };
  CHECK(error_of("124,8,1.5,0.5\n").empty());
  CHECK(error_of("5,8,1.5,0.5\n").find("not measured") != std::string::npos);
  CHECK(error_of("18,8,1.5,0.5\n").find("not measured") != std::string::npos);
  CHECK(error_of("11111,8,1.5,0.5\n").find("one to four nodes") != std::string::npos);
  CHECK(error_of("1,8,1.5,1.5\n").find("not less") != std::string::npos);
}

}  // namespace pollux_elastic_test
