// SPDX-License-Identifier: BSL-1.0
// The reader of the Standard Workload Format.
#include <berth_sim/traces/swf.hpp>

#include <chrono>
#include <string>
#include <utility>

#include "read_text.hpp"
#include <doctest/doctest.h>

namespace swf_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

constexpr auto strict = [](std::istream& in, std::string const& file) {
  return read_swf(in, file);
};
std::string const good = "7 100 5 60.25 16 -1 -1 32 3600 -1 1 6 2 9 -1 1 -1 -1\n";

}  // namespace

TEST_CASE("used processors count, the time asked for is the estimate") {
  auto const trace = sample::read_text("; Version: 2\n  ;\n" + good, strict);
  REQUIRE(trace.has_value());
  REQUIRE(trace->jobs.size() == 1);
  sim::job const& each = trace->jobs[0];
  CHECK(each.submit == time_point{});
  CHECK(trace->origin == 100s);
  CHECK(each.work == 60250ms);
  CHECK(each.gpus == 16);
  CHECK(each.estimate == 3600s);
  CHECK(each.line == 3);
  CHECK(trace->names[each.name] == "7");
  CHECK(trace->users[each.user] == "6");
  CHECK(trace->tenants[each.tenant] == "2");
  CHECK(trace->applications[each.application] == "9");
}

TEST_CASE("unknown fields fall back or stay unknown") {
  auto const trace =
      sample::read_text("7 100 -1 60 -1 -1 -1 32 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 ; why\n", strict);
  REQUIRE(trace.has_value());
  CHECK(trace->jobs[0].gpus == 32);
  CHECK(trace->jobs[0].estimate == forever);
  CHECK(trace->jobs[0].user == name_id::none);
}

TEST_CASE("jobs that never ran or asked for nothing are counted") {
  auto const trace = sample::read_text(
      "1 0 0 -1 4 -1 -1 4 9 -1 5 1 1 1 1 1 -1 -1\n"
      "2 0 0 0 4 -1 -1 4 9 -1 5 1 1 1 1 1 -1 -1\n"
      "3 0 0 60 -1 -1 -1 -1 9 -1 5 1 1 1 1 1 -1 -1\n" +
          good,
      strict);
  REQUIRE(trace.has_value());
  CHECK(trace->jobs.size() == 1);
  CHECK(trace->skipped.without_duration == 2);
  CHECK(trace->skipped.without_gpu == 1);
}

TEST_CASE("processors are rounded up to whole GPUs") {
  for (auto const& [per_gpu, gpus] : {std::pair{1, 16}, {4, 4}, {5, 4}, {32, 1}, {0, 16}}) {
    swf_options options;
    options.processors_per_gpu = per_gpu;
    int const expected = gpus;
    CAPTURE(options.processors_per_gpu);
    auto const trace =
        sample::read_text(good, [&options](std::istream& in, std::string const& file) {
          return read_swf(in, file, options);
        });
    REQUIRE(trace.has_value());
    CHECK(trace->jobs[0].gpus == expected);
  }
}

TEST_CASE("a malformed line is refused with its place") {
  using sample::refusal;
  std::string const rest = " 16 -1 -1 32 3600 -1 1 6 2 9 -1 1 -1 -1\n";
  for (refusal const& each :
       {refusal{"", 0, 0, "", "the file is empty"},
        refusal{"7 100 5 60" + rest.substr(0, rest.size() - 4) + "\n", 1, 47, "think_time",
                "expected 18 fields, found 17"},
        refusal{"7 100 5 60" + rest.substr(0, rest.size() - 1) + " 8\n", 1, 51, "",
                "expected 18 fields, found 19"},
        refusal{"7 x 5 60" + rest, 1, 3, "submit_time", "not a number"},
        refusal{"7 -1 5 60" + rest, 1, 3, "submit_time", "unknown"},
        refusal{"7 -2 5 60" + rest, 1, 3, "submit_time", "negative"},
        refusal{"7 0 5 nan" + rest, 1, 7, "run_time", "not finite"},
        refusal{"7 0 5 1e11" + rest, 1, 7, "run_time", "range"},
        refusal{"7 0 5 60 1e10 -1 -1 32 3600 -1 1 6 2 9 -1 1 -1 -1\n", 1, 10, "processors_used",
                "range"},
        refusal{"; a comment\n7 0 5 60s" + rest, 2, 7, "run_time", "behind"}}) {
    sample::check_refused(each, strict);
  }
}

}  // namespace swf_test
