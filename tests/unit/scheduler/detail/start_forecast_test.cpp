// SPDX-License-Identifier: BSL-1.0
// start_forecast against a list scheduler that scans all nodes at every step.
#include <berth/core/random.hpp>
#include <berth/model/ledger.hpp>
#include <berth/scheduler/detail/gang_part.hpp>
#include <berth/scheduler/detail/start_forecast.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

namespace start_forecast_test {

using namespace berth;
using namespace std::chrono_literals;
using berth::detail::gang_part;
using berth::detail::start_forecast;

namespace {
constexpr std::size_t max_nodes = 8;
constexpr std::size_t max_jobs = 64;
constexpr time_point now{1h};

shape gang(std::int32_t members, std::int32_t gpus, type_mask types = any_type,
           spread layout = spread::prefer_together) {
  shape form;
  form.roles[0] = {members, gpus};
  form.types = types;
  form.layout = layout;
  return form;
}

/// The same rule: the tightest node for a gang that fits on one, else the emptiest nodes first;
/// among equals the node that changed last. Per GPU type nobody starts before who is before it.
class naive_forecast {
 public:
  explicit naive_forecast(ledger const& books) {
    for (std::uint32_t n = 0; n < books.node_slots(); ++n) {
      node_book const& node = books.node(n);
      bool const is_up = node.spec.health == node_health::up;
      nodes_.push_back(
          {static_cast<std::size_t>(node.spec.type), gpu_count(node.offered()), ++changes_, is_up});
    }
    clocks_.fill(now);
  }
  void expect(std::uint32_t node, std::int32_t gpus, time_point when) {
    if (nodes_[node].is_up && when != never) {
      releases_.push_back({when, node, gpus});
    }
  }
  time_point start(shape const& form, duration run) {
    time_point last = time_point::min();
    berth::detail::for_each_part(form, 0, 0, any_type, [&](gang_part const& part) {
      std::size_t best = max_gpu_types;
      for (std::size_t t = 0; t < 2; ++t) {
        bool const allowed = contains(part.types, static_cast<gpu_type>(t));
        best = allowed && (best == max_gpu_types || clocks_[t] < clocks_[best]) ? t : best;
      }
      last = std::max(last, best == max_gpu_types ? never : seat(best, part, run));
    });
    return last;
  }
  /// By trying every instant at which something comes back.
  [[nodiscard]] time_point start_alone(shape const& form) const {
    time_point last = time_point::min();
    berth::detail::for_each_part(form, 0, 0, any_type, [&](gang_part const& part) {
      time_point first = never;
      for (std::size_t t = 0; t < 2; ++t) {
        if (contains(part.types, static_cast<gpu_type>(t))) {
          naive_forecast copy = *this;
          first = std::min(first, copy.seat(t, part, forever));
        }
      }
      last = std::max(last, first);
    });
    return last;
  }

 private:
  struct simple_node {
    std::size_t type;
    std::int32_t free;
    std::uint64_t changed;
    bool is_up;
  };
  struct release {
    time_point when;
    std::uint32_t node;
    std::int32_t gpus;
    [[nodiscard]] auto order() const { return std::tuple{when, node, gpus}; }
  };

