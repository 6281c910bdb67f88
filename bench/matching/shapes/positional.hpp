// SPDX-License-Identifier: BSL-1.0
// Shapes S1c and S2c, AlloX, and S4 on them (Le, Sun, Chowdhury and Liu, EuroSys 2020): a job that
// runs k-th from last on a machine delays k jobs, so it costs k times its length there, plus what
// it has waited. Machines of one GPU type are equal, hence few classes of columns: (type, k).
#pragma once

#include <berth/core/random.hpp>

#include <bench/matching/shapes/dense.hpp>
#include <bench/matching/shapes/draw.hpp>
#include <berth_sim/detail/fixed_exp.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth_bench {

/// Each row takes one place in one class of columns; at most `capacity` rows take the same class.
struct positional_shape {
  std::size_t rows = 0;
  std::size_t classes = 0;
  std::vector<std::int32_t> cost;  ///< rows × classes, row-major
  std::vector<std::int32_t> capacity;
};

inline void apply(matrix_change const& change, positional_shape& shape) {
  apply(change, shape.classes, shape.cost);
}

/// One column of the uncollapsed input, as its owner knows it. Equal ones are one class.
struct column_record {
  std::int32_t gpu_type = 0;
  std::int32_t position = 0;  ///< from the end, 1 for the last job on the machine

  friend constexpr bool operator==(column_record, column_record) noexcept = default;
};

/// The same input before anyone has seen that columns are equal.
struct allox_shape {
  dense_shape dense;
  std::vector<column_record> columns;
};

/// Draws AlloX inputs: 4 GPU types, 8 positions, jobs of 30 to 100 % of the extra speed of a type.
class allox_source {
 public:
  static constexpr std::size_t types = 4;
  static constexpr std::size_t positions = 8;
  static constexpr std::size_t classes = types * positions;

  allox_source(std::size_t jobs, std::size_t machines, std::uint64_t seed)
      : jobs_{jobs}, machines_{machines}, random_{seed} {}

  [[nodiscard]] positional_shape shape() {
    positional_shape drawn{jobs_, classes, {}, {}};
    drawn.cost.reserve(jobs_ * classes);
    for (std::size_t job = 0; job < jobs_; ++job) {
      append_row(drawn.cost);
    }
    for (std::size_t type = 0; type < types; ++type) {
      for (std::size_t position = 0; position < positions; ++position) {
        drawn.capacity.push_back(static_cast<std::int32_t>((machines_ + types - 1 - type) / types));
      }
    }
    return drawn;
  }

  [[nodiscard]] matrix_change change(std::size_t count) {
    matrix_change drawn{draw_distinct(random_, count, jobs_), {}};
    for (std::size_t i = 0; i < drawn.rows.size(); ++i) {
      append_row(drawn.cost);
    }
    return drawn;
  }

  /// One column per position of each machine, machine by machine; types alternate.
  [[nodiscard]] allox_shape uncollapsed(positional_shape const& shape) const {
    allox_shape all{{shape.rows, machines_ * positions, {}}, {}};
    for (std::size_t machine = 0; machine < machines_; ++machine) {
      for (std::size_t position = 0; position < positions; ++position) {
        all.columns.push_back(
            {static_cast<std::int32_t>(machine % types), static_cast<std::int32_t>(position + 1)});
      }
    }
    all.dense.cost.reserve(all.dense.rows * all.dense.columns);
    for (std::size_t row = 0; row < shape.rows; ++row) {
      for (column_record const column : all.columns) {
        all.dense.cost.push_back(shape.cost[row * classes + class_of(column)]);
      }
    }
    return all;
  }

  [[nodiscard]] static std::size_t class_of(column_record column) {
    return static_cast<std::size_t>(column.gpu_type) * positions +
           static_cast<std::size_t>(column.position - 1);
  }

 private:
  /// Seconds on the slowest type: log-normal with mu 7.5 and sigma 1.2, between a minute and about
  /// a day.
  [[nodiscard]] std::int32_t draw_length() {
    namespace fixed = berth::sim::detail;
    std::int64_t const exponent =
        (std::int64_t{15} << 31) + draw_normal(random_) / 10 * 12;  // 32 bits behind the point
    std::int64_t const power = (exponent >> 12) * fixed::log2_of_e >> 20;
    std::int64_t const limit = std::int64_t{17} << 32;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(
        fixed::scaled_exp2(1, std::clamp<std::int64_t>(power, 0, limit)), 60, 90'000));
  }

  void append_row(std::vector<std::int32_t>& cost) {
    constexpr std::array<std::int64_t, types> extra_speed{0, 60, 170, 310};  // in hundredths
    std::int32_t const length = draw_length();
    std::int32_t const waited = draw_between(random_, 0, 35'999);
    for (std::int64_t const extra : extra_speed) {
      std::int64_t const gained = extra * draw_between(random_, 30, 100);  // 1/10,000
      auto const seconds = static_cast<std::int32_t>(length * std::int64_t{10'000} /
                                                     (std::int64_t{10'000} + gained));
      for (std::int32_t position = 1; position <= static_cast<std::int32_t>(positions);
           ++position) {
        cost.push_back(position * seconds + waited);
      }
    }
  }

  std::size_t jobs_;
  std::size_t machines_;
  berth::random_source random_;
};

}  // namespace berth_bench
