// SPDX-License-Identifier: BSL-1.0
// Marginal allocation on the concave majorants of the options (Fox, Operations Research 14, 1966):
// the step that gains most per GPU, anywhere, first. Optimal as long as every step taken fits; the
// first that does not gives the bound of the relaxation in which steps are divisible (Sinha and
// Zoltners, Operations Research 27, 1979).
#pragma once

#include <berth/core/config.hpp>
#include <berth/sizing/concave_majorant.hpp>
#include <berth/sizing/detail/sizing_memory.hpp>
#include <berth/sizing/sizing_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// When somebody stops climbing whom there is room for.
enum class climb_until : std::uint8_t {
  no_gain,   ///< the next step gains nothing
  top_rung,  ///< never: steps may lose, the order is still by what they gain
};

struct climbed {
  std::int64_t value = 0;
  std::int64_t bound = 0;    ///< no choice is worth more; of no use after `top_rung`
  bool is_undivided = true;  ///< no GPU was left for a step that did not fit: value is the bound
};

class climbing {
 public:
  climbing(sizing_memory& memory, std::int64_t capacity, climb_until until) noexcept
      : memory_{memory}, left_{capacity - memory.options.base_size()}, until_{until} {}

  /// Chooses an option for every item. Precondition: everybody's first option fits. Ties go to the
  /// item listed first. O(options + steps × log items).
  [[nodiscard]] climbed run() noexcept {
    for (std::uint32_t item = 0; item < memory_.options.size(); ++item) {
      auto const options = memory_.options.of(item);
      memory_.chosen[item] = 0;
      memory_.vertex[item] = 0;
      memory_.vertex_count[item] = static_cast<std::uint32_t>(upper_hull(
          static_cast<std::uint32_t>(options.size()),
          [&](std::uint32_t at) { return std::int64_t{options[at].size}; },
          [&](std::uint32_t at) { return options[at].value.count(); }, vertices(item)));
      value_ += options[0].value.count();
      offer(item);
    }
    climbed found;
    while (climbers_ > 0) {
      std::pop_heap(memory_.heap.begin(), memory_.heap.begin() + climbers_, goes_after);
      climber const first = memory_.heap[static_cast<std::size_t>(--climbers_)];
      if (first.next.size <= left_) {
        take(first.item, vertices(first.item)[++memory_.vertex[first.item]]);
        offer(first.item);
        continue;
      }
      if (found.is_undivided && left_ > 0) {
        found.is_undivided = false;
        found.bound = value_ + part_of(first.next);
      }
      take_what_fits(first.item);
    }
    found.value = value_;
    found.bound = found.is_undivided ? value_ : std::max(found.bound, value_);
    return found;
  }

 private:
  [[nodiscard]] static bool goes_after(climber const& a, climber const& b) noexcept {
    return is_flatter(a.next, b.next) || (!is_flatter(b.next, a.next) && a.item > b.item);
  }
  [[nodiscard]] std::uint32_t* vertices(std::size_t item) noexcept {
    return memory_.vertices.data() + memory_.options.first(item);
  }
  /// What the GPUs that are left would gain on a step that is divisible, rounded down.
  [[nodiscard]] std::int64_t part_of(ladder_step next) const noexcept {
    return next.gain <= 0 ? 0 : next.gain * left_ / next.size;
  }

  void offer(std::uint32_t item) noexcept {
    std::uint32_t const at = memory_.vertex[item];
    if (at + 1 >= memory_.vertex_count[item]) {
      return;
    }
    auto const options = memory_.options.of(item);
    auto const& low = options[vertices(item)[at]];
    auto const& high = options[vertices(item)[at + 1]];
    ladder_step const next =
        ladder_step::between(low.value.count(), low.size, high.value.count(), high.size);
    if (next.gain > 0 || until_ == climb_until::top_rung) {
      memory_.heap[static_cast<std::size_t>(climbers_++)] = {next, item};
      std::push_heap(memory_.heap.begin(), memory_.heap.begin() + climbers_, goes_after);
    }
  }
  void take(std::uint32_t item, std::uint32_t option) noexcept {
    auto const options = memory_.options.of(item);
    std::uint32_t& chosen = memory_.chosen[item];
    left_ -= options[option].size - options[chosen].size;
    value_ += options[option].value.count() - options[chosen].value.count();
    chosen = option;
  }
  /// Where the next vertex is too far: the best option before it.
  void take_what_fits(std::uint32_t item) noexcept {
    auto const options = memory_.options.of(item);
    std::uint32_t const stands = memory_.chosen[item];
    std::uint32_t best = stands;
    for (std::uint32_t at = stands + 1;
         at < options.size() && options[at].size - options[stands].size <= left_; ++at) {
      bool const is_better = options[best].value < options[at].value;
      best = is_better || until_ == climb_until::top_rung ? at : best;
    }
    take(item, best);
  }

  sizing_memory& memory_;
  std::int64_t left_;
  climb_until until_;
  std::int64_t value_ = 0;
  std::ptrdiff_t climbers_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