  void change(std::uint32_t n, std::int32_t by) {
    nodes_[n].free += by;
    nodes_[n].changed = ++changes_;
  }
  [[nodiscard]] std::vector<std::uint32_t> emptiest_first(std::size_t type) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].is_up && nodes_[n].type == type) {
        order.push_back(n);
      }
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      simple_node const& x = nodes_[a];
      simple_node const& y = nodes_[b];
      return x.free != y.free ? x.free > y.free : x.changed > y.changed;
    });
    return order;
  }
  void take(std::size_t type, std::uint32_t n, std::int32_t gpus, duration run) {
    change(n, -gpus);
    if (run != forever) {
      releases_.push_back({clocks_[type] + run, n, gpus});
    }
  }
  bool try_seat(std::size_t type, gang_part const& part, duration run) {
    auto const order = emptiest_first(type);
    bool const may_share = part.layout != spread::one_per_node || part.members == 1;
    std::uint32_t tightest = max_nodes;
    for (std::uint32_t const n : order) {
      bool const fits = may_share && nodes_[n].free >= part.total();
      bool const tighter = tightest == max_nodes || nodes_[n].free < nodes_[tightest].free;
      tightest = fits && tighter ? n : tightest;
    }
    if (tightest != max_nodes) {
      take(type, tightest, part.total(), run);
      return true;
    }
    std::vector<std::int32_t> members;
    std::int32_t left = part.layout == spread::same_node ? 1 : part.members;
    for (std::uint32_t const n : order) {
      std::int32_t const fit = nodes_[n].free / part.gpus;
      members.push_back(std::min({left, fit, part.layout == spread::one_per_node ? 1 : fit}));
      left -= members.back();
    }
    if (left > 0 || part.layout == spread::same_node) {
      return false;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (members[i] > 0) {
        take(type, order[i], members[i] * part.gpus, run);
      }
    }
    return true;
  }
  time_point seat(std::size_t type, gang_part const& part, duration run) {
    gang_part const& failed = too_large_[type];
    if (failed.members > 0 && part.layout == failed.layout && part.gpus >= failed.gpus &&
        part.members >= failed.members) {
      return never;
    }
    time_point const before = clocks_[type];
    std::vector<release> undone;
    while (!try_seat(type, part, run)) {
      auto next = releases_.end();
      for (auto at = releases_.begin(); at != releases_.end(); ++at) {
        bool const here = nodes_[at->node].type == type;
        next = here && (next == releases_.end() || at->order() < next->order()) ? at : next;
      }
      if (next == releases_.end()) {
        for (; !undone.empty(); undone.pop_back()) {
          change(undone.back().node, -undone.back().gpus);
          releases_.push_back(undone.back());
        }
        clocks_[type] = before;
        too_large_[type] = part;
        return never;
      }
      clocks_[type] = std::max(clocks_[type], next->when);
      change(next->node, next->gpus);
      undone.push_back(*next);
      releases_.erase(next);
    }
    return clocks_[type];
  }

  std::vector<simple_node> nodes_;
  std::vector<release> releases_;
  std::array<time_point, max_gpu_types> clocks_{};
  std::array<gang_part, max_gpu_types> too_large_{};  ///< undoing changes the order among equals
  std::uint64_t changes_ = 0;
};

struct both {
  ledger books{2, max_nodes, 64, max_jobs, 1};
  start_forecast made;
  std::vector<naive_forecast> naive;  ///< one

  void begin(std::uint64_t tick = 1) {
    made.reserve(max_nodes, 64, max_jobs);
    made.begin(books, now, tick);
    naive.assign(1, naive_forecast{books});
  }
  void expect(std::uint32_t node, std::int32_t gpus, time_point when) {
    made.expect(books, node, gpus, when);
    naive[0].expect(node, gpus, when);
  }
};

/// One to six nodes, some down, each with some GPUs in use that come back or do not.
void draw_cluster(both& of, random_source& random) {
  std::uint64_t const nodes = 1 + random.below(6);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    node_spec spec;
    spec.gpus = static_cast<std::int32_t>(random.between(1, 8));
    spec.type = static_cast<gpu_type>(random.below(2));
    spec.health = random.below(8) == 0 ? node_health::down : node_health::up;
    static_cast<void>(of.books.add_node(spec));
  }
}
void draw_holders(both& of, random_source& random) {
  struct held {
    std::uint32_t node;
    std::int32_t gpus;
  };
  std::vector<held> all;
  for (std::uint32_t n = 0; n < of.books.node_slots(); ++n) {
    of.books.open(n, {}, 0, 0);
    auto const gpus = static_cast<std::int32_t>(
        random.below(static_cast<std::uint64_t>(gpu_count(of.books.node(n).offered())) + 1));
    if (gpus > 0) {
      of.books.hold(n, n, first_gpus(gpus));
      all.push_back({n, gpus});
    }
  }
  of.begin();
  for (held const& each : all) {
    for (std::int32_t left = each.gpus; left > 0;) {
      auto const some = static_cast<std::int32_t>(1 + random.below(static_cast<unsigned>(left)));
      bool const unknown = random.below(10) == 0;
      of.expect(each.node, some, unknown ? never : now + duration{random.between(0, 40)});
      left -= some;
    }
  }
}
shape draw_gang(random_source& random) {
  constexpr std::array layouts{spread::prefer_together, spread::prefer_together, spread::same_node,
                               spread::one_per_node};
  auto const types = static_cast<type_mask>(random.between(1, 3));
  return gang(static_cast<std::int32_t>(random.between(1, 4)),
              static_cast<std::int32_t>(random.between(1, 4)), types, layouts[random.below(4)]);
}
}  // namespace

