// SPDX-License-Identifier: BSL-1.0
// The arithmetic of the solvers, the matrix view, and the names of statuses and defects.
#include <berth/core/cost.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/status.hpp>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace cost_traits_test {

namespace {

using namespace berth;

static_assert(solver_cost<gpu_time> && solver_cost<rank_cost>);
static_assert(!solver_cost<std::int64_t>);

TEST_CASE("cost_traits: a raw rank cost orders by rank, adds and subtracts by component") {
  raw_rank_cost const a{1, -7};
  raw_rank_cost const b{0, 9};
  CHECK(b < a);
  CHECK(raw_rank_cost{1, -8} < a);
  CHECK(a + b == raw_rank_cost{1, 2});
  CHECK(a - b == raw_rank_cost{1, -16});
  CHECK(3 * a == raw_rank_cost{3, -21});
  CHECK((a - b) + b == a);
}

TEST_CASE("cost_traits: the range is closed, and forbidden is within it") {
  std::int64_t const limit = cost_traits<gpu_time>::limit;
  CHECK(limit == std::int64_t{1} << 40);
  CHECK(cost_traits<gpu_time>::in_range(gpu_time{limit}));
  CHECK(cost_traits<gpu_time>::in_range(gpu_time{-limit}));
  CHECK_FALSE(cost_traits<gpu_time>::in_range(gpu_time{limit + 1}));
  CHECK_FALSE(cost_traits<gpu_time>::in_range(gpu_time{-limit - 1}));
  CHECK(cost_traits<gpu_time>::in_range(gpu_time::forbidden()));
  CHECK(cost_traits<gpu_time>::in_range(gpu_time{limit + 1}, limit + 1));
  CHECK(cost_traits<rank_cost>::in_range({limit, gpu_time{-limit}}));
  CHECK_FALSE(cost_traits<rank_cost>::in_range({-limit - 1, gpu_time{}}));
  CHECK_FALSE(cost_traits<rank_cost>::in_range({0, gpu_time{limit + 1}}));
  CHECK(cost_traits<rank_cost>::in_range(rank_cost::forbidden()));
}

TEST_CASE("cost_traits: a cost survives the way to raw and back") {
  rank_cost const cost{-3, gpu_time{12}};
  CHECK(cost_traits<rank_cost>::from_raw(cost_traits<rank_cost>::to_raw(cost)) == cost);
  CHECK(cost_traits<gpu_time>::from_raw(cost_traits<gpu_time>::to_raw(gpu_time{-5})) ==
        gpu_time{-5});
}

TEST_CASE("cost_matrix_view: rows and cells are found, with and without a stride") {
  std::vector<gpu_time> cells;
  for (std::int64_t i = 0; i < 6; ++i) {
    cells.emplace_back(i);
  }
  cost_matrix_view<gpu_time> const plain{cells, 2, 3};
  CHECK(plain(1, 0) == gpu_time{3});
  CHECK(plain.row(1).size() == 3);
  CHECK(plain.row(1)[2] == gpu_time{5});
  cost_matrix_view<gpu_time> const strided{cells, 2, 2, 3};
  CHECK(strided(1, 1) == gpu_time{4});
  CHECK(strided.row(1).size() == 2);
}

TEST_CASE("cost_matrix_view: a view is well formed if every cell is there, whatever the numbers") {
  std::vector<gpu_time> const cells(6);
  std::size_t const huge = std::numeric_limits<std::size_t>::max();
  using view = cost_matrix_view<gpu_time>;
  CHECK(view{cells, 2, 3}.is_well_formed());
  CHECK(view{cells, 3, 2}.is_well_formed());
  CHECK(view{cells, 2, 2, 4}.is_well_formed());
  CHECK_FALSE(view{cells, 3, 3}.is_well_formed());
  CHECK_FALSE(view{cells, 2, 2, 5}.is_well_formed());
  CHECK_FALSE(view{cells, 2, 3, 2}.is_well_formed());
  CHECK_FALSE(view{cells, huge, 2}.is_well_formed());
  CHECK_FALSE(view{cells, 2, huge}.is_well_formed());
  CHECK(view{cells, huge, 0}.is_well_formed());
  CHECK(view{}.is_well_formed());
}

TEST_CASE("solve_status and certificate_defect: every value has a name of its own") {
  std::set<std::string> names;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(solve_status::malformed); ++i) {
    names.insert(to_string(static_cast<solve_status>(i)));
  }
  CHECK(names.size() == 6);
  CHECK(names.count("unknown") == 0);
  names.clear();
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(certificate_defect::total); ++i) {
    names.insert(to_string(static_cast<certificate_defect>(i)));
  }
  CHECK(names.size() == 12);
  CHECK(names.count("unknown") == 0);
  CHECK(has_solution(solve_status::optimal));
  CHECK(has_solution(solve_status::feasible));
  CHECK_FALSE(has_solution(solve_status::infeasible));
}

}  // namespace

}  // namespace cost_traits_test
