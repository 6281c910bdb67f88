// SPDX-License-Identifier: BSL-1.0
// Small cases for tests, as text: a valid case whose parts a test replaces.
#pragma once

#include <berth_sim/scenario/read_cases.hpp>
#include <berth_sim/scenario/run_case.hpp>

#include <string>

#include <doctest/doctest.h>

namespace sample {

struct case_text {
  std::string nodes = R"([{"id": "n1", "gpus": 2}])";
  std::string queues;
  std::string jobs = R"([{"id": "a"}, {"id": "b"}])";
  std::string events = R"([{"t": 0, "do": "submit", "job": "a"}])";
  std::string config;
  std::string expect = R"([{"t": 0, "running": ["a"]}])";
  std::string top;  ///< further members of the case, each with a comma behind it

  [[nodiscard]] std::string text() const {
    return "[{" + top + R"("id": "T1", "title": "t", "scenario": {"nodes": )" + nodes +
           (queues.empty() ? "" : R"(, "queues": )" + queues) + R"(, "jobs": )" + jobs +
           R"(, "events": )" + events + (config.empty() ? "" : R"(, "config": )" + config) +
           R"(}, "expect": )" + expect + "}]";
  }
};

[[nodiscard]] inline auto read(case_text const& from) {
  return berth::sim::scenario::read_cases(from.text(), "f.json");
}

/// What the reader says against it; empty if it reads it.
[[nodiscard]] inline std::string refusal(case_text const& from) {
  auto const answer = read(from);
  return answer ? "" : berth::sim::to_string(answer.error());
}

[[nodiscard]] inline berth::sim::scenario::case_report run(case_text const& from) {
  auto const answer = read(from);
  REQUIRE_MESSAGE(answer.has_value(), refusal(from));
  return berth::sim::scenario::run_case(answer->front());
}

}  // namespace sample
