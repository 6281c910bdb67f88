// SPDX-License-Identifier: BSL-1.0
#include "journal.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string>

namespace slurm_agent {

void journal::emit(severity how, std::string_view event, std::string_view words) {
  static constexpr std::array<std::string_view, 4> names{"debug", "info", "warning", "error"};
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  std::tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  // One write a line, so that lines of several processes do not mix.
  std::string const line =
      fmt::format("time={}.{:03}Z level={} event={} {}\n", date.data(), now.tv_nsec / 1'000'000,
                  names[static_cast<std::size_t>(how)], event, words);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string journal::quoted(std::string_view text) {
  std::string made{'"'};
  for (char const c : text) {
    made += c == '"' ? '\'' : (c < ' ' && c >= '\0') ? ' ' : c;
  }
  made += '"';
  return made;
}

}  // namespace slurm_agent
