// SPDX-License-Identifier: BSL-1.0
// The runner: what passes, what must fail and how it says so, what is unsupported.
#include <berth/model/wait_reason.hpp>

#include <berth_sim/scenario/run_case.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "sample_case.hpp"
#include <doctest/doctest.h>

using namespace berth::sim::scenario;
using sample::case_text;

namespace {

// Two GPUs; "a" runs, "b" and "c" wait for nothing: they are not submitted.
case_text expecting(std::string const& members) {
  case_text made;
  made.jobs = R"([{"id": "a"}, {"id": "b"}, {"id": "c", "tasks": 3}])";
  made.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 0, "do": "submit", "job": "c"}])";
  made.expect = R"([{"t": 0, )" + members + "}]";
  return made;
}

case_text with_job(std::string const& members) {
  case_text made;
  made.jobs = R"([{"id": "a", )" + members + "}]";
  return made;
}

std::string first_difference(case_text const& text) {
  auto const report = sample::run(text);
  CHECK(report.outcome == verdict::failed);
  return report.differences.empty() ? "" : report.differences.front();
}

std::vector<std::string> missing(case_text const& text) {
  auto const report = sample::run(text);
  CHECK(report.outcome == verdict::unsupported);
  return report.differences;
}

}  // namespace

TEST_CASE("a case whose expectations hold passes") {
  auto const report = sample::run(expecting(
      R"("running": ["a"], "pending": ["c"], "running_includes": ["a"], "pending_includes": ["c"],
         "pending_count": 1, "free": 1, "place": {"a": ["n1"], "b": []}, "tasks": {"a": 1, "c": 0},
         "tasks_min": {"a": 1}, "starts": {"a": 1}, "stops": {"a": 0}, "stops_max": 0,
         "stops_total": 0, "no_stops_after": 0, "failures": {"a": 0},
         "reason": {"c": "EXCEEDS_CLUSTER"}, "forecast_end": {"a": "inf"},
         "metrics": {"submitted": 2, "starts": 1, "ticks": 1}, "any_of": [{"free": 9}, {"free": 1}])"));
  CHECK_MESSAGE(report.outcome == verdict::passed,
                (report.differences.empty() ? "" : report.differences.front()));
  CHECK_FALSE(report.log.empty());
}

TEST_CASE("every claim that does not hold fails, with what was expected and what is") {
  struct wrong {
    char const* members;
    char const* difference;
  };
  for (wrong const& each :
       {wrong{R"("running": ["a", "c"])", "running: expected [a, c], actual [a]"},
        wrong{R"("running": [])", "running: expected [], actual [a]"},
        wrong{R"("pending": [])", "pending: expected [], actual [c]"},
        wrong{R"("running_includes": ["b"])",
              "running_includes: expected [b] among them, actual [a]"},
        wrong{R"("pending_includes": ["a"])",
              "pending_includes: expected [a] among them, actual [c]"},
        wrong{R"("pending_count": 2)", "pending_count: expected 2, actual 1"},
        wrong{R"("free": 0)", "free: expected 0, actual 1"},
        wrong{R"("place": {"a": []})", "place a: expected [], actual [n1]"},
        wrong{R"("tasks": {"a": 2})", "tasks a: expected 2, actual 1"},
        wrong{R"("tasks_min": {"a": 2})", "tasks_min a: expected at least 2, actual 1"},
        wrong{R"("starts": {"a": 0})", "starts a: expected 0, actual 1"},
        wrong{R"("stops": {"a": 1})", "stops a: expected 1, actual 0"},
        wrong{R"("stops_total": 1)", "stops_total: expected 1, actual 0"},
        wrong{R"("failures": {"a": 1})", "failures a: expected 1, actual 0"},
        wrong{R"("reason": {"c": "NO_GPUS"})",
              "reason c: expected [NO_GPUS], actual [EXCEEDS_CLUSTER]"},
        wrong{R"("reason": {"a": "NO_GPUS"})",
              "reason a: expected [NO_GPUS], actual [does not wait]"},
        wrong{R"("forecast_end": {"a": 5})", "forecast_end a: expected 5, actual inf"},
        wrong{R"("backoff": {"1": 5})", "backoff 1: expected 5 s, actual no launch was refused"},
        wrong{R"("metrics": {"ticks": 2})", "metrics ticks: expected 2, actual 1"},
        wrong{R"("metrics": {"starts": {"max": 0}})",
              "metrics starts: expected at most 0, actual 1"},
        wrong{R"("any_of": [{"free": 9}, {"free": 8}])", "any_of: no alternative holds"}}) {
    CHECK(first_difference(expecting(each.members)) == "at 0: " + std::string{each.difference});
  }
}

TEST_CASE("stop orders are counted against their bounds") {
  case_text text;
  text.nodes = R"([{"id": "n1", "gpus": 1}])";
  text.jobs = R"([{"id": "low"}, {"id": "high", "prio": 1}])";
  text.events =
      R"([{"t": 0, "do": "submit", "job": "low"}, {"t": 5, "do": "submit", "job": "high"}])";
  text.expect = R"([{"t": 6, "running": ["high"], "pending": ["low"], "stops": {"low": 1},
                     "stops_max": 1, "stops_total": 1, "no_stops_after": 5}])";
  CHECK(sample::run(text).outcome == verdict::passed);
  text.expect = R"([{"t": 6, "stops_max": 0}])";
  CHECK(first_difference(text) == "at 6: stops_max: expected at most 0, actual 1");
  text.expect = R"([{"t": 6, "no_stops_after": 4.9}])";
  CHECK(first_difference(text) ==
        "at 6: no_stops_after: expected no stop order after 4.9, actual low was stopped at 5");
}

