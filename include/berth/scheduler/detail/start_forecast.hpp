// SPDX-License-Identifier: BSL-1.0
// When those who wait would start if nobody stopped for them: the queue played forward over the
// GPUs that are expected back, node by node, in rank order and each job no earlier than those
// before it on the same GPU type (list scheduling: Graham, SIAM J. Appl. Math. 17, 1969).
#pragma once

#include <berth/core/bounded_vector.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/ledger.hpp>
#include <berth/model/node.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Memory is reserved once; empty where nobody asks.
class start_forecast {
 public:
  /// Jobs for which the queue is played forward; those behind start no earlier.
  static constexpr std::size_t most_jobs = 256;
  /// GPUs of a node taken or given back while it is played, above which it is played no further: a
  /// few gangs over thousands of nodes must not cost more than the tick.
  static constexpr std::size_t most_steps = 16'384;

  /// Throws std::bad_alloc.
  void reserve(std::size_t max_nodes, std::size_t max_gpus, std::size_t max_jobs) {
    free_.resize(max_nodes);
    next_.resize(max_nodes);
    previous_.resize(max_nodes);
    seats_.resize(max_nodes);
    events_.resize(max_gpus);
    starts_.resize(max_jobs);
    made_.resize(max_jobs, 0);
    frontier = bounded_vector<std::uint32_t>{max_jobs};
  }

  /// A tick of the same number is to be foreseen anew. O(jobs).
  void forget() noexcept {
    tick_ = 0;
    std::fill(made_.begin(), made_.end(), std::uint64_t{0});
  }
  [[nodiscard]] bool is_made_in(std::uint64_t tick) const noexcept { return tick_ == tick; }

  /// Forgets what was foreseen, and takes over what is free now. O(nodes).
  void begin(ledger const& books, time_point now, std::uint64_t tick) noexcept {
    tick_ = tick;
    types_ = static_cast<std::size_t>(books.type_count());
    largest_ = books.largest_node();
    latest_ = now;
    steps_ = 0;
    std::size_t offset = 0;
    std::array<std::size_t, max_sections> gpus{};
    for (std::uint32_t n = 0; n < books.node_slots(); ++n) {
      node_book const& node = books.node(n);
      gpus[section_of(node)] += node.exists ? static_cast<std::size_t>(node.spec.gpus) : 0;
    }
    for (std::size_t i = 0; i < sections(); ++i) {
      sections_[i] = section{offset, 0, now, false, false, false, {}, {}, {}};
      sections_[i].nodes.fill(no_index);
      offset += gpus[i];
    }
    for (std::uint32_t n = 0; n < books.node_slots(); ++n) {
      node_book const& node = books.node(n);
      free_[n] = gpu_count(node.offered());
      if (node.exists && node.spec.health == node_health::up) {
        link(sections_[section_of(node)], n);
      } else {
        free_[n] = absent;
      }
    }
  }
  /// So many GPUs of a node come back then.
  void expect(ledger const& books, std::uint32_t node, std::int32_t gpus,
              time_point when) noexcept {
    if (gpus > 0 && when != never && free_[node] != absent) {
      section& in = sections_[section_of(books.node(node))];
      events_[in.first_event + in.events++] = {when, node, gpus};
    }
  }
  /// The next in rank order starts as soon as it fits, and runs for `run`. O(releases until then ×
  /// log releases + GPUs per node).
  void start(std::uint32_t job, shape const& form, duration run) noexcept {
    time_point last = time_point::min();
    for_each_part(form, job, 0, any_type, [&](gang_part const& part) {
      section* const at = earliest_of(part);
      time_point const begins = at == nullptr ? never : seat(*at, part, run);
      last = std::max(last, begins);
    });
    note(job, last);
  }
  /// When the job would start if nobody else waited. Instead of start(), not beside it. O(releases
  /// until then × GPUs per node), and O(releases × log releases) once.
  void start_alone(std::uint32_t job, shape const& form) noexcept {
    time_point last = time_point::min();
    for_each_part(form, job, 0, any_type, [&](gang_part const& part) {
      time_point first = never;
      for (std::size_t t = 0; t < types_; ++t) {
        if (contains(part.types, static_cast<gpu_type>(t))) {
          first = std::min(
              first, fits_at(sections_[section_of(part.where, static_cast<gpu_type>(t))], part));
        }
      }
      last = std::max(last, first);
    });
    note(job, last);
  }

  /// May another job be played?
  [[nodiscard]] bool goes_on() const noexcept { return steps_ < most_steps; }

  /// When `job` starts; at least as late as all that were foreseen if it was not. `never`: nothing
  /// that is expected would let it start.
  [[nodiscard]] time_point start_of(std::uint32_t job) const noexcept {
    return made_[job] == tick_ ? starts_[job] : latest_;
  }

  /// Scratch of whoever walks the queue in rank order: a heap.
  bounded_vector<std::uint32_t> frontier{0};

