// SPDX-License-Identifier: BSL-1.0
// One line of a trace cut into cells that know where they stood, so that an error can point at
// them.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <boost/token_functions.hpp>
#include <boost/tokenizer.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

struct cell {
  std::string text;
  std::size_t column = 0;  ///< of the first character, from 1
};

/// Comma-separated; a cell may be quoted as a whole to hold commas. False when the quotes do not
/// match or stand inside a cell (a doubled quote included: none of the formats has one).
[[nodiscard]] inline bool split_csv(std::string_view line, std::vector<cell>& cells) {
  using separator = boost::escaped_list_separator<char>;
  using tokens = boost::tokenizer<separator, char const*, std::string>;
  cells.clear();
  char const* const begin = line.data();
  char const* const end = begin + line.size();
  // No escape character: a backslash is a backslash.
  tokens const parts(begin, end, separator(std::string{}, std::string{","}, std::string{"\""}));
  std::size_t start = 0;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    auto stop = static_cast<std::size_t>(part.base() - begin);
    if (stop > start && line[stop - 1] == ',') {
      --stop;  // the separator; a comma inside an open quote is refused below
    }
    std::string_view const raw = line.substr(start, stop - start);
    std::size_t quotes = 0;
    for (char const letter : raw) {
      quotes += letter == '"' ? 1u : 0u;
    }
    bool const quoted = quotes == 2 && raw.front() == '"' && raw.back() == '"';
    if (quotes != 0 && !quoted) {
      return false;
    }
    cells.push_back({*part, start + 1 + (quoted ? 1u : 0u)});
    start = stop + 1;
  }
  return true;
}

/// Tab-separated, without quoting.
inline void split_tabs(std::string_view line, std::vector<cell>& cells) {
  cells.clear();
  std::size_t start = 0;
  while (true) {
    std::size_t const stop = line.find('\t', start);
    cells.push_back({std::string{line.substr(start, stop - start)}, start + 1});
    if (stop == std::string_view::npos) {
      return;
    }
    start = stop + 1;
  }
}

/// Separated by any run of blanks and tabs; leading and trailing ones do not count.
inline void split_blanks(std::string_view line, std::vector<cell>& cells) {
  cells.clear();
  std::size_t start = line.find_first_not_of(" \t");
  while (start != std::string_view::npos) {
    std::size_t const stop = line.find_first_of(" \t", start);
    cells.push_back({std::string{line.substr(start, stop - start)}, start + 1});
    start = line.find_first_not_of(" \t", stop);
  }
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
