// SPDX-License-Identifier: BSL-1.0
// Reads a file of cases. Everything in it is checked before anything runs: the first member that is
// unknown, missing, of the wrong type, out of range or speaks of what does not exist is refused
// with file, case and path (`cases.json: C01 scenario.jobs[0].gpus: must be a whole number`).
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/scenario/fields.hpp>
#include <berth_sim/scenario/read_cluster.hpp>
#include <berth_sim/scenario/read_event.hpp>
#include <berth_sim/scenario/read_expectation.hpp>
#include <berth_sim/scenario/read_job.hpp>
#include <berth_sim/scenario/resolve_names.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

namespace detail {

/// A member that is given twice would win silently; JSON leaves that open, the library takes the
/// last.
[[nodiscard]] inline json parse_without_duplicates(std::string_view input) {
  std::vector<std::set<std::string>> open;
  auto const watch = [&open](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) {
      open.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == json::parse_event_t::key) {
      auto const key = value.get<std::string>();
      if (!open.back().insert(key).second) {
        refuse(key, "is given twice in one object");
      }
    }
    return true;
  };
  return json::parse(input.begin(), input.end(), watch);
}

inline void read_scenario(json const& value, std::string const& path, situation& made) {
  fields in{value, path};
  auto const list = [&](std::string_view key, auto& into, auto read) {
    in.with(key, [&](json const& v, std::string const& p) {
      for_each_element(v, p, [&](json const& element, std::string const& at) {
        into.push_back(read(element, at));
      });
    });
  };
  if (in.need("nodes").empty()) {
    refuse(in.path_of("nodes"), "is empty");
  }
  list("nodes", made.nodes, read_node);
  list("queues", made.queues, read_queue);
  list("jobs", made.jobs, read_job);
  list("events", made.events, read_event);
  in.with("config", [&](auto& v, auto p) { made.config = read_settings(v, p); });
  in.with("note", [](auto& v, auto p) { static_cast<void>(text(v, p)); });
  in.finish();
}

[[nodiscard]] inline situation read_case(json const& value) {
  situation made;
  fields in{value, ""};
  made.id = name(in.need("id"), "id");
  made.title = name(in.need("title"), "title");
  constexpr std::array<std::string_view, 6> remarks{"source",        "group",     "wrong_outcome",
                                                    "right_outcome", "invariant", "note"};
  for (std::string_view const key : remarks) {
    in.with(key, [](auto& v, auto p) { static_cast<void>(text(v, p)); });
  }
  in.with("extra", [](auto& v, auto p) { static_cast<void>(truth(v, p)); });
  read_scenario(in.need("scenario"), "scenario", made);
  for_each_element(in.need("expect"), "expect", [&](json const& element, std::string const& at) {
    made.expect.push_back(read_expectation(element, at));
  });
  if (made.expect.empty()) {
    refuse("expect", "is empty: the case could not fail");
  }
  in.finish();
  name_resolver{made, "scenario."}.run();
  std::stable_sort(made.expect.begin(), made.expect.end(),
                   [](expectation const& a, expectation const& b) { return a.at < b.at; });
  return made;
}

/// Line and column of a byte, both from 1.
[[nodiscard]] inline parse_error at_byte(std::string const& file, std::string_view input,
                                         std::size_t byte, std::string message) {
  std::string_view const before = input.substr(0, byte == 0 ? 0 : std::min(byte - 1, input.size()));
  auto const lines = std::count(before.begin(), before.end(), '\n');
  auto const line_start = before.rfind('\n');
  std::size_t const column =
      line_start == std::string_view::npos ? before.size() + 1 : before.size() - line_start;
  return {file, static_cast<std::size_t>(lines) + 1, column, "", std::move(message)};
}

}  // namespace detail

/// Cases of a text; `file` is its name in messages. O(text × log of the names in it).
[[nodiscard]] inline parsed<std::vector<situation>> read_cases(std::string_view input,
                                                               std::string const& file) {
  std::string place;
  try {
    detail::json const all = detail::parse_without_duplicates(input);
    std::vector<situation> cases;
    std::set<std::string> ids;
    detail::for_each_element(all, "", [&](detail::json const& element, std::string const& at) {
      bool const named = element.is_object() && element.contains("id") && element["id"].is_string();
      place = named ? element["id"].get<std::string>() : "case " + at;
      cases.push_back(detail::read_case(element));
      if (!ids.insert(cases.back().id).second) {
        detail::refuse("id", "another case has it");
      }
    });
    return cases;
  } catch (detail::refusal const& why) {
    std::string const gap = place.empty() || why.path.empty() ? "" : " ";
    return parse_error{file, 0, 0, place + gap + why.path, why.message};
  } catch (detail::json::parse_error const& why) {
    return detail::at_byte(file, input, why.byte, "is not JSON");
  } catch (detail::json::exception const& why) {
    return parse_error{file, 0, 0, place, why.what()};
  }
}

[[nodiscard]] inline parsed<std::vector<situation>> read_case_file(std::string const& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) {
    return parse_error{file, 0, 0, "", "cannot be opened"};
  }
  std::string const input{std::istreambuf_iterator<char>{in}, std::istreambuf_iterator<char>{}};
  if (in.bad()) {
    return parse_error{file, 0, 0, "", "cannot be read"};
  }
  return read_cases(input, file);
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
