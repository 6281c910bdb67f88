// SPDX-License-Identifier: BSL-1.0
// yield_order: against a vector that is sorted anew for every walk.
#include <berth/core/config.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/random.hpp>
#include <berth/scheduler/detail/yield_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace yield_order_test {

using namespace berth;
using namespace berth::detail;

namespace {

struct holder {
  std::int64_t level = 0;
  std::uint64_t sequence = 0;
  std::uint32_t slot = 0;
  std::int32_t gpus = 0;
};

/// The last in rank order first: the greatest key, and of equals the youngest.
std::vector<std::uint32_t> sorted(std::vector<holder> holders) {
  std::sort(holders.begin(), holders.end(), [](holder const& a, holder const& b) {
    return a.level != b.level ? a.level > b.level : a.sequence > b.sequence;
  });
  std::vector<std::uint32_t> slots;
  for (holder const& each : holders) {
    slots.push_back(each.slot);
  }
  return slots;
}

/// The first `count` that a walk sees.
std::vector<std::uint32_t> walked(yield_order const& order, std::size_t count) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = order.first(); slot != yield_order::nobody && slots.size() < count;
       slot = order.next(slot)) {
    slots.push_back(slot);
  }
  return slots;
}

std::int64_t gpus_behind(std::vector<holder> const& holders, std::int64_t level) {
  std::int64_t sum = 0;
  for (holder const& each : holders) {
    sum += each.level > level ? each.gpus : 0;
  }
  return sum;
}

}  // namespace

TEST_CASE("yield_order: nobody yields where nobody holds anything") {
  yield_order const order{4};
  CHECK(order.first() == yield_order::nobody);
  CHECK(order.gpus_behind(ascending(0)) == 0);
}

TEST_CASE("yield_order: the greatest key yields first, of equals the youngest") {
  yield_order order{4};
  order.set({ascending(5), 10, 0, 1});
  order.set({ascending(7), 11, 1, 1});
  order.set({ascending(5), 12, 2, 1});
  CHECK(walked(order, 4) == std::vector<std::uint32_t>{1, 2, 0});
  order.set({ascending(4), 11, 1, 1});  // another key, not another entry
  CHECK(walked(order, 4) == std::vector<std::uint32_t>{2, 0, 1});
  order.erase(0);
  order.erase(3);  // was never in it
  CHECK_FALSE(order.contains(0));
  CHECK(order.contains(1));
  CHECK(walked(order, 4) == std::vector<std::uint32_t>{2, 1});
  order.clear();
  CHECK_FALSE(order.contains(1));
  CHECK(walked(order, 4).empty());
}

TEST_CASE("yield_order: those behind a key are counted, and equals are not behind it") {
  yield_order order{4};
  order.set({ascending(5), 10, 0, 8});
  order.set({ascending(7), 11, 1, 16});
  order.set({ascending(5), 12, 2, 32});
  CHECK(order.gpus_behind(ascending(4)) == 56);
  CHECK(order.gpus_behind(ascending(5)) == 16);
  CHECK(order.gpus_behind(ascending(7)) == 0);
  order.set({ascending(7), 11, 1, 15});  // one of its GPUs is lost; it stays where it is
  CHECK(order.gpus_behind(ascending(5)) == 15);
  order.erase(1);
  CHECK(order.gpus_behind(ascending(4)) == 40);
  CHECK(order.gpus_behind(ascending(5)) == 0);
}

TEST_CASE("yield_order: agrees with a sorted vector over random changes, walks and sums") {
  constexpr std::uint32_t slots = 120;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    yield_order order{slots};
    std::vector<holder> reference;
    for (int step = 0; step < 3000; ++step) {
      CAPTURE(step);
      auto const slot = static_cast<std::uint32_t>(random.below(slots));
      auto const mine = std::find_if(reference.begin(), reference.end(),
                                     [&](holder const& each) { return each.slot == slot; });
      REQUIRE(order.contains(slot) == (mine != reference.end()));
      if (random.below(3) == 0) {
        order.erase(slot);
        if (mine != reference.end()) {
          reference.erase(mine);
        }
      } else {
        auto const gpus = static_cast<std::int32_t>(random.between(1, 64));
        holder const made{random.between(0, 12), slot * 7919u % 127u, slot, gpus};
        order.set({ascending(made.level), made.sequence, slot, gpus});
        if (mine != reference.end()) {
          *mine = made;
        } else {
          reference.push_back(made);
        }
      }
      std::int64_t const level = random.between(-1, 13);
      REQUIRE(order.gpus_behind(ascending(level)) == gpus_behind(reference, level));
      if (step % 7 == 0) {
        auto expected = sorted(reference);
        bool const whole = random.below(2) == 0;
        std::size_t const count = whole ? slots : random.below(expected.size() + 1);
        expected.resize(std::min(expected.size(), count));
        REQUIRE(walked(order, count) == expected);
      }
    }
  }
}

}  // namespace yield_order_test
