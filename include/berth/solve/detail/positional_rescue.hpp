// SPDX-License-Identifier: BSL-1.0
// What becomes of a matching whose budget ran out: rows without a place take the best of what is
// left, and the prices reached so far bound how much that costs. The prices no longer fit the
// matching afterwards, so it is no start for a warm solve.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/positional_balance.hpp>
#include <berth/solve/detail/positional_state.hpp>
#include <berth/solve/positional_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Makes room in some class that `row`, whose costs were read last, may enter, by a path of moves
/// found breadth first, whatever they cost. Returns that class, `none` if there is no way at all.
template <class Cost>
std::uint32_t make_room(positional_problem<Cost> const& problem, positional_state<Cost>& s,
                        std::uint32_t row) noexcept {
  using traits = cost_traits<Cost>;
  forget_search(s);  // here open only says which classes were not reached yet
  std::size_t reached = 0;
  for (std::uint32_t c = 0; c < s.classes; ++c) {
    if (s.cost[c] != traits::unreachable) {
      s.open[c] = {};
      s.settled[reached++] = c;
    }
  }
  for (std::size_t i = 0; i < reached; ++i) {
    std::uint32_t const from = s.settled[i];
    if (s.has_room(from)) {
      std::uint32_t const entry = s.reverse_path(from);
      s.shift(problem, entry);
      s.read(problem, row);
      return entry;
    }
    s.refresh(problem, from);
    for (std::uint32_t c = 0; c < s.classes; ++c) {
      if (s.open[c] == traits::unreachable && s.transfers.weight(from, c) != traits::unreachable) {
        s.open[c] = {};
        s.next[c] = from;
        s.settled[reached++] = c;
      }
    }
  }
  return s.none;
}

/// Gives every present row a place; false if that is impossible.
template <class Cost>
bool rescue(positional_problem<Cost> const& problem, positional_state<Cost>& s) noexcept {
  using traits = cost_traits<Cost>;
  for (std::size_t c = 0; c < s.classes; ++c) {
    while (s.is_overfull(c)) {
      s.leave(s.members.first(c));
    }
  }
  for (std::uint32_t row = 0; row < problem.cost.rows(); ++row) {
    if (s.is_in(row) || !problem.has_row(row)) {
      continue;
    }
    s.read(problem, row);
    std::uint32_t best = s.none;
    for (std::uint32_t c = 0; c < s.classes; ++c) {
      if (s.cost[c] != traits::unreachable && s.has_room(c) &&
          (best == s.none || s.cost[c] + s.price[c] < s.cost[best] + s.price[best])) {
        best = c;
      }
    }
    best = best != s.none ? best : make_room(problem, s, row);
    if (best == s.none) {
      return false;
    }
    s.join(row, best);
  }
  return true;
}

/// A lower bound of the optimum from prices that need not fit anything: the sum of what each row
/// pays at least, less what the places are worth. Every row must have a way to go.
template <class Cost, class Price>
typename cost_traits<Cost>::raw priced_bound(positional_problem<Cost> const& problem,
                                             positional_state<Cost>& s,
                                             Price const& price) noexcept {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  raw bound{};
  std::int64_t rows = 0;
  for (std::size_t row = 0; row < problem.cost.rows(); ++row) {
    if (!problem.has_row(row)) {
      continue;
    }
    ++rows;
    s.read(problem, row);
    raw least = traits::unreachable;
    for (std::size_t c = 0; c < s.classes; ++c) {
      if (s.cost[c] != traits::unreachable) {
        least = std::min(least, s.cost[c] + price(c));
      }
    }
    bound = bound + least;
  }
  for (std::size_t c = 0; c < problem.capacity.size(); ++c) {
    // Not more than all rows can go there. A sum out of range bounds nothing, and ends here.
    bound = bound - std::min<std::int64_t>(problem.capacity[c], rows) * price(c);
    if (!traits::is_price(traits::from_raw(bound), std::int64_t{1} << 60)) {
      break;
    }
  }
  return bound;
}

/// The better of the bounds at the prices reached and at no prices at all.
template <class Cost>
typename cost_traits<Cost>::raw dual_bound(positional_problem<Cost> const& problem,
                                           positional_state<Cost>& s) noexcept {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  raw const unpriced = priced_bound(problem, s, [](std::size_t) { return raw{}; });
  raw const priced = priced_bound(problem, s, [&s](std::size_t c) {
    // Any price >= 0 will do; one beyond twice the limit of a cost could overflow the sum.
    bool const is_small = traits::is_price(traits::from_raw(s.price[c]), 2 * traits::limit);
    return is_small ? s.price[c] : raw{};
  });
  return std::max(unpriced, priced);
}

}  // namespace detail
BERTH_NAMESPACE_END
