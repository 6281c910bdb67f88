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

using namespace berth;
using namespace berth::detail;

namespace {

struct holder {
  std::int64_t level = 0;
  std::uint64_t sequence = 0;
  std::uint32_t slot = 0;
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
std::vector<std::uint32_t> walked(yield_order const& order, yield_walk& walk,
                                  std::size_t count) {
  std::vector<std::uint32_t> slots;
  for (walk.start(order); !walk.at_end() && slots.size() < count; walk.advance(order)) {
    slots.push_back(walk.next(order).slot);
  }
  return slots;
}

}  // namespace

TEST_CASE("yield_order: a walk over nobody is at its end") {
  yield_order const order{4};
  yield_walk walk{4};
  walk.start(order);
  CHECK(walk.at_end());
}

TEST_CASE("yield_order: the greatest key yields first, of equals the youngest") {
  yield_order order{4};
  yield_walk walk{4};
  order.set({ascending(5), 10, 0});
  order.set({ascending(7), 11, 1});
  order.set({ascending(5), 12, 2});
  CHECK(walked(order, walk, 4) == std::vector<std::uint32_t>{1, 2, 0});
  order.set({ascending(4), 11, 1});  // another key, not another entry
  CHECK(walked(order, walk, 4) == std::vector<std::uint32_t>{2, 0, 1});
  order.erase(0);
  order.erase(3);  // was never in it
  CHECK_FALSE(order.contains(0));
  CHECK(order.contains(1));
  CHECK(walked(order, walk, 4) == std::vector<std::uint32_t>{2, 1});
  order.clear();
  CHECK_FALSE(order.contains(1));
  CHECK(walked(order, walk, 4).empty());
}

TEST_CASE("yield_order: agrees with a sorted vector over random changes and walks") {
  constexpr std::uint32_t slots = 120;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    yield_order order{slots};
    yield_walk walk{slots};
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
        holder const made{random.between(0, 12), slot * 7919u % 127u, slot};
        order.set({ascending(made.level), made.sequence, slot});
        if (mine != reference.end()) {
          *mine = made;
        } else {
          reference.push_back(made);
        }
      }
      if (step % 7 == 0) {
        auto expected = sorted(reference);
        bool const whole = random.below(2) == 0;
        std::size_t const count = whole ? slots : random.below(expected.size() + 1);
        expected.resize(std::min(expected.size(), count));
        REQUIRE(walked(order, walk, count) == expected);
      }
    }
  }
}
