// SPDX-License-Identifier: BSL-1.0
// GPU-time: saturation, forbidden, and the lexicographic cost.
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace cost_test {

using namespace berth;

namespace {
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
}  // namespace

TEST_CASE("gpu_time: GPUs times a span, in GPU-milliseconds") {
  CHECK(gpu_time{4, duration{250}}.count() == 1000);
  CHECK(gpu_time{-4, duration{250}}.count() == -1000);
  CHECK(gpu_time{0, forever}.count() == 0);
  CHECK(gpu_time{}.count() == 0);
  CHECK(gpu_time::zero() == gpu_time{});
}

TEST_CASE("gpu_time: values beyond the range are clamped, never wrapped") {
  CHECK(gpu_time{highest} == gpu_time::max());
  CHECK(gpu_time{lowest}.count() == -gpu_time::max().count());
  CHECK(gpu_time{1, forever} == gpu_time::max());
  CHECK(gpu_time{1000, forever} == gpu_time::max());
  CHECK(gpu_time{-1000, forever}.count() == -gpu_time::max().count());
  CHECK(gpu_time{-1000, duration::min()} == gpu_time::max());
  CHECK(gpu_time{1000, duration::min()}.count() == -gpu_time::max().count());
}

TEST_CASE("gpu_time: sums, differences and products saturate on both sides") {
  gpu_time const most = gpu_time::max();
  gpu_time const least{-most.count()};
  CHECK(most + gpu_time{1} == most);
  CHECK(most + most == most);
  CHECK(least + least == least);
  CHECK(least - most == least);
  CHECK(most - least == most);
  CHECK(most - most == gpu_time::zero());
  CHECK(highest * gpu_time{2} == most);
  CHECK(lowest * gpu_time{2} == least);
  CHECK(lowest * gpu_time{-2} == most);
  CHECK(3 * gpu_time{-5} == gpu_time{-15});
}

TEST_CASE("gpu_time: forbidden absorbs whatever is added, subtracted or multiplied") {
  gpu_time const no = gpu_time::forbidden();
  CHECK(no.is_forbidden());
  CHECK((no + gpu_time{-5}).is_forbidden());
  CHECK((gpu_time{-5} + no).is_forbidden());
  CHECK((no + gpu_time{-gpu_time::max().count()}).is_forbidden());
  CHECK((no - no).is_forbidden());
  CHECK((gpu_time{1} - no).is_forbidden());
  CHECK((no - gpu_time{1}).is_forbidden());
  CHECK((0 * no).is_forbidden());
  CHECK((-3 * no).is_forbidden());
}

TEST_CASE("gpu_time: forbidden compares above everything, max() included, and no sum reaches it") {
  CHECK(gpu_time::forbidden() > gpu_time::max());
  CHECK(gpu_time::forbidden() == gpu_time::forbidden());
  CHECK_FALSE(gpu_time::max().is_forbidden());
  CHECK_FALSE((gpu_time::max() + gpu_time::max()).is_forbidden());
  CHECK_FALSE((highest * gpu_time::max()).is_forbidden());
  CHECK_FALSE(gpu_time{highest}.is_forbidden());
}

TEST_CASE("rank_cost: the rank decides first, GPU-time only among equals") {
  CHECK(rank_cost{0, gpu_time::max()} < rank_cost{1, gpu_time{-5}});
  CHECK(rank_cost{1, gpu_time{3}} < rank_cost{1, gpu_time{4}});
  CHECK(rank_cost{1, gpu_time{3}} == rank_cost{1, gpu_time{3}});
  CHECK(rank_cost{1, gpu_time{3}} != rank_cost{2, gpu_time{3}});
  CHECK(rank_cost{-1, gpu_time{3}} < rank_cost{});
}

TEST_CASE("rank_cost: sums add both levels, and each saturates by itself") {
  CHECK(rank_cost{1, gpu_time{2}} + rank_cost{3, gpu_time{4}} == rank_cost{4, gpu_time{6}});
  CHECK((rank_cost{highest, {}} + rank_cost{1, {}}).rank == highest);
  CHECK((rank_cost{lowest, {}} + rank_cost{-1, {}}).rank == lowest);
  CHECK((rank_cost{0, gpu_time::max()} + rank_cost{0, gpu_time::max()}).time == gpu_time::max());
}

TEST_CASE(
    "rank_cost: forbidden absorbs, equals itself whatever the rank, and is above everything") {
  rank_cost const no = rank_cost::forbidden();
  CHECK(no.is_forbidden());
  CHECK((no + rank_cost{-7, gpu_time{-7}}).is_forbidden());
  CHECK((rank_cost{5, {}} + no).is_forbidden());
  CHECK((no + rank_cost{-7, {}}) == no);
  CHECK((no <=> rank_cost{-7, gpu_time::forbidden()}) == 0);
  CHECK(rank_cost{highest, gpu_time::max()} < no);
  CHECK(rank_cost{highest, gpu_time::max()} != no);
  CHECK(no != rank_cost{highest, gpu_time::max()});
}

}  // namespace cost_test
