// SPDX-License-Identifier: BSL-1.0
// The loop every text trace is read by: lines with LF or CRLF, the last one with or without its
// end, a byte-order mark in front, blank lines ignored; the first complaint becomes a parse_error,
// or is counted when the caller is lenient.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/cells.hpp>
#include <berth_sim/traces/detail/number.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

class line_reader {
 public:
  explicit line_reader(std::istream& in) noexcept : in_{in} {}

  /// The next line that is not blank. False at the end.
  [[nodiscard]] bool next(std::string& line) {
    while (std::getline(in_, line)) {
      ++number_;
      if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) {
        line.erase(0, 3);
      }
      if (!line.empty() && line.back() == '\r') {
        line.pop_back();
      }
      if (line.find_first_not_of(" \t") != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  /// Of the line read last, from 1.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

 private:
  std::istream& in_;
  std::size_t number_ = 0;
};

/// A complaint about one cell of a line.
struct bad_cell {
  std::size_t index = 0;
  std::string message;
};

/// `at` a cell, unless `wrong` is nullptr.
[[nodiscard]] inline std::optional<bad_cell> complain(std::size_t at, complaint wrong) {
  return wrong == nullptr ? std::nullopt : std::optional<bad_cell>{{at, wrong}};
}

/// Turns a complaint into an error that shows the text of the cell.
[[nodiscard]] inline parse_error locate(std::string const& file, std::size_t line,
                                        std::vector<cell> const& cells,
                                        std::span<std::string_view const> names,
                                        bad_cell const& bad) {
  parse_error error{file, line, 0, {}, bad.message};
  if (bad.index < cells.size()) {
    error.column = cells[bad.index].column;
    error.message = "'" + cells[bad.index].text + "' " + bad.message;
  }
  if (bad.index < names.size()) {
    error.field = names[bad.index];
  }
  return error;
}

/// Too few or too many cells; points at the first that is missing or too much.
[[nodiscard]] inline parse_error wrong_count(std::string const& file, std::size_t line,
                                             std::string_view text, std::vector<cell> const& cells,
                                             std::span<std::string_view const> names) {
  bool const missing = cells.size() < names.size();
  return {file, line, missing ? text.size() + 1 : cells[names.size()].column,
          missing ? std::string{names[cells.size()]} : std::string{},
          "expected " + std::to_string(names.size()) + " fields, found " +
              std::to_string(cells.size())};
}

[[nodiscard]] inline std::optional<parse_error> check_header(
    std::string const& file, std::size_t line, std::string_view text,
    std::vector<cell> const& cells, std::span<std::string_view const> names) {
  for (std::size_t at = 0; at < names.size() && at < cells.size(); ++at) {
    if (cells[at].text != names[at]) {
      return parse_error{file, line, cells[at].column, std::string{names[at]},
                         "the header has '" + cells[at].text + "' here: wrong format?"};
    }
  }
  if (cells.size() != names.size()) {
    return wrong_count(file, line, text, cells, names);
  }
  return std::nullopt;
}

/// Reads a CSV file with the header `names` and calls `row(cells, line) -> optional<bad_cell>` for
/// each line behind it. Malformed lines end the reading, or are counted in `malformed` if
/// `lenient`.
template <class Row>
[[nodiscard]] std::optional<parse_error> read_csv(std::istream& in, std::string const& file,
                                                  bool lenient,
                                                  std::span<std::string_view const> names,
                                                  std::int64_t& malformed, Row row) {
  line_reader lines{in};
  std::string line;
  std::vector<cell> cells;
  if (!lines.next(line)) {
    return parse_error{file, 0, 0, {}, "the file is empty"};
  }
  if (!split_csv(line, cells)) {
    return parse_error{file, lines.number(), 0, {}, "quotes do not match"};
  }
  if (auto wrong = check_header(file, lines.number(), line, cells, names)) {
    return wrong;
  }
  while (lines.next(line)) {
    std::optional<parse_error> wrong;
    if (!split_csv(line, cells)) {
      wrong = parse_error{file, lines.number(), 0, {}, "quotes do not match"};
    } else if (cells.size() != names.size()) {
      wrong = wrong_count(file, lines.number(), line, cells, names);
    } else if (auto const bad = row(std::as_const(cells), lines.number())) {
      wrong = locate(file, lines.number(), cells, names, *bad);
    }
    if (wrong) {
      if (!lenient) {
        return wrong;
      }
      ++malformed;
    }
  }
  return std::nullopt;
}

/// Opens `path` and hands the stream to `read`.
template <class Read>
[[nodiscard]] auto read_path(std::string const& path, Read read)
    -> decltype(read(std::declval<std::istream&>())) {
  std::ifstream in{path, std::ios::binary};
  if (!in || in.peek() == std::ifstream::traits_type::eof()) {
    return parse_error{
        path, 0, 0, {}, in.is_open() ? "the file is empty" : "the file cannot be opened"};
  }
  return read(in);
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
