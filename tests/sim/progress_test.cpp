// SPDX-License-Identifier: BSL-1.0
// The progress bar: its text, and its silence where there is no terminal.
#include <berth_sim/progress.hpp>

#include <cstdio>
#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace progress_test {

using namespace berth;
using namespace berth::sim;

TEST_CASE("the text shows part, rate and time left") {
  CHECK(sim::detail::progress_text("fifo", 0, 100, 0.0) ==
        "fifo [>                           ]   0 %  0/s  ETA -:--");
  CHECK(sim::detail::progress_text("fifo", 50, 100, 5.0) ==
        "fifo [==============>             ]  50 %  10/s  ETA 0:05");
  CHECK(sim::detail::progress_text("fifo", 100, 100, 5.0) ==
        "fifo [============================] 100 %  20/s  ETA 0:00");
  CHECK(sim::detail::progress_text("fifo", 1, 7300, 1.0).ends_with("1/s  ETA 2:01:39"));
}

TEST_CASE("counts beyond the total and totals of zero do no harm") {
  CHECK(sim::detail::progress_text("a", 9, 3, 1.0).find("100 %") != std::string::npos);
  CHECK(sim::detail::progress_text("a", -1, 3, 1.0).find("  0 %") != std::string::npos);
  CHECK(sim::detail::progress_text("a", 0, 0, 1.0).find("100 %") != std::string::npos);
}

TEST_CASE("nothing is written where stderr is not a terminal") {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  int const saved = dup(STDERR_FILENO);
  REQUIRE(saved >= 0);
  REQUIRE(dup2(fileno(file), STDERR_FILENO) >= 0);
  {
    progress_bar bar{"fifo", 1000};
    for (int step = 0; step <= 1000; ++step) {
      bar.advance_to(step);
    }
    bar.finish();
  }
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  struct stat state {};
  REQUIRE(fstat(fileno(file), &state) == 0);
  CHECK(state.st_size == 0);
  std::fclose(file);
}

}  // namespace progress_test
