// SPDX-License-Identifier: BSL-1.0
// The reader of case files: every word of the vocabulary arrives, every mistake is refused with its
// place.
#include <berth/core/time.hpp>

#include <berth_sim/scenario/read_cases.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "sample_case.hpp"
#include <doctest/doctest.h>

using namespace berth::sim::scenario;
using namespace std::chrono_literals;
using berth::time_point;
using sample::case_text;

namespace {

struct mistake {
  case_text text;
  std::string message;  // behind "f.json: T1 "
};

case_text with_nodes(std::string text) {
  case_text made;
  made.nodes = std::move(text);
  return made;
}
// A job "a" with these members; nothing is submitted.
case_text with_job(std::string const& members) {
  case_text made;
  made.jobs = R"([{"id": "a", )" + members + "}]";
  made.events = "[]";
  made.expect = R"([{"t": 0, "pending_count": 0}])";
  return made;
}
case_text with_event(std::string const& event) {
  case_text made;
  made.events = R"([{"t": 0, "do": "submit", "job": "a"}, )" + event + "]";
  return made;
}
case_text with_config(std::string const& members) {
  case_text made;
  made.config = "{" + members + "}";
  return made;
}
case_text with_expect(std::string const& members) {
  case_text made;
  made.expect = R"([{"t": 0, )" + members + "}]";
  return made;
}

situation only(case_text const& text) {
  auto const read = sample::read(text);
  REQUIRE_MESSAGE(read.has_value(), sample::refusal(text));
  return read->front();
}

}  // namespace

TEST_CASE("every member of a node arrives") {
  auto const read = only(with_nodes(
      R"([{"id": "a", "gpus": 4, "type": "H100", "rack": "r1", "mem_mib": 80000, "drained": true},
          {"id": "b", "gpus": 8, "count": 2, "rack": 7}, {"id": "c", "gpus": 1}])"));
  REQUIRE(read.nodes.size() == 3);
  CHECK(read.nodes[0].gpus == 4);
  CHECK(read.nodes[0].type == "H100");
  CHECK(read.nodes[0].rack == "r1");
  CHECK(read.nodes[0].mem_mib == 80000);
  CHECK(read.nodes[0].drained);
  CHECK(read.nodes[1].rack == "7");
  CHECK(read.nodes[2].type == "g");
  CHECK_FALSE(read.nodes[2].mem_mib.has_value());
  CHECK_FALSE(read.nodes[2].drained);
  REQUIRE(read.all_nodes.size() == 4);
  CHECK(read.all_nodes[1].name == "b0");
  CHECK(read.all_nodes[2].name == "b1");
}

TEST_CASE("a node that comes up later says when") {
  auto text = with_event(R"({"t": 9, "do": "node_up", "node": "n1"})");
  text.nodes = R"([{"id": "n1", "gpus": 2, "up_at": 9}])";
  CHECK(only(text).nodes[0].up_at == time_point{9s});
}

TEST_CASE("every member of a queue arrives") {
  case_text text;
  text.queues = R"([{"id": "q", "quota": 3, "weight": 0, "prio": -2, "borrow": false},
                    {"id": "p", "quota": 0}])";
  text.jobs = R"([{"id": "a", "queue": "q"}, {"id": "b"}])";
  auto const read = only(text);
  REQUIRE(read.queues.size() == 2);
  CHECK(read.queues[0].quota == 3);
  CHECK(read.queues[0].weight == 0.0);
  CHECK(read.queues[0].prio == -2);
  CHECK_FALSE(read.queues[0].borrow);
  CHECK(read.queues[1].weight == 1.0);
  CHECK(read.queues[1].borrow);
  CHECK(read.jobs[0].queue == "q");
}

