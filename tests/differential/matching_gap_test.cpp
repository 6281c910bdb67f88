// SPDX-License-Identifier: BSL-1.0
// How far one tick is from the best plan there is: small random clusters with running and waiting
// jobs, the scheduler through its public calls, and a brute force that tries everything.
#include <berth/core/random.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>

#include <tests/support/brute_force_plan.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace matching_gap_test {

namespace {

using namespace std::chrono_literals;
using brute_force::instance;
using brute_force::objective;

using judged = berth::scheduler_of<berth::priority_class, berth::consolidated, berth::lost_work>;

constexpr std::int64_t hour = 3'600'000;

berth::time_point at(std::int64_t milliseconds) {
  return berth::time_point{berth::duration{milliseconds}};
}

/// A cluster with running jobs and waiting gangs, in a scheduler and as the brute force sees it.
class situation {
 public:
  explicit situation(std::uint64_t seed) : random_{seed} {
    draw_nodes();
    berth::scheduler_config limits;
    limits.max_jobs = 32;
    limits.max_nodes = 4;
    limits.max_gpus = 64;
    auto made = berth::make_scheduler(cluster_, limits, berth::priority_class{},
                                      berth::consolidated{}, berth::lost_work{});
    scheduler_.emplace(std::move(made.value()));
    draw_running();
    draw_waiting();
  }

  /// Ticks once and reads what was decided from the books.
  brute_force::plan tick() {
    auto const decided = scheduler_->tick(at(now_));
    REQUIRE(!decided.is_refused());
    brute_force::plan plan;
    for (berth::job_id const job : waiting_) {
      brute_force::per_node seat{};
      auto const count = [&](berth::booking const& part) {
        seat[part.node] += berth::gpu_count(part.gpus);
      };
      scheduler_->books().for_each_hold(job.slot(), count);
      scheduler_->books().for_each_earmark(job.slot(), count);
      plan.seats.push_back(seat);
    }
    for (std::size_t h = 0; h < running_.size(); ++h) {
      bool const leaves =
          scheduler_->view(running_[h]).value().state() == berth::job_state::draining;
      plan.displaced |= leaves ? 1u << h : 0u;
    }
    return plan;
  }

  [[nodiscard]] instance const& small() const { return small_; }
  [[nodiscard]] char const* broken() const { return scheduler_->check_invariants(); }

 private:
  void draw_nodes() {
    small_.types = static_cast<std::size_t>(random_.between(1, 2));
    auto const nodes = static_cast<std::size_t>(random_.between(2, 4));
    bool const two_racks = random_.below(2) == 0;
    std::int64_t const size = random_.between(1, 4) * 2;
    std::int64_t const other_size = random_.below(3) == 0 ? random_.between(2, 8) : size;
    std::vector<std::string> names{"slow", "fast"};
    names.resize(small_.types);
    cluster_ = berth::cluster{names};
    for (std::size_t n = 0; n < nodes; ++n) {
      brute_force::node node;
      node.type = small_.types == 1 ? 0 : static_cast<std::size_t>(random_.below(2));
      node.gpus = static_cast<std::int32_t>(node.type == 0 ? size : other_size);
      node.rack = two_racks ? n % 2 : 0;
      small_.nodes.push_back(node);
      berth::node_spec spec;
      spec.gpus = node.gpus;
      spec.type = berth::gpu_type{static_cast<std::uint8_t>(node.type)};
      spec.rack = berth::rack_id{static_cast<std::uint32_t>(node.rack)};
      REQUIRE(cluster_.add(spec).has_value());
    }
  }

  berth::job_spec draw_gang() {
    berth::job_spec spec;
    constexpr std::array<std::int32_t, 8> members{1, 1, 2, 2, 3, 4, 4, 6};
    spec.gang = members[random_.below(members.size())];
    spec.gpus_per_member =
        static_cast<std::int32_t>(random_.below(3) == 0 ? random_.between(2, 4) : 1);
    spec.gang = spec.gpus_per_member > 1 ? std::min(spec.gang, 3) : spec.gang;
    std::uint64_t const shape = random_.below(6);
    spec.layout = shape == 0   ? berth::spread::same_node
                  : shape == 1 ? berth::spread::one_per_node
                               : berth::spread::prefer_together;
    if (small_.types == 2) {
      std::uint64_t const restricted = random_.below(5);
      spec.allowed_types = restricted == 0 ? 1 : restricted == 1 ? 2 : berth::any_type;
      constexpr std::array<double, 3> slower{1.0, 0.5, 0.25};
      spec.speed[0] = slower[random_.below(slower.size())];
      spec.speed[1] = 1.0;
    }
    spec.work = berth::duration{random_.between(1, 40) * hour / 10};
    return spec;
  }

