// SPDX-License-Identifier: BSL-1.0
// The conditions of optimality on a dense matrix: primal feasibility, dual feasibility,
// complementary slackness, and the stated total. It shares no code with a solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_matrix_view.hpp>
#include <berth/solve/cost_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// The conditions, over any solution that can say how many units go where. `Units` answers
/// shipped(row, column), left_out(row), supply(row), capacity(column).
template <solver_cost Cost, class Units>
class certifier {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using price = typename traits::price;

 public:
  constexpr certifier(cost_matrix_view<Cost> cost, std::span<Cost const> unmatched_cost,
                      std::span<price const> row_price, std::span<price const> column_price,
                      price total, Units const& units) noexcept
      : cost_{cost},
        unmatched_cost_{unmatched_cost},
        row_price_{row_price},
        column_price_{column_price},
        total_{total},
        units_{units} {}

  [[nodiscard]] constexpr certificate run() const noexcept {
    if (!cost_.is_well_formed() || row_price_.size() != cost_.rows() ||
        column_price_.size() != cost_.columns() ||
        (!unmatched_cost_.empty() && unmatched_cost_.size() != cost_.rows())) {
      return {certificate_defect::shape};
    }
    if (certificate const ranges = check_ranges(); !ranges.holds()) {
      return ranges;
    }
    if (certificate const primal = check_primal(); !primal.holds()) {
      return primal;
    }
    if (certificate const dual = check_dual(); !dual.holds()) {
      return dual;
    }
    return check_total();
  }

 private:
  static constexpr std::int64_t price_limit = std::int64_t{1} << 61;  // three of them fit an int64
  static constexpr std::int64_t max_units = std::int64_t{1} << 20;

  static constexpr certificate at(certificate_defect defect, std::size_t row,
                                  std::size_t column) noexcept {
    return {defect, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
  }
  [[nodiscard]] constexpr Cost cost_of(std::size_t row, std::size_t column) const noexcept {
    if (column == certificate::nowhere) {
      return unmatched_cost_.empty() ? Cost::forbidden() : unmatched_cost_[row];
    }
    return cost_(row, column);
  }
  [[nodiscard]] constexpr std::int64_t used(std::size_t row, std::size_t column) const noexcept {
    return column == certificate::nowhere ? units_.left_out(row) : units_.shipped(row, column);
  }
  /// Calls `check(row, column)` for every cell and for staying unmatched until a defect is found.
  template <class Check>
  constexpr certificate over_all(Check check) const noexcept {
    for (std::size_t row = 0; row < cost_.rows(); ++row) {
      for (std::size_t column = 0; column <= cost_.columns(); ++column) {
        std::size_t const place = column == cost_.columns() ? certificate::nowhere : column;
        if (certificate_defect const defect = check(row, place);
            defect != certificate_defect::none) {
          return at(defect, row, place);
        }
      }
    }
    return {};
  }

  [[nodiscard]] constexpr certificate check_ranges() const noexcept {
    std::int64_t units = 0;
    for (std::size_t row = 0; row < cost_.rows(); ++row) {
      units += units_.supply(row);
      if (units_.supply(row) < 0 || units > max_units) {
        return at(certificate_defect::problem_range, row, certificate::nowhere);
      }
    }
    auto const is_price = [](price value) { return traits::is_price(value, price_limit); };
    for (std::size_t row = 0; row < cost_.rows(); ++row) {
      if (!is_price(row_price_[row])) {
        return at(certificate_defect::price_range, row, certificate::nowhere);
      }
    }
    for (std::size_t column = 0; column < cost_.columns(); ++column) {
      if (!is_price(column_price_[column])) {
        return at(certificate_defect::price_range, certificate::nowhere, column);
      }
    }
    return over_all([this](std::size_t row, std::size_t column) {
      return traits::in_range(cost_of(row, column)) ? certificate_defect::none
                                                    : certificate_defect::problem_range;
    });
  }

  [[nodiscard]] constexpr certificate check_primal() const noexcept {
    certificate const cells = over_all([this](std::size_t row, std::size_t column) {
      std::int64_t const units = used(row, column);
      return units < 0                                          ? certificate_defect::conservation
             : units > 0 && cost_of(row, column).is_forbidden() ? certificate_defect::forbidden_used
                                                                : certificate_defect::none;
    });
    if (!cells.holds()) {
      return cells;
    }
    for (std::size_t row = 0; row < cost_.rows(); ++row) {
      std::int64_t sum = units_.left_out(row);
      for (std::size_t column = 0; column < cost_.columns(); ++column) {
        sum += units_.shipped(row, column);
      }
      if (sum != units_.supply(row)) {
        return at(certificate_defect::conservation, row, certificate::nowhere);
      }
    }
    for (std::size_t column = 0; column < cost_.columns(); ++column) {
      if (taken(column) > units_.capacity(column)) {
        return at(certificate_defect::capacity, certificate::nowhere, column);
      }
    }
    return {};
  }
  [[nodiscard]] constexpr std::int64_t taken(std::size_t column) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < cost_.rows(); ++row) {
      sum += units_.shipped(row, column);
    }
    return sum;
  }

  [[nodiscard]] constexpr certificate check_dual() const noexcept {
    for (std::size_t column = 0; column < cost_.columns(); ++column) {
      raw const asked = traits::price_to_raw(column_price_[column]);
      if (asked < raw{}) {
        return at(certificate_defect::column_price_negative, certificate::nowhere, column);
      }
      if (raw{} < asked && taken(column) < units_.capacity(column)) {
        return at(certificate_defect::slackness, certificate::nowhere, column);
      }
    }
    return over_all([this](std::size_t row, std::size_t column) {
      Cost const cost = cost_of(row, column);
      if (cost.is_forbidden()) {
        return certificate_defect::none;
      }
      raw const column_price =
          column == certificate::nowhere ? raw{} : traits::price_to_raw(column_price_[column]);
      raw const reduced =
          traits::to_raw(cost) + column_price - traits::price_to_raw(row_price_[row]);
      return reduced < raw{}                            ? certificate_defect::row_price_too_high
             : raw{} < reduced && used(row, column) > 0 ? certificate_defect::slackness
                                                        : certificate_defect::none;
    });
  }

  [[nodiscard]] constexpr certificate check_total() const noexcept {
    raw sum{};
    static_cast<void>(over_all([this, &sum](std::size_t row, std::size_t column) {
      if (std::int64_t const units = used(row, column); units > 0) {
        sum = sum + units * traits::to_raw(cost_of(row, column));
      }
      return certificate_defect::none;
    }));
    bool const is_right =
        traits::is_price(total_, price_limit) && traits::price_to_raw(total_) == sum;
    return {is_right ? certificate_defect::none : certificate_defect::total};
  }

  cost_matrix_view<Cost> cost_;
  std::span<Cost const> unmatched_cost_;
  std::span<price const> row_price_;
  std::span<price const> column_price_;
  price total_;
  Units const& units_;
};

}  // namespace detail
BERTH_NAMESPACE_END