TEST_CASE("every member of a job arrives") {
  auto const job =
      only(with_job(
               R"("prio": -3, "tasks": 4, "gpus": 2, "mem_mib": 9, "min": 1, "max": 5, "type": "A",
         "spread": "node", "locality": 0.5, "group": "g", "count": 2, "dur": 1.5, "walltime": 60,
         "ckpt": 12, "restart_cost": 30, "result": "failed")"))
          .jobs[0];
  CHECK(job.prio == -3);
  CHECK(job.tasks == 4);
  CHECK(job.gpus == 2);
  CHECK(job.mem_mib == 9);
  CHECK(job.min == 1);
  CHECK(job.max == 5);
  CHECK(job.type == "A");
  CHECK(job.one_per_node);
  CHECK(job.locality == 0.5);
  CHECK(job.group == "g");
  CHECK(job.count == 2);
  CHECK(job.dur == 1500ms);
  CHECK(job.walltime == 60s);
  CHECK(job.checkpoint == time_point{12s});
  CHECK(job.restart_cost == 30s);
  CHECK(job.fails);
}

TEST_CASE("a job that says nothing is one GPU of any type, of unknown length") {
  case_text text;
  auto const job = only(text).jobs[0];
  CHECK(job.tasks == 1);
  CHECK(job.gpus == 1);
  CHECK(job.walltime == berth::forever);
  CHECK(job.type.empty());
  CHECK(job.locality == 1.0);
  CHECK_FALSE(job.checkpoint.has_value());
  CHECK_FALSE(job.dur.has_value());
}

TEST_CASE("words for no limit and no checkpoint are read") {
  auto const job =
      only(with_job(R"("walltime": "inf", "ckpt": "none", "same_node": true)")).jobs[0];
  CHECK(job.walltime == berth::forever);
  CHECK_FALSE(job.checkpoint.has_value());
  CHECK(job.same_node);
}

TEST_CASE("fractional GPUs, roles and repetitions are read") {
  CHECK(only(with_job(R"("milli": 250)")).jobs[0].milli == 250);
  auto const job =
      only(with_job(R"("roles": [{"name": "x", "gpus": 2}, {"name": "y", "gpus": 1, "tasks": 3,
                                  "rack": "same"}])"))
          .jobs[0];
  REQUIRE(job.roles.size() == 2);
  CHECK(job.tasks == 4);
  CHECK(job.roles[0].name == "x");
  CHECK(job.roles[0].tasks == 1);
  CHECK(job.roles[0].gpus == 2);
  CHECK(job.roles[1].tasks == 3);
  CHECK(job.roles[1].same_rack);
  auto const repeated = only(with_job(R"("repeat": {"first": 3, "every": 0.5, "times": 2})"));
  CHECK(repeated.jobs[0].repeat->first == time_point{3s});
  CHECK(repeated.jobs[0].repeat->every == 500ms);
  REQUIRE(repeated.all_jobs.size() == 2);
  CHECK(repeated.all_jobs[1].name == "a1");
}

TEST_CASE("every event is read") {
  case_text text;
  text.queues = R"([{"id": "q", "quota": 3}])";
  text.jobs = R"([{"id": "a", "tasks": 2}, {"id": "b"}])";
  text.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 1, "do": "complete", "job": "a"},
    {"t": 1, "do": "cancel", "job": "a"}, {"t": 2, "do": "task_done", "job": "a", "task": 1},
    {"t": 2, "do": "task_done", "job": "a", "node": "n1"},
    {"t": 2, "do": "restart_tasks", "job": "a", "tasks": [0, 1]},
    {"t": 2, "do": "restart_tasks", "job": "a", "tasks": 1},
    {"t": 2, "do": "resize", "job": "a", "tasks": 2}, {"t": 2, "do": "ack_stop", "job": "a"},
    {"t": 2, "do": "ack_stop", "job": "a", "run": 3, "tasks": 2}, {"t": 2, "do": "ack_all"},
    {"t": 2, "do": "launch_failed", "job": "a"},
    {"t": 2, "do": "refuse_launches", "job": "a", "times": 7},
    {"t": 3, "do": "node_down", "node": "n1"}, {"t": 3, "do": "node_up", "node": "n1"},
    {"t": 3, "do": "capacity", "node": "n1", "gpus": 0},
    {"t": 3, "do": "quota", "queue": "q", "quota": 5}, {"t": 3, "do": "save_restore"},
    {"t": 3.25, "do": "tick"}, {"t": 4, "do": "note", "text": "x"}])";
  auto const events = only(text).events;
  std::vector<verb> const expected{
      verb::submit,          verb::complete,      verb::cancel,        verb::task_done,
      verb::task_done,       verb::restart_tasks, verb::restart_tasks, verb::resize,
      verb::ack_stop,        verb::ack_stop,      verb::ack_all,       verb::launch_failed,
      verb::refuse_launches, verb::node_down,     verb::node_up,       verb::capacity,
      verb::quota,           verb::save_restore,  verb::tick,          verb::note};
  REQUIRE(events.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(events[i].what == expected[i]);
  }
  CHECK(events[3].number == 1);
  CHECK(events[4].node == "n1");
  CHECK(events[5].tasks == std::vector{0, 1});
  CHECK(events[7].tasks == std::vector{2});
  CHECK_FALSE(events[8].number.has_value());
  CHECK(events[9].number == 3);
  CHECK(events[9].tasks == std::vector{2});
  CHECK(events[12].number == 7);
  CHECK(events[15].number == 0);
  CHECK(events[16].queue == "q");
  CHECK(events[18].at == time_point{3250ms});
}

