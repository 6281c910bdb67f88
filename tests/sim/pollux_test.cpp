// SPDX-License-Identifier: BSL-1.0
// The Pollux reader and its table of run times.
#include <berth_sim/traces/pollux.hpp>

#include <chrono>
#include <string>

#include "read_text.hpp"
#include <doctest/doctest.h>

namespace pollux_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

std::string const header = "name,time,application,num_replicas,batch_size\n";
constexpr auto strict = [](std::istream& in, std::string const& file) {
  return read_pollux(in, file);
};

}  // namespace

TEST_CASE("a job of a measured shape runs as long as was measured") {
  auto const trace =
      sample::read_text(header + "cifar10-0,107,cifar10,6,2048\nncf-1,100,ncf,1,32768\n", strict);
  REQUIRE(trace.has_value());
  REQUIRE(trace->jobs.size() == 2);
  CHECK(trace->names[trace->jobs[0].name] == "ncf-1");
  CHECK(trace->jobs[0].work == 33s);
  CHECK(trace->jobs[1].submit == time_point{7s});
  CHECK(trace->jobs[1].work == 853s);
  CHECK(trace->jobs[1].gpus == 6);
  CHECK(trace->jobs[1].members == 6);
  CHECK(trace->jobs[1].batch_size == 2048);
  CHECK(trace->applications[trace->jobs[1].application] == "cifar10");
  CHECK(trace->origin == 100s);
}

TEST_CASE("another shape costs the GPU-time of the usual one") {
  CHECK(pollux_work("yolov3", 8, 64) == 5541500ms);
  CHECK(pollux_work("yolov3", 3, 64) == 14777334ms);
  CHECK(pollux_work("ncf", 33, 32768) == 1s);
  CHECK(pollux_work("gpt", 1, 1) == 0ms);
  CHECK(pollux_work("ncf", 0, 32768) == 0ms);
}

TEST_CASE("a malformed line is refused with its place") {
  using sample::refusal;
  for (refusal const& each :
       {refusal{header + ",107,cifar10,6,2048\n", 2, 1, "name", "empty"},
        refusal{header + "a,x,cifar10,6,2048\n", 2, 3, "time", "not a number"},
        refusal{header + "a,107,gpt,6,2048\n", 2, 7, "application", "'gpt' is not"},
        refusal{header + "a,107,cifar10,0,2048\n", 2, 15, "num_replicas", "zero"},
        refusal{header + "a,107,cifar10,6,-1\n", 2, 17, "batch_size", "negative"},
        refusal{header + "a,107,cifar10,6\n", 2, 16, "batch_size", "found 4"},
        refusal{"timestamp,duration,num_gpus,gpu_time,cluster\n", 1, 1, "name", "wrong format"}}) {
    sample::check_refused(each, strict);
  }
}

}  // namespace pollux_test
