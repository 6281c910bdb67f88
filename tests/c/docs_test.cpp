// SPDX-License-Identifier: BSL-1.0
// docs/c_api.md shows code that runs: parts of examples/c_host.c.
#include <tests/support/project_file.hpp>

#include <cstddef>
#include <string>

#include <doctest/doctest.h>

using tests::text_of;

TEST_CASE("every piece of C on the page is in the example, to the letter") {
  std::string const page = text_of("docs/c_api.md");
  std::string const program = text_of("examples/c_host.c");
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
