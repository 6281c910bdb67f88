// SPDX-License-Identifier: BSL-1.0
// A checker that cannot fail proves nothing: every kind of wrong solution and wrong price is
// planted, and the certificate must name it.
#include <berth/core/cost.hpp>
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/transport.hpp>

#include <tests/support/costs.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace berth;
using tests::ms;

/// Rows 0 and 1 compete for column 0, column 2 stays free, row 2 stays out. The optimum is
/// row 0 → 1, row 1 → 0, total 3 + 2 + 4.
struct planted_assignment {
  std::vector<gpu_time> cells{ms(2), ms(3), ms(9), ms(2), gpu_time::forbidden(),
                              ms(9), ms(8), ms(8), ms(9)};
  std::vector<gpu_time> left_out{ms(20), ms(20), ms(4)};
  std::vector<std::uint32_t> column_of_row{1, 0, unmatched};
  std::vector<std::uint32_t> row_of_column{1, 0, unmatched};
  std::vector<gpu_time> row_price{ms(3), ms(3), ms(4)};
  std::vector<gpu_time> column_price{ms(1), ms(0), ms(0)};
  gpu_time total = ms(9);
  gpu_time bound = ms(9);

  [[nodiscard]] certificate check() const {
    return certify<gpu_time>({{cells, 3, 3}, left_out},
                             {column_of_row, row_of_column, row_price, column_price, total, bound});
  }
};

TEST_CASE("certificate: the planted assignment is right before it is damaged") {
  planted_assignment const right;
  CHECK(right.check().holds());
}

TEST_CASE("certificate: a worse matching fails however its total is stated") {
  planted_assignment wrong;
  wrong.column_of_row = {0, 2, unmatched};
  wrong.row_of_column = {0, unmatched, 1};
  wrong.total = ms(2 + 9 + 4);
  CHECK(wrong.check() == certificate{certificate_defect::slackness, 1, 2});
}

TEST_CASE("certificate: a wrong total is named") {
  planted_assignment wrong;
  wrong.total = ms(8);
  CHECK(wrong.check().defect == certificate_defect::total);
  wrong.total = gpu_time::forbidden();
  CHECK(wrong.check().defect == certificate_defect::total);
}

TEST_CASE("certificate: a bound of a matching other than its total is named") {
  planted_assignment wrong;
  wrong.bound = ms(8);
  CHECK(wrong.check().defect == certificate_defect::bound);
}

TEST_CASE("certificate: a row price too high or too low is named with its place") {
  planted_assignment wrong;
  wrong.row_price[0] = ms(4);
  CHECK(wrong.check() == certificate{certificate_defect::row_price_too_high, 0, 0});
  wrong.row_price[0] = ms(2);
  CHECK(wrong.check() == certificate{certificate_defect::slackness, 0, 1});
  wrong.row_price[0] = ms(3);
  wrong.row_price[2] = ms(5);
  CHECK(wrong.check() ==
        certificate{certificate_defect::row_price_too_high, 2, certificate::nowhere});
  wrong.row_price[2] = ms(3);
  CHECK(wrong.check() == certificate{certificate_defect::slackness, 2, certificate::nowhere});
}

TEST_CASE("certificate: a negative column price and a price on a free column are named") {
  planted_assignment wrong;
  wrong.column_price[2] = ms(-1);
  CHECK(wrong.check() ==
        certificate{certificate_defect::column_price_negative, certificate::nowhere, 2});
  wrong.column_price[2] = ms(1);
  CHECK(wrong.check() == certificate{certificate_defect::slackness, certificate::nowhere, 2});
}

TEST_CASE("certificate: a forbidden cell or a forbidden stay in use is named") {
  planted_assignment wrong;
  wrong.cells[1] = gpu_time::forbidden();
  CHECK(wrong.check() == certificate{certificate_defect::forbidden_used, 0, 1});
  planted_assignment stays;
  stays.left_out[2] = gpu_time::forbidden();
  CHECK(stays.check() == certificate{certificate_defect::forbidden_used, 2, certificate::nowhere});
}

TEST_CASE("certificate: directions that disagree and indexes out of bounds are named") {
  planted_assignment twice;
  twice.column_of_row[2] = 0;  // column 0 serves two rows
  CHECK(twice.check() == certificate{certificate_defect::matching, 2, 0});
  planted_assignment outside;
  outside.column_of_row[0] = 3;
  CHECK(outside.check().defect == certificate_defect::matching);
  planted_assignment claimed;
  claimed.row_of_column[2] = 2;
  CHECK(claimed.check() == certificate{certificate_defect::matching, 2, 2});
  claimed.row_of_column[2] = 3;
  CHECK(claimed.check().defect == certificate_defect::matching);
}