  /// Running jobs of falling class, so that none displaces another while they are set up.
  void draw_running() {
    auto const jobs = static_cast<std::size_t>(random_.between(0, 8));
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < jobs; ++i) {
      classes.push_back(static_cast<std::int32_t>(random_.below(3)));
    }
    std::sort(classes.rbegin(), classes.rend());
    std::vector<berth::job_id> up;
    std::vector<std::int64_t> safe;
    for (std::int32_t const priority : classes) {
      berth::job_spec spec = draw_gang();
      spec.priority = priority;
      spec.preemptible = random_.below(5) != 0;
      spec.work = berth::duration{100 * hour};
      spec.checkpoints.startup = berth::duration{random_.between(0, 10) * 60'000};
      berth::job_id const id = scheduler_->submit(spec, at(now_)).value();
      auto const plan = scheduler_->tick(at(now_));
      if (plan.empty()) {
        REQUIRE(scheduler_->cancel(id, at(now_)).has_value());
        continue;
      }
      REQUIRE(scheduler_->report(id, berth::started{}, at(now_)).has_value());
      up.push_back(id);
      safe.push_back(now_);
      now_ += random_.between(0, 60) * 60'000;
    }
    for (std::size_t i = 0; i < up.size(); ++i) {
      bool const ends = up.size() - i > 5 - running_.size() || random_.below(4) == 0;
      if (ends) {
        REQUIRE(scheduler_->complete(up[i], at(now_)).has_value());
        continue;
      }
      running_.push_back(up[i]);
      if (random_.below(2) == 0) {
        REQUIRE(scheduler_->report(up[i], berth::checkpointed{}, at(now_)).has_value());
        safe[i] = now_;
        now_ += random_.between(0, 30) * 60'000;
      }
      small_.holders.push_back({});
      small_.holders.back().price = safe[i];  // for now
    }
    for (std::size_t h = 0; h < running_.size(); ++h) {
      berth::job_view const job = scheduler_->view(running_[h]).value();
      brute_force::holder& holder = small_.holders[h];
      holder.priority = job.spec().priority;
      holder.preemptible = job.spec().preemptible;
      std::int64_t gpus = 0;
      scheduler_->books().for_each_hold(running_[h].slot(), [&](berth::booking const& part) {
        holder.held[part.node] += berth::gpu_count(part.gpus);
        gpus += berth::gpu_count(part.gpus);
      });
      holder.price = gpus * (now_ - holder.price + job.spec().checkpoints.startup.count());
    }
    for (std::size_t n = 0; n < small_.nodes.size(); ++n) {
      small_.free[n] = small_.nodes[n].gpus;
      for (brute_force::holder const& holder : small_.holders) {
        small_.free[n] -= holder.held[n];
      }
    }
  }

  void draw_waiting() {
    auto const jobs = static_cast<std::size_t>(random_.between(2, 5));
    std::vector<berth::job_spec> specs;
    for (std::size_t i = 0; i < jobs; ++i) {
      specs.push_back(draw_gang());
      specs.back().priority = static_cast<std::int32_t>(random_.below(4));
      if (i > 0 && random_.below(3) == 0) {  // a twin of an earlier one
        std::int32_t const priority = specs.back().priority;
        specs.back() = specs[random_.below(i)];
        specs.back().priority = priority;
      }
    }
    std::vector<berth::job_id> ids;
    for (berth::job_spec const& spec : specs) {
      ids.push_back(scheduler_->submit(spec, at(now_)).value());
    }
    std::vector<std::size_t> order(jobs);
    for (std::size_t i = 0; i < jobs; ++i) {
      order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return specs[a].priority > specs[b].priority;
    });
    for (std::size_t const i : order) {
      berth::job_spec const& spec = specs[i];
      waiting_.push_back(ids[i]);
      brute_force::gang gang;
      gang.priority = spec.priority;
      gang.members = spec.gang;
      gang.gpus = spec.gpus_per_member;
      gang.spread = spec.layout == berth::spread::same_node      ? brute_force::layout::same_node
                    : spec.layout == berth::spread::one_per_node ? brute_force::layout::one_per_node
                                                                 : brute_force::layout::any;
      for (std::size_t type = 0; type < brute_force::max_types; ++type) {
        gang.allowed[type] = type < small_.types && ((spec.allowed_types >> type) & 1) != 0;
        gang.speed[type] =
            spec.speed[type] > 0 ? static_cast<std::int64_t>(spec.speed[type] * 1000) : 1000;
      }
      gang.work = spec.work.count();
      small_.gangs.push_back(gang);
    }
  }

  berth::random_source random_;
  berth::cluster cluster_;
  std::optional<judged> scheduler_;
  instance small_;
  std::vector<berth::job_id> running_;
  std::vector<berth::job_id> waiting_;
  std::int64_t now_ = hour;
};

void print(char const* name, brute_force::plan const& plan, objective const& value) {
  std::printf("  %s: seated %08x levels %lld time %.3f h, displaced %x\n", name, value.seated,
              static_cast<long long>(value.levels), static_cast<double>(value.time) / hour,
              plan.displaced);
  for (brute_force::per_node const& seat : plan.seats) {
    std::printf("    seat %d %d %d %d\n", seat[0], seat[1], seat[2], seat[3]);
  }
}