TEST_CASE("every setting is read") {
  auto const config = only(with_config(
                               R"("tick_every": 2, "ack_stop_after": 0, "policy": "fifo_strict",
         "cooldown": {"base": 60, "factor": 2, "cap": 3600},
         "backoff": {"base": 1, "factor": 3, "cap": 9}, "horizon": 1800, "failure_limit": 4,
         "look_ahead": 32)"))
                          .config;
  CHECK(config.tick_every == 2s);
  CHECK(config.ack_stop_after == 0s);
  CHECK(config.policy == "fifo_strict");
  CHECK(config.cooldown->cap == 3600s);
  CHECK(config.backoff->base == 1s);
  CHECK(config.backoff->factor == 3);
  CHECK(config.horizon == time_point{1800s});
  CHECK(config.failure_limit == 4);
  CHECK(config.look_ahead == 32);
  CHECK(only(with_config(R"("preset": "tiresias")")).config.preset == "tiresias");
  case_text silent;
  CHECK(only(silent).config.ack_stop_after == 1s);
}

TEST_CASE("every claim is read") {
  case_text text = with_expect(
      R"("running": ["a"], "pending": [], "running_includes": ["a"], "pending_includes": ["b"],
         "pending_count": 1, "free": 2, "place": {"a": ["n1"]}, "tasks": {"a": 1},
         "tasks_min": {"a": 1}, "starts": {"a": 1}, "stops": {"a": 0}, "stops_max": 3,
         "stops_total": 4, "no_stops_after": 5.5, "failures": {"a": 0},
         "reason": {"b": "NO_GPUS"}, "forecast_end": {"a": 7, "b": "inf"}, "backoff": {"12": 8},
         "metrics": {"ticks": 9, "starts": {"max": 2}},
         "any_of": [{"free": 1}, {"free": 2, "running": []}])");
  auto const claims = only(text).expect[0].claims;
  REQUIRE(claims.size() == 22);
  std::vector<bool> seen(claim_words.size());
  for (claim const& said : claims) {
    seen[static_cast<std::size_t>(said.kind)] = true;
  }
  for (std::size_t k = 0; k < seen.size(); ++k) {
    CAPTURE(std::string{claim_words[k]});
    CHECK(seen[k]);
  }
  CHECK(claims[6].subject == "a");
  CHECK(claims[6].names == std::vector<std::string>{"n1"});
  CHECK(claims[13].number == 5.5);
  CHECK(claims[18].subject == "12");
  CHECK(claims[18].number == 8.0);
  CHECK(claims[19].largest == 9.0);
  CHECK(claims[20].largest == 2.0);
  CHECK(claims[21].alternatives.size() == 2);
}

TEST_CASE("remarks of a case are read and change nothing") {
  case_text text;
  text.top = R"("source": "s", "group": "g", "wrong_outcome": "w", "right_outcome": "r",
                "invariant": "i", "note": "n", "extra": true, )";
  CHECK(only(text).title == "t");
}

TEST_CASE("submitting a family again gives the next numbers") {
  case_text text;
  text.jobs = R"([{"id": "a", "count": 2}])";
  text.events = R"([{"t": 0, "do": "submit", "job": "a"}, {"t": 1, "do": "submit", "job": "a"},
                    {"t": 2, "do": "cancel", "job": "a3"}])";
  text.expect = R"([{"t": 0, "running_includes": ["a0"]}])";
  CHECK(only(text).all_jobs.size() == 4);
}

TEST_CASE("expectations are checked in the order of time") {
  case_text text;
  text.expect = R"([{"t": 9, "free": 1}, {"t": 2, "free": 1}])";
  CHECK(only(text).expect[0].at == time_point{2s});
}

