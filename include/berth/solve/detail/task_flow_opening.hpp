// SPDX-License-Identifier: BSL-1.0
// Prices to start from where slots are scarce. Any prices will do for the searches; near the
// optimum they leave little to search. Every machine first gets the price at which, were all
// machines the same, as many tasks would stay out as there are too many. Then a few rounds of
// supply and demand: every task names its cheapest way; a machine that is asked for more slots than
// it has becomes dearer until the excess would rather go elsewhere; one with slots left becomes
// cheaper. It is an auction (Bertsekas, Annals of Operations Research 14, 1988) with all bids of a
// round at once and no promise to end, hence without an ε: what it leaves wrong the searches put
// right. Steps downward come from the differences that tasks make between their ways, so that no
// scale of costs has to be guessed. Complexity: O(rounds × (ways + places)), no more than a pass.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/detail/task_flow_state.hpp>
#include <berth/solve/task_flow_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class task_flow_opening {
  using state = task_flow_state<Cost>;
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using place_record = typename state::place_record;
  using task_record = typename state::task_record;

 public:
  task_flow_opening(task_flow_problem<Cost> const& problem, state& books) noexcept
      : problem_{problem}, books_{books} {}

  /// Sets the prices of all places. Expects, and leaves, all tasks waiting and all places empty.
  void set_prices() noexcept {
    books_.set_machine_prices(raw{});
    books_.set_aggregator_prices();
    let_all_choose();
    if (raw const level = common_price(); raw{} < level) {
      books_.set_machine_prices(level);
      books_.set_aggregator_prices();
      let_all_choose();
    }
    choose_steps();
    for (std::size_t round = 0; round < rounds; ++round) {
      if (round > 0) {
        let_all_choose();
      }
      clear_machines(steps_[round]);
      books_.set_aggregator_prices();
    }
    books_.empty_all();
  }

 private:
  static constexpr std::size_t rounds = 6;
  // The first step down is what a fifth of the tasks lose at most by their second choice; each
  // later one is what half as many do.
  static constexpr std::size_t first_share = 5;
  static constexpr std::int32_t most_steps = 4;  ///< at once, one for each idle slot

  /// Writes to the record of each task what it loses by its second choice (exit) and by staying out
  /// rather than in (cost), and puts it into the list of its first choice, if that is a place, and
  /// into the flow of the place.
  void let_all_choose() noexcept {
    books_.empty_all();
    for (std::uint32_t task = 0; task < books_.task_count; ++task) {
      raw best = traits::unreachable;
      raw second = traits::unreachable;
      std::uint32_t place = state::unscheduled;
      for (task_flow_way<Cost> const& way : problem_.ways_of(task)) {
        if (way.cost.is_forbidden()) {
          continue;
        }
        raw const price = traits::to_raw(way.cost) + books_.places[way.place].price;
        if (price < best) {
          second = best;
          best = price;
          place = way.place;
        } else {
          second = std::min(second, price);
        }
      }
      task_record& record = books_.tasks[task];
      record.exit = record.cost = task_flow_far<raw>;
      if (place == state::unscheduled) {
        continue;
      }
      if (Cost const out = problem_.unscheduled_cost[task]; !out.is_forbidden()) {
        record.cost = traits::to_raw(out) - best;
      }
      if (second != traits::unreachable) {
        record.exit = second - best;
      }
      record.place = place;
      if (!(raw{} < record.cost)) {
        record.exit = raw{} - record.cost;
      } else {
        record.exit = std::min(record.exit, record.cost);
        record.next = books_.places[place].first_task;
        books_.places[place].first_task = task;
        ++books_.places[place].flow;
      }
    }
  }

  /// The price of all machines at which as many tasks stay out as there are too many; zero if there
  /// are slots enough, or nobody may stay out.
  [[nodiscard]] raw common_price() noexcept {
    std::size_t bidders = 0;
    for (std::size_t task = 0; task < books_.task_count; ++task) {
      if (books_.tasks[task].place != state::waiting) {
        books_.scratch[bidders++] = books_.tasks[task].cost;
      }
    }
    std::int64_t const too_many = static_cast<std::int64_t>(bidders) - books_.slot_count;
    if (too_many <= 0) {
      return {};
    }
    raw const level = smallest(static_cast<std::size_t>(too_many) - 1, bidders);
    return level < task_flow_far<raw> ? level : raw{};
  }

  void choose_steps() noexcept {
    for (std::size_t task = 0; task < books_.task_count; ++task) {
      books_.scratch[task] = books_.tasks[task].exit;
    }
    std::size_t share = books_.task_count / first_share;
    std::size_t candidates = books_.task_count;
    for (raw& step : steps_) {
      step = candidates == 0 ? raw{} : smallest(share, candidates);
      if (!(step < task_flow_far<raw>)) {
        step = raw{};
      }
      candidates = share;  // the smaller ones stand before it
      share /= 2;
    }
  }

  void clear_machines(raw step) noexcept {
    for (std::size_t place = 0; place < books_.place_count; ++place) {
      place_record& record = books_.places[place];
      if (!record.is_machine() || record.slots == 0) {
        continue;
      }
      if (std::int32_t const excess = record.flow - record.slots; excess > 0) {
        record.price = record.price + clearing_rise(record, excess);
      } else {
        std::int64_t const idle = std::min(-excess, most_steps);
        record.price = std::max(raw{}, record.price - idle * step);
      }
    }
  }
  /// How much dearer a machine has to become until `excess` of those who want it do so no more;
  /// zero if nothing would make them go.
  [[nodiscard]] raw clearing_rise(place_record const& machine, std::int32_t excess) noexcept {
    std::size_t count = 0;
    for (std::uint32_t task = machine.first_task; task != state::none;
         task = books_.tasks[task].next) {
      books_.scratch[count++] = books_.tasks[task].exit;
    }
    raw const rise = smallest(static_cast<std::size_t>(excess) - 1, count);
    return rise < task_flow_far<raw> ? rise : raw{};
  }

  /// The value at `rank` among the first `count` scratch values, were they sorted.
  [[nodiscard]] raw smallest(std::size_t rank, std::size_t count) noexcept {
    raw* const first = books_.scratch.data();
    std::nth_element(first, first + rank, first + count);
    return first[rank];
  }

  task_flow_problem<Cost> const& problem_;
  state& books_;
  std::array<raw, rounds> steps_{};
};

}  // namespace detail
BERTH_NAMESPACE_END
