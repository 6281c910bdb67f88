// SPDX-License-Identifier: BSL-1.0
// What the agent writes into a job's admin comment: a sentence for people, and behind a bar what it
// must know again after its own end. Only operators can write there, so what it reads is its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gpu_text.hpp"

namespace slurm_agent {

struct admin_note {
  std::string text;
  std::int64_t submitted = 0;  ///< seconds since 1970; a requeue resets Slurm's own
  std::int64_t nodes = 0;      ///< what its owner asked for, while it is released with fewer
  std::int64_t leaves = 0;     ///< told to save; requeued then, in seconds since 1970; 0 = is not

  friend bool operator==(admin_note const&, admin_note const&) = default;
};

[[nodiscard]] inline std::string write_note(admin_note const& note) {
  std::string made = "berth: " + note.text + " | submitted=" + std::to_string(note.submitted);
  if (note.nodes > 0) {
    made += " nodes=" + std::to_string(note.nodes);
  }
  if (note.leaves > 0) {
    made += " leaves=" + std::to_string(note.leaves);
  }
  return made;
}

/// Anything else than what write_note made gives an empty note.
[[nodiscard]] inline admin_note read_note(std::string_view text) {
  admin_note read;
  constexpr std::string_view begin = "berth: ";
  constexpr std::string_view bar = " | ";
  std::size_t const at = text.rfind(bar);
  if (!text.starts_with(begin) || at == std::string_view::npos) {
    return read;
  }
  read.text = text.substr(begin.size(), at > begin.size() ? at - begin.size() : 0);
  std::string_view rest = text.substr(at + bar.size());
  while (!rest.empty()) {
    std::string_view value = detail::take_until(rest, ' ');
    std::string_view const key = detail::take_until(value, '=');
    std::int64_t const number = detail::whole_number(value).value_or(0);
    if (key == "submitted") {
      read.submitted = number;
    } else if (key == "nodes") {
      read.nodes = number;
    } else if (key == "leaves") {
      read.leaves = number;
    }
  }
  return read;
}

}  // namespace slurm_agent
