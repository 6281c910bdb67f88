// SPDX-License-Identifier: BSL-1.0
// Several senders, one receiver: no message is lost, doubled, torn, or overtakes one of the same
// sender.
#include <berth/scheduler/inbox.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace {

struct letter {
  std::uint32_t sender = 0;
  std::uint32_t number = 0;
  std::uint64_t check = 0;
};

std::uint64_t seal(std::uint32_t sender, std::uint32_t number) {
  return (std::uint64_t{sender} << 32 | number) * 0x9e3779b97f4a7c15u;
}

TEST_CASE("an inbox loses, doubles, tears and reorders nothing under four senders") {
  constexpr std::uint32_t senders = 4;
  constexpr std::uint32_t letters = 5000;
  berth::inbox<letter> box{64};
  std::vector<std::thread> threads;
  for (std::uint32_t s = 0; s < senders; ++s) {
    threads.emplace_back([&box, s] {
      for (std::uint32_t n = 0; n < letters; ++n) {
        while (!box.push({s, n, seal(s, n)})) {
          std::this_thread::yield();
        }
      }
    });
  }
  std::array<std::uint32_t, senders> expected{};
  bool in_order = true;
  bool whole = true;
  for (std::uint32_t received = 0; received < senders * letters;) {
    letter got;
    if (!box.pop(got)) {
      std::this_thread::yield();
      continue;
    }
    ++received;
    whole = whole && got.sender < senders && got.check == seal(got.sender, got.number);
    if (whole) {
      in_order = in_order && got.number == expected[got.sender];
      expected[got.sender] = got.number + 1;
    }
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(whole);
  CHECK(in_order);
  letter none;
  CHECK(!box.pop(none));
}

TEST_CASE("a full inbox refuses a message and keeps those it has") {
  berth::inbox<letter> box{4};
  for (std::uint32_t n = 0; n < 4; ++n) {
    CHECK(box.push({0, n, 0}).has_value());
  }
  auto const fifth = box.push({0, 4, 0});
  REQUIRE(!fifth.has_value());
  CHECK(fifth.error() == berth::error{berth::errc::capacity_exceeded, berth::field::message});
  letter got;
  for (std::uint32_t n = 0; n < 4; ++n) {
    REQUIRE(box.pop(got));
    CHECK(got.number == n);
  }
  CHECK(!box.pop(got));
}

}  // namespace
