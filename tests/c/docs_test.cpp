// SPDX-License-Identifier: BSL-1.0
// docs/c_api.md shows code that runs: parts of examples/c_host.c.
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

TEST_CASE("every piece of C on the page is in the example, to the letter") {
  std::string const page = read("docs/c_api.md");
  std::string const program = read("examples/c_host.c");
  std::string const fence = "```c\n";
  int pieces = 0;
  for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
    std::size_t const begin = at + fence.size();
    std::string const piece = page.substr(begin, page.find("```", begin) - begin);
    CAPTURE(piece);
    CHECK(program.find(piece) != std::string::npos);
    ++pieces;
  }
  CHECK(pieces > 2);
}
