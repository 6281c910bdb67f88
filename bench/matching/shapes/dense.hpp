// SPDX-License-Identifier: BSL-1.0
// Shapes S1 and S2, and S4 on them: dense assignment of every row to a column of its own, with
// costs that are random, tied, nearly tied, or distances.
#pragma once

#include <berth/core/random.hpp>

#include <bench/matching/shapes/draw.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

/// Row-major. Every row takes one column, rows <= columns.
struct dense_shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::int32_t> cost;
};

/// These rows leave, and others arrive in their places.
struct matrix_change {
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> cost;  ///< rows.size() × columns, row-major
};

/// Writes a change into the matrix of a shape, which any solver's caller has to do.
inline void apply(matrix_change const& change, std::size_t columns,
                  std::vector<std::int32_t>& cost) {
  for (std::size_t i = 0; i < change.rows.size(); ++i) {
    std::copy_n(change.cost.begin() + static_cast<std::ptrdiff_t>(i * columns), columns,
                cost.begin() + static_cast<std::ptrdiff_t>(change.rows[i] * columns));
  }
}
inline void apply(matrix_change const& change, dense_shape& shape) {
  apply(change, shape.columns, shape.cost);
}

enum class dense_kind : std::uint8_t {
  uniform,    ///< below 10^6
  ties,       ///< below 100
  geometric,  ///< distances of random points in the unit square, times 10^6/√2
  near_tied,  ///< 8 × 8 types, 1000 × (1..50) per pair of types, plus 0..9
};

[[nodiscard]] constexpr char const* to_string(dense_kind kind) noexcept {
  switch (kind) {
    case dense_kind::uniform: return "uni";
    case dense_kind::ties: return "ties";
    case dense_kind::geometric: return "geo";
    case dense_kind::near_tied: return "near-tied";
  }
  return "unknown";
}

/// Draws the rows of one input, and of the changes to it, from one seed.
class dense_source {
 public:
  dense_source(dense_kind kind, std::size_t rows, std::size_t columns, std::uint64_t seed)
      : kind_{kind}, rows_{rows}, columns_{columns}, random_{seed} {
    for (std::size_t column = 0; column < columns; ++column) {
      place_.push_back(draw_point());
      type_.push_back(random_.below(8));
    }
    for (std::int32_t& base : base_) {
      base = 1000 * draw_between(random_, 1, 50);
    }
  }

  [[nodiscard]] dense_shape shape() {
    dense_shape drawn{rows_, columns_, {}};
    drawn.cost.reserve(rows_ * columns_);
    for (std::size_t row = 0; row < rows_; ++row) {
      append_row(drawn.cost);
    }
    return drawn;
  }

  [[nodiscard]] matrix_change change(std::size_t count) {
    matrix_change drawn{draw_distinct(random_, count, rows_), {}};
    for (std::size_t i = 0; i < drawn.rows.size(); ++i) {
      append_row(drawn.cost);
    }
    return drawn;
  }

 private:
  /// In units of 2^-20: squares of differences and their sum are exact in a double, and a square
  /// root is correctly rounded everywhere.
  struct point {
    std::int64_t x;
    std::int64_t y;
  };

  point draw_point() {
    return {random_.between(0, (1 << 20) - 1), random_.between(0, (1 << 20) - 1)};
  }

  [[nodiscard]] static std::int32_t distance(point a, point b) {
    std::int64_t const squares = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
    double const scale = 0.674364;  // 10^6/√2 / 2^20
    return static_cast<std::int32_t>(std::sqrt(static_cast<double>(squares)) * scale);
  }

  void append_row(std::vector<std::int32_t>& cost) {
    point const place = draw_point();
    std::size_t const type = random_.below(8);
    for (std::size_t column = 0; column < columns_; ++column) {
      switch (kind_) {
        case dense_kind::uniform: cost.push_back(draw_between(random_, 0, 999'999)); break;
        case dense_kind::ties: cost.push_back(draw_between(random_, 0, 99)); break;
        case dense_kind::geometric: cost.push_back(distance(place, place_[column])); break;
        case dense_kind::near_tied:
          cost.push_back(base_[type * 8 + type_[column]] + draw_between(random_, 0, 9));
          break;
      }
    }
  }

  dense_kind kind_;
  std::size_t rows_;
  std::size_t columns_;
  berth::random_source random_;
  std::vector<point> place_;
  std::vector<std::size_t> type_;
  std::int32_t base_[64] = {};
};

}  // namespace berth_bench
