// SPDX-License-Identifier: BSL-1.0
// One event line of a case.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/scenario/fields.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario::detail {

/// The file's words, in the order of `verb`.
inline constexpr std::array<std::string_view, 17> verb_words{
    "submit",    "complete", "cancel",   "task_done",     "restart_tasks",
    "resize",    "ack_stop", "ack_all",  "launch_failed", "refuse_launches",
    "node_down", "node_up",  "capacity", "quota",         "save_restore",
    "tick",      "note"};

[[nodiscard]] inline verb read_verb(json const& value, std::string const& path) {
  std::string const word = text(value, path);
  auto const* const at = std::find(verb_words.begin(), verb_words.end(), word);
  if (at == verb_words.end()) {
    refuse(path, "\"" + word + "\" is no event");
  }
  return static_cast<verb>(at - verb_words.begin());
}

inline void read_task_done(fields& in, event_line& event) {
  bool const by_task = in.with("task", [&](auto& v, auto p) { event.number = count(v, p); });
  bool const by_node = in.with("node", [&](auto& v, auto p) { event.node = name(v, p); });
  if (by_task == by_node) {
    refuse(in.path_of("task"), "give either task or node");
  }
}

/// How many, or for restart_tasks also which.
inline void read_tasks(json const& value, std::string const& path, event_line& event) {
  if (event.what == verb::restart_tasks && value.is_array()) {
    for_each_element(value, path, [&](json const& element, std::string const& at) {
      event.tasks.push_back(count(element, at));
    });
  } else {
    event.tasks.push_back(count(value, path, 1));
  }
}

[[nodiscard]] inline bool speaks_of_a_job(verb what) noexcept {
  return what <= verb::ack_stop || what == verb::launch_failed || what == verb::refuse_launches;
}

[[nodiscard]] inline event_line read_event(json const& value, std::string const& path) {
  fields in{value, path};
  event_line event;
  event.at = instant(in.need("t"), in.path_of("t"));
  event.what = read_verb(in.need("do"), in.path_of("do"));
  auto const number = [&](std::string_view key, std::int64_t low) {
    event.number = count(in.need(key), in.path_of(key), low);
  };
  if (speaks_of_a_job(event.what)) {
    event.job = name(in.need("job"), in.path_of("job"));
  }
  switch (event.what) {
    case verb::task_done: read_task_done(in, event); break;
    case verb::restart_tasks:
    case verb::resize: read_tasks(in.need("tasks"), in.path_of("tasks"), event); break;
    case verb::ack_stop:
      in.with("run", [&](auto& v, auto p) { event.number = count(v, p, 1); });
      in.with("tasks", [&](auto& v, auto p) { read_tasks(v, p, event); });
      break;
    case verb::refuse_launches: number("times", 1); break;
    case verb::capacity: number("gpus", 0); [[fallthrough]];
    case verb::node_down:
    case verb::node_up: event.node = name(in.need("node"), in.path_of("node")); break;
    case verb::quota:
      number("quota", 0);
      event.queue = name(in.need("queue"), in.path_of("queue"));
      break;
    case verb::note: in.with("text", [](auto& v, auto p) { static_cast<void>(text(v, p)); }); break;
    default: break;
  }
  in.finish();
  return event;
}

}  // namespace sim::scenario::detail

BERTH_NAMESPACE_END
