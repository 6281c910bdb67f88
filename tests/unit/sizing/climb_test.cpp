// SPDX-License-Identifier: BSL-1.0
// Climbing the majorants against the solver's table: where no step is cut short, both choose
// the same, ties included; elsewhere the table's value is between value and bound.
#include <berth/core/random.hpp>
#include <berth/sizing/detail/climb.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/solve/choice_knapsack.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace climb_test {

namespace {

using namespace berth;
using indexes = std::vector<std::uint32_t>;

/// Few different gains and sizes, so that ties are frequent.
std::int32_t draw(random_source& random, detail::option_list& options) {
  options.clear();
  std::size_t const items = 1 + random.below(5);
  std::int64_t const spread = random.between(1, 6);
  for (std::uint32_t item = 0; item < items; ++item) {
    options.add_item(item);
    auto size = static_cast<std::int32_t>(random.below(2));
    std::int64_t value = random.between(-spread, spread);
    for (std::size_t rungs = 1 + random.below(5); rungs > 0; --rungs) {
      options.add_option(size, value);
      size += static_cast<std::int32_t>(random.between(1, 3));
      value += random.between(-1, spread);
    }
  }
  options.finish();
  return static_cast<std::int32_t>(options.base_size()) +
         static_cast<std::int32_t>(random.below(14));
}

TEST_CASE("climbing: where no step is cut short, it is the table's choice, ties included") {
  detail::sizing_memory memory;
  memory.reserve(5, 25, 24);
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::int32_t const capacity = draw(random, memory.options);
    auto const items = memory.options.within(capacity);
    auto const found = detail::climbing{memory, capacity, detail::climb_until::no_gain}.run();
    indexes const chosen(memory.chosen.begin(), memory.chosen.begin() + static_cast<std::ptrdiff_t>(
                                                                            memory.options.size()));
    REQUIRE(choice_knapsack{}.solve_by_table(items, memory.tabulated) == solve_status::optimal);
    auto const exact = memory.tabulated.solution();
    REQUIRE(found.value <= exact.total.count());
    REQUIRE(exact.total.count() <= found.bound);
    std::int64_t size = 0;
    std::int64_t value = 0;
    for (std::size_t item = 0; item < chosen.size(); ++item) {
      size += memory.options.of(item)[chosen[item]].size;
      value += memory.options.of(item)[chosen[item]].value.count();
    }
    REQUIRE(size <= capacity);
    REQUIRE(value == found.value);
    if (found.is_undivided) {
      ++proved;
      CHECK(found.value == found.bound);
      CHECK(std::equal(chosen.begin(), chosen.end(), exact.chosen.begin()));
    }
  }
  CHECK(proved > 1500);
  CHECK(proved < 4500);
}

TEST_CASE("option_list: values of any width come into the solver's range, concave ones concave") {
  detail::option_list options;
  options.reserve(1, 9);
  for (int bits = 0; bits <= 100; ++bits) {
    CAPTURE(bits);
    detail::int128 const unit = detail::int128{1} << bits;
    options.clear();
    options.add_item(7);
    // Equal gains, of which values rounded one by one would make unequal ones.
    detail::int128 value = -3 * unit - 1;
    for (std::int32_t size = 0; size < 9; ++size) {
      options.add_option(size, value);
      value += 10 * unit / 3 + 1;
    }
    options.finish();
    auto const all = options.of(0);
    REQUIRE(all.size() == 9);
    std::int64_t before = std::int64_t{1} << 41;
    for (std::size_t at = 1; at < all.size(); ++at) {
      std::int64_t const gain = all[at].value.count() - all[at - 1].value.count();
      CHECK(gain > 0);
      CHECK(gain <= before);
      before = gain;
    }
    CHECK(all[8].value.count() < (std::int64_t{1} << 40));
    CHECK(all[0].value.count() >= -(std::int64_t{1} << 40));
    CHECK(options.job(0) == 7);
  }
}

}  // namespace

}  // namespace climb_test
