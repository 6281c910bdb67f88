// SPDX-License-Identifier: BSL-1.0
// Equal columns and rows of a matrix found, expanded, and refused.
#include <berth/core/cost.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/collapse_matrix.hpp>
#include <berth/solve/integer_cost.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace collapse_matrix_test {

namespace {

using namespace berth;
using numbers = std::vector<std::uint32_t>;

std::vector<integer_cost> costs(std::vector<std::int32_t> const& values) {
  std::vector<integer_cost> made;
  for (std::int32_t const value : values) {
    made.emplace_back(value);
  }
  return made;
}

template <class Cost>
numbers classes(column_classes<Cost> const& found) {
  return {found.class_of_column().begin(), found.class_of_column().end()};
}
template <class Cost>
std::vector<Cost> cells(column_classes<Cost> const& found) {
  std::vector<Cost> all;
  for (std::size_t row = 0; row < found.cost().rows(); ++row) {
    auto const of_row = found.cost().row(row);
    all.insert(all.end(), of_row.begin(), of_row.end());
  }
  return all;
}

TEST_CASE("collapse: equal columns are one class with as many places") {
  auto const matrix = costs({5, 6, 5, 6, 5,  //
                             7, 8, 7, 8, 7});
  column_classes<integer_cost> found(2, 5, 2);
  REQUIRE(found.collapse({matrix, 2, 5}) == solve_status::optimal);
  CHECK(classes(found) == numbers{0, 1, 0, 1, 0});
  CHECK(cells(found) == costs({5, 6, 7, 8}));
  CHECK(std::vector<std::int32_t>(found.capacity().begin(), found.capacity().end()) ==
        std::vector<std::int32_t>{3, 2});
}

TEST_CASE("collapse: columns that part in a late row have what they shared before") {
  auto const matrix = costs({1, 1, 1, 1,  //
                             2, 3, 2, 3,  //
                             4, 4, 5, 4});
  column_classes<integer_cost> found(3, 4, 3);
  REQUIRE(found.collapse({matrix, 3, 4}) == solve_status::optimal);
  CHECK(classes(found) == numbers{0, 1, 2, 1});
  CHECK(cells(found) == costs({1, 1, 1, 2, 3, 2, 4, 4, 5}));
}

TEST_CASE("collapse: columns expand to the lowest free one, again and again") {
  auto const matrix = costs({5, 6, 5, 6});
  column_classes<integer_cost> found(1, 4, 2);
  REQUIRE(found.collapse({matrix, 1, 4}) == solve_status::optimal);
  numbers column_of_row{1, unmatched, 0, 1};
  REQUIRE(found.expand(column_of_row, column_of_row));
  CHECK(column_of_row == numbers{1, unmatched, 0, 3});
  numbers other{0, 0};
  REQUIRE(found.expand(other, other));
  CHECK(other == numbers{0, 2});
  CHECK_FALSE(found.expand(numbers{0, 0, 0}, column_of_row));
  CHECK_FALSE(found.expand(numbers{2}, column_of_row));
  CHECK_FALSE(found.expand(numbers{0, 0}, std::span<std::uint32_t>{}));
}

TEST_CASE("collapse: more classes than reserved are too many, and there are none") {
  auto const matrix = costs({1, 2, 3, 3});
  column_classes<integer_cost> found(1, 4, 2);
  CHECK(found.collapse({matrix, 1, 4}) == solve_status::too_large);
  CHECK(found.class_of_column().empty());
  CHECK(found.cost().columns() == 0);
  found.reserve(1, 4, 3);
  CHECK(found.collapse({matrix, 1, 4}) == solve_status::optimal);
  CHECK(found.collapse({matrix, 2, 2}) == solve_status::too_large);
  CHECK(found.collapse({matrix, 2, 4}) == solve_status::malformed);
}

TEST_CASE("collapse: a matrix without rows has one class, one without columns none") {
  column_classes<gpu_time> found(2, 2, 1);
  REQUIRE(found.collapse({{}, 0, 2}) == solve_status::optimal);
  CHECK(classes(found) == numbers{0, 0});
  REQUIRE(found.collapse({{}, 2, 0}) == solve_status::optimal);
  CHECK(found.capacity().empty());
  column_classes<gpu_time> nothing;
  CHECK(nothing.collapse({}) == solve_status::optimal);
}

TEST_CASE("collapse: forbidden is equal to forbidden, whatever the rank") {
  std::vector<rank_cost> const matrix{
      {1, gpu_time::forbidden()}, {2, gpu_time::forbidden()}, {1, gpu_time{3}}};
  column_classes<rank_cost> found(1, 3, 2);
  REQUIRE(found.collapse({matrix, 1, 3}) == solve_status::optimal);
  CHECK(classes(found) == numbers{0, 0, 1});
}

TEST_CASE("collapse: rows are one class where all cells and the unmatched costs are equal") {
  auto const matrix = costs({1, 2, 1, 2, 1, 2, 1, 3});
  auto const left_out = costs({9, 9, 8, 9});
  cost_matrix_view<integer_cost> const cost{matrix, 4, 2};
  class_index<std::uint32_t, row_hash<integer_cost>, rows_equal<integer_cost>> rows(
      4, 4, {cost, left_out}, {cost, left_out});
  for (std::uint32_t row = 0; row < 4; ++row) {
    rows.add(row, row);
  }
  auto const found = rows.classes_of_records();
  CHECK(numbers(found.begin(), found.end()) == numbers{0, 0, 1, 2});
  CHECK(rows.key(1) == 2);
}

}  // namespace

}  // namespace collapse_matrix_test
