// SPDX-License-Identifier: BSL-1.0
// The arcs of a row that a network simplex for transportation looks at first: the cheapest at the
// prices of the day. Which ones they are decides how long it takes, not what comes out.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/transport_memory.hpp>
#include <berth/solve/transport_problem.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class transport_shortlist {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using memory_type = transport_memory<Cost>;
  using keyed_place = typename memory_type::keyed_place;
  static constexpr std::uint32_t none = memory_type::none;
  static constexpr std::uint32_t most_listed = memory_type::shortlist_length;

 public:
  transport_shortlist(transport_problem<Cost> const& problem,
                      transport_memory<Cost>& memory) noexcept
      : problem_{problem}, m_{memory} {}

  /// Makes the shortlist of a row: its cheapest arcs at the prices of the columns in the tree, in
  /// the order of the arcs. O(arcs of the row).
  void make(std::uint32_t row) noexcept {
    auto const arcs = problem_.arcs_of(row);
    for (std::uint32_t place = 0; place < arcs.size(); ++place) {
      m_.keys[place] = {price_of_use(arcs[place]), place};
    }
    keyed_place const last = last_listed(static_cast<std::uint32_t>(arcs.size()));
    std::size_t const first = std::size_t{row} * most_listed;
    std::uint32_t count = 0;
    for (std::uint32_t place = 0; place < arcs.size() && count < most_listed; ++place) {
      m_.shortlist[first + count] = arcs[place];
      m_.shortlist_place[first + count] = place;
      count += last < keyed_place{price_of_use(arcs[place]), place} ? 0u : 1u;
    }
    m_.shortlist_count[row] = count;
  }

 private:
  static constexpr int most_looks = 4;

  [[nodiscard]] raw price_of_use(transport_arc<Cost> const& arc) const noexcept {
    return traits::to_raw(arc.cost) + m_.tree.price(arc.column);
  }

  /// The key up to which arcs are listed: at least half as many as the list has room for, at most
  /// all of that. Where keys are numbers it is looked for between the least and the middle of a
  /// sample, as if keys were spread evenly there: a look or two at all of them, which is less than
  /// selecting.
  [[nodiscard]] keyed_place last_listed(std::uint32_t count) noexcept {
    auto const keys = std::span{m_.keys}.first(count);
    if (count <= most_listed) {
      return {traits::unreachable, none};
    }
    if constexpr (std::integral<raw>) {
      raw const least = std::min_element(keys.begin(), keys.end())->key;
      raw reach = share(middle(keys) - least, 3 * most_listed / 2, count);
      for (int look = 0; look < most_looks; ++look) {
        std::uint32_t within = 0;
        for (keyed_place const& at : keys) {
          within += at.key - least <= reach ? 1u : 0u;
        }
        if (within >= most_listed / 2 && within <= most_listed) {
          return {least + reach, none};
        }
        reach = share(reach, 3 * most_listed / 4, within);
      }
    }
    std::nth_element(keys.begin(), keys.begin() + (most_listed - 1), keys.end());
    return keys[most_listed - 1];
  }

  [[nodiscard]] static raw middle(std::span<keyed_place const> keys) noexcept {
    std::array<raw, 9> sample;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      sample[i] = keys[i * keys.size() / sample.size()].key;
    }
    std::nth_element(sample.begin(), sample.begin() + 4, sample.end());
    return sample[4];
  }

  /// value × times / parts for value >= 0, without overflow.
  [[nodiscard]] static raw share(raw value, std::uint32_t times, std::uint32_t parts) noexcept {
    constexpr raw safe = std::numeric_limits<raw>::max() / (std::int64_t{1} << 8);
    return value < safe ? value * times / parts : value / parts * times;
  }

  transport_problem<Cost> const& problem_;
  transport_memory<Cost>& m_;
};

}  // namespace detail
BERTH_NAMESPACE_END
