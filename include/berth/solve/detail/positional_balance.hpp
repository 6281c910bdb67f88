// SPDX-License-Identifier: BSL-1.0
// Shortest paths over the classes of positional_state, until no class is overfull and none with
// room has a price. Arc a → b moves one row and has the reduced cost
//   weight(a, b) + price(b) - price(a) >= 0,
// and a search changes prices so that its path costs nothing, then moves a row along each arc
// (Ahuja, Magnanti, Orlin, Network Flows, 1993, section 9.7, on the network of classes). Rows do
// not appear in a search: O(classes²), whatever their number, plus reading the members of a class
// whose lists ran dry.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/budget_meter.hpp>
#include <berth/solve/detail/positional_state.hpp>
#include <berth/solve/instruction_set.hpp>
#include <berth/solve/positional_problem.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

enum class balance : std::uint8_t {
  reached,        ///< the matching is optimal for the capacities
  stuck,          ///< some class is overfull, and none of its rows can make way
  out_of_budget,  ///< stopped in between
};

template <class Cost>
void forget_search(positional_state<Cost>& s) noexcept {
  std::fill_n(s.distance.begin(), s.classes, cost_traits<Cost>::unreachable);
  std::fill_n(s.open.begin(), s.classes, cost_traits<Cost>::unreachable);
  std::fill_n(s.next.begin(), s.classes, s.none);
}

template <class Cost>
typename cost_traits<Cost>::raw least_open(positional_state<Cost> const& s) noexcept {
  auto least = cost_traits<Cost>::unreachable;
  for (std::size_t c = 0; c < s.classes; ++c) {
    least = s.open[c] < least ? s.open[c] : least;
  }
  return least;
}

/// Brings the distances up to date with class `from` settled.
template <class Cost>
void relax_out_of(positional_state<Cost>& s, std::uint32_t from) noexcept {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  raw const offset = s.distance[from] - s.price[from];
  raw const* const weights = s.transfers.weights(from);
  raw const* const price = s.price.data();
  raw* const distance = s.distance.data();
  raw* const open = s.open.data();
  std::uint32_t* const before = s.next.data();
  std::size_t const classes = s.classes;
  for (std::size_t c = 0; c < classes; ++c) {
    bool const is_arc = weights[c] != traits::unreachable;
    raw const reached = is_arc ? offset + weights[c] + price[c] : traits::unreachable;
    bool const is_nearer = reached < distance[c];
    distance[c] = is_nearer ? reached : distance[c];
    open[c] = is_nearer ? reached : open[c];
    before[c] = is_nearer ? from : before[c];
  }
}

/// Takes one row too many from some class to the nearest with room; false if there is none.
template <class Cost>
bool push_out(positional_problem<Cost> const& problem, positional_state<Cost>& s) noexcept {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  forget_search(s);
  for (std::size_t c = 0; c < s.classes; ++c) {
    if (s.is_overfull(c)) {
      s.distance[c] = s.open[c] = raw{};
    }
  }
  std::size_t settled = 0;
  for (;;) {
    raw const length = least_open(s);
    if (length == traits::unreachable) {
      return false;
    }
    std::uint32_t const nearest = s.first_of_least(s.open.data(), length);
    if (s.has_room(nearest)) {
      for (std::size_t i = 0; i < settled; ++i) {
        std::uint32_t const c = s.settled[i];
        s.price[c] = s.price[c] + (length - s.distance[c]);
      }
      s.shift(problem, s.reverse_path(nearest));
      return true;
    }
    s.open[nearest] = traits::unreachable;
    s.settled[settled++] = nearest;
    s.refresh(problem, nearest);
    relax_out_of(s, nearest);
  }
}

/// Brings the distances to the class with room up to date with class `to` settled.
template <class Cost>
void relax_into(positional_state<Cost>& s, std::uint32_t to) noexcept {
  using traits = cost_traits<Cost>;
  for (std::size_t c = 0; c < s.classes; ++c) {
    auto const weight = s.transfers.weight(c, to);
    if (weight == traits::unreachable) {
      continue;
    }
    auto const reached = s.distance[to] + weight + s.price[to] - s.price[c];
    if (reached < s.distance[c]) {
      s.distance[c] = s.open[c] = reached;
      s.next[c] = to;
    }
  }
}

/// Gives the free place of class `root`, which has a price, to the row that gains most by it; or
/// takes the price away if none gains as much. The search goes against the arcs: it ends where
/// distance + price is least, in the class whose row leaves a place that nobody pays for.
template <class Cost>
void pull_in(positional_problem<Cost> const& problem, positional_state<Cost>& s,
             std::uint32_t root) noexcept {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  for (std::size_t c = 0; c < s.classes; ++c) {
    s.refresh(problem, c);
  }
  forget_search(s);
  s.distance[root] = s.open[root] = raw{};
  raw length = s.price[root];
  std::uint32_t end = root;
  std::size_t settled = 0;
  for (raw least = raw{}; least < length; least = least_open(s)) {
    auto const nearest = static_cast<std::uint32_t>(
        std::find(s.open.begin(), s.open.begin() + static_cast<std::ptrdiff_t>(s.classes), least) -
        s.open.begin());
    s.open[nearest] = traits::unreachable;
    s.settled[settled++] = nearest;
    if (least + s.price[nearest] < length) {
      length = least + s.price[nearest];
      end = nearest;
    }
    relax_into(s, nearest);
  }
  for (std::size_t i = 0; i < settled; ++i) {
    std::uint32_t const c = s.settled[i];
    if (s.distance[c] < length) {
      s.price[c] = s.price[c] - (length - s.distance[c]);
    }
  }
  s.shift(problem, end);
}

/// Searches until the matching is optimal for the capacities.
template <class Cost>
balance settle_plain(positional_problem<Cost> const& problem, positional_state<Cost>& s,
                     budget_meter& meter) noexcept {
  using raw = typename cost_traits<Cost>::raw;
  for (std::size_t c = 0; c < s.classes; ++c) {
    while (s.is_overfull(c)) {
      if (!meter.spend()) {
        return balance::out_of_budget;
      }
      if (!push_out(problem, s)) {
        return balance::stuck;
      }
    }
  }
  for (std::uint32_t c = 0; c < s.classes; ++c) {
    while (raw{} < s.price[c] && s.has_room(c)) {
      if (!meter.spend()) {
        return balance::out_of_budget;
      }
      pull_in(problem, s, c);
    }
  }
  return balance::reached;
}

#if BERTH_DETAIL_HAS_AVX2
/// The same, all of it inlined here and so built for AVX2: plain x86-64 cannot compare 64-bit
/// integers in vectors, which is most of what a search does.
template <class Cost>
[[gnu::target("avx2"), gnu::flatten]] balance settle_avx2(positional_problem<Cost> const& problem,
                                                          positional_state<Cost>& s,
                                                          budget_meter& meter) noexcept {
  return settle_plain(problem, s, meter);
}
#endif

template <class Cost>
balance settle(positional_problem<Cost> const& problem, positional_state<Cost>& s,
               budget_meter& meter, [[maybe_unused]] instruction_set instructions) noexcept {
#if BERTH_DETAIL_HAS_AVX2
  if constexpr (std::integral<typename cost_traits<Cost>::raw>) {
    if (instructions == instruction_set::avx2) {
      return settle_avx2(problem, s, meter);
    }
  }
#endif
  return settle_plain(problem, s, meter);
}

}  // namespace detail
BERTH_NAMESPACE_END
