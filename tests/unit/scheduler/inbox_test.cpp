// SPDX-License-Identifier: BSL-1.0
// The mailbox of threaded hosts, on one thread.
#include <berth/core/error.hpp>
#include <berth/scheduler/inbox.hpp>

#include <doctest/doctest.h>

namespace inbox_test {

using namespace berth;

TEST_CASE("inbox: first in, first out, round and round") {
  inbox<int> box{4};
  int next_in = 0;
  int next_out = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 3; ++i) {
      REQUIRE(box.push(next_in++).has_value());
    }
    for (int i = 0; i < 3; ++i) {
      int message = -1;
      REQUIRE(box.pop(message));
      REQUIRE(message == next_out++);
    }
  }
}

TEST_CASE("inbox: full is said, and the message is not in") {
  inbox<int> box{3};
  int room = 0;
  while (box.push(room).has_value()) {
    ++room;
    REQUIRE(room <= 4);
  }
  CHECK(room == 4);
  CHECK(box.push(99).error() == error{errc::capacity_exceeded, field::message});
  int message = -1;
  for (int i = 0; i < room; ++i) {
    REQUIRE(box.pop(message));
    CHECK(message == i);
  }
  CHECK_FALSE(box.pop(message));
  CHECK(box.push(7).has_value());
  CHECK(box.pop(message));
  CHECK(message == 7);
}

TEST_CASE("inbox: empty gives nothing and leaves the variable alone") {
  inbox<int> box{1};
  int message = 5;
  CHECK_FALSE(box.pop(message));
  CHECK(message == 5);
}

}  // namespace inbox_test
