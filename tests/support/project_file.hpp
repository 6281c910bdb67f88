// SPDX-License-Identifier: BSL-1.0
// A file of the project as it stands in the sources, for tests of what documentation shows.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

namespace tests {

/// The whole text; `name` is relative to the top folder. The test fails if it is not there.
inline std::string text_of(std::string const& name) {
  std::ifstream file{std::string{BERTH_SOURCE_DIR} + "/" + name};
  REQUIRE_MESSAGE(file, name, " is missing");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace tests
