// SPDX-License-Identifier: BSL-1.0
// Least squares with four unknowns that are not negative, the same on every compiler.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>

#include <array>
#include <cstddef>
#include <utility>

BERTH_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::size_t unknowns = 4;
using four = std::array<double, unknowns>;

/// The sums that least squares needs: add() the rows one by one, then solve().
class nonnegative_fit {
 public:
  /// One equation row · x = value, with a weight.
  void add(four const& row, double value, double weight) noexcept {
    for (std::size_t i = 0; i < unknowns; ++i) {
      double const weighted = rounded_product(row[i], weight);
      right_[i] += rounded_product(weighted, value);
      for (std::size_t j = 0; j < unknowns; ++j) {
        matrix_[i][j] += rounded_product(weighted, row[j]);
      }
    }
    scale_ += weight;
    total_ += rounded_product(rounded_product(value, value), weight);
  }

  /// The x >= 0 with the least weighted sum of squares; all zero if there is none. The optimum of
  /// the constrained problem is the free optimum on the unknowns that are positive in it, and four
  /// have fifteen such supports: all of them are tried. An unknown that the rows do not determine
  /// stays 0. O(1).
  [[nodiscard]] four solve() const noexcept {
    four best{};
    double least = total_;
    for (unsigned support = 1; support < (1u << unknowns); ++support) {
      four x{};
      if (!solve_on(support, x)) {
        continue;
      }
      double rest = total_;
      for (std::size_t i = 0; i < unknowns; ++i) {
        rest -= rounded_product(x[i], right_[i]);
      }
      // Better by rounding alone is not better: fewer unknowns, which come first, stay.
      if (rest < least - rounded_product(1e-12, total_)) {
        least = rest;
        best = x;
      }
    }
    return best;
  }

 private:
  /// Gaussian elimination with the largest pivot, on the scaled unknowns of `support`. False if it
  /// is singular there or an unknown is negative.
  [[nodiscard]] bool solve_on(unsigned support, four& x) const noexcept {
    std::array<std::size_t, unknowns> chosen{};
    std::size_t n = 0;
    for (std::size_t i = 0; i < unknowns; ++i) {
      if ((support >> i & 1u) != 0) {
        chosen[n++] = i;
      }
    }
    std::array<std::array<double, unknowns + 1>, unknowns> a{};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        a[i][j] = matrix_[chosen[i]][chosen[j]];
      }
      a[i][n] = right_[chosen[i]];
    }
    for (std::size_t step = 0; step < n; ++step) {
      std::size_t pivot = step;
      for (std::size_t i = step + 1; i < n; ++i) {
        pivot = magnitude(a[i][step]) > magnitude(a[pivot][step]) ? i : pivot;
      }
      std::swap(a[step], a[pivot]);
      if (magnitude(a[step][step]) <= rounded_product(1e-11, scale_)) {
        return false;
      }
      for (std::size_t i = 0; i < n; ++i) {
        if (i == step) {
          continue;
        }
        double const factor = a[i][step] / a[step][step];
        for (std::size_t j = step; j <= n; ++j) {
          a[i][j] -= rounded_product(factor, a[step][j]);
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      double const value = a[i][n] / a[i][i];
      if (!(value >= 0.0)) {
        return false;
      }
      x[chosen[i]] = value;
    }
    return true;
  }
  [[nodiscard]] static double magnitude(double value) noexcept {
    return value < 0.0 ? -value : value;
  }

  std::array<four, unknowns> matrix_{};
  four right_{};
  double scale_ = 0.0;  ///< of the weights
  double total_ = 0.0;  ///< weighted sum of squares of the values
};

}  // namespace detail
BERTH_NAMESPACE_END
