// SPDX-License-Identifier: BSL-1.0
// Shares are ordered as the fractions that they are.
#include <berth/core/random.hpp>
#include <berth/model/fair_share.hpp>

#include <compare>
#include <cstdint>
#include <vector>

#include <boost/rational.hpp>

#include <doctest/doctest.h>

namespace fair_share_test {

using berth::fair_share;
using berth::tenant_rank;
using rational = boost::rational<std::int64_t>;

TEST_CASE("fair share: weight 0 is last, however little it uses") {
  CHECK(fair_share{1'000'000, 1} < fair_share{0, 0});
  CHECK(fair_share{0, 1} < fair_share{0, 0});
  CHECK(fair_share{0, 0} == fair_share{7, 0});
}

TEST_CASE("fair share: the order is that of rational numbers") {
  constexpr std::uint64_t seed = 91;
  CAPTURE(seed);
  berth::random_source random{seed};
  auto const draw = [&] {
    auto const used = static_cast<std::int32_t>(random.next() % (1u << 24));
    auto const weight = static_cast<std::int32_t>(1 + random.next() % 0x7fffffffu);
    return fair_share{used, weight};
  };
  for (int i = 0; i < 2000; ++i) {
    fair_share const a = draw();
    fair_share const b = draw();
    rational const x{a.used, a.weight};
    rational const y{b.used, b.weight};
    CHECK((a < b) == (x < y));
    CHECK((a == b) == (x == y));
    CHECK(fair_share{a.used % 1000, 3} == fair_share{a.used % 1000 * 5, 15});
  }
}

TEST_CASE("tenant rank: within quota first, then share by share from the root down") {
  tenant_rank const within{false, 1, {{{9, 1}}}};
  tenant_rank const borrows{true, 1, {{{0, 1}}}};
  CHECK(within < borrows);
  tenant_rank const small_parent{true, 2, {{{1, 1}, {9, 1}}}};
  tenant_rank const large_parent{true, 2, {{{2, 1}, {0, 1}}}};
  CHECK(small_parent < large_parent);
  tenant_rank const root{true, 1, {{{1, 1}}}};
  CHECK(root < small_parent);
}

TEST_CASE("tenant rank: the order is transitive, whatever the branches are") {
  std::vector<tenant_rank> all;
  for (std::int32_t used : {0, 1, 2}) {
    for (std::int32_t weight : {0, 1, 2}) {
      all.push_back({false, 1, {{{used, weight}}}});
      all.push_back({true, 2, {{{used, weight}, {weight, used}}}});
    }
  }
  for (tenant_rank const& a : all) {
    for (tenant_rank const& b : all) {
      CHECK((a < b) == (b > a));
      for (tenant_rank const& c : all) {
        CHECK((!(a < b && b < c) || a < c));
        CHECK((!(a == b && b == c) || a == c));
      }
    }
  }
}

}  // namespace fair_share_test
