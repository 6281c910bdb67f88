// SPDX-License-Identifier: BSL-1.0
// The best plan of one tick by trying everything: every seat of every waiting gang, and every set
// of running jobs that could make room for it. Shares no code with the scheduler that it judges.
//
// The rules, taken from what a strict priority policy promises:
//   1. Gangs are seated in rank order; each takes whole members, all on nodes of one allowed type.
//   2. A gang that fits into free GPUs displaces nobody. Otherwise it may displace preemptible jobs
//   of a lower class, none of whom it could spare. GPUs that they leave over count for those behind
//   it that do not fit into free GPUs either.
// The objective, in this order:
//   1. who is seated, as a vector in rank order, greatest first;
//   2. how many of the highest class are displaced, then of the next, down to the last but one (the
//   lowest of all that could be displaced does not count: what it loses is in 3);
//   3. GPU·milliseconds: slow types, spread gangs, GPUs left over on broken nodes, work of the
//   displaced
//      that is lost. A displaced job counts once, on however many nodes it sits.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace brute_force {

inline constexpr std::size_t max_nodes = 4;
inline constexpr std::size_t max_types = 2;
using per_node = std::array<std::int32_t, max_nodes>;  // GPUs

enum class layout : std::uint8_t { any, same_node, one_per_node };

struct node {
  std::int32_t gpus = 0;
  std::size_t type = 0;
  std::size_t rack = 0;
};

struct holder {
  std::int32_t priority = 0;
  bool preemptible = true;
  std::int64_t price = 0;  // GPU·ms lost if it stops
  per_node held{};
};

struct gang {
  std::int32_t priority = 0;
  std::int32_t members = 1;
  std::int32_t gpus = 1;
  layout spread = layout::any;
  std::array<bool, max_types> allowed{true, true};
  std::array<std::int64_t, max_types> speed{1000, 1000};  // thousandths
  std::int64_t work = 0;                                  // ms at speed 1000
};

struct instance {
  std::vector<node> nodes;
  std::size_t types = 1;
  per_node free{};
  std::vector<holder> holders;
  std::vector<gang> gangs;  // in rank order
};

/// Where each gang sits (nowhere: all zero), and who is displaced (bit per holder).
struct plan {
  std::vector<per_node> seats;
  std::uint32_t displaced = 0;
};

struct objective {
  std::uint32_t seated = 0;  // bit 31 is the first in rank order
  std::int64_t levels = 0;   // of the displaced: five bits per class, the highest class on top
  std::int64_t time = 0;
  friend bool operator==(objective const&, objective const&) = default;
  /// Less is better.
  friend std::strong_ordering operator<=>(objective const& a, objective const& b) {
    if (a.seated != b.seated) {
      return b.seated <=> a.seated;
    }
    return a.levels != b.levels ? a.levels <=> b.levels : a.time <=> b.time;
  }
};

inline bool is_seated(per_node const& seat) {
  return std::any_of(seat.begin(), seat.end(), [](std::int32_t gpus) { return gpus > 0; });
}

class judge {
 public:
  explicit judge(instance const& given) : given_{given} {
    for (gang const& waiting : given_.gangs) {
      list_seats(waiting);
    }
    for (holder const& running : given_.holders) {
      std::vector<std::int32_t> below;
      for (holder const& other : given_.holders) {
        if (other.preemptible && other.priority < running.priority) {
          below.push_back(other.priority);
        }
      }
      std::sort(below.begin(), below.end());
      auto const level = std::unique(below.begin(), below.end()) - below.begin();
      level_.push_back(level == 0 ? 0 : std::int64_t{1} << (5 * (level - 1)));  // < 32 holders
    }
  }

