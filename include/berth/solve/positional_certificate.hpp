// SPDX-License-Identifier: BSL-1.0
// Proof that a positional solution is optimal, by complementary slackness as in certificate.hpp:
// shares no code with the solver, is exact, and believes nothing it can compute itself.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/assignment_problem.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/positional_problem.hpp>

#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class positional_certifier {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using price = typename traits::price;

 public:
  constexpr positional_certifier(positional_problem<Cost> const& problem,
                                 positional_solution<Cost> const& solution) noexcept
      : problem_{problem}, solution_{solution} {}

  [[nodiscard]] constexpr certificate run() const noexcept {
    std::size_t const rows = problem_.cost.rows();
    std::size_t const columns = problem_.cost.columns();
    if (!problem_.cost.is_well_formed() || problem_.capacity.size() != columns ||
        (!problem_.unmatched_cost.empty() && problem_.unmatched_cost.size() != rows) ||
        (!problem_.is_present.empty() && problem_.is_present.size() != rows) ||
        solution_.column_of_row.size() != rows || solution_.rows_in_column.size() != columns ||
        solution_.column_price.size() != columns) {
      return {certificate_defect::shape};
    }
    if (rows > max_rows) {
      return {certificate_defect::problem_range};
    }
    for (std::size_t column = 0; column < columns; ++column) {
      if (certificate const found = check_column(column); !found.holds()) {
        return found;
      }
    }
    raw sum{};
    for (std::size_t row = 0; row < rows; ++row) {
      if (certificate const found = check_row(row, sum); !found.holds()) {
        return found;
      }
    }
    return {is_price(solution_.total) && traits::price_to_raw(solution_.total) == sum &&
                    is_price(solution_.bound) && traits::price_to_raw(solution_.bound) == sum
                ? certificate_defect::none
                : certificate_defect::total};
  }

 private:
  static constexpr std::size_t max_rows = std::size_t{1} << 18;  // so many costs fit a total

  static constexpr bool is_price(price value) noexcept {
    return traits::is_price(value, std::int64_t{1} << 61);
  }

  /// How many rows the column takes, and whether its price fits that.
  [[nodiscard]] constexpr certificate check_column(std::size_t column) const noexcept {
    auto const defect = [column](certificate_defect what) {
      return certificate::at(what, certificate::nowhere, column);
    };
    std::int64_t taken = 0;
    for (std::uint32_t const taken_by_row : solution_.column_of_row) {
      taken += taken_by_row == column ? 1 : 0;
    }
    if (problem_.capacity[column] < 0) {
      return defect(certificate_defect::problem_range);
    }
    if (taken != solution_.rows_in_column[column]) {
      return defect(certificate_defect::conservation);
    }
    if (taken > problem_.capacity[column]) {
      return defect(certificate_defect::capacity);
    }
    if (!is_price(solution_.column_price[column])) {
      return defect(certificate_defect::price_range);
    }
    raw const asked = traits::price_to_raw(solution_.column_price[column]);
    if (asked < raw{}) {
      return defect(certificate_defect::column_price_negative);
    }
    return raw{} < asked && taken < problem_.capacity[column]
               ? defect(certificate_defect::slackness)
               : certificate{};
  }

  /// Whether nothing is cheaper for the row, at the prices, than what it has; adds that to `sum`.
  [[nodiscard]] constexpr certificate check_row(std::size_t row, raw& sum) const noexcept {
    std::size_t const columns = problem_.cost.columns();
    std::uint32_t const taken = solution_.column_of_row[row];
    if (taken >= columns && taken != unmatched) {
      return certificate::at(certificate_defect::matching, row, taken);
    }
    if (!problem_.has_row(row)) {
      return taken == unmatched ? certificate{}
                                : certificate::at(certificate_defect::matching, row, taken);
    }
    Cost const left_out =
        problem_.unmatched_cost.empty() ? Cost::forbidden() : problem_.unmatched_cost[row];
    Cost const paid = taken == unmatched ? left_out : problem_.cost(row, taken);
    if (!traits::in_range(paid) || !traits::in_range(left_out)) {
      return certificate::at(certificate_defect::problem_range, row, taken);
    }
    if (paid.is_forbidden()) {
      return certificate::at(certificate_defect::forbidden_used, row, taken);
    }
    raw const asked =
        traits::to_raw(paid) +
        (taken == unmatched ? raw{} : traits::price_to_raw(solution_.column_price[taken]));
    if (!left_out.is_forbidden() && traits::to_raw(left_out) < asked) {
      return certificate::at(certificate_defect::slackness, row, certificate::nowhere);
    }
    for (std::size_t column = 0; column < columns; ++column) {
      Cost const cost = problem_.cost(row, column);
      if (!traits::in_range(cost)) {
        return certificate::at(certificate_defect::problem_range, row, column);
      }
      if (!cost.is_forbidden() &&
          traits::to_raw(cost) + traits::price_to_raw(solution_.column_price[column]) < asked) {
        return certificate::at(certificate_defect::slackness, row, column);
      }
    }
    sum = sum + traits::to_raw(paid);
    return {};
  }

  positional_problem<Cost> const& problem_;
  positional_solution<Cost> const& solution_;
};

}  // namespace detail

/// Whether `solution` is an optimum of `problem`, else what is wrong first. O(rows × columns), no
/// allocation. Any numbers may be passed: a bad one is a defect, not an overflow. A defect of a row
/// names a column that would be cheaper for it at the prices.
template <solver_cost Cost>
[[nodiscard]] constexpr certificate certify(positional_problem<Cost> const& problem,
                                            positional_solution<Cost> const& solution) noexcept {
  return detail::positional_certifier<Cost>{problem, solution}.run();
}

BERTH_NAMESPACE_END
