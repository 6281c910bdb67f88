// SPDX-License-Identifier: BSL-1.0
// Reads a trace out of a string, and checks that a malformed one is refused at the right place.
#pragma once

#include <berth_sim/parsed.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace sample {

/// `read(stream, "t")` of the text.
template <class Read>
auto read_text(std::string const& text, Read read) {
  std::istringstream in{text};
  return read(in, std::string{"t"});
}

/// A text, and what the reader says about it.
struct refusal {
  std::string text;
  std::size_t line;
  std::size_t column;
  std::string_view field;
  std::string_view message;  ///< a part of it
};

template <class Read>
void check_refused(refusal const& expected, Read read) {
  CAPTURE(expected.text);
  auto const result = read_text(expected.text, read);
  REQUIRE_FALSE(result.has_value());
  berth::sim::parse_error const& error = result.error();
  CAPTURE(error.message);
  CHECK(error.file == "t");
  CHECK(error.line == expected.line);
  CHECK(error.column == expected.column);
  CHECK(error.field == expected.field);
  CHECK(error.message.find(expected.message) != std::string::npos);
}

}  // namespace sample