TEST_CASE("certificate: missing parts are a wrong shape") {
  planted_assignment wrong;
  wrong.row_price.pop_back();
  CHECK(wrong.check().defect == certificate_defect::shape);
  planted_assignment shorter;
  shorter.column_of_row.pop_back();
  CHECK(shorter.check().defect == certificate_defect::shape);
  planted_assignment costs;
  costs.left_out.pop_back();
  CHECK(costs.check().defect == certificate_defect::shape);
}

TEST_CASE("certificate: prices and costs out of range are defects, not overflows") {
  planted_assignment wrong;
  wrong.row_price[1] = gpu_time::forbidden();
  CHECK(wrong.check() == certificate{certificate_defect::price_range, 1, certificate::nowhere});
  planted_assignment highest;
  highest.row_price[1] = gpu_time::max();
  CHECK(highest.check().defect == certificate_defect::row_price_too_high);
  planted_assignment lowest;
  lowest.row_price[1] = ms(0) - gpu_time::max();
  CHECK(lowest.check().defect == certificate_defect::slackness);
  planted_assignment dear;
  dear.cells[8] = ms(cost_traits<gpu_time>::limit + 1);
  CHECK(dear.check() == certificate{certificate_defect::problem_range, 2, 2});
  std::vector<rank_cost> const cells{{0, ms(0)}};
  std::vector<rank_cost> const price{{(std::int64_t{1} << 61) + 1, ms(0)}};
  std::vector<std::uint32_t> const zero{0};
  CHECK(certify<rank_cost>({{cells, 1, 1}}, {zero, zero, price, cells, {}}).defect ==
        certificate_defect::price_range);
}

/// Two classes of rows on two classes of columns, one unit of row 1 left out. The optimum ships
/// row 0 → 0: 1, → 1: 2; row 1 → 0: 3.
struct planted_transport {
  std::vector<transport_arc<gpu_time>> arcs{{0, ms(1)}, {1, ms(4)}, {0, ms(1)}, {1, ms(90)}};
  std::vector<transport_row> rows{{0, 2}, {2, 2}};
  std::vector<gpu_time> left_out{ms(50), ms(6)};
  std::vector<std::int32_t> supply{3, 4};
  std::vector<std::int32_t> capacity{4, 2};
  std::vector<std::int32_t> flow{1, 2, 3, 0};
  std::vector<std::int32_t> unmatched_units{0, 1};
  std::vector<gpu_time> row_price{ms(6), ms(6)};
  std::vector<gpu_time> column_price{ms(5), ms(2)};
  gpu_time total = ms(1 + 8 + 3 + 6);
  gpu_time bound = total;

  [[nodiscard]] certificate check() const { return certify(problem(), solution()); }
  [[nodiscard]] certificate check_bound() const { return certify_bound(problem(), solution()); }
  [[nodiscard]] transport_problem<gpu_time> problem() const {
    return {arcs, rows, supply, capacity, left_out};
  }
  [[nodiscard]] transport_solution<gpu_time> solution() const {
    return {flow, unmatched_units, row_price, column_price, total, bound};
  }
};

TEST_CASE("certificate: the planted flow is right before it is damaged") {
  planted_transport const right;
  CHECK(right.check().holds());
}

TEST_CASE("certificate: units lost, units made up and negative units break conservation") {
  planted_transport lost;
  lost.flow[0] = 0;
  CHECK(lost.check() == certificate{certificate_defect::conservation, 0, certificate::nowhere});
  planted_transport made_up;
  made_up.unmatched_units[0] = 1;
  CHECK(made_up.check().defect == certificate_defect::conservation);
  planted_transport negative;
  negative.flow = {1, 2, 5, -2};
  CHECK(negative.check() == certificate{certificate_defect::conservation, 1, 1});
}

TEST_CASE("certificate: a column beyond its capacity is named") {
  planted_transport wrong;
  wrong.flow = {2, 1, 3, 0};
  CHECK(wrong.check() == certificate{certificate_defect::capacity, certificate::nowhere, 0});
}

TEST_CASE("certificate: a feasible flow that is not optimal fails with any of the planted prices") {
  planted_transport wrong;
  wrong.flow = {2, 1, 2, 1};
  wrong.total = ms(2 + 4 + 2 + 90 + 6);
  CHECK(wrong.check() == certificate{certificate_defect::slackness, 1, 1});
}

