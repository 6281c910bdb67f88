// SPDX-License-Identifier: BSL-1.0
// The Philly reader, and through it everything the CSV readers share.
#include <berth_sim/traces/philly.hpp>

#include <chrono>
#include <sstream>
#include <string>

#include "read_text.hpp"
#include <doctest/doctest.h>

namespace philly_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

std::string const header = "timestamp,duration,num_gpus,gpu_time,cluster\n";
std::string const good = "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n";

constexpr auto strict = [](std::istream& in, std::string const& file) {
  return read_philly(in, file);
};
constexpr auto lenient = [](std::istream& in, std::string const& file) {
  return read_philly(in, file, {.lenient = true});
};

}  // namespace

TEST_CASE("jobs come sorted, on a clock that starts with the first") {
  auto const trace = sample::read_text(header +
                                           "2017-10-09 07:01:55,66.0,1,66.0,b\n"
                                           "2017-10-08 07:01:54,2951.25,12,35415.0,a\n"
                                           "2017-10-09 07:01:55,1,24,24,b\n",
                                       strict);
  REQUIRE(trace.has_value());
  REQUIRE(trace->jobs.size() == 3);
  sim::job const& first = trace->jobs[0];
  CHECK(first.submit == time_point{});
  CHECK(first.work == 2951250ms);
  CHECK(first.gpus == 12);
  CHECK(first.line == 3);
  CHECK(trace->tenants[first.tenant] == "a");
  CHECK(first.estimate == forever);
  CHECK(trace->jobs[1].submit == time_point{24h + 1s});
  CHECK(trace->jobs[1].line == 2);
  CHECK(trace->jobs[2].line == 4);
  CHECK(trace->jobs[1].tenant == trace->jobs[2].tenant);
  CHECK(trace->source == "philly t");
}

TEST_CASE("the clock is uniform: a day has 24 hours, a leap year a 29th of February") {
  auto const days = sample::read_text(header +
                                          "2016-02-28 00:00:00,1,1,1,a\n"
                                          "2016-02-29 00:00:00,1,1,1,a\n"
                                          "2016-03-01 00:00:00,1,1,1,a\n"
                                          "2017-11-04 12:00:00,1,1,1,a\n"
                                          "2017-11-05 12:00:00,1,1,1,a\n",
                                      strict);
  REQUIRE(days.has_value());
  CHECK(days->jobs[2].submit - days->jobs[0].submit == 48h);
  // The clocks of Philly's site went back in that night; the file cannot say which hour came twice.
  CHECK(days->jobs[4].submit - days->jobs[3].submit == 24h);
}

TEST_CASE("line ends, a byte-order mark, blank lines and quotes do not matter") {
  std::string const row = "2017-10-09 07:01:55,66.0,1,66.0,a";
  std::string const plain = "timestamp,duration,num_gpus,gpu_time,cluster";
  for (std::string const& text :
       {plain + "\n" + row + "\n", plain + "\n" + row, plain + "\r\n" + row + "\r\n",
        plain + "\r\n" + row, "\xEF\xBB\xBF" + plain + "\n" + row + "\n",
        plain + "\n\n" + row + "\n\n", plain + "\n2017-10-09 07:01:55,\"66.0\",1,66.0,\"a\"\n"}) {
    CAPTURE(text);
    auto const trace = sample::read_text(text, strict);
    REQUIRE(trace.has_value());
    REQUIRE(trace->jobs.size() == 1);
    CHECK(trace->jobs[0].work == 66s);
    CHECK(trace->tenants[trace->jobs[0].tenant] == "a");
  }
}

TEST_CASE("a comma inside quotes belongs to the cell") {
  auto const trace =
      sample::read_text(header + "2017-10-09 07:01:55,66.0,1,66.0,\"a,b\"\n", strict);
  REQUIRE(trace.has_value());
  CHECK(trace->tenants[trace->jobs[0].tenant] == "a,b");
}

TEST_CASE("a header alone is a workload without jobs") {
  auto const trace = sample::read_text(header, strict);
  REQUIRE(trace.has_value());
  CHECK(trace->jobs.empty());
}