void print(instance const& small) {
  for (std::size_t n = 0; n < small.nodes.size(); ++n) {
    std::printf("  node %zu: %d GPUs, type %zu, rack %zu, %d free\n", n, small.nodes[n].gpus,
                small.nodes[n].type, small.nodes[n].rack, small.free[n]);
  }
  for (brute_force::holder const& h : small.holders) {
    std::printf("  holds %d %d %d %d: class %d%s, %.3f h\n", h.held[0], h.held[1], h.held[2],
                h.held[3], h.priority, h.preemptible ? "" : " stays",
                static_cast<double>(h.price) / hour);
  }
  for (brute_force::gang const& g : small.gangs) {
    std::printf("  waits %d x %d layout %d types %d%d speed %lld, class %d, %.1f h\n", g.members,
                g.gpus, static_cast<int>(g.spread), g.allowed[0] ? 1 : 0, g.allowed[1] ? 1 : 0,
                static_cast<long long>(g.speed[0]), g.priority, static_cast<double>(g.work) / hour);
  }
}

/// BERTH_GAP_PRINT=n shows the situations whose kind of gap is 1 (who), 2 (levels) or 3 (GPU-time).
int wanted_kind() {
  char const* const text = std::getenv("BERTH_GAP_PRINT");
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

TEST_CASE("one tick stays within a measured distance of the best of all plans") {
  constexpr std::uint64_t instances = 20000;
  std::uint64_t all_equal = 0;
  std::uint64_t below_best = 0;
  std::uint64_t same_seated = 0;
  std::uint64_t same_levels = 0;
  std::uint64_t displacing = 0;
  double gap_sum = 0;
  double best_sum = 0;
  double worst_gap = 0;
  std::uint64_t worst_seed = 0;
  for (std::uint64_t seed = 1; seed <= instances; ++seed) {
    CAPTURE(seed);
    situation here{seed};
    brute_force::plan const plan = here.tick();
    REQUIRE(here.broken() == nullptr);
    brute_force::judge judge{here.small()};
    auto const reached = judge.value(plan);
    REQUIRE(reached.has_value());
    brute_force::plan best_plan;
    objective const best = judge.best(best_plan);
    displacing += best.levels > 0 || best_plan.displaced != 0 ? 1 : 0;
    int kind = 0;
    // Where it sends somebody away although its rules did not ask for it, it may even be cheaper.
    below_best += *reached < best ? 1u : 0u;
    if (reached->seated != best.seated) {
      kind = 1;
    } else {
      ++same_seated;
      if (reached->levels != best.levels) {
        kind = 2;
      } else {
        ++same_levels;
        double const gap = static_cast<double>(reached->time - best.time) / hour;
        gap_sum += gap;
        best_sum += static_cast<double>(best.time) / hour;
        if (gap > worst_gap) {
          worst_gap = gap;
          worst_seed = seed;
        }
        kind = gap > 0.5 ? 3 : gap > 0 ? 4 : 0;
        all_equal += gap == 0 ? 1 : 0;
      }
    }
    if (kind != 0 && kind == wanted_kind()) {
      std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
      print(here.small());
      print("tick", plan, *reached);
      print("best", best_plan, best);
    }
  }
  double const mean_gap = gap_sum / static_cast<double>(same_levels);
  std::printf(
      "matching gap over %llu clusters (%llu displace somebody): same gangs seated %llu, same rank "
      "levels "
      "too %llu, the optimum in all %llu, outside the rules %llu\n"
      "  GPU-time above the optimum: mean %.4f GPU-h of %.3f (%.2f %%), worst %.3f GPU-h (seed "
      "%llu)\n",
      static_cast<unsigned long long>(instances), static_cast<unsigned long long>(displacing),
      static_cast<unsigned long long>(same_seated), static_cast<unsigned long long>(same_levels),
      static_cast<unsigned long long>(all_equal), static_cast<unsigned long long>(below_best),
      mean_gap, best_sum / static_cast<double>(same_levels), 100 * gap_sum / best_sum, worst_gap,
      static_cast<unsigned long long>(worst_seed));
  // As measured: the plans are the same on every platform, and a fault in the matching shows here
  // (tests/bugs plants some). Who improves the matching moves these.
  CHECK(displacing >= 4000);
  CHECK(same_seated >= 19091);
  CHECK(same_levels >= 18993);
  CHECK(all_equal >= 17578);
  CHECK(below_best <= 18);
  CHECK(gap_sum <= 0.0327 * best_sum);
  CHECK(worst_gap <= 65);
}

TEST_CASE("gangs that fit nowhere whole are spread, however many there are") {
  berth::cluster nodes;
  for (int n = 0; n < 40; ++n) {
    berth::node_spec node;
    node.gpus = 3;
    REQUIRE(nodes.add(node).has_value());
  }
  auto made = berth::make_scheduler(nodes, {}, berth::priority_class{}, berth::consolidated{},
                                    berth::lost_work{});
  judged& scheduler = made.value();
  berth::job_spec gang;
  gang.gang = 5;
  for (int i = 0; i < 24; ++i) {
    REQUIRE(scheduler.submit(gang, at(0)).has_value());
  }
  CHECK(scheduler.tick(at(0)).size() == 24);
  CHECK(scheduler.check_invariants() == nullptr);
}

}  // namespace matching_gap_test