TEST_CASE("a mistake in a node, a queue or a setting is refused with its path") {
  for (mistake const& each : std::vector<mistake>{
           {with_nodes("[]"), "scenario.nodes: is empty"},
           {with_nodes("{}"), "scenario.nodes: is empty"},
           {with_nodes(R"({"id": "n1"})"), "scenario.nodes: must be a list"},
           {with_nodes("[3]"), "scenario.nodes[0]: must be an object"},
           {with_nodes(R"([{"gpus": 1}])"), "scenario.nodes[0].id: is missing"},
           {with_nodes(R"([{"id": "", "gpus": 1}])"), "scenario.nodes[0].id: is empty"},
           {with_nodes(R"([{"id": "n"}])"), "scenario.nodes[0].gpus: is missing"},
           {with_nodes(R"([{"id": "n", "gpus": 1.5}])"),
            "scenario.nodes[0].gpus: must be a whole number"},
           {with_nodes(R"([{"id": "n", "gpus": -1}])"),
            "scenario.nodes[0].gpus: must be from 0 to 1000000"},
           {with_nodes(R"([{"id": "n", "gpus": 18446744073709551615}])"),
            "scenario.nodes[0].gpus: must be from 0 to 1000000"},
           {with_nodes(R"([{"id": "n", "gpus": 1, "color": 2}])"),
            "scenario.nodes[0].color: is not known here"},
           {with_nodes(R"([{"id": "n", "gpus": 1, "drained": 1}])"),
            "scenario.nodes[0].drained: must be true or false"},
           {with_nodes(R"([{"id": "n", "gpus": 1, "type": 1}])"),
            "scenario.nodes[0].type: must be a text"},
           {with_nodes(R"([{"id": "n", "gpus": 1, "count": 0}])"),
            "scenario.nodes[0].count: must be from 1 to 100000"},
           {with_nodes(R"([{"id": "n", "gpus": 1}, {"id": "n", "gpus": 1}])"),
            "scenario.nodes[1].id: \"n\" exists already"},
           {with_nodes(R"([{"id": "n", "gpus": 1, "count": 2}, {"id": "n1", "gpus": 1}])"),
            "scenario.nodes[1].id: \"n1\" exists already"},
           {with_nodes(R"([{"id": "n", "gpus": 1, "up_at": 5}])"),
            "scenario.nodes[0].up_at: there is no node_up for it at that time"},
           {with_config(R"("tick_every": 0)"), "scenario.config.tick_every: out of range"},
           {with_config(R"("speed": 0)"), "scenario.config.speed: is not known here"},
           {with_config(R"("policy": "fifo", "preset": "fifo")"),
            "scenario.config.preset: a preset has a policy of its own: give one of the two"},
           {with_config(R"("backoff": {"base": 5, "factor": 2, "cap": 4})"),
            "scenario.config.backoff.cap: is below base"},
           {with_config(R"("backoff": {"base": 5, "cap": 6})"),
            "scenario.config.backoff.factor: is missing"},
           {with_config(R"("failure_limit": 0)"),
            "scenario.config.failure_limit: must be from 1 to 1000000"}}) {
    CHECK(sample::refusal(each.text) == "f.json: T1 " + each.message);
  }
}

