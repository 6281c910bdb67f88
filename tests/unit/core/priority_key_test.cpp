// SPDX-License-Identifier: BSL-1.0
// Order of keys, and the right to displace.
#include <berth/core/priority_key.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace priority_key_test {

using namespace berth;

namespace {
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
}  // namespace

TEST_CASE("priority_key: a default key makes everybody equal and displaces nobody") {
  CHECK(priority_key{} == priority_key{});
  CHECK_FALSE(may_displace(priority_key{}, priority_key{}));
  CHECK_FALSE(priority_key{}.can_displace_at_all());
  CHECK_FALSE(priority_key{}.displacing().can_displace_at_all());
  CHECK(priority_key{}.displaced_level() == 0);
}

TEST_CASE("ascending: smaller values first; descending: greater values first") {
  CHECK(ascending(1) < ascending(2));
  CHECK(ascending(-3) < ascending(0));
  CHECK(ascending(lowest) < ascending(highest));
  CHECK(descending(2) < descending(1));
  CHECK(descending(0) < descending(-3));
}

TEST_CASE("descending: the least value of all comes last and does not wrap") {
  CHECK(descending(lowest) > descending(0));
  CHECK(descending(lowest) >= descending(lowest + 1));
  CHECK(descending(highest) < descending(highest - 1));
}

TEST_CASE("then: later levels break ties only") {
  priority_key const a = ascending(1).then(ascending(9));
  priority_key const b = ascending(2).then(ascending(0));
  priority_key const c = ascending(1).then(ascending(8));
  CHECK(a < b);
  CHECK(c < a);
  CHECK(a.level(0) == 1);
  CHECK(a.level(1) == 9);
}

TEST_CASE("then: levels beyond the fourth are dropped, with their right to displace") {
  priority_key const four = ascending(1).then(ascending(2)).then(ascending(3).then(ascending(4)));
  priority_key const five = four.then(ascending(5).displacing());
  CHECK(five == four);
  CHECK(five.level(3) == 4);
  CHECK_FALSE(five.can_displace_at_all());
  priority_key const two = ascending(8).then(ascending(9));
  CHECK(ascending(1).then(ascending(2)).then(ascending(3)).then(two).level(3) == 8);
}

TEST_CASE("equality looks at the order only, not at the right to displace") {
  CHECK(ascending(3) == ascending(3).displacing());
  CHECK_FALSE(ascending(3) < ascending(3).displacing());
}

TEST_CASE("may_displace: a smaller key at a displacing level, and nothing else") {
  CHECK(may_displace(ascending(1).displacing(), ascending(2).displacing()));
  CHECK(may_displace(ascending(1).displacing(), ascending(2)));
  CHECK_FALSE(may_displace(ascending(2).displacing(), ascending(1).displacing()));
  CHECK_FALSE(may_displace(ascending(1).displacing(), ascending(1).displacing()));
  CHECK_FALSE(may_displace(ascending(1), ascending(2)));
  CHECK_FALSE(may_displace(ascending(1), ascending(2).displacing()));
}

TEST_CASE("may_displace: the first level that differs decides, whatever follows it") {
  auto const strict_then_order = [](std::int64_t first, std::int64_t second) {
    return ascending(first).displacing().then(ascending(second));
  };
  CHECK(may_displace(strict_then_order(1, 9), strict_then_order(2, 0)));
  CHECK_FALSE(may_displace(strict_then_order(1, 0), strict_then_order(1, 9)));
  auto const order_then_strict = [](std::int64_t first, std::int64_t second) {
    return ascending(first).then(ascending(second).displacing());
  };
  CHECK_FALSE(may_displace(order_then_strict(1, 0), order_then_strict(2, 9)));
  CHECK(may_displace(order_then_strict(1, 0), order_then_strict(1, 9)));
  CHECK_FALSE(may_displace(order_then_strict(2, 0), order_then_strict(1, 9)));
}

TEST_CASE("displacing: marks every level the key has so far, and none that is appended") {
  priority_key const key = ascending(1).then(ascending(2)).displacing().then(ascending(3));
  auto const holder = [](std::int64_t a, std::int64_t b, std::int64_t c) {
    return ascending(a).then(ascending(b)).then(ascending(c));
  };
  CHECK(may_displace(key, holder(2, 0, 0)));
  CHECK(may_displace(key, holder(1, 3, 0)));
  CHECK_FALSE(may_displace(key, holder(1, 2, 4)));
}

TEST_CASE("displacing with four levels covers all four") {
  priority_key const key =
      ascending(1).then(ascending(1)).then(ascending(1)).then(ascending(1)).displacing();
  priority_key const holder = ascending(1).then(ascending(1)).then(ascending(1)).then(ascending(2));
  CHECK(may_displace(key, holder));
}

TEST_CASE("displaced_level: the first level that displaces") {
  CHECK(ascending(7).displacing().then(ascending(8)).displaced_level() == 7);
  CHECK(ascending(7).then(ascending(8).displacing()).displaced_level() == 8);
  CHECK(ascending(7).then(ascending(8)).displaced_level() == 0);
}

}  // namespace priority_key_test