TEST_CASE("each malformed cell is refused with line, column, field and reason") {
  using sample::refusal;
  for (refusal const& each : {
           refusal{header + good + "2017-10-09T07:01:55,66,1,66,a\n", 3, 1, "timestamp", "YYYY"},
           refusal{header + "2017-10-09 07:01:5,66,1,66,a\n", 2, 1, "timestamp", "YYYY"},
           refusal{header + "2017-10-09 07:0x:55,66,1,66,a\n", 2, 1, "timestamp", "YYYY"},
           refusal{header + "2017-02-29 07:01:55,66,1,66,a\n", 2, 1, "timestamp", "calendar"},
           refusal{header + "2017-13-09 07:01:55,66,1,66,a\n", 2, 1, "timestamp", "calendar"},
           refusal{header + "2017-10-09 24:00:00,66,1,66,a\n", 2, 1, "timestamp", "calendar"},
           refusal{header + "2017-10-09 07:01:60,66,1,66,a\n", 2, 1, "timestamp", "calendar"},
           refusal{header + "2017-10-09 07:01:55,,1,66,a\n", 2, 21, "duration", "empty"},
           refusal{header + "2017-10-09 07:01:55,66s,1,66,a\n", 2, 21, "duration", "behind"},
           refusal{header + "2017-10-09 07:01:55, 66,1,66,a\n", 2, 21, "duration", "not a number"},
           refusal{header + "2017-10-09 07:01:55,nan,1,66,a\n", 2, 21, "duration", "not finite"},
           refusal{header + "2017-10-09 07:01:55,inf,1,66,a\n", 2, 21, "duration", "not finite"},
           refusal{header + "2017-10-09 07:01:55,-1,1,66,a\n", 2, 21, "duration", "negative"},
           refusal{header + "2017-10-09 07:01:55,1e12,1,66,a\n", 2, 21, "duration", "range"},
           refusal{header + "2017-10-09 07:01:55,1e999,1,66,a\n", 2, 21, "duration", "range"},
           refusal{header + "2017-10-09 07:01:55,66,0,66,a\n", 2, 24, "num_gpus", "zero"},
           refusal{header + "2017-10-09 07:01:55,66,-4,66,a\n", 2, 24, "num_gpus", "negative"},
           refusal{header + "2017-10-09 07:01:55,66,1.5,66,a\n", 2, 24, "num_gpus", "behind"},
           refusal{header + "2017-10-09 07:01:55,66,4294967297,66,a\n", 2, 24, "num_gpus", "range"},
           refusal{header + "2017-10-09 07:01:55,66,99999999999999999999,6,a\n", 2, 24, "num_gpus",
                   "range"},
           refusal{header + "2017-10-09 07:01:55,66,1,x,a\n", 2, 26, "gpu_time", "not a number"},
           refusal{header + "2017-10-09 07:01:55,66,1,66,\n", 2, 29, "cluster", "empty"},
           refusal{header + "2017-10-09 07:01:55,66,1,66\n", 2, 28, "cluster",
                   "expected 5 fields, found 4"},
           refusal{header + "2017-10-09 07:01:55,66,1,66,a,b\n", 2, 31, "",
                   "expected 5 fields, found 6"},
           refusal{header + "2017-10-09 07:01:55,66,1,66,\"a\n", 2, 0, "", "quotes"},
           refusal{header + "2017-10-09 07:01:55,66,1,66,a\"b\"\n", 2, 0, "", "quotes"},
           refusal{header + "2017-10-09 07:01:55,66,1,66,\"a\"\"b\"\n", 2, 0, "", "quotes"},
       }) {
    sample::check_refused(each, strict);
  }
}

TEST_CASE("an empty file and a wrong header are errors even when lenient") {
  using sample::refusal;
  for (refusal const& each :
       {refusal{"", 0, 0, "", "the file is empty"}, refusal{"\n\n", 0, 0, "", "the file is empty"},
        refusal{"timestamp,duration,gpus,gpu_time,cluster\n", 1, 20, "num_gpus", "'gpus'"},
        refusal{"timestamp,duration,num_gpus,gpu_time\n", 1, 37, "cluster", "expected 5"},
        refusal{good, 1, 1, "timestamp", "wrong format"}}) {
    sample::check_refused(each, strict);
    sample::check_refused(each, lenient);
  }
}

TEST_CASE("lenient reading skips and counts what strict reading refuses") {
  auto const trace = sample::read_text(
      header + good + "2017-10-09 07:01:55,66,0,66,a\n" + good + "rubbish\n\"\n", lenient);
  REQUIRE(trace.has_value());
  CHECK(trace->jobs.size() == 2);
  CHECK(trace->skipped.malformed == 3);
  CHECK(trace->skipped.total() == 3);
}

TEST_CASE("a job without a duration is counted, not simulated") {
  auto const trace = sample::read_text(
      header + good + "2017-10-09 07:01:55,0,1,0,a\n2017-10-09 07:01:55,0.0004,1,0,a\n", strict);
  REQUIRE(trace.has_value());
  CHECK(trace->jobs.size() == 1);
  CHECK(trace->skipped.without_duration == 2);
  CHECK(trace->skipped.malformed == 0);
}

TEST_CASE("a file that is not there is an error that names it") {
  auto const trace = read_philly_file("no/such/file.csv");
  REQUIRE_FALSE(trace.has_value());
  CHECK(to_string(trace.error()) == "no/such/file.csv: the file cannot be opened");
}

TEST_CASE("an error reads like a compiler's") {
  CHECK(to_string(parse_error{"f", 3, 7, "x", "is zero"}) == "f:3:7: x: is zero");
  CHECK(to_string(parse_error{"f", 3, 0, "", "m"}) == "f:3: m");
  CHECK(to_string(parse_error{"f", 0, 0, "", "m"}) == "f: m");
}

}  // namespace philly_test
