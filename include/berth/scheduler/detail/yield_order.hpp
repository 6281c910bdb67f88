// SPDX-License-Identifier: BSL-1.0
// Holders of GPUs in the order in which they yield: the last in rank order first. Whoever looks for
// victims walks from the first on and pays for those that it sees; how many GPUs all of them hold
// that rank behind somebody is a sum along one path. A treap (Seidel & Aragon, Algorithmica 1996,
// "Randomized search trees") whose priorities are drawn from the slots, so that equal calls build
// equal trees; a change costs O(log holders) as expected over them.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct yielding_holder {
  priority_key key;
  std::uint64_t sequence = 0;
  std::uint32_t slot = 0;
  std::int32_t gpus = 0;

  /// Does it yield before the other one?
  [[nodiscard]] bool goes_before(yielding_holder const& other) const noexcept {
    auto const by_key = key <=> other.key;
    return by_key != 0 ? by_key > 0 : sequence > other.sequence;
  }
};

class yield_order {
 public:
  static constexpr std::uint32_t nobody = 0xffffffffu;

  /// Room for slots below this. Throws std::bad_alloc.
  explicit yield_order(std::size_t slots) : nodes_(slots) {}

  /// O(holders).
  void clear() noexcept {
    for (std::uint32_t slot = first_; slot != nobody;) {
      std::uint32_t const following = next(slot);
      nodes_[slot] = {};
      slot = following;
    }
    root_ = nobody;
    first_ = nobody;
  }

  [[nodiscard]] bool contains(std::uint32_t slot) const noexcept { return nodes_[slot].is_in; }
  /// Precondition: contains(slot).
  [[nodiscard]] yielding_holder const& at(std::uint32_t slot) const noexcept {
    return nodes_[slot].holder;
  }
  /// Who yields first; nobody if there is none.
  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  /// Who yields after `slot`; nobody if it is the last. Precondition: contains(slot).
  [[nodiscard]] std::uint32_t next(std::uint32_t slot) const noexcept { return nodes_[slot].next; }

  /// GPUs of all that rank behind `key`.
  [[nodiscard]] std::int64_t gpus_behind(priority_key const& key) const noexcept {
    std::int64_t sum = 0;
    for (std::uint32_t at = root_; at != nobody;) {
      node const& here = nodes_[at];
      bool const is_behind = here.holder.key > key;
      sum += is_behind ? sum_of(here.before) + here.holder.gpus : 0;
      at = is_behind ? here.after : here.before;
    }
    return sum;
  }

  /// Inserts a holder, or gives its slot another one. O(1) if it yields between the same two as it
  /// did and has as many GPUs.
  void set(yielding_holder const& holder) noexcept {
    node& mine = nodes_[holder.slot];
    if (mine.is_in && mine.holder.gpus == holder.gpus && stays_between(mine, holder)) {
      mine.holder = holder;
      return;
    }
    erase(holder.slot);
    insert(holder);
  }

  /// Does nothing if the slot is not in it.
  void erase(std::uint32_t slot) noexcept {
    node& mine = nodes_[slot];
    if (!mine.is_in) {
      return;
    }
    std::uint32_t* link = &root_;
    while (*link != slot) {
      node& above = nodes_[*link];
      above.sum -= mine.holder.gpus;
      link = above.holder.goes_before(mine.holder) ? &above.after : &above.before;
    }
    *link = merged(mine.before, mine.after);
    (mine.previous == nobody ? first_ : nodes_[mine.previous].next) = mine.next;
    if (mine.next != nobody) {
      nodes_[mine.next].previous = mine.previous;
    }
    mine = {};
  }

 private:
  struct node {
    yielding_holder holder;
    std::uint32_t before = nobody;  ///< the subtrees
    std::uint32_t after = nobody;
    std::uint32_t previous = nobody;  ///< the neighbours in the order
    std::uint32_t next = nobody;
    std::int64_t sum = 0;  ///< GPUs of the whole subtree
    bool is_in = false;
  };

  /// Nobody has a greater one in its subtree.
  [[nodiscard]] static std::uint64_t priority(std::uint32_t slot) noexcept {
    return random_source{slot}.next();
  }
  [[nodiscard]] std::int64_t sum_of(std::uint32_t at) const noexcept {
    return at == nobody ? 0 : nodes_[at].sum;
  }
  void sum_up(node& here) noexcept {
    here.sum = sum_of(here.before) + here.holder.gpus + sum_of(here.after);
  }
  [[nodiscard]] bool stays_between(node const& mine, yielding_holder const& holder) const noexcept {
    return (mine.previous == nobody || nodes_[mine.previous].holder.goes_before(holder)) &&
           (mine.next == nobody || holder.goes_before(nodes_[mine.next].holder));
  }

  /// Precondition: its slot is not in.
  void insert(yielding_holder const& holder) noexcept {
    node& mine = nodes_[holder.slot];
    mine.holder = holder;
    mine.is_in = true;
    for (std::uint32_t at = root_; at != nobody;) {
      bool const is_before = nodes_[at].holder.goes_before(holder);
      (is_before ? mine.previous : mine.next) = at;
      at = is_before ? nodes_[at].after : nodes_[at].before;
    }
    (mine.previous == nobody ? first_ : nodes_[mine.previous].next) = holder.slot;
    if (mine.next != nobody) {
      nodes_[mine.next].previous = holder.slot;
    }
    std::uint32_t* link = &root_;
    while (*link != nobody && priority(*link) > priority(holder.slot)) {
      node& above = nodes_[*link];
      above.sum += holder.gpus;
      link = above.holder.goes_before(holder) ? &above.after : &above.before;
    }
    split(*link, holder, mine.before, mine.after);
    sum_up(mine);
    *link = holder.slot;
  }

  /// Divides the subtree `at` into those that yield before `holder` and those that yield after it.
  void split(std::uint32_t at, yielding_holder const& holder, std::uint32_t& before,
             std::uint32_t& after) noexcept {
    if (at == nobody) {
      before = nobody;
      after = nobody;
      return;
    }
    node& here = nodes_[at];
    if (here.holder.goes_before(holder)) {
      before = at;
      split(here.after, holder, here.after, after);
    } else {
      after = at;
      split(here.before, holder, before, here.before);
    }
    sum_up(here);
  }

  /// One subtree of two, all of the first yielding before all of the second.
  [[nodiscard]] std::uint32_t merged(std::uint32_t before, std::uint32_t after) noexcept {
    if (before == nobody || after == nobody) {
      return before == nobody ? after : before;
    }
    bool const is_first_above = priority(before) > priority(after);
    std::uint32_t const top = is_first_above ? before : after;
    node& here = nodes_[top];
    if (is_first_above) {
      here.after = merged(here.after, after);
    } else {
      here.before = merged(before, here.before);
    }
    sum_up(here);
    return top;
  }

  std::vector<node> nodes_;  ///< per slot
  std::uint32_t root_ = nobody;
  std::uint32_t first_ = nobody;
};

}  // namespace detail
BERTH_NAMESPACE_END