TEST_CASE("certificate: a supply below zero and too many units are out of range") {
  planted_transport negative;
  negative.supply[0] = -1;
  CHECK(negative.check().defect == certificate_defect::problem_range);
  planted_transport many;
  many.supply[0] = 1 << 21;
  CHECK(many.check().defect == certificate_defect::problem_range);
}

TEST_CASE("certificate: a flow of the wrong size is a wrong shape") {
  planted_transport wrong;
  wrong.flow.pop_back();
  CHECK(wrong.check().defect == certificate_defect::shape);
  planted_transport fewer;
  fewer.capacity.pop_back();
  CHECK(fewer.check().defect == certificate_defect::shape);
}

TEST_CASE("certificate: an arc to nowhere and rows that overlap are a wrong shape") {
  planted_transport nowhere;
  nowhere.arcs[3].column = 2;
  CHECK(nowhere.check().defect == certificate_defect::shape);
  planted_transport overlapping;
  overlapping.rows[1].first = 1;
  CHECK(overlapping.check().defect == certificate_defect::shape);
  planted_transport outside;
  outside.rows[1].count = 3;
  CHECK(outside.check().defect == certificate_defect::shape);
}

TEST_CASE("certificate: a bound other than the total of an optimum is named") {
  planted_transport wrong;
  wrong.bound = ms(17);
  CHECK(wrong.check().defect == certificate_defect::bound);
  CHECK(wrong.check_bound().holds());
}

TEST_CASE("certificate: a bound holds up to what the prices prove, and not beyond") {
  planted_transport stopped;  // 3 units of row 1 that wait at 6 each instead of going for 1
  stopped.flow = {3, 0, 1, 0};
  stopped.unmatched_units = {0, 3};
  stopped.total = ms(3 + 1 + 18);
  stopped.row_price = {ms(4), ms(4)};
  stopped.column_price = {ms(3), ms(0)};
  stopped.bound = ms(3 * 4 + 4 * 4 - 4 * 3);
  CHECK(stopped.check().defect == certificate_defect::slackness);
  CHECK(stopped.check_bound().holds());
  stopped.bound = ms(3 * 4 + 4 * 4 - 4 * 3 + 1);
  CHECK(stopped.check_bound().defect == certificate_defect::bound);
  stopped.row_price[1] = ms(5);
  CHECK(stopped.check_bound().defect == certificate_defect::row_price_too_high);
}

TEST_CASE("certificate: any single price moved in a solved problem is found") {
  std::uint64_t damaged = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::vector<gpu_time> cells;
    for (int i = 0; i < 25; ++i) {
      cells.push_back(ms(random.between(0, 20)));
    }
    assignment_problem<gpu_time> const problem{{cells, 5, 5}};  // square: every price is tied down
    assignment_workspace<gpu_time> workspace(5, 5);
    REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
    assignment_solution<gpu_time> solution = workspace.solution();
    REQUIRE(certify(problem, solution).holds());
    std::vector<gpu_time> prices(solution.row_price.begin(), solution.row_price.end());
    gpu_time& moved = prices[random.below(5)];
    moved = moved + ms(random.below(2) == 0 ? 1 : -1);
    solution.row_price = prices;
    REQUIRE_FALSE(certify(problem, solution).holds());
    ++damaged;
  }
  CHECK(damaged == 300);
}

TEST_CASE("certificate: two rows of an optimum exchanged are found unless they cost the same") {
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::vector<gpu_time> cells;
    for (int i = 0; i < 25; ++i) {
      cells.push_back(ms(random.between(0, 1000)));
    }
    assignment_problem<gpu_time> const problem{{cells, 5, 5}};
    assignment_workspace<gpu_time> workspace(5, 5);
    REQUIRE(assignment_matcher{}.solve(problem, workspace) == solve_status::optimal);
    assignment_solution<gpu_time> solution = workspace.solution();
    std::vector<std::uint32_t> columns(solution.column_of_row.begin(),
                                       solution.column_of_row.end());
    std::vector<std::uint32_t> rows(solution.row_of_column.begin(), solution.row_of_column.end());
    std::swap(rows[columns[0]], rows[columns[1]]);
    std::swap(columns[0], columns[1]);
    solution.column_of_row = columns;
    solution.row_of_column = rows;
    gpu_time total;
    for (std::size_t row = 0; row < 5; ++row) {
      total += problem.cost(row, columns[row]);
    }
    bool const is_as_good = total == solution.total;
    solution.total = total;
    REQUIRE(certify(problem, solution).holds() == is_as_good);
    found += is_as_good ? 0 : 1;
  }
  CHECK(found > 250);
}

}  // namespace
