// SPDX-License-Identifier: BSL-1.0
// A vector that never grows by itself.
#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>

#include <tests/support/violation.hpp>

#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace bounded_vector_test {

using berth::bounded_vector;

TEST_CASE("bounded_vector: push_back beyond the capacity is refused and changes nothing") {
  bounded_vector<int> items{2};
  REQUIRE(items.capacity() == 2);
  CHECK(items.push_back(1));
  CHECK_FALSE(items.full());
  CHECK(items.push_back(2));
  CHECK(items.full());
  int const* const where = items.view().data();
  CHECK_FALSE(items.push_back(3));
  CHECK(items.size() == 2);
  CHECK(items.capacity() == 2);
  CHECK(items.back() == 2);
  CHECK(items.view().data() == where);
}

TEST_CASE("bounded_vector: without a capacity nothing fits") {
  bounded_vector<int> items;
  CHECK_FALSE(items.push_back(1));
  CHECK(items.empty());
}

TEST_CASE("bounded_vector: reserve grows, keeps the items, and never shrinks") {
  bounded_vector<int> items{1};
  REQUIRE(items.push_back(7));
  items.reserve(3);
  CHECK(items.capacity() == 3);
  CHECK(items[0] == 7);
  items.reserve(1);
  CHECK(items.capacity() == 3);
}

TEST_CASE("bounded_vector: truncate, pop_back and clear keep the capacity") {
  bounded_vector<int> items{4};
  for (int i = 0; i < 4; ++i) {
    REQUIRE(items.push_back(i));
  }
  items.truncate(3);
  CHECK(std::vector<int>(items.begin(), items.end()) == std::vector<int>{0, 1, 2});
  items.truncate(3);
  CHECK(items.size() == 3);
  items.pop_back();
  CHECK(items.back() == 1);
  items.clear();
  CHECK(items.empty());
  CHECK(items.capacity() == 4);
}

TEST_CASE("bounded_vector: a copy has the capacity of the original, what was moved from has none") {
  bounded_vector<int> items{4};
  REQUIRE(items.push_back(1));
  bounded_vector<int> copy{items};
  CHECK(copy.capacity() == 4);
  int const* const where = copy.view().data();
  for (int i = 2; i <= 4; ++i) {
    REQUIRE(copy.push_back(i));
  }
  CHECK_FALSE(copy.push_back(5));
  CHECK(copy.view().data() == where);
  CHECK(items.size() == 1);
  bounded_vector<int> assigned;
  assigned = copy;
  CHECK(assigned.capacity() == 4);
  CHECK(assigned.full());
  bounded_vector<int> const moved{std::move(copy)};
  CHECK(moved.capacity() == 4);
  CHECK(moved.view().data() == where);
  CHECK(copy.capacity() == 0);  // NOLINT(bugprone-use-after-move): what is left is promised
  CHECK_FALSE(copy.push_back(6));
}

#if BERTH_HARDENED
TEST_CASE("bounded_vector: what must not be done is a violation in hardened builds") {
  bounded_vector<int> items{4};
  REQUIRE(items.push_back(1));
  CHECK(berth_test::is_violation([&] { items.truncate(2); }));
  CHECK(berth_test::is_violation([&] { static_cast<void>(items[1]); }));
  CHECK_FALSE(berth_test::is_violation([&] { static_cast<void>(items[0]); }));
  items.clear();
  CHECK(berth_test::is_violation([&] { items.pop_back(); }));
  CHECK(berth_test::is_violation([&] { static_cast<void>(items.back()); }));
}
#endif

}  // namespace bounded_vector_test