TEST_CASE("a job with an ack_stop event leaves its GPUs only then") {
  case_text text;
  text.nodes = R"([{"id": "n1", "gpus": 1}])";
  text.jobs = R"([{"id": "low"}, {"id": "high", "prio": 1}])";
  text.events = R"([{"t": 0, "do": "submit", "job": "low"}, {"t": 5, "do": "submit", "job": "high"},
                    {"t": 9, "do": "ack_stop", "job": "low", "run": 1}])";
  text.expect =
      R"([{"t": 8, "running": [], "pending": ["high"], "free": 0, "reason": {"high": "NO_GPUS"}},
                    {"t": 9, "running": ["high"], "pending": ["low"]}])";
  CHECK(sample::run(text).outcome == verdict::passed);
}

TEST_CASE("a late message is ignored and an impossible one is a difference") {
  case_text text;
  text.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 1, "do": "complete", "job": "a"},
                    {"t": 2, "do": "complete", "job": "a"}])";
  text.expect = R"([{"t": 2, "running": [], "metrics": {"finished": 1}}])";
  CHECK(sample::run(text).outcome == verdict::passed);
  text.events = R"([{"t": 0, "do": "cancel", "job": "a"}])";
  CHECK(first_difference(text) == "at 0: cancel of a, which has not been submitted");
  text.events = R"([{"t": 0, "do": "capacity", "node": "n1", "gpus": 3}])";
  CHECK(first_difference(text) ==
        "at 0: capacity of n1: 3: refused: not a number in the documented range (gpus)");
}

TEST_CASE("a job ends its duration after each start") {
  case_text text;
  text.nodes = R"([{"id": "n1", "gpus": 1}])";
  text.jobs = R"([{"id": "low", "dur": 10}, {"id": "high", "prio": 1, "dur": 2}])";
  text.events =
      R"([{"t": 0, "do": "submit", "job": "low"}, {"t": 5, "do": "submit", "job": "high"}])";
  text.expect = R"([{"t": 10, "running": ["low"]}, {"t": 17.9, "running": ["low"]},
                    {"t": 18, "running": [], "metrics": {"finished": 2, "starts": 3}}])";
  CHECK(sample::run(text).outcome == verdict::passed);
}

TEST_CASE("what berth does not have is named, and the case is not passed") {
  using names = std::vector<std::string>;
  case_text queues;
  queues.queues = R"([{"id": "q", "quota": 1, "prio": 1}])";
  CHECK(missing(queues) == names{"priorities of queues"});
  CHECK(missing(with_job(R"("tasks": 2, "min": 1)")) == names{"elastic members"});
  CHECK(sample::run(with_job(R"("max": 2, "min": 2)")).outcome == verdict::passed);
  CHECK(missing(with_job(R"("milli": 500)")) == names{"fractional GPUs"});
  CHECK(missing(with_job(R"("locality": 0.5)")) == names{"locality per job"});
  CHECK(missing(with_job(R"("roles": [{"name": "x", "gpus": 1, "rack": "same"}])")) ==
        names{"roles in one rack"});
  case_text events;
  events.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 1, "do": "save_restore"},
                      {"t": 1, "do": "restart_tasks", "job": "a", "tasks": 1},
                      {"t": 1, "do": "resize", "job": "a", "tasks": 1}])";
  CHECK(missing(events) == names{"restarting single members", "elastic members"});
  case_text config;
  config.config = R"({"cooldown": {"base": 1, "factor": 2, "cap": 4}, "preset": "pickyman"})";
  CHECK(missing(config) == names{"preset pickyman"});
  config.config = R"({"policy": "lottery"})";
  CHECK(missing(config) == names{"policy lottery"});
  CHECK(
      missing(expecting(R"("metrics": {"joy": 1}, "any_of": [{"reason": {"c": "NODE_LOST"}}])")) ==
      names{"metric joy", "reason NODE_LOST"});
  CHECK(missing(expecting(R"("reason": {"c": "NODE_LOST"})")) == names{"reason NODE_LOST"});
  case_text wide;
  wide.nodes = R"([{"id": "n1", "gpus": 65}])";
  CHECK(missing(wide) == names{"more than 64 GPUs on a node"});
}

