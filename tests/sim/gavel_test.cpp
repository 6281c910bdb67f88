// SPDX-License-Identifier: BSL-1.0
// The Gavel readers: both layouts, throughput files.
#include <berth_sim/traces/gavel.hpp>

#include <chrono>
#include <string>

#include "read_text.hpp"
#include <doctest/doctest.h>

namespace gavel_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

constexpr auto strict = [](std::istream& in, std::string const& file) {
  return read_gavel(in, file);
};
constexpr auto read_speeds = [](std::istream& in, std::string const& file) {
  return read_gavel_throughputs(in, file);
};

std::string const long_line =
    "ResNet-18 (batch size 32)\tpython3 main.py\tdir\t--num_steps\t1\t2995\t2\t3\t-1.000000\t40\n";
std::string const short_line = "A3C\tpython3 main.py\t--max-steps\t0\t718\t50.5\t4\n";

}  // namespace

TEST_CASE("both layouts are read, in one file if need be") {
  auto const trace = sample::read_text(long_line + short_line, strict);
  REQUIRE(trace.has_value());
  REQUIRE(trace->jobs.size() == 2);
  sim::job const& a = trace->jobs[0];
  CHECK(trace->applications[a.application] == "ResNet-18 (batch size 32)");
  CHECK(a.gpus == 2);
  CHECK(a.members == 2);
  CHECK(a.priority == 3);
  CHECK(a.batch_size == 32);
  CHECK(a.deadline == forever);
  CHECK(a.work == 50s);  // 2995 steps at 2 × 29.95 a second
  sim::job const& b = trace->jobs[1];
  CHECK(b.submit == time_point{10500ms});
  CHECK(b.gpus == 4);
  CHECK(b.batch_size == 0);
  CHECK(b.work == 25s);
}

TEST_CASE("a service-level objective becomes the deadline") {
  auto const trace = sample::read_text("A3C\tc\td\t-n\t1\t718\t1\t1\t250.5\t0\n", strict);
  REQUIRE(trace.has_value());
  CHECK(trace->jobs[0].deadline == 250500ms);
}

TEST_CASE(
    "a throughput file gives the speed of the exact size, and of one GPU times the size else") {
  auto const speeds = sample::read_text(
      R"json({"k80": {"('A3C', 1)": {"null": 2.0, "('A3C', 1)": [1.0, 1.0]},
                       "('A3C', 2)": {"null": 3.0}}})json",
      read_speeds);
  REQUIRE(speeds.has_value());
  CHECK(speeds->size() == 2);
  CHECK(speeds->steps_per_second("k80", "A3C", 2) == 3.0);
  CHECK(speeds->steps_per_second("k80", "A3C", 4) == 8.0);
  CHECK(speeds->steps_per_second("v100", "A3C", 1) == 0.0);
  gavel_options options;
  options.throughputs = &*speeds;
  options.reference_type = "k80";
  auto const trace =
      sample::read_text(short_line, [&options](std::istream& in, std::string const& file) {
        return read_gavel(in, file, options);
      });
  REQUIRE(trace.has_value());
  CHECK(trace->jobs[0].work == 89750ms);  // 718 steps at 4 × 2 a second
}

TEST_CASE("a malformed line is refused with its place") {
  using sample::refusal;
  for (refusal const& each :
       {refusal{"", 0, 0, "", "the file is empty"},
        refusal{"Bert\tc\t-n\t0\t718\t50\t4\n", 1, 1, "job_type", "throughput"},
        refusal{"A3C\tc\t-n\t0\t-718\t50\t4\n", 1, 12, "steps", "negative"},
        refusal{"A3C\tc\t-n\t0\t7.5\t50\t4\n", 1, 12, "steps", "behind"},
        refusal{"A3C\tc\t-n\t0\t718\tinf\t4\n", 1, 16, "arrival", "not finite"},
        refusal{"A3C\tc\t-n\t0\t718\t50\t0\n", 1, 19, "scale_factor", "zero"},
        refusal{"A3C\tc\t-n\t0\t9000000000000000000\t50\t1\n", 1, 12, "steps", "range"},
        refusal{"A3C\tc\t-n\t0\t718\t50\n", 1, 18, "scale_factor", "expected 7 fields, found 6"},
        refusal{"A3C\tc\td\t-n\t1\t718\t1\t1\n", 1, 21, "slo", "expected 10 fields, found 8"},
        refusal{"A3C\tc\td\t-n\t1\t718\t1\t-1\t5\t0\n", 1, 20, "weight", "negative"},
        refusal{"A3C\tc\td\t-n\t1\t718\t1\t1\t-7\t0\n", 1, 22, "slo", "negative"}}) {
    sample::check_refused(each, strict);
  }
}

TEST_CASE("lenient reading skips the malformed and counts them; no steps is no duration") {
  auto const trace = sample::read_text("rubbish\n" + short_line + "A3C\tc\t-n\t0\t0\t50\t1\n",
                                       [](std::istream& in, std::string const& file) {
                                         gavel_options options;
                                         options.lenient = true;
                                         return read_gavel(in, file, options);
                                       });
  REQUIRE(trace.has_value());
  CHECK(trace->jobs.size() == 1);
  CHECK(trace->skipped.malformed == 1);
  CHECK(trace->skipped.without_duration == 1);
}

TEST_CASE("a malformed throughput file is refused with the name of the entry") {
  using sample::refusal;
  for (refusal const& each :
       {refusal{"{", 0, 0, "", "is not JSON"}, refusal{"[]", 0, 0, "", "is not an object"},
        refusal{"{}", 0, 0, "", "is not an object"},
        refusal{R"json({"k80": 3})json", 0, 0, "k80", "is not an object"},
        refusal{R"json({"k80": {"A3C": {"null": 1}}})json", 0, 0, "A3C",
                "is not ('job type', GPUs)"},
        refusal{R"json({"k80": {"('A3C', 0)": {"null": 1}}})json", 0, 0, "('A3C', 0)", "is not"},
        refusal{R"json({"k80": {"('A3C', 1)": {}}})json", 0, 0, "('A3C', 1)", "no number"},
        refusal{R"json({"k80": {"('A3C', 1)": 5}})json", 0, 0, "('A3C', 1)", "no number"},
        refusal{R"json({"k80": {"('A3C', 1)": {"null": -1}}})json", 0, 0, "('A3C', 1)",
                "negative"}}) {
    sample::check_refused(each, read_speeds);
  }
}

}  // namespace gavel_test