TEST_CASE("a mistake in a job is refused with its path") {
  std::string const at = "scenario.jobs[0].";
  for (mistake const& each : std::vector<mistake>{
           {with_job(R"("gpu": 1)"), "gpu: is not known here"},
           {with_job(R"("gpus": 0)"), "gpus: must be from 1 to 1000000"},
           {with_job(R"("gpus": "1")"), "gpus: must be a whole number"},
           {with_job(R"("tasks": null)"), "tasks: must be a whole number"},
           {with_job(R"("tasks": 2, "min": 3)"), "min: is above tasks"},
           {with_job(R"("tasks": 2, "max": 1)"), "max: is below min or tasks"},
           {with_job(R"("gpus": 1, "milli": 5)"), "milli: cannot stand beside gpus"},
           {with_job(R"("queue": "q")"), "queue: there is no queue \"q\""},
           {with_job(R"("spread": "rack")"), "spread: must be \"node\""},
           {with_job(R"("spread": "node", "same_node": true)"), "same_node: contradicts spread"},
           {with_job(R"("locality": 1.01)"), "locality: out of range"},
           {with_job(R"("walltime": 0)"), "walltime: out of range"},
           {with_job(R"("walltime": "long")"), "walltime: must be a number"},
           {with_job(R"("dur": -1)"), "dur: out of range"},
           {with_job(R"("dur": 1e300)"), "dur: out of range"},
           {with_job(R"("ckpt": "never")"), "ckpt: must be a number"},
           {with_job(R"("result": "good")"), "result: must be \"failed\""},
           {with_job(R"("roles": [])"), "roles: is empty"},
           {with_job(R"("roles": [{"name": "x"}])"), "roles[0].gpus: is missing"},
           {with_job(R"("roles": [{"name": "x", "gpus": 1, "rack": "other"}])"),
            "roles[0].rack: must be \"same\""},
           {with_job(R"("roles": [{"name": "x", "gpus": 1}, {"name": "x", "gpus": 1}])"),
            "roles[1].name: is taken by another role"},
           {with_job(R"("tasks": 3, "roles": [{"name": "x", "gpus": 1}])"),
            "tasks: is not the sum over the roles, 1"},
           {with_job(R"("gpus": 3, "roles": [{"name": "x", "gpus": 1}])"),
            "gpus: is not the sum over the roles, 1"},
           {with_job(R"("max": 3, "roles": [{"name": "x", "gpus": 1}])"),
            "roles: cannot stand beside min, max or milli"},
           {with_job(R"("repeat": {"first": 0, "every": 0, "times": 1})"),
            "repeat.every: out of range"},
           {with_job(R"("repeat": {"first": 0, "every": 1})"), "repeat.times: is missing"},
           {with_job(R"("count": 2, "repeat": {"first": 0, "every": 1, "times": 1})"),
            "repeat: cannot stand beside count or group"}}) {
    CHECK(sample::refusal(each.text) == "f.json: T1 " + at + each.message);
  }
  case_text twice;
  twice.jobs = R"([{"id": "a"}, {"id": "a"}])";
  CHECK(sample::refusal(twice) == "f.json: T1 scenario.jobs[1].id: \"a\" exists already");
  case_text clash;
  clash.jobs = R"([{"id": "a", "count": 2}, {"id": "a1"}])";
  CHECK(sample::refusal(clash) == "f.json: T1 scenario.jobs[1].id: \"a1\" exists already");
}

TEST_CASE("a mistake in an event is refused with its path") {
  std::string const at = "scenario.events[1].";
  for (mistake const& each : std::vector<mistake>{
           {with_event(R"({"do": "tick"})"), "t: is missing"},
           {with_event(R"({"t": -1, "do": "tick"})"), "t: out of range"},
           {with_event(R"({"t": 0})"), "do: is missing"},
           {with_event(R"({"t": 0, "do": "explode"})"), "do: \"explode\" is no event"},
           {with_event(R"({"t": 0, "do": "tick", "job": "a"})"), "job: is not known here"},
           {with_event(R"({"t": 0, "do": "submit", "job": "c"})"), "job: there is no job \"c\""},
           {with_event(R"({"t": 0, "do": "submit", "job": "a"})"),
            "job: \"a\" is submitted more than once"},
           {with_event(R"({"t": 0, "do": "complete", "job": "c"})"), "job: there is no job \"c\""},
           {with_event(R"({"t": 0, "do": "complete"})"), "job: is missing"},
           {with_event(R"({"t": 0, "do": "task_done", "job": "a"})"),
            "task: give either task or node"},
           {with_event(R"({"t": 0, "do": "task_done", "job": "a", "task": 1})"),
            "task: \"a\" has 1 tasks"},
           {with_event(R"({"t": 0, "do": "ack_stop", "job": "a", "run": 0})"),
            "run: must be from 1 to 1000000"},
           {with_event(R"({"t": 0, "do": "refuse_launches", "job": "a"})"), "times: is missing"},
           {with_event(R"({"t": 0, "do": "node_down", "node": "n9"})"),
            "node: there is no node \"n9\""},
           {with_event(R"({"t": 0, "do": "capacity", "node": "n1"})"), "gpus: is missing"},
           {with_event(R"({"t": 0, "do": "quota", "queue": "q", "quota": 1})"),
            "queue: there is no queue \"q\""},
           {with_event(R"({"t": 0, "do": "resize", "job": "a"})"), "tasks: is missing"},
           {with_event(R"({"t": 0, "do": "restart_tasks", "job": "a", "tasks": ["x"]})"),
            "tasks[0]: must be a whole number"}}) {
    CHECK(sample::refusal(each.text) == "f.json: T1 " + at + each.message);
  }
  CHECK(sample::refusal(with_event(R"({"t": 5, "do": "tick"}, {"t": 4, "do": "tick"})")) ==
        "f.json: T1 scenario.events[2].t: is before the event above it");
  case_text repeated;
  repeated.jobs = R"([{"id": "a", "repeat": {"first": 0, "every": 1, "times": 1}}])";
  CHECK(sample::refusal(repeated) ==
        "f.json: T1 scenario.events[0].job: a job with repeat is submitted by itself");
}