 private:
  static constexpr std::size_t max_sections = max_gpu_types * pool_count;
  static constexpr std::int32_t absent = -1;

  struct release {
    time_point when;
    std::uint32_t node;
    std::int32_t gpus;
    friend bool operator<(release const& a, release const& b) noexcept {  // the earliest on top
      return a.when != b.when   ? a.when > b.when
             : a.node != b.node ? a.node > b.node
                                : a.gpus > b.gpus;
    }
  };
  /// Nodes of one pool and type. Every release is of a GPU of its own, so that there are never more
  /// of them than GPUs.
  struct section {
    std::size_t first_event = 0;
    std::size_t events = 0;
    time_point clock;
    bool is_heap = false;
    bool is_sorted = false;
    bool knows_too_large = false;
    gang_part too_large;  ///< a part that nothing expected would let start
    std::array<std::uint32_t, max_gpus_per_node + 1> nodes;  ///< first of those with so many free
    std::array<std::int32_t, max_gpus_per_node + 1> count;   ///< how many those are
  };

  [[nodiscard]] std::size_t sections() const noexcept { return types_ * pool_count; }
  [[nodiscard]] std::size_t section_of(pool where, gpu_type type) const noexcept {
    return static_cast<std::size_t>(where) * types_ + static_cast<std::size_t>(type);
  }
  [[nodiscard]] std::size_t section_of(node_book const& node) const noexcept {
    return node.exists ? section_of(node.spec.owner, node.spec.type) : 0;
  }

  void note(std::uint32_t job, time_point when) noexcept {
    starts_[job] = when;
    made_[job] = tick_;
    latest_ = when == never ? latest_ : std::max(latest_, when);
  }

  void link(section& in, std::uint32_t node) noexcept {
    ++in.count[static_cast<std::size_t>(free_[node])];
    std::uint32_t& first = in.nodes[static_cast<std::size_t>(free_[node])];
    next_[node] = first;
    previous_[node] = no_index;
    if (first != no_index) {
      previous_[first] = node;
    }
    first = node;
  }
  void unlink(section& in, std::uint32_t node) noexcept {
    --in.count[static_cast<std::size_t>(free_[node])];
    std::uint32_t& before = previous_[node] == no_index
                                ? in.nodes[static_cast<std::size_t>(free_[node])]
                                : next_[previous_[node]];
    before = next_[node];
    if (next_[node] != no_index) {
      previous_[next_[node]] = previous_[node];
    }
  }
  void change_free(section& in, std::uint32_t node, std::int32_t by) noexcept {
    ++steps_;
    unlink(in, node);
    free_[node] = std::min(free_[node] + by, max_gpus_per_node);
    link(in, node);
  }
  /// Before the first event is taken or added while the queue is played.
  void order_events(section& in) noexcept {
    if (!in.is_heap) {
      auto const first = events_.begin() + static_cast<std::ptrdiff_t>(in.first_event);
      std::make_heap(first, first + static_cast<std::ptrdiff_t>(in.events));
      in.is_heap = true;
    }
  }
  void push(section& in, release const& event) noexcept {
    auto const first = events_.begin() + static_cast<std::ptrdiff_t>(in.first_event);
    first[static_cast<std::ptrdiff_t>(in.events++)] = event;
    std::push_heap(first, first + static_cast<std::ptrdiff_t>(in.events));
  }
  [[nodiscard]] release pop(section& in) noexcept {
    auto const first = events_.begin() + static_cast<std::ptrdiff_t>(in.first_event);
    std::pop_heap(first, first + static_cast<std::ptrdiff_t>(in.events));
    return first[static_cast<std::ptrdiff_t>(--in.events)];
  }
  /// The last that were popped, which are behind the heap still, until there are `all` again.
  void put_back(section& in, std::size_t all) noexcept {
    auto const first = events_.begin() + static_cast<std::ptrdiff_t>(in.first_event);
    while (in.events < all) {
      release const& undone = first[static_cast<std::ptrdiff_t>(in.events++)];
      change_free(in, undone.node, -undone.gpus);
      std::push_heap(first, first + static_cast<std::ptrdiff_t>(in.events));
    }
  }

  /// Of the sections that the part may use, the one on which the queue is the shortest.
  [[nodiscard]] section* earliest_of(gang_part const& part) noexcept {
    section* best = nullptr;
    for (std::size_t t = 0; t < types_; ++t) {
      auto const type = static_cast<gpu_type>(t);
      if (contains(part.types, type)) {
        section& at = sections_[section_of(part.where, type)];
        best = best == nullptr || at.clock < best->clock ? &at : best;
      }
    }
    return best;
  }

