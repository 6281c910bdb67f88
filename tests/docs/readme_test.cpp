// SPDX-License-Identifier: BSL-1.0
// README.md and docs/quick_start.md show the program that examples/quickstart.cpp is.
#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

namespace {

std::string read(std::string const& name) {
  std::ifstream file{std::string{BERTH_SOURCE_DIR} + "/" + name};
  REQUIRE_MESSAGE(file, name, " is missing");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the code of the README is the quick start, to the letter") {
  std::string const program = read("examples/quickstart.cpp");
  std::size_t const begin = program.find("#include");
  REQUIRE(begin != std::string::npos);
  std::string const block = "```cpp\n" + program.substr(begin) + "```\n";
  CHECK(read("README.md").find(block) != std::string::npos);
  CHECK(read("docs/quick_start.md").find(block) != std::string::npos);
}
