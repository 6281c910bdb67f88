// SPDX-License-Identifier: BSL-1.0
// The covering knapsack, nearly: the set-aside greedy (Csirik, Frenk, Labbé, Zhang, Acta
// Cybernetica 10, 1991), at most twice the optimum, followed by dropping what became redundant.
// The bound that comes with it is the optimum of the linear relaxation, rounded up (Dantzig,
// Operations Research 5, 1957), or for costs that cannot be divided what is whole in it.
// Complexity: O(items²) at worst, when every item completes a cover of its own; O(items log items)
// when few do. Memory O(items), whatever the need.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/cover_problem.hpp>
#include <berth/solve/detail/cover_checks.hpp>
#include <berth/solve/status.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Walks the items by cost per unit that they cover. One that would complete the cover makes a
/// candidate together with those kept so far and is then set aside; any other is kept. The cheapest
/// candidate, without its redundant items, is the answer. Ties: the later-listed item first, the
/// first candidate.
struct cover_greedy {
  /// feasible | optimal (the bound proves it) | infeasible | cost_out_of_range | too_large |
  /// malformed (a size < 1 or a cost < 0). Does not allocate.
  template <solver_cost Cost>
  [[nodiscard]] solve_status solve(cover_problem<Cost> const& problem,
                                   cover_workspace<Cost>& w) const noexcept {
    using value = typename cover_workspace<Cost>::value;
    w.solution_ = {};
    if (solve_status const refused = detail::refuse_cover(problem, w.items_, w.greedy_need_);
        refused != solve_status::optimal) {
      return refused;
    }
    if (problem.need <= 0) {
      return solve_status::optimal;
    }
    std::size_t const usable = sort_items(problem, w);
    std::fill_n(w.in_cover_.begin(), problem.items.size(), std::uint8_t{0});
    std::int64_t kept_size = 0;
    bool is_covered = false;
    value best{};
    for (std::size_t i = 0; i < usable; ++i) {
      std::uint32_t const item = w.by_ratio_[i];
      std::int64_t const size = kept_size + problem.items[item].size;
      w.in_cover_[item] = 1;
      if (size < problem.need) {
        kept_size = size;
        continue;
      }
      value const candidate = prune(problem, w, usable, size, nullptr);
      if (!is_covered || candidate < best) {
        best = candidate;
        prune(problem, w, usable, size, w.chosen_.data());
        is_covered = true;
      }
      w.in_cover_[item] = 0;
    }
    if (!is_covered) {
      return solve_status::infeasible;
    }
    auto const count = static_cast<std::size_t>(best.count);
    std::sort(w.chosen_.data(), w.chosen_.data() + count);
    std::int64_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
      size += problem.items[w.chosen_[i]].size;
    }
    auto const bound = relaxed_optimum(problem, w);
    w.solution_ = {{w.chosen_.data(), count},
                   size,
                   cost_traits<Cost>::from_raw(best.cost),
                   cost_traits<Cost>::from_raw(bound)};
    return bound == best.cost ? solve_status::optimal : solve_status::feasible;
  }

 private:
  /// Fills by_ratio_ and by_cost_ with the items that are not forbidden; returns how many they are.
  template <class Cost>
  static std::size_t sort_items(cover_problem<Cost> const& problem,
                                cover_workspace<Cost>& w) noexcept {
    using traits = cost_traits<Cost>;
    std::size_t usable = 0;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
      if (!problem.items[i].cost.is_forbidden()) {
        w.by_ratio_[usable] = static_cast<std::uint32_t>(i);
        w.by_cost_[usable] = static_cast<std::uint32_t>(i);
        ++usable;
      }
    }
    // cost / size without a division; what an item has beyond the need is worth nothing.
    std::sort(w.by_ratio_.data(), w.by_ratio_.data() + usable,
              [&problem](std::uint32_t a, std::uint32_t b) {
                auto const size = [&](std::uint32_t i) {
                  return std::int64_t{std::min(problem.items[i].size, problem.need)};
                };
                auto const left = size(b) * traits::to_raw(problem.items[a].cost);
                auto const right = size(a) * traits::to_raw(problem.items[b].cost);
                return left != right ? left < right : a > b;
              });
    std::sort(w.by_cost_.data(), w.by_cost_.data() + usable,
              [&problem](std::uint32_t a, std::uint32_t b) {
                auto const left = traits::to_raw(problem.items[a].cost);
                auto const right = traits::to_raw(problem.items[b].cost);
                return left != right ? left > right : a < b;
              });
    return usable;
  }

  /// What a cover would cost if an item could be taken in part: the items by ratio, the last one as
  /// far as it is needed. Requires that all of them cover the need.
  template <class Cost>
  static auto relaxed_optimum(cover_problem<Cost> const& problem,
                              cover_workspace<Cost> const& w) noexcept {
    using raw = typename cost_traits<Cost>::raw;
    raw whole{};
    std::int64_t left = problem.need;
    for (std::uint32_t const* at = w.by_ratio_.data();; ++at) {
      cover_item<Cost> const& item = problem.items[*at];
      raw const cost = cost_traits<Cost>::to_raw(item.cost);
      std::int64_t const size = std::min(item.size, problem.need);
      if (size <= left) {
        whole = whole + cost;
        left -= size;
        if (left == 0) {
          return whole;
        }
      } else {
        if constexpr (std::integral<raw>) {
          whole += (cost * left + size - 1) / size;
        }
        return whole;
      }
    }
  }

  /// The cover in in_cover_, of `size`, without its redundant items: the dearest is dropped first.
  /// The rest is written to `chosen` unless that is null.
  template <class Cost>
  static typename cover_workspace<Cost>::value prune(cover_problem<Cost> const& problem,
                                                     cover_workspace<Cost> const& w,
                                                     std::size_t usable, std::int64_t size,
                                                     std::uint32_t* chosen) noexcept {
    typename cover_workspace<Cost>::value kept{};
    for (std::size_t i = 0; i < usable; ++i) {
      std::uint32_t const item = w.by_cost_[i];
      if (w.in_cover_[item] == 0) {
        continue;
      }
      if (size - problem.items[item].size >= problem.need) {
        size -= problem.items[item].size;
        continue;
      }
      if (chosen != nullptr) {
        chosen[kept.count] = item;
      }
      kept.cost = kept.cost + cost_traits<Cost>::to_raw(problem.items[item].cost);
      ++kept.count;
    }
    return kept;
  }
};

BERTH_NAMESPACE_END