  [[nodiscard]] static bool may_share_one(gang_part const& part) noexcept {
    return part.layout != spread::one_per_node || part.members == 1;
  }
  [[nodiscard]] bool fits(section const& in, gang_part const& part) const noexcept {
    bool const on_one = part.total() <= largest_ && may_share_one(part);
    return (on_one && node_for(in, part.total()) != no_index) ||
           (!part.needs_one_node() && hosted(in, part) >= part.members);
  }
  /// The first instant at which the part would fit; releases are undone afterwards.
  [[nodiscard]] time_point fits_at(section& in, gang_part const& part) noexcept {
    auto const first = events_.begin() + static_cast<std::ptrdiff_t>(in.first_event);
    auto const last = first + static_cast<std::ptrdiff_t>(in.events);
    if (!in.is_sorted) {  // a sorted heap is a heap still
      std::sort(first, last, [](release const& a, release const& b) noexcept { return b < a; });
      in.is_sorted = true;
    }
    time_point when = in.clock;
    auto at = first;
    bool found = fits(in, part);
    for (; !found && at != last; ++at) {
      change_free(in, at->node, at->gpus);
      when = std::max(when, at->when);
      found = fits(in, part);
    }
    while (at != first) {
      --at;
      change_free(in, at->node, -at->gpus);
    }
    return found ? when : never;
  }

  [[nodiscard]] std::uint32_t node_for(section const& in, std::int32_t gpus) const noexcept {
    for (std::int32_t f = gpus; f <= largest_; ++f) {
      if (std::uint32_t const node = in.nodes[static_cast<std::size_t>(f)]; node != no_index) {
        return node;
      }
    }
    return no_index;
  }
  [[nodiscard]] static std::int32_t members_on(gang_part const& part,
                                               std::int32_t free_gpus) noexcept {
    return part.layout == spread::one_per_node ? 1 : free_gpus / part.gpus;
  }
  /// Members of the part that the nodes could host now; counted only up to what it has.
  [[nodiscard]] std::int32_t hosted(section const& in, gang_part const& part) const noexcept {
    std::int32_t members = 0;
    for (std::int32_t f = largest_; f >= part.gpus && members < part.members; --f) {
      std::int64_t const here =
          std::int64_t{in.count[static_cast<std::size_t>(f)]} * members_on(part, f);
      members += static_cast<std::int32_t>(std::min<std::int64_t>(here, part.members));
    }
    return members;
  }

  void take(section& in, std::uint32_t node, std::int32_t gpus, duration run) noexcept {
    change_free(in, node, -gpus);
    if (time_point const ends = saturating_add(in.clock, run); ends != never) {
      push(in, {ends, node, gpus});
    }
  }
  /// False if it does not fit at the section's clock.
  bool try_seat(section& in, gang_part const& part, duration run) noexcept {
    bool const on_one = part.total() <= largest_ && may_share_one(part);
    if (std::uint32_t const node = on_one ? node_for(in, part.total()) : no_index;
        node != no_index) {
      take(in, node, part.total(), run);
      return true;
    }
    if (part.needs_one_node() || hosted(in, part) < part.members) {
      return false;
    }
    // Chosen before any is taken: with one member a node may still have room.
    std::size_t count = 0;
    std::int32_t left = part.members;
    for (std::int32_t f = largest_; f >= part.gpus && left > 0; --f) {
      for (std::uint32_t n = in.nodes[static_cast<std::size_t>(f)]; n != no_index && left > 0;
           n = next_[n]) {
        seats_[count++] = n;
        left -= members_on(part, f);
      }
    }
    left = part.members;
    for (std::size_t i = 0; i < count; ++i) {
      std::int32_t const here = std::min(left, members_on(part, free_[seats_[i]]));
      take(in, seats_[i], here * part.gpus, run);
      left -= here;
    }
    return true;
  }
  /// Who can never be seated holds up nobody: releases are undone then.
  time_point seat(section& in, gang_part const& part, duration run) noexcept {
    if (in.knows_too_large && part.layout == in.too_large.layout &&
        part.gpus >= in.too_large.gpus && part.members >= in.too_large.members) {
      return never;
    }
    order_events(in);
    std::size_t const all = in.events;
    time_point const before = in.clock;
    while (!try_seat(in, part, run)) {
      if (in.events == 0) {
        put_back(in, all);
        in.clock = before;
        in.knows_too_large = true;
        in.too_large = part;
        return never;
      }
      release const next = pop(in);
      in.clock = std::max(in.clock, next.when);
      change_free(in, next.node, next.gpus);
    }
    return in.clock;
  }

  std::uint64_t tick_ = 0;
  std::size_t types_ = 1;
  std::int32_t largest_ = 0;
  time_point latest_;
  std::size_t steps_ = 0;
  std::array<section, max_sections> sections_;
  std::vector<std::int32_t> free_;  ///< per node; absent: nothing starts there
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::vector<std::uint32_t> seats_;  ///< scratch: nodes of one gang
  std::vector<release> events_;       ///< a heap per section
  std::vector<time_point> starts_;    ///< per job slot
  std::vector<std::uint64_t> made_;   ///< the tick in which that was foreseen
};

}  // namespace detail
BERTH_NAMESPACE_END
