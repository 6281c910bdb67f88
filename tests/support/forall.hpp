// SPDX-License-Identifier: BSL-1.0
// Properties over seeded random bytes. A failure is shrunk by dropping runs of bytes and lowering
// single ones, and printed with its seed and as a C array that can be committed as a test.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/random.hpp>

#include <tests/support/byte_source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests {

/// What a property throws when it does not hold.
struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void expect(bool holds, char const* what) {
  if (!holds) {
    throw broken{what};
  }
}
inline void expect(bool holds, std::string const& what) {
  if (!holds) {
    throw broken{what};
  }
}

[[nodiscard]] inline std::string as_c_array(std::vector<std::uint8_t> const& bytes) {
  std::string text = "{";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(int{bytes[i]});
  }
  return text + "}";
}

namespace detail {
inline std::vector<std::uint8_t> const* bytes_at_work = nullptr;
inline std::uint64_t seed_at_work = 0;

/// A broken precondition inside a noexcept call cannot be shrunk in this process; its input is
/// printed.
[[noreturn]] inline void print_and_abort(berth::violation const& v) {
  std::fprintf(stderr, "%s:%d: %s: %s\n", v.file, v.line, v.expression, v.message);
  if (bytes_at_work != nullptr) {
    std::fprintf(stderr, "seed %llu, bytes %s\n", static_cast<unsigned long long>(seed_at_work),
                 as_c_array(*bytes_at_work).c_str());
  }
  std::abort();
}

template <class Property>
std::optional<std::string> failure_of(Property& property, std::vector<std::uint8_t> const& bytes) {
  bytes_at_work = &bytes;
  try {
    byte_source source{bytes};
    property(source);
  } catch (broken const& why) {
    return why.what();
  }
  return std::nullopt;
}

template <class Property>
std::vector<std::uint8_t> shrink(Property& property, std::vector<std::uint8_t> bytes) {
  int budget = 4000;
  auto const fails = [&](std::vector<std::uint8_t> const& smaller) {
    return budget-- > 0 && failure_of(property, smaller).has_value();
  };
  for (bool better = true; better && budget > 0;) {
    better = false;
    for (std::size_t run = std::max<std::size_t>(1, bytes.size() / 2); run >= 1; run /= 2) {
      for (std::size_t at = 0; at + run <= bytes.size() && budget > 0;) {
        std::vector<std::uint8_t> smaller = bytes;
        auto const from = smaller.begin() + static_cast<std::ptrdiff_t>(at);
        smaller.erase(from, from + static_cast<std::ptrdiff_t>(run));
        if (fails(smaller)) {
          bytes = std::move(smaller);
          better = true;
        } else {
          at += run;
        }
      }
    }
    for (std::size_t at = 0; at < bytes.size() && budget > 0; ++at) {
      for (std::uint8_t const lower : {std::uint8_t{0}, static_cast<std::uint8_t>(bytes[at] / 2),
                                       static_cast<std::uint8_t>(bytes[at] - 1)}) {
        if (lower < bytes[at]) {
          std::vector<std::uint8_t> smaller = bytes;
          smaller[at] = lower;
          if (fails(smaller)) {
            bytes = std::move(smaller);
            better = true;
            break;
          }
        }
      }
    }
  }
  return bytes;
}
}  // namespace detail

/// nullopt if the property holds for `runs` inputs of up to `longest` bytes; else what to print.
/// The seed of a run is first_seed + its number. BERTH_TEST_RUNS multiplies the runs.
template <class Property>
[[nodiscard]] std::optional<std::string> counterexample(std::uint64_t first_seed, int runs,
                                                        std::size_t longest, Property property) {
  auto const before = berth::set_violation_handler(detail::print_and_abort);
  if (char const* const more = std::getenv("BERTH_TEST_RUNS")) {
    runs *= std::max(1, std::atoi(more));
  }
  std::optional<std::string> answer;
  for (int run = 0; run < runs && !answer; ++run) {
    detail::seed_at_work = first_seed + static_cast<std::uint64_t>(run);
    berth::random_source random{detail::seed_at_work};
    std::vector<std::uint8_t> bytes(1 + random.below(longest));
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.next() >> 56);
    }
    if (detail::failure_of(property, bytes)) {
      bytes = detail::shrink(property, std::move(bytes));
      answer = "seed " + std::to_string(detail::seed_at_work) + ": " +
               detail::failure_of(property, bytes).value_or("(it does not fail again)") +
               "\nbytes " + as_c_array(bytes);
    }
  }
  detail::bytes_at_work = nullptr;
  berth::set_violation_handler(before);
  return answer;
}

}  // namespace tests

/// Fails the test case with the shrunk input.
#define BERTH_FORALL(first_seed, runs, longest, ...)                                          \
  do {                                                                                        \
    auto const found = ::tests::counterexample((first_seed), (runs), (longest), __VA_ARGS__); \
    CHECK_MESSAGE(!found, found.value_or(""));                                                \
  } while (false)