TEST_CASE("a queue that may not borrow keeps to its quota, until the quota is another one") {
  case_text text;
  text.nodes = R"([{"id": "n1", "gpus": 4}])";
  text.queues = R"([{"id": "q", "quota": 1, "borrow": false, "weight": 0.5}])";
  text.jobs = R"([{"id": "a", "queue": "q"}, {"id": "b", "queue": "q"}, {"id": "c"}])";
  text.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 0, "do": "submit", "job": "b"},
                    {"t": 0, "do": "submit", "job": "c"}, {"t": 1, "do": "save_restore"},
                    {"t": 2, "do": "quota", "queue": "q", "quota": 2},
                    {"t": 3, "do": "save_restore"}, {"t": 4, "do": "complete", "job": "a"}])";
  text.expect = R"([{"t": 1, "running": ["a", "c"], "reason": {"b": "QUOTA"}},
                    {"t": 2, "running": ["a", "b", "c"]},
                    {"t": 4, "running": ["b", "c"]}])";
  CHECK(sample::run(text).outcome == verdict::passed);
}

TEST_CASE("every known policy and preset runs a case") {
  for (char const* const named :
       {R"("policy": "priority")", R"("policy": "fifo")", R"("policy": "fifo_strict")",
        R"("policy": "shortest_job")", R"("policy": "shortest_remaining")",
        R"("policy": "least_attained_service")", R"("preset": "fifo")", R"("preset": "tiresias")",
        R"("preset": "easy_backfill")", R"("preset": "shortest_remaining")"}) {
    case_text text;
    text.config = "{" + std::string{named} + "}";
    CAPTURE(text.config);
    CHECK(sample::run(text).outcome == verdict::passed);
  }
}

TEST_CASE("a strict queue blocks what a backfilling one lets through") {
  case_text text;
  text.nodes = R"([{"id": "n1", "gpus": 2}])";
  text.jobs = R"([{"id": "a"}, {"id": "wide", "tasks": 2}, {"id": "tiny", "walltime": 5}])";
  text.jobs.replace(text.jobs.find(R"({"id": "a"})"), 11, R"({"id": "a", "walltime": 50})");
  text.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 0, "do": "submit", "job": "wide"},
                    {"t": 0, "do": "submit", "job": "tiny"}])";
  text.expect = R"([{"t": 0, "running": ["a", "tiny"], "pending": ["wide"]}])";
  CHECK(sample::run(text).outcome == verdict::passed);
  text.config = R"({"policy": "fifo_strict"})";
  CHECK(first_difference(text) == "at 0: running: expected [a, tiny], actual [a]");
}

TEST_CASE("every reason of berth has a code of the files, or none") {
  using berth::wait_reason;
  CHECK(code_of(wait_reason::none).empty());
  CHECK(code_of(wait_reason::not_decided).empty());
  CHECK(code_of(wait_reason::no_such_type) == "NO_SUCH_TYPE");
  CHECK(code_of(wait_reason::exceeds_cpu_or_memory) == "EXCEEDS_CLUSTER");
  CHECK(code_of(wait_reason::fragmented) == "TOPOLOGY");
  CHECK(code_of(wait_reason::draining_others) == "NO_GPUS");
  CHECK(code_of(wait_reason::behind_others) == "RESERVED");
  CHECK(code_of(wait_reason::group_incomplete) == "GANG");
  CHECK(code_of(wait_reason::not_admitted) == "QUOTA");
  CHECK(code_of(wait_reason::over_quota) == "QUOTA");
  CHECK(code_of(wait_reason::loan_recalled) == "COOLDOWN");
  for (int value = 0; value < 32; ++value) {
    auto const code = code_of(static_cast<wait_reason>(value));
    bool const known =
        std::find(reason_codes.begin(), reason_codes.end(), code) != reason_codes.end();
    CHECK((code.empty() || known));
  }
}
