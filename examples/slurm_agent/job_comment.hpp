// SPDX-License-Identifier: BSL-1.0
// What a user tells berth beyond Slurm's own fields: `key=value` words in the job's comment. Words
// without `=` are for people. Whatever is wrong is said and leaves its default; nothing here can
// keep a job from running. Knows nothing of Slurm.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace slurm_agent {

/// Longer comments are not read.
inline constexpr std::size_t longest_comment = 1024;

struct job_comment {
  std::int64_t work_seconds = 0;        ///< run time without stops; 0 = as Slurm's time limit says
  std::int64_t epoch_seconds = 0;       ///< between ends of epochs; 0 = unknown
  std::int64_t checkpoint_seconds = 0;  ///< to save after the signal; 0 = it does not save
  std::int64_t checkpoint_bytes = 0;
  std::int64_t startup_seconds = 0;  ///< from its start to its first useful step
  std::int64_t elastic_min = 0;      ///< nodes that are enough for it; 0 = all that it asks for
  std::int64_t deadline = 0;         ///< seconds since 1970; 0 = none
  std::int64_t tenant = 0;
  std::int64_t priority = 0;  ///< higher first, for schedulers that look at it

  std::string problems;  ///< for people; empty if everything was understood

  friend bool operator==(job_comment const&, job_comment const&) = default;
};

namespace detail {

struct comment_key {
  std::string_view name;
  std::int64_t job_comment::*member;
  std::int64_t least;
  std::int64_t most;
};

inline constexpr std::int64_t ten_years = 315'576'000;

inline constexpr std::array<comment_key, 9> comment_keys{{
    {"work_seconds", &job_comment::work_seconds, 1, ten_years},
    {"epoch_seconds", &job_comment::epoch_seconds, 1, ten_years},
    {"checkpoint_seconds", &job_comment::checkpoint_seconds, 0, 3600},
    {"checkpoint_bytes", &job_comment::checkpoint_bytes, 0, std::int64_t{1} << 50},
    {"startup_seconds", &job_comment::startup_seconds, 0, 86'400},
    {"elastic_min", &job_comment::elastic_min, 1, 1'000'000},
    {"deadline", &job_comment::deadline, 1, std::numeric_limits<std::int32_t>::max()},
    {"tenant", &job_comment::tenant, 0, 63},
    {"priority", &job_comment::priority, -1000, 1000},
}};

inline void add_problem(job_comment& read, std::string_view key, std::string_view what) {
  if (!read.problems.empty()) {
    read.problems += "; ";
  }
  // A comment is anybody's text: what of it reaches a log is short and printable.
  for (char const c : key.substr(0, 32)) {
    read.problems += c > ' ' && c < '\x7f' && c != '|' ? c : '?';
  }
  read.problems += ": ";
  read.problems += what;
}

inline void read_pair(job_comment& read, std::string_view key, std::string_view value) {
  for (comment_key const& known : comment_keys) {
    if (known.name != key) {
      continue;
    }
    std::int64_t number = 0;
    auto const [end, failed] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failed == std::errc::invalid_argument || end != value.data() + value.size()) {
      add_problem(read, key, "not a whole number");
    } else if (failed != std::errc{} || number < known.least || number > known.most) {
      add_problem(read, key, "out of range");
    } else {
      read.*known.member = number;
    }
    return;
  }
  add_problem(read, key, "unknown");
}

}  // namespace detail

/// The last of several equal keys counts. O(length), nothing is read beyond longest_comment.
[[nodiscard]] inline job_comment read_comment(std::string_view text) {
  job_comment read;
  if (text.size() > longest_comment) {
    detail::add_problem(read, "comment", "too long, not read");
    return read;
  }
  constexpr std::string_view separators = " \t\r\n,;";
  while (!text.empty()) {
    std::size_t const length = text.find_first_of(separators);
    std::string_view const word = text.substr(0, length);
    if (std::size_t const equals = word.find('='); equals != std::string_view::npos) {
      detail::read_pair(read, word.substr(0, equals), word.substr(equals + 1));
    }
    text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  }
  return read;
}

}  // namespace slurm_agent