TEST_CASE("a mistake in an expectation is refused with its path") {
  for (mistake const& each : std::vector<mistake>{
           {with_expect(R"("runing": [])"), "expect[0].runing: is not known here"},
           {with_expect(R"("running": "a")"), "expect[0].running: must be a list"},
           {with_expect(R"("running": ["z"])"), "expect[0].running: there is no job \"z\""},
           {with_expect(R"("free": 1.5)"), "expect[0].free: must be a whole number"},
           {with_expect(R"("place": {"z": ["n1"]})"), "expect[0].place.z: there is no such job"},
           {with_expect(R"("place": {"a.x": ["n1"]})"),
            "expect[0].place.a.x: there is no such job"},
           {with_expect(R"("place": {"a": ["n9"]})"), "expect[0].place.a: there is no node \"n9\""},
           {with_expect(R"("stops": {"z": 1})"), "expect[0].stops.z: there is no such job"},
           {with_expect(R"("stops": 3)"), "expect[0].stops: must be an object"},
           {with_expect(R"("reason": {"a": "BAD_LUCK"})"),
            "expect[0].reason.a: \"BAD_LUCK\" is no reason code"},
           {with_expect(R"("backoff": {"0": 1})"),
            "expect[0].backoff.0: the attempt must be a number from 1"},
           {with_expect(R"("metrics": {"x": {}})"), "expect[0].metrics.x: give min or max"},
           {with_expect(R"("any_of": [])"), "expect[0].any_of: is empty"},
           {with_expect(R"("any_of": [{}])"), "expect[0].any_of[0]: expects nothing"},
           {with_expect(R"("any_of": [{"running": ["z"]}])"),
            "expect[0].any_of[0].running: there is no job \"z\""}}) {
    CHECK(sample::refusal(each.text) == "f.json: T1 " + each.message);
  }
  case_text none;
  none.expect = "[]";
  CHECK(sample::refusal(none) == "f.json: T1 expect: is empty: the case could not fail");
  none.expect = R"([{"t": 0}])";
  CHECK(sample::refusal(none) == "f.json: T1 expect[0]: expects nothing");
  none.expect = R"([{"free": 0}])";
  CHECK(sample::refusal(none) == "f.json: T1 expect[0].t: is missing");
}

TEST_CASE("a file that is no list of cases is refused") {
  auto const said = [](std::string const& text) {
    auto const read = read_cases(text, "f.json");
    return read ? "" : berth::sim::to_string(read.error());
  };
  CHECK(said("{}") == "f.json: must be a list");
  CHECK(said("[3]") == "f.json: case [0]: must be an object");
  CHECK(said(R"([{"id": "x"}])") == "f.json: x title: is missing");
  CHECK(said(R"([{"id": "x", "title": "t"}])") == "f.json: x scenario: is missing");
  CHECK(said("[\n  {\"id\": NaN}]") == "f.json:2:10: is not JSON");
  CHECK(said("") == "f.json:1:1: is not JSON");
  CHECK(said(R"([{"id": "x", "id": "y"}])") == "f.json: id: is given twice in one object");
  CHECK(said(R"([{"id": "x", "title": 1e999}])").substr(0, 7) == "f.json:");
  case_text const one;
  std::string const text = one.text();
  std::string const inner = text.substr(1, text.size() - 2);
  CHECK(said("[" + inner + "," + inner + "]") == "f.json: T1 id: another case has it");
  CHECK(said("[" + inner + "]").empty());
}

TEST_CASE("a file that is not there is refused by name") {
  auto const read = read_case_file("no/such/file.json");
  REQUIRE_FALSE(read.has_value());
  CHECK(berth::sim::to_string(read.error()) == "no/such/file.json: cannot be opened");
}