TEST_CASE("start_forecast: as a list scheduler that scans all nodes at every step") {
  int later = 0;
  int not_at_all = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    both of;
    draw_cluster(of, random);
    draw_holders(of, random);
    for (std::uint32_t job = 0; job < 12; ++job) {
      CAPTURE(job);
      shape const form = draw_gang(random);
      duration const run = random.below(12) == 0 ? forever : duration{random.between(1, 60)};
      of.made.start(job, form, run);
      time_point const expected = of.naive[0].start(form, run);
      REQUIRE(of.made.start_of(job) == expected);
      later += expected > now && expected != never ? 1 : 0;
      not_at_all += expected == never ? 1 : 0;
    }
  }
  CHECK(later > 2000);
  CHECK(not_at_all > 500);
}

TEST_CASE("start_forecast: alone, as if every release were tried in turn") {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    both of;
    draw_cluster(of, random);
    draw_holders(of, random);
    for (std::uint32_t job = 0; job < 6; ++job) {
      shape const form = draw_gang(random);
      of.made.start_alone(job, form);
      REQUIRE(of.made.start_of(job) == of.naive[0].start_alone(form));
    }
  }
}

TEST_CASE("start_forecast: of one member a node, no two are on one") {
  both of;
  static_cast<void>(of.books.add_node({.gpus = 8}));
  static_cast<void>(of.books.add_node({.gpus = 2}));
  of.begin();
  of.made.start(0, gang(2, 2, any_type, spread::one_per_node), 10ms);  // leaves 6 and 0
  of.made.start(1, gang(1, 6), 10ms);
  CHECK(of.made.start_of(1) == now);
}

TEST_CASE("start_forecast: a job that nothing would let start holds up nobody behind it") {
  both of;
  static_cast<void>(of.books.add_node({.gpus = 4}));
  of.books.open(0, {}, 0, 0);
  of.books.hold(0, 0, first_gpus(3));
  of.begin();
  of.expect(0, 2, now + 50ms);  // the third is not known to come back
  of.made.start(1, gang(1, 4), 10ms);
  of.made.start(2, gang(1, 1), 10ms);
  of.made.start(3, gang(1, 4), 10ms);
  of.made.start(4, gang(1, 3), 10ms);
  CHECK(of.made.start_of(1) == never);
  CHECK(of.made.start_of(2) == now);
  CHECK(of.made.start_of(3) == never);
  CHECK(of.made.start_of(4) == now + 50ms);
  CHECK(of.made.start_of(5) == now + 50ms);  // not foreseen: as late as the last that was
}

TEST_CASE("start_forecast: it is of one tick, and forgets when told") {
  both of;
  static_cast<void>(of.books.add_node({.gpus = 4}));
  CHECK_FALSE(of.made.is_made_in(1));
  of.begin(1);
  CHECK(of.made.is_made_in(1));
  CHECK_FALSE(of.made.is_made_in(2));
  of.made.start(0, gang(1, 4), 10ms);
  of.made.start(1, gang(1, 4), 10ms);
  REQUIRE(of.made.start_of(1) == now + 10ms);
  of.made.forget();
  CHECK_FALSE(of.made.is_made_in(1));
  of.made.begin(of.books, now, 1);
  CHECK(of.made.start_of(1) == now);
}

}  // namespace start_forecast_test
