// SPDX-License-Identifier: BSL-1.0
// The main of every doctest program. Beyond doctest's own: a run whose filter selects nothing
// fails, and a file that needs the real traces, or a library, is skipped, with the reason, where
// there are none.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>

#include <doctest/doctest.h>

namespace {

constexpr int skipped = 77;  // ctest's SKIP_RETURN_CODE
unsigned selected_count = 0;

struct count_selected : doctest::IReporter {
  explicit count_selected(doctest::ContextOptions const&) {}
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const& stats) override {
    selected_count = stats.numTestCasesPassingFilters;
  }
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};
DOCTEST_REGISTER_LISTENER("count_selected", 1, count_selected);

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv("BERTH_TEST_NEEDS_DATA") != nullptr && BERTH_DATA_DIR[0] == '\0') {
    std::puts("skipped: needs the real traces; configure with -DBERTH_DATA_DIR=<folder>");
    return skipped;
  }
  if (char const* const needed = std::getenv("BERTH_TEST_NEEDS")) {
    std::printf("skipped: needs %s\n", needed);
    return skipped;
  }
  doctest::Context context{argc, argv};
  int const status = context.run();
  if (!context.shouldExit() && selected_count == 0) {
    std::fputs("no test case was selected\n", stderr);
    return EXIT_FAILURE;
  }
  return status;
}
