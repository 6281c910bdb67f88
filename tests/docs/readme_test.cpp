// SPDX-License-Identifier: BSL-1.0
// README.md and docs/quick_start.md show the program that examples/quickstart.cpp is.
#include <tests/support/project_file.hpp>

#include <cstddef>
#include <string>

#include <doctest/doctest.h>

using tests::text_of;

TEST_CASE("the code of the README is the quick start, to the letter") {
  std::string const program = text_of("examples/quickstart.cpp");
  std::size_t const begin = program.find("#include");
  REQUIRE(begin != std::string::npos);
  std::string const block = "```cpp\n" + program.substr(begin) + "```\n";
  CHECK(text_of("README.md").find(block) != std::string::npos);
  CHECK(text_of("docs/quick_start.md").find(block) != std::string::npos);
}
