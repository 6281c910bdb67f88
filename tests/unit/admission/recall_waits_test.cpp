// SPDX-License-Identifier: BSL-1.0
// How long a tenant waits after its loan was recalled.
#include <berth/admission/recall_waits.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <chrono>

#include <doctest/doctest.h>

namespace recall_waits_test {

namespace {

using namespace std::chrono_literals;
using berth::recall_waits;
using berth::tenant_id;
using berth::time_point;

constexpr tenant_id one{0};
constexpr tenant_id other{1};
constexpr time_point at(berth::duration since) {
  return time_point{since};
}

}  // namespace

TEST_CASE("recall waits: they double with every recall, up to the cap, for that tenant alone") {
  recall_waits waits{{60s, 2, 200s}, 2};
  waits.recalled(one, at(0s));
  CHECK(waits.waits(one, at(60s - 1ms)));
  CHECK_FALSE(waits.waits(one, at(60s)));
  CHECK_FALSE(waits.waits(other, at(1s)));
  waits.recalled(one, at(70s));
  CHECK(waits.next_end(at(70s)) == at(190s));
  waits.recalled(one, at(200s));
  CHECK(waits.next_end(at(200s)) == at(400s));  // the cap, not 240 s
  CHECK(waits.next_end(at(400s)) == berth::never);
}

TEST_CASE("recall waits: several stops at one instant are one recall") {
  recall_waits waits{{60s, 2, 3600s}, 1};
  waits.recalled(one, at(0s));
  waits.recalled(one, at(0s));
  CHECK(waits.next_end(at(0s)) == at(60s));
}

TEST_CASE("recall waits: a loan that lasted is forgiven") {
  recall_waits waits{{60s, 2, 3600s}, 1};
  waits.recalled(one, at(0s));
  waits.recalled(one, at(120s));  // it could borrow from 60 s on: just as long as it waited
  CHECK(waits.next_end(at(120s)) == at(240s));
  waits.recalled(one, at(361s));  // 121 s after a wait of 120 s
  CHECK(waits.next_end(at(361s)) == at(421s));
}

TEST_CASE("recall waits: with base 0 nobody waits") {
  recall_waits waits{{0s, 2, 0s}, 1};
  waits.recalled(one, at(5s));
  CHECK_FALSE(waits.waits(one, at(5s)));
  CHECK(waits.next_end(at(0s)) == berth::never);
}

}  // namespace recall_waits_test