  /// nullopt: the plan breaks a rule that every plan must keep (room, types, whole members).
  [[nodiscard]] std::optional<objective> value(plan const& tried) const {
    per_node room = given_.free;
    objective sum;
    for (std::size_t h = 0; h < given_.holders.size(); ++h) {
      if (((tried.displaced >> h) & 1u) != 0) {
        if (!given_.holders[h].preemptible) {
          return std::nullopt;
        }
        sum.levels += level_[h];
        sum.time += given_.holders[h].price;
        add(room, given_.holders[h].held, 1);
      }
    }
    std::vector<std::size_t> order;
    for (std::size_t g = 0; g < given_.gangs.size(); ++g) {
      if (is_seated(tried.seats[g])) {
        if (std::find(seats_[g].begin(), seats_[g].end(), tried.seats[g]) == seats_[g].end()) {
          return std::nullopt;
        }
        sum.seated |= 0x80000000u >> g;
        order.push_back(g);
      }
    }
    // What is left over on a node depends on who sits down first: the largest gang does.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      gang const& x = given_.gangs[a];
      gang const& y = given_.gangs[b];
      return x.members * x.gpus != y.members * y.gpus ? x.members * x.gpus > y.members * y.gpus
                                                      : x.gpus > y.gpus;
    });
    for (std::size_t const g : order) {
      add(room, tried.seats[g], -1);
      if (*std::min_element(room.begin(), room.end()) < 0) {
        return std::nullopt;
      }
      sum.time += price_of_seat(given_.gangs[g], tried.seats[g]);
      for (std::size_t n = 0; n < given_.nodes.size(); ++n) {
        sum.time += tried.seats[g][n] > 0 ? room[n] * leftover_price : 0;
      }
    }
    return sum;
  }

  /// The least objective over all plans that keep the rules, and a plan that has it.
  [[nodiscard]] objective best(plan& found) {
    best_vector_ = best_vector(0, {given_.free, {}, 0});
    best_ = std::nullopt;
    plan tried;
    tried.seats.resize(given_.gangs.size());
    descend(0, {given_.free, {}, 0}, tried, 0, 0);
    found = best_plan_;
    return *best_;
  }

 private:
  static constexpr std::int64_t leftover_price =
      60'000;  // consolidated: a minute per GPU left over

  struct state {
    per_node free{};
    per_node leaving{};  // of the displaced, and not given away yet
    std::uint32_t displaced = 0;
    [[nodiscard]] std::uint64_t key(std::size_t gang) const {  // at most 8 GPUs a node, 16 holders
      std::uint64_t word = gang;
      for (std::size_t n = 0; n < max_nodes; ++n) {
        word = (word * 9 + static_cast<std::uint64_t>(free[n])) * 9 +
               static_cast<std::uint64_t>(leaving[n]);
      }
      return word * 65536 + displaced;
    }
    [[nodiscard]] per_node room() const {
      per_node sum = free;
      add(sum, leaving, 1);
      return sum;
    }
  };

  static void add(per_node& to, per_node const& what, std::int32_t times) {
    for (std::size_t n = 0; n < max_nodes; ++n) {
      to[n] += times * what[n];
    }
  }
  [[nodiscard]] static bool fits(per_node const& seat, per_node const& room) {
    for (std::size_t n = 0; n < max_nodes; ++n) {
      if (seat[n] > room[n]) {
        return false;
      }
    }
    return true;
  }

  void list_seats(gang const& waiting) {
    std::vector<per_node> all;
    for (std::size_t type = 0; type < given_.types; ++type) {
      if (waiting.allowed[type]) {
        per_node seat{};
        extend(waiting, type, 0, waiting.members, seat, all);
      }
    }
    std::sort(all.begin(), all.end(), [&](per_node const& a, per_node const& b) {
      return price_of_seat(waiting, a) < price_of_seat(waiting, b);
    });
    seats_.push_back(all);
  }
  void extend(gang const& waiting, std::size_t type, std::size_t from, std::int32_t left,
              per_node& seat, std::vector<per_node>& all) const {
    if (from == given_.nodes.size()) {
      auto const nodes =
          std::count_if(seat.begin(), seat.end(), [](auto gpus) { return gpus > 0; });
      if (left == 0 && (waiting.spread != layout::same_node || nodes == 1)) {
        all.push_back(seat);
      }
      return;
    }
    std::int32_t most =
        given_.nodes[from].type == type ? given_.nodes[from].gpus / waiting.gpus : 0;
    most = std::min({most, left, waiting.spread == layout::one_per_node ? 1 : left});
    for (std::int32_t here = 0; here <= most; ++here) {
      seat[from] = here * waiting.gpus;
      extend(waiting, type, from + 1, left - here, seat, all);
      seat[from] = 0;
    }
  }

  /// Slow type and spread; what is left over is priced when the plan is whole.
  [[nodiscard]] std::int64_t price_of_seat(gang const& waiting, per_node const& seat) const {
    std::int64_t fastest = 0;
    for (std::size_t type = 0; type < max_types; ++type) {
      fastest = waiting.allowed[type] ? std::max(fastest, waiting.speed[type]) : fastest;
    }
    std::int64_t nodes = 0;
    std::size_t type = 0;
    std::array<bool, max_nodes> racks{};
    for (std::size_t n = 0; n < given_.nodes.size(); ++n) {
      if (seat[n] > 0) {
        ++nodes;
        type = given_.nodes[n].type;
        racks[given_.nodes[n].rack] = true;
      }
    }
    std::int32_t widest = 0;
    for (std::size_t n = 0; n < given_.nodes.size(); ++n) {
      widest = given_.nodes[n].type == type ? std::max(widest, given_.nodes[n].gpus) : widest;
    }
    std::int64_t const per_widest =
        waiting.spread == layout::one_per_node ? 1 : std::max(1, widest / waiting.gpus);
    std::int64_t const fewest = (waiting.members + per_widest - 1) / per_widest;
    std::int64_t const gpus = waiting.members * waiting.gpus;
    std::int64_t const run = waiting.work * 1000 / fastest;
    std::int64_t const slower = gpus * run * (fastest - waiting.speed[type]) / waiting.speed[type];
    std::int64_t const extra = std::max(std::int64_t{0}, nodes - fewest);
    std::int64_t const across = std::count(racks.begin(), racks.end(), true) > 1 ? 50 : 0;
    return slower + gpus * (run * (50 * extra + across) / 1000);
  }

  /// Calls visit(seat, displaced more) for every way to seat the gang now.
  template <class Visit>
  void for_each_way(std::size_t g, state const& now, Visit&& visit) const {
    bool free_seat = false;
    for (per_node const& seat : seats_[g]) {
      if (fits(seat, now.free)) {
        free_seat = true;
        visit(seat, 0u);
      }
    }
    if (free_seat) {
      return;
    }
    std::uint32_t yielding = 0;
    for (std::size_t h = 0; h < given_.holders.size(); ++h) {
      bool const below =
          given_.holders[h].preemptible && given_.holders[h].priority < given_.gangs[g].priority;
      yielding |= below && ((now.displaced >> h) & 1u) == 0 ? 1u << h : 0u;
    }
    for (per_node const& seat : seats_[g]) {
      for (std::uint32_t chosen = yielding;; chosen = (chosen - 1) & yielding) {
        if (suffices(seat, now.room(), chosen) && spares_nobody(seat, now.room(), chosen)) {
          visit(seat, chosen);
        }
        if (chosen == 0) {
          break;
        }
      }
    }
  }
  [[nodiscard]] bool suffices(per_node const& seat, per_node room, std::uint32_t chosen) const {
    for (std::size_t h = 0; h < given_.holders.size(); ++h) {
      if (((chosen >> h) & 1u) != 0) {
        add(room, given_.holders[h].held, 1);
      }
    }
    return fits(seat, room);
  }
  [[nodiscard]] bool spares_nobody(per_node const& seat, per_node const& room,
                                   std::uint32_t chosen) const {
    for (std::size_t h = 0; h < given_.holders.size(); ++h) {
      if (((chosen >> h) & 1u) != 0 && suffices(seat, room, chosen & ~(1u << h))) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] state after(state now, per_node const& seat, std::uint32_t chosen) const {
    for (std::size_t h = 0; h < given_.holders.size(); ++h) {
      if (((chosen >> h) & 1u) != 0) {
        add(now.leaving, given_.holders[h].held, 1);
      }
    }
    now.displaced |= chosen;
    for (std::size_t n = 0; n < max_nodes; ++n) {
      std::int32_t const of_free = std::min(seat[n], now.free[n]);
      now.free[n] -= of_free;
      now.leaving[n] -= seat[n] - of_free;
    }
    return now;
  }

  /// The greatest vector of the gangs from `g` on that can still be had.
  std::uint32_t best_vector(std::size_t g, state const& now) {
    if (g == given_.gangs.size()) {
      return 0;
    }
    std::uint64_t const key = now.key(g);
    if (auto const known = vectors_.find(key); known != vectors_.end()) {
      return known->second;
    }
    std::uint32_t const mine = 0x80000000u >> g;
    std::uint32_t const all =
        (mine | (mine - 1)) & ~((0x80000000u >> (given_.gangs.size() - 1)) - 1);
    std::uint32_t most = 0;
    for_each_way(g, now, [&](per_node const& seat, std::uint32_t chosen) {
      if (most != all) {
        most = std::max(most, mine | best_vector(g + 1, after(now, seat, chosen)));
      }
    });
    most = most != 0 ? most : best_vector(g + 1, now);
    vectors_[key] = most;
    return most;
  }

  void descend(std::size_t g, state const& now, plan& tried, std::int64_t levels,
               std::int64_t time) {
    if (best_ && objective{best_->seated, levels, time} >= *best_) {
      return;  // what comes still only adds to it
    }
    if (g == given_.gangs.size()) {
      tried.displaced = now.displaced;
      objective const reached = *value(tried);
      if (!best_ || reached < *best_) {
        best_ = reached;
        best_plan_ = tried;
      }
      return;
    }
    std::uint32_t const rest = best_vector_ & ((0x80000000u >> g << 1) - 1);
    if (best_vector(g, now) != rest) {
      return;
    }
    if ((best_vector_ & (0x80000000u >> g)) == 0) {
      descend(g + 1, now, tried, levels, time);
      return;
    }
    for_each_way(g, now, [&](per_node const& seat, std::uint32_t chosen) {
      std::int64_t more_levels = 0;
      std::int64_t more_time = price_of_seat(given_.gangs[g], seat);
      for (std::size_t h = 0; h < given_.holders.size(); ++h) {
        if (((chosen >> h) & 1u) != 0) {
          more_levels += level_[h];
          more_time += given_.holders[h].price;
        }
      }
      tried.seats[g] = seat;
      descend(g + 1, after(now, seat, chosen), tried, levels + more_levels, time + more_time);
      tried.seats[g] = {};
    });
  }

  instance const& given_;
  std::vector<std::vector<per_node>> seats_;  // per gang, on empty nodes, cheapest first
  std::vector<std::int64_t> level_;           // per holder, its one in objective::levels
  std::unordered_map<std::uint64_t, std::uint32_t> vectors_;
  std::uint32_t best_vector_ = 0;
  std::optional<objective> best_;
  plan best_plan_;
};

}  // namespace brute_force
