// SPDX-License-Identifier: BSL-1.0
// dlib's Hungarian method without dlib's headers: square matrices of int, greatest sum.
#pragma once

#include <bench/matching/shapes/dense.hpp>

#include <cstdint>
#include <memory>

namespace berth_bench {

/// An engine for square shapes (case.hpp). The matrix of negated costs is made beforehand.
class dlib_assignment {
 public:
  explicit dlib_assignment(dense_shape const& shape);
  ~dlib_assignment();
  dlib_assignment(dlib_assignment&&) noexcept;

  void solve_cold();
  [[nodiscard]] std::int64_t optimum() const { return optimum_; }

 private:
  struct matrix;
  std::unique_ptr<matrix> negated_;
  std::int64_t optimum_ = -1;
};

}  // namespace berth_bench
