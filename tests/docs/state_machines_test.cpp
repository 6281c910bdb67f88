// SPDX-License-Identifier: BSL-1.0
// docs/design/state_machines.md says what the tables of the code say: each edge once in its table,
// and no arrow in its pictures that the code does not have.
#include <berth/model/gpu.hpp>
#include <berth/model/job_state.hpp>

#include <tests/support/project_file.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr std::array<char const*, berth::job_event_count> job_events{
    "admit",     "reserve", "unreserve",     "launch",   "started",    "launch_failed",
    "preempt",   "stopped", "cancel",        "complete", "run_failed", "give_up",
    "gang_lost", "revive",  "revive_launch", "resize",   "resized"};
constexpr std::array<char const*, berth::gpu_state_count> gpu_states{
    "free", "held", "draining", "promised", "reserved", "down"};
constexpr std::array<char const*, berth::gpu_event_count> gpu_events{
    "hold", "drain", "revive", "promise", "unpromise", "release", "retire", "fail", "repair"};

using edge = std::tuple<std::string, std::string, std::string>;  // from, event, to

std::set<edge> job_edges() {
  std::set<edge> edges;
  for (int s = 0; s < berth::job_state_count; ++s) {
    for (std::size_t e = 0; e < job_events.size(); ++e) {
      auto const from = static_cast<berth::job_state>(s);
      auto const event = static_cast<berth::job_event>(e);
      if (berth::is_legal(from, event)) {
        edges.emplace(to_string(from), job_events[e], to_string(berth::next(from, event)));
      }
    }
  }
  return edges;
}

std::set<edge> gpu_edges() {
  std::set<edge> edges;
  for (std::size_t s = 0; s < gpu_states.size(); ++s) {
    for (std::size_t e = 0; e < gpu_events.size(); ++e) {
      auto const from = static_cast<berth::gpu_state>(s);
      auto const event = static_cast<berth::gpu_event>(e);
      if (berth::is_legal(from, event)) {
        auto const to = static_cast<std::size_t>(berth::next(from, event));
        edges.emplace(gpu_states[s], gpu_events[e], gpu_states[to]);
      }
    }
  }
  return edges;
}

/// The page between the heading `## title` and the next one.
std::string section(std::string const& title) {
  std::string const page = tests::text_of("docs/design/state_machines.md");
  std::size_t const begin = page.find("\n## " + title + "\n");
  REQUIRE(begin != std::string::npos);
  std::size_t const end = page.find("\n## ", begin + 1);
  return page.substr(begin, end == std::string::npos ? end : end - begin);
}

std::vector<std::string> words(std::string line) {
  for (char const separator : {'|', '`', ':', ','}) {
    std::replace(line.begin(), line.end(), separator, ' ');
  }
  std::istringstream in{line};
  std::vector<std::string> found;
  for (std::string word; in >> word;) {
    found.push_back(word);
  }
  return found;
}

/// Rows "| `from` | `event`, `event` | `to` |" of the section's table. An edge that stands there
/// twice is found by the count.
std::vector<edge> table_of(std::string const& text) {
  std::vector<edge> edges;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| `")) {
      std::vector<std::string> const row = words(line);
      REQUIRE(row.size() >= 3);
      for (std::size_t i = 1; i + 1 < row.size(); ++i) {
        edges.emplace_back(row.front(), row[i], row.back());
      }
    }
  }
  return edges;
}

/// Arrows "from --> to: event, event" of the section's picture; `[*]` is no state.
std::vector<edge> picture_of(std::string const& text) {
  std::vector<edge> edges;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) {
    if (line.find(" --> ") != std::string::npos && line.find("[*]") == std::string::npos) {
      std::vector<std::string> const row = words(line);
      REQUIRE(row.size() >= 4);
      for (std::size_t i = 3; i < row.size(); ++i) {
        edges.emplace_back(row[0], row[i], row[2]);
      }
    }
  }
  return edges;
}

std::string in_words(edge const& e) {
  return std::get<0>(e) + " --" + std::get<1>(e) + "--> " + std::get<2>(e);
}

void check_page(std::string const& title, std::set<edge> const& code) {
  std::string const text = section(title);
  std::vector<edge> const table = table_of(text);
  CHECK(table.size() == code.size());
  for (edge const& e : code) {
    CHECK_MESSAGE(std::count(table.begin(), table.end(), e) == 1,
                  "not once in the table: ", in_words(e));
  }
  std::vector<edge> const picture = picture_of(text);
  CHECK_FALSE(picture.empty());
  for (edge const& e : picture) {
    CHECK_MESSAGE(code.contains(e), "no such edge in the code: ", in_words(e));
  }
}

}  // namespace

TEST_CASE("the page on state machines has the edges of a job's life, each once") {
  check_page("A job", job_edges());
}

TEST_CASE("the page on state machines has the edges of a GPU's states, each once") {
  check_page("A GPU", gpu_edges());
}
