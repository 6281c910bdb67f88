// SPDX-License-Identifier: BSL-1.0
// The covering knapsack: the cheapest items whose sizes add up to what is needed. In a scheduler
// the items are holders of GPUs and the answer says who yields.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

template <solver_cost Cost>
struct cover_item {
  std::int32_t size = 0;  ///< > 0
  Cost cost{};            ///< >= 0; a forbidden item is never chosen
};

template <solver_cost Cost>
struct cover_problem {
  std::span<cover_item<Cost> const> items;
  std::int32_t need = 0;  ///< 0 or less: nothing is chosen
};

/// A view that lives in the workspace until the next solve or reserve.
template <solver_cost Cost>
struct cover_solution {
  std::span<std::uint32_t const> chosen;  ///< indexes of items, ascending
  std::int64_t size = 0;                  ///< sum of their sizes, >= need
  typename cost_traits<Cost>::price total{};
  typename cost_traits<Cost>::price bound{};  ///< no cover is cheaper; equal to `total` if optimal
};

struct cover_knapsack;
struct cover_greedy;

/// Scratch memory and answer of both cover solvers. Only reserve() allocates.
template <solver_cost Cost>
class cover_workspace {
 public:
  cover_workspace() = default;
  cover_workspace(std::size_t items, std::size_t need) { reserve(items, need); }

  /// Makes room for `items` items and any need up to `need`; never shrinks. Forgets the answer.
  /// Memory: items × (need + 1) bytes. Throws std::bad_alloc.
  void reserve(std::size_t items, std::size_t need) {
    solution_ = {};
    items_ = items > items_ ? items : items_;
    need_ = need > need_ ? need : need_;
    greedy_need_ = need > greedy_need_ ? need : greedy_need_;
    best_.resize(need_ + 1);
    taken_.resize(items_ * (need_ + 1));
    by_ratio_.resize(items_);
    by_cost_.resize(items_);
    in_cover_.resize(items_);
    chosen_.resize(items_);
  }
  /// The same for cover_greedy alone, in O(items) memory: it needs no table over the need.
  /// Throws std::bad_alloc.
  void reserve_greedy(std::size_t items, std::size_t need) {
    reserve(items, 0);
    greedy_need_ = need > greedy_need_ ? need : greedy_need_;
  }
  [[nodiscard]] cover_solution<Cost> solution() const noexcept { return solution_; }

 private:
  friend struct cover_knapsack;
  friend struct cover_greedy;

  struct value {
    typename cost_traits<Cost>::raw cost;
    std::int64_t count;
    friend constexpr auto operator<=>(value const&, value const&) noexcept = default;
  };
  std::size_t items_ = 0;
  std::size_t need_ = 0;
  std::size_t greedy_need_ = 0;
  std::vector<value> best_;
  std::vector<std::uint8_t> taken_;
  std::vector<std::uint32_t> by_ratio_;
  std::vector<std::uint32_t> by_cost_;
  std::vector<std::uint8_t> in_cover_;
  std::vector<std::uint32_t> chosen_;
  cover_solution<Cost> solution_;
};

BERTH_NAMESPACE_END
