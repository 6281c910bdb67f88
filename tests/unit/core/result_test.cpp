// SPDX-License-Identifier: BSL-1.0
// A value or an error; and assertions, which results fall back on.
#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>

#include <tests/support/violation.hpp>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <doctest/doctest.h>

namespace result_test {

using namespace berth;

namespace {
constexpr berth::error refused{errc::bad_number, field::speed};

struct caught_violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void throw_violation(violation const& what) {
  throw caught_violation{std::string{what.expression} + ": " + what.message};
}
struct throwing_handler {
  violation_handler before = set_violation_handler(throw_violation);
  ~throwing_handler() { set_violation_handler(before); }
};
}  // namespace

TEST_CASE("result: holds a value") {
  result<int> const answer = 42;
  CHECK(answer.has_value());
  CHECK(static_cast<bool>(answer));
  CHECK(answer.value() == 42);
  CHECK(*answer == 42);
}

TEST_CASE("result: holds an error, with the field that is to blame") {
  result<int> const answer = refused;
  CHECK_FALSE(answer.has_value());
  CHECK_FALSE(static_cast<bool>(answer));
  CHECK(answer.error() == refused);
  CHECK(answer.error() != berth::error{errc::bad_number, field::work});
  CHECK(answer.error() != berth::error{errc::inconsistent, field::speed});
}

TEST_CASE("result: the value can be changed, reached through, and moved out") {
  result<std::unique_ptr<std::string>> answer = std::make_unique<std::string>("berth");
  **answer += "!";
  CHECK(answer->get()->size() == 6);
  std::unique_ptr<std::string> const taken = std::move(answer).value();
  CHECK(*taken == "berth!");
}

TEST_CASE("result<void>: fine by default, or an error") {
  CHECK(result<void>{}.has_value());
  result<void> const failed = refused;
  CHECK_FALSE(failed);
  CHECK(failed.error() == refused);
}

TEST_CASE("result: an ignored error ends the program, hardened or not") {
  result<int> failed = refused;
  result<void> const nothing = refused;
  CHECK(berth_test::is_violation([&] { static_cast<void>(failed.value()); }));
  CHECK(berth_test::is_violation([&] { static_cast<void>(*failed); }));
  CHECK(berth_test::is_violation([&] { nothing.value(); }));
  CHECK_FALSE(berth_test::is_violation([&] { result<void>{}.value(); }));
}

TEST_CASE("a violation tells the handler the field and the code of the ignored error") {
  throwing_handler const guard;
  result<int> failed = refused;
  CHECK_THROWS_WITH_AS(static_cast<void>(failed.value()),
                       "speed: not a number in the documented range", caught_violation);
}

TEST_CASE("set_violation_handler returns the handler before") {
  violation_handler const before = set_violation_handler(throw_violation);
  bool const was_mine = set_violation_handler(before) == &throw_violation;
  CHECK(was_mine);
}

#if BERTH_HARDENED
TEST_CASE("error() of a result that holds a value is a violation") {
  throwing_handler const guard;
  CHECK_THROWS_AS(static_cast<void>(result<int>{1}.error()), caught_violation);
  CHECK_THROWS_AS(static_cast<void>(result<void>{}.error()), caught_violation);
}
TEST_CASE("BERTH_ASSERT tells the handler the condition and the reason") {
  throwing_handler const guard;
  CHECK_THROWS_WITH_AS(BERTH_ASSERT(1 + 1 == 3, "sums"), "1 + 1 == 3: sums", caught_violation);
  CHECK_NOTHROW(BERTH_ASSERT(1 + 1 == 2, "sums"));
}
#endif

TEST_CASE("every error code and every field has words of its own") {
  for (int a = 0; a <= static_cast<int>(errc::bad_data); ++a) {
    char const* const text = to_string(static_cast<errc>(a));
    CHECK(std::strcmp(text, "?") != 0);
    for (int b = 0; b < a; ++b) {
      CHECK(std::strcmp(text, to_string(static_cast<errc>(b))) != 0);
    }
  }
  for (int a = 0; a <= static_cast<int>(field::impossible); ++a) {
    char const* const text = to_string(static_cast<field>(a));
    CHECK(std::strcmp(text, "?") != 0);
    for (int b = 0; b < a; ++b) {
      CHECK(std::strcmp(text, to_string(static_cast<field>(b))) != 0);
    }
  }
}

}  // namespace result_test
