// SPDX-License-Identifier: BSL-1.0
// Once reserved, the positional solver and collapsing allocate nothing, whatever they are called
// with and whatever they answer.
#include <berth/core/random.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/collapse_expand.hpp>
#include <berth/solve/collapse_matrix.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>

#include <tests/support/counting_new.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace class_solvers_alloc_test {

namespace {

using namespace berth;

TEST_CASE("positional: solve and resolve allocate nothing, with and without a budget") {
  std::size_t const rows = 400;
  std::size_t const columns = 6;
  random_source random{1};
  std::vector<integer_cost> cells(rows * columns);
  std::vector<integer_cost> const left_out(rows, integer_cost{900});
  std::vector<std::int32_t> capacity(columns, 50);
  std::vector<std::uint8_t> present(rows, 1);
  positional_workspace<integer_cost> workspace(rows, columns);
  positional_problem<integer_cost> const problem{
      {cells, rows, columns}, capacity, left_out, present};
  for (int tick = 0; tick < 50; ++tick) {
    std::vector<std::uint32_t> const changed{static_cast<std::uint32_t>(random.below(rows)),
                                             static_cast<std::uint32_t>(random.below(rows))};
    for (std::uint32_t const row : changed) {
      present[row] = random.below(2) == 0 ? 0 : 1;
      for (std::size_t column = 0; column < columns; ++column) {
        cells[row * columns + column] = integer_cost{static_cast<std::int32_t>(random.below(999))};
      }
    }
    std::uint64_t const before = tests::allocations();
    solve_status const warm = positional_matcher{}.resolve(problem, workspace, changed);
    solve_status const hurried = positional_matcher{}.solve(problem, workspace, {.steps = 2});
    solve_status const cold = positional_matcher{}.solve(problem, workspace);
    std::uint64_t const after = tests::allocations();
    REQUIRE(warm == solve_status::optimal);
    REQUIRE(has_solution(hurried));
    REQUIRE(cold == solve_status::optimal);
    REQUIRE(after == before);
  }
}

TEST_CASE("collapse: events, expansions and matrices allocate nothing") {
  std::uint32_t const records = 200;
  random_source random{2};
  class_index<std::int64_t> index(records, 10);
  std::vector<integer_cost> matrix(20 * records);
  for (std::size_t cell = 0; cell < matrix.size(); ++cell) {
    matrix[cell] = integer_cost{static_cast<std::int32_t>(cell % records % 7)};
  }
  column_classes<integer_cost> classes(20, records, 7);
  class_expansion expansion;
  expansion.reserve(records, 10, records, 10, 10);
  std::vector<std::int32_t> const units(10, 2);
  std::vector<std::uint32_t> column_of_row(20);
  std::vector<std::uint32_t> const class_of_row(20, 3);
  std::uint64_t const before = tests::allocations();
  for (int event = 0; event < 5000; ++event) {
    auto const record = static_cast<std::uint32_t>(random.below(records));
    auto const key = random.between(1, 14);  // more keys than classes: some are refused
    if (index.class_of(record) == no_class) {
      index.add(record, key);
    } else if (random.below(2) == 0) {
      index.remove(record);
    } else {
      index.change(record, key);
    }
    if (event % 7 == 0) {
      index.clear_touched();
    }
  }
  class_side const side{index.classes_of_records(), units};
  shipment const all{0, 0, 2 * index.size(0)};
  solve_status const expanded = expansion.expand({&all, 1}, side, side);
  solve_status const collapsed =
      classes.collapse(cost_matrix_view<integer_cost>{matrix, 20, records});
  bool const is_told_apart = classes.expand(class_of_row, column_of_row);
  std::uint64_t const after = tests::allocations();
  CHECK(index.size(0) > 0);
  CHECK(expanded == solve_status::optimal);
  CHECK(collapsed == solve_status::optimal);
  CHECK(is_told_apart);
  CHECK(after == before);
}

}  // namespace

}  // namespace class_solvers_alloc_test
