// SPDX-License-Identifier: BSL-1.0
// The multiple-choice knapsack against trying every choice, ties included, and its two ways against
// each other where both may go.
#include <berth/core/cost.hpp>
#include <berth/solve/choice_knapsack.hpp>
#include <berth/solve/integer_cost.hpp>

#include <tests/support/forall.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace choice_knapsack_test {

namespace {

using namespace berth;
using tests::expect;

using indexes = std::vector<std::uint32_t>;

struct drawn_ladders {
  std::vector<choice_option<gpu_time>> options;
  std::vector<std::uint32_t> counts;
  std::int32_t capacity = 0;

  [[nodiscard]] choice_problem<gpu_time> problem() const { return {options, counts, capacity}; }
};

/// Concave ladders of one step if asked for, else anything.
drawn_ladders draw(tests::byte_source& source, bool is_concave) {
  drawn_ladders drawn;
  std::uint32_t const items = source.below(6);
  auto const step = static_cast<std::int32_t>(1 + source.below(3));
  std::uint32_t const spread = source.one_of<std::uint32_t>({2, 4, 30});
  for (std::uint32_t item = 0; item < items; ++item) {
    std::uint32_t const count = is_concave           ? 1 + source.below(5)
                                : source.chance(245) ? 1 + source.below(4)
                                                     : 0;
    auto size = static_cast<std::int32_t>(source.below(3));
    std::int64_t value = std::int64_t{source.below(spread)} - 1;
    std::int64_t gain = source.below(spread);
    for (std::uint32_t option = 0; option < count; ++option) {
      bool const is_forbidden = !is_concave && source.chance(25);
      drawn.options.push_back({size, is_forbidden ? gpu_time::forbidden() : gpu_time{value}});
      size += is_concave ? step : static_cast<std::int32_t>(1 + source.below(4));
      value += gain;
      gain = is_concave ? gain - source.below(3) : std::int64_t{source.below(spread)} - 2;
    }
    drawn.counts.push_back(count);
  }
  drawn.capacity = static_cast<std::int32_t>(source.below(30));
  return drawn;
}

/// The best of all choices by the documented order: most value, least size, and from the last item
/// back the smallest option.
struct best_choice {
  bool is_there = false;
  std::int64_t value = 0;
  std::int64_t size = 0;
  indexes chosen;
};
void try_all(drawn_ladders const& drawn, std::size_t first, indexes& chosen, std::int64_t value,
             std::int64_t size, best_choice& best) {
  std::size_t const item = chosen.size();
  if (item == drawn.counts.size()) {
    bool const is_better =
        size <= drawn.capacity &&
        (!best.is_there || value > best.value ||
         (value == best.value &&
          (size < best.size ||
           (size == best.size &&
            std::lexicographical_compare(chosen.rbegin(), chosen.rend(), best.chosen.rbegin(),
                                         best.chosen.rend())))));
    if (is_better) {
      best = {true, value, size, chosen};
    }
    return;
  }
  for (std::uint32_t option = 0; option < drawn.counts[item]; ++option) {
    auto const& taken = drawn.options[first + option];
    if (!taken.value.is_forbidden()) {
      chosen.push_back(option);
      try_all(drawn, first + drawn.counts[item], chosen, value + taken.value.count(),
              size + taken.size, best);
      chosen.pop_back();
    }
  }
}

void check_against_all(drawn_ladders const& drawn, solve_status status,
                       choice_solution<gpu_time> const& found) {
  best_choice best;
  indexes scratch;
  try_all(drawn, 0, scratch, 0, 0, best);
  expect(status == (best.is_there ? solve_status::optimal : solve_status::infeasible),
         to_string(status));
  if (best.is_there) {
    expect(found.total == gpu_time{best.value} && found.bound == found.total, "not the most");
    expect(found.size == best.size, "not the least size");
    expect(std::ranges::equal(found.chosen, best.chosen), "another of the equals");
  } else {
    expect(found.chosen.empty(), "an answer that is none");
  }
}

TEST_CASE("choice_knapsack: equals the best of all choices, ties as documented") {
  choice_workspace<gpu_time> workspace(8, 32);
  BERTH_FORALL(3'000, 3'000, 60, [&](tests::byte_source& source) {
    drawn_ladders const drawn = draw(source, false);
    solve_status const status = choice_knapsack{}.solve(drawn.problem(), workspace);
    check_against_all(drawn, status, workspace.solution());
  });
}

TEST_CASE("choice_knapsack: heap and table make the same choice on concave ladders") {
  choice_workspace<gpu_time> by_heap;
  choice_workspace<gpu_time> by_table(8, 32);
  by_heap.reserve_concave(8);  // without a table nothing but the heap can have answered
  BERTH_FORALL(13'000, 3'000, 60, [&](tests::byte_source& source) {
    drawn_ladders const drawn = draw(source, true);
    solve_status const status = choice_knapsack{}.solve(drawn.problem(), by_heap);
    check_against_all(drawn, status, by_heap.solution());
    expect(choice_knapsack{}.solve_by_table(drawn.problem(), by_table) == status, "another status");
    expect(std::ranges::equal(by_heap.solution().chosen, by_table.solution().chosen),
           "another choice");
  });
}

}  // namespace

}  // namespace choice_knapsack_test
