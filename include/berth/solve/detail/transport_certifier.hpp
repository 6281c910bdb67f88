// SPDX-License-Identifier: BSL-1.0
// The conditions of optimality for the sparse transportation problem: primal feasibility, dual
// feasibility, the stated total, and then either complementary slackness or the stated bound. It
// shares no code with a solver.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class transport_certifier {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using price = typename traits::price;
  using problem_type = transport_problem<Cost>;
  using solution_type = transport_solution<Cost>;

 public:
  transport_certifier(problem_type const& problem, solution_type const& solution) noexcept
      : problem_{problem}, solution_{solution} {}

  /// Feasible, and nothing is cheaper.
  [[nodiscard]] certificate optimum() { return run(true); }
  /// Feasible, and nothing is cheaper than the bound.
  [[nodiscard]] certificate bound() { return run(false); }

 private:
  static constexpr std::int64_t price_limit = std::int64_t{1} << 61;  // three of them fit an int64
  static constexpr std::int64_t max_units = std::int64_t{1} << 20;

  [[nodiscard]] certificate run(bool is_optimal) {
    if (!shapes_agree()) {
      return {certificate_defect::shape};
    }
    taken_.assign(problem_.columns(), 0);
    certificate found = check_ranges();
    if (found.holds()) {
      found = check_primal();
    }
    if (found.holds()) {
      found = check_dual(is_optimal);
    }
    if (found.holds()) {
      found = check_total();
    }
    if (found.holds()) {
      found = check_bound(is_optimal);
    }
    return found;
  }

  [[nodiscard]] bool shapes_agree() const noexcept {
    std::size_t const rows = problem_.rows.size();
    std::size_t const columns = problem_.columns();
    if (problem_.supply.size() != rows || solution_.unmatched_units.size() != rows ||
        solution_.row_price.size() != rows || solution_.column_price.size() != columns ||
        solution_.flow.size() != problem_.arcs.size() ||
        (!problem_.unmatched_cost.empty() && problem_.unmatched_cost.size() != rows)) {
      return false;
    }
    std::size_t end = 0;
    for (transport_row const& row : problem_.rows) {
      if (row.first > problem_.arcs.size() || row.count > problem_.arcs.size() - row.first ||
          (row.count > 0 && row.first < end)) {
        return false;
      }
      end = row.count > 0 ? std::size_t{row.first} + row.count : end;
      for (std::size_t arc = row.first; arc < std::size_t{row.first} + row.count; ++arc) {
        if (problem_.arcs[arc].column >= columns) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] Cost left_out(std::size_t row) const noexcept {
    return problem_.unmatched_cost.empty() ? Cost::forbidden() : problem_.unmatched_cost[row];
  }

  /// Calls check(row, place, cost, units, price of the place) for every arc, and for staying
  /// unmatched where that is allowed, until a defect is found.
  template <class Check>
  [[nodiscard]] certificate over_all(Check check) const {
    for (std::size_t row = 0; row < problem_.rows.size(); ++row) {
      transport_row const lies = problem_.rows[row];
      for (std::size_t arc = lies.first; arc < std::size_t{lies.first} + lies.count; ++arc) {
        auto const& there = problem_.arcs[arc];
        certificate_defect const defect =
            check(row, there.column, there.cost, std::int64_t{solution_.flow[arc]});
        if (defect != certificate_defect::none) {
          return certificate::at(defect, row, there.column);
        }
      }
      certificate_defect const defect = check(row, certificate::nowhere, left_out(row),
                                              std::int64_t{solution_.unmatched_units[row]});
      if (defect != certificate_defect::none) {
        return certificate::at(defect, row, certificate::nowhere);
      }
    }
    return {};
  }

  [[nodiscard]] certificate check_ranges() const {
    std::int64_t units = 0;
    auto const is_price = [](price value) { return traits::is_price(value, price_limit); };
    for (std::size_t row = 0; row < problem_.rows.size(); ++row) {
      units += problem_.supply[row];
      if (problem_.supply[row] < 0 || units > max_units) {
        return certificate::at(certificate_defect::problem_range, row, certificate::nowhere);
      }
      if (!is_price(solution_.row_price[row])) {
        return certificate::at(certificate_defect::price_range, row, certificate::nowhere);
      }
    }
    for (std::size_t column = 0; column < problem_.columns(); ++column) {
      if (!is_price(solution_.column_price[column])) {
        return certificate::at(certificate_defect::price_range, certificate::nowhere, column);
      }
    }
    return over_all([](std::size_t, std::size_t place, Cost cost, std::int64_t) {
      bool const is_missing = place != certificate::nowhere && cost.is_forbidden();
      return traits::in_range(cost) && !is_missing ? certificate_defect::none
                                                   : certificate_defect::problem_range;
    });
  }

  [[nodiscard]] certificate check_primal() {
    certificate const used =
        over_all([this](std::size_t, std::size_t place, Cost cost, std::int64_t units) {
          if (units < 0) {
            return certificate_defect::conservation;
          }
          if (place != certificate::nowhere) {
            taken_[place] += units;
          }
          return units > 0 && cost.is_forbidden() ? certificate_defect::forbidden_used
                                                  : certificate_defect::none;
        });
    if (!used.holds()) {
      return used;
    }
    for (std::size_t row = 0; row < problem_.rows.size(); ++row) {
      transport_row const lies = problem_.rows[row];
      std::int64_t sum = solution_.unmatched_units[row];
      for (std::size_t arc = lies.first; arc < std::size_t{lies.first} + lies.count; ++arc) {
        sum += solution_.flow[arc];
      }
      if (sum != problem_.supply[row]) {
        return certificate::at(certificate_defect::conservation, row, certificate::nowhere);
      }
    }
    for (std::size_t column = 0; column < problem_.columns(); ++column) {
      if (taken_[column] > problem_.capacity[column]) {
        return certificate::at(certificate_defect::capacity, certificate::nowhere, column);
      }
    }
    return {};
  }

  [[nodiscard]] raw row_price(std::size_t row) const {
    return traits::price_to_raw(solution_.row_price[row]);
  }
  [[nodiscard]] raw asked(std::size_t place) const {
    return place == certificate::nowhere ? raw{}
                                         : traits::price_to_raw(solution_.column_price[place]);
  }

  [[nodiscard]] certificate check_dual(bool is_optimal) const {
    for (std::size_t column = 0; column < problem_.columns(); ++column) {
      if (asked(column) < raw{}) {
        return certificate::at(certificate_defect::column_price_negative, certificate::nowhere,
                               column);
      }
      if (is_optimal && raw{} < asked(column) && taken_[column] < problem_.capacity[column]) {
        return certificate::at(certificate_defect::slackness, certificate::nowhere, column);
      }
    }
    return over_all(
        [this, is_optimal](std::size_t row, std::size_t place, Cost cost, std::int64_t units) {
          if (cost.is_forbidden()) {
            return certificate_defect::none;
          }
          raw const reduced = traits::to_raw(cost) + asked(place) - row_price(row);
          if (reduced < raw{}) {
            return certificate_defect::row_price_too_high;
          }
          return is_optimal && raw{} < reduced && units > 0 ? certificate_defect::slackness
                                                            : certificate_defect::none;
        });
  }

  [[nodiscard]] certificate check_total() const {
    raw sum{};
    static_cast<void>(over_all([&sum](std::size_t, std::size_t, Cost cost, std::int64_t units) {
      if (units > 0) {
        sum = sum + units * traits::to_raw(cost);
      }
      return certificate_defect::none;
    }));
    bool const is_right = traits::is_price(solution_.total, price_limit) &&
                          traits::price_to_raw(solution_.total) == sum;
    return {is_right ? certificate_defect::none : certificate_defect::total};
  }

  /// The bound is at most what the prices prove: the total less what each unit pays above its
  /// price, and less the prices of room that nobody uses. Room for more units than there are does
  /// not count. A term too large to add up only proves less than the bound needs.
  [[nodiscard]] certificate check_bound(bool is_optimal) const {
    if (is_optimal) {
      return {solution_.bound == solution_.total ? certificate_defect::none
                                                 : certificate_defect::bound};
    }
    std::int64_t all_units = 0;
    for (std::int32_t const supply : problem_.supply) {
      all_units += supply;
    }
    bool is_safe = traits::is_price(solution_.bound, price_limit);
    raw gap{};
    auto const add = [&gap, &is_safe](std::int64_t units, raw surplus) {
      if (units > 0 && is_safe) {
        is_safe = traits::is_price(traits::from_raw(surplus), price_limit / units);
        gap = is_safe ? gap + units * surplus : gap;
        is_safe = is_safe && traits::is_price(traits::from_raw(gap), price_limit);
      }
    };
    static_cast<void>(
        over_all([this, &add](std::size_t row, std::size_t place, Cost cost, std::int64_t units) {
          if (units > 0) {
            add(units, traits::to_raw(cost) + asked(place) - row_price(row));
          }
          return certificate_defect::none;
        }));
    for (std::size_t column = 0; column < problem_.columns(); ++column) {
      add(std::min<std::int64_t>(problem_.capacity[column], all_units) - taken_[column],
          asked(column));
    }
    bool const holds = is_safe && !(traits::price_to_raw(solution_.total) - gap <
                                    traits::price_to_raw(solution_.bound));
    return {holds ? certificate_defect::none : certificate_defect::bound};
  }

  problem_type const& problem_;
  solution_type const& solution_;
  std::vector<std::int64_t> taken_;  ///< units per column
};

}  // namespace detail
BERTH_NAMESPACE_END
