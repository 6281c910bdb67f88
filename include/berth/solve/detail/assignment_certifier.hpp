// SPDX-License-Identifier: BSL-1.0
// The conditions of optimality for the assignment problem: primal feasibility, dual feasibility,
// complementary slackness, the stated total and bound. It shares no code with a solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class assignment_certifier {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using price = typename traits::price;

 public:
  constexpr assignment_certifier(assignment_problem<Cost> const& problem,
                                 assignment_solution<Cost> const& solution) noexcept
      : problem_{problem}, solution_{solution} {}

  [[nodiscard]] constexpr certificate run() const noexcept {
    using check = certificate (assignment_certifier::*)() const noexcept;
    constexpr check checks[] = {
        &assignment_certifier::check_shape,         &assignment_certifier::check_matching,
        &assignment_certifier::check_ranges,        &assignment_certifier::check_use,
        &assignment_certifier::check_column_prices, &assignment_certifier::check_choices,
        &assignment_certifier::check_total};
    for (check const each : checks) {
      if (certificate const found = (this->*each)(); !found.holds()) {
        return found;
      }
    }
    return {};
  }

 private:
  static constexpr std::size_t max_rows = std::size_t{1} << 20;  // so many costs fit a total

  static constexpr bool is_price(price value) noexcept {
    return traits::is_price(value, std::int64_t{1} << 61);  // three of them fit an int64
  }
  [[nodiscard]] constexpr std::size_t rows() const noexcept { return problem_.cost.rows(); }
  [[nodiscard]] constexpr std::size_t columns() const noexcept { return problem_.cost.columns(); }
  [[nodiscard]] constexpr Cost left_out(std::size_t row) const noexcept {
    return problem_.unmatched_cost.empty() ? Cost::forbidden() : problem_.unmatched_cost[row];
  }
  /// What the row takes; requires a matching.
  [[nodiscard]] constexpr Cost paid(std::size_t row) const noexcept {
    std::uint32_t const column = solution_.column_of_row[row];
    return column == unmatched ? left_out(row) : problem_.cost(row, column);
  }

  [[nodiscard]] constexpr certificate check_shape() const noexcept {
    bool const agrees =
        problem_.cost.is_well_formed() && solution_.column_of_row.size() == rows() &&
        solution_.row_of_column.size() == columns() && solution_.row_price.size() == rows() &&
        solution_.column_price.size() == columns() &&
        (problem_.unmatched_cost.empty() || problem_.unmatched_cost.size() == rows());
    return {agrees ? certificate_defect::none : certificate_defect::shape};
  }
  [[nodiscard]] constexpr certificate check_matching() const noexcept {
    for (std::size_t row = 0; row < rows(); ++row) {
      std::uint32_t const column = solution_.column_of_row[row];
      if (column != unmatched && (column >= columns() || solution_.row_of_column[column] != row)) {
        return certificate::at(certificate_defect::matching, row, column);
      }
    }
    for (std::size_t column = 0; column < columns(); ++column) {
      std::uint32_t const row = solution_.row_of_column[column];
      if (row != unmatched && (row >= rows() || solution_.column_of_row[row] != column)) {
        return certificate::at(certificate_defect::matching, row, column);
      }
    }
    return {};
  }
  [[nodiscard]] constexpr certificate check_ranges() const noexcept {
    if (rows() > max_rows) {
      return certificate::at(certificate_defect::problem_range, max_rows, certificate::nowhere);
    }
    for (std::size_t row = 0; row < rows(); ++row) {
      if (!is_price(solution_.row_price[row])) {
        return certificate::at(certificate_defect::price_range, row, certificate::nowhere);
      }
    }
    for (std::size_t column = 0; column < columns(); ++column) {
      if (!is_price(solution_.column_price[column])) {
        return certificate::at(certificate_defect::price_range, certificate::nowhere, column);
      }
    }
    return over_all([](std::size_t, Cost cost, raw, bool) {
      return traits::in_range(cost) ? certificate_defect::none : certificate_defect::problem_range;
    });
  }
  [[nodiscard]] constexpr certificate check_use() const noexcept {
    for (std::size_t row = 0; row < rows(); ++row) {
      if (paid(row).is_forbidden()) {
        std::uint32_t const column = solution_.column_of_row[row];
        return certificate::at(certificate_defect::forbidden_used, row,
                               column == unmatched ? certificate::nowhere : column);
      }
    }
    return {};
  }
  [[nodiscard]] constexpr certificate check_column_prices() const noexcept {
    for (std::size_t column = 0; column < columns(); ++column) {
      raw const asked = traits::price_to_raw(solution_.column_price[column]);
      if (asked < raw{}) {
        return certificate::at(certificate_defect::column_price_negative, certificate::nowhere,
                               column);
      }
      if (raw{} < asked && solution_.row_of_column[column] == unmatched) {
        return certificate::at(certificate_defect::slackness, certificate::nowhere, column);
      }
    }
    return {};
  }
  [[nodiscard]] constexpr certificate check_choices() const noexcept {
    return over_all([this](std::size_t row, Cost cost, raw asked, bool is_used) {
      if (cost.is_forbidden()) {
        return certificate_defect::none;
      }
      raw const reduced =
          traits::to_raw(cost) + asked - traits::price_to_raw(solution_.row_price[row]);
      return reduced < raw{}              ? certificate_defect::row_price_too_high
             : is_used && raw{} < reduced ? certificate_defect::slackness
                                          : certificate_defect::none;
    });
  }
  [[nodiscard]] constexpr certificate check_total() const noexcept {
    raw sum{};
    for (std::size_t row = 0; row < rows(); ++row) {
      sum = sum + traits::to_raw(paid(row));
    }
    bool const is_right = is_price(solution_.total) && traits::price_to_raw(solution_.total) == sum;
    if (!is_right) {
      return {certificate_defect::total};
    }
    return {solution_.bound == solution_.total ? certificate_defect::none
                                               : certificate_defect::bound};
  }

  /// Calls check(row, cost, price of the place, whether the row takes it) for every cell, and for
  /// staying unmatched, until a defect is found.
  template <class Check>
  constexpr certificate over_all(Check check) const noexcept {
    for (std::size_t row = 0; row < rows(); ++row) {
      for (std::size_t column = 0; column <= columns(); ++column) {
        bool const stays = column == columns();
        std::uint32_t const place =
            stays ? certificate::nowhere : static_cast<std::uint32_t>(column);
        Cost const cost = stays ? left_out(row) : problem_.cost(row, column);
        raw const asked = stays ? raw{} : traits::price_to_raw(solution_.column_price[column]);
        bool const is_used = solution_.column_of_row[row] == place;
        if (certificate_defect const defect = check(row, cost, asked, is_used);
            defect != certificate_defect::none) {
          return certificate::at(defect, row, place);
        }
      }
    }
    return {};
  }

  assignment_problem<Cost> const& problem_;
  assignment_solution<Cost> const& solution_;
};

}  // namespace detail
BERTH_NAMESPACE_END
