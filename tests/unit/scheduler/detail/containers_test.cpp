// SPDX-License-Identifier: BSL-1.0
// timer_heap, slot_set, job_table, shape_queues, ready_queue: against what the standard library
// would do.
#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/core/slot_set.hpp>
#include <berth/model/check_job.hpp>
#include <berth/scheduler/detail/job_table.hpp>
#include <berth/scheduler/detail/ready_queue.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>
#include <berth/scheduler/detail/timer_heap.hpp>

#include <tests/support/violation.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace containers_test {

using namespace berth;
using namespace berth::detail;

TEST_CASE("timer_heap: empty means never") {
  timer_heap timers{4};
  CHECK(timers.next() == never);
  timers.set(1, never);
  CHECK(timers.next() == never);
}

TEST_CASE("timer_heap: the earliest first, ties by slot, one alarm per slot") {
  timer_heap timers{4};
  timers.set(2, time_point{duration{5}});
  timers.set(1, time_point{duration{5}});
  timers.set(3, time_point{duration{4}});
  timers.set(0, time_point{duration{1}});
  timers.set(0, time_point{duration{9}});
  CHECK(timers.next() == time_point{duration{4}});
  CHECK(timers.pop() == 3);
  CHECK(timers.pop() == 1);
  CHECK(timers.pop() == 2);
  CHECK(timers.pop() == 0);
  CHECK(timers.next() == never);
}

TEST_CASE("timer_heap: agrees with std::multimap over random moves") {
  constexpr std::uint64_t seed = 97;
  CAPTURE(seed);
  random_source random{seed};
  constexpr std::uint32_t slots = 50;
  timer_heap timers{slots};
  std::multimap<time_point, std::uint32_t> reference;
  for (int step = 0; step < 20'000; ++step) {
    auto const slot = static_cast<std::uint32_t>(random.below(slots));
    auto const mine = std::find_if(reference.begin(), reference.end(),
                                   [&](auto const& entry) { return entry.second == slot; });
    if (random.below(4) == 0 && !reference.empty()) {
      time_point const first = reference.begin()->first;
      std::uint32_t lowest = slots;
      for (auto at = reference.begin(); at != reference.end() && at->first == first; ++at) {
        lowest = std::min(lowest, at->second);
      }
      REQUIRE(timers.next() == first);
      REQUIRE(timers.pop() == lowest);
      reference.erase(std::find_if(reference.begin(), reference.end(),
                                   [&](auto const& entry) { return entry.second == lowest; }));
      continue;
    }
    if (mine != reference.end()) {
      reference.erase(mine);
    }
    bool const removes = random.below(5) == 0;
    time_point const at = removes ? never : time_point{duration{random.between(0, 40)}};
    timers.set(slot, at);
    if (!removes) {
      reference.emplace(at, slot);
    }
    REQUIRE(timers.next() == (reference.empty() ? never : reference.begin()->first));
  }
}

TEST_CASE("slot_set: agrees with std::set; members are exactly what is in it") {
  constexpr std::uint64_t seed = 5;
  CAPTURE(seed);
  random_source random{seed};
  slot_set slots{40};
  std::set<std::uint32_t> reference;
  for (int step = 0; step < 5000; ++step) {
    auto const slot = static_cast<std::uint32_t>(random.below(40));
    if (random.below(2) == 0) {
      slots.insert(slot);
      reference.insert(slot);
    } else {
      slots.erase(slot);
      reference.erase(slot);
    }
    REQUIRE(slots.contains(slot) == (reference.count(slot) != 0));
    REQUIRE(slots.members().size() == reference.size());
    REQUIRE(std::set<std::uint32_t>(slots.members().begin(), slots.members().end()) == reference);
  }
}

TEST_CASE("job_table: ids of ended jobs are stale, ids never given out are unknown") {
  job_table jobs{2};
  CHECK(jobs.find(job_id{}).error() == error{errc::unknown_job, field::job});
  CHECK(jobs.find(job_id{0, 0}).error() == error{errc::unknown_job, field::job});
  std::uint32_t const slot = jobs.add();
  job_id const first = jobs[slot].id;
  CHECK(jobs.find(first).value() == slot);
  CHECK(jobs.find(job_id{slot, 1}).error() == error{errc::unknown_job, field::job});
  CHECK(jobs.find(job_id{2, 0}).error() == error{errc::unknown_job, field::job});
  jobs.remove(slot);
  CHECK(jobs.find(first).error() == error{errc::stale_job, field::job});
  CHECK(jobs.find(job_id{slot, 1}).error() == error{errc::unknown_job, field::job});
  CHECK(jobs.add() == slot);
  CHECK(jobs[slot].id == job_id{slot, 1});
  CHECK(jobs.find(first).error() == error{errc::stale_job, field::job});
}

TEST_CASE("job_table: counts, fills up, and gives a fresh record for a reused slot") {
  job_table jobs{2};
  CHECK(jobs.capacity() == 2);
  std::uint32_t const a = jobs.add();
  std::uint32_t const b = jobs.add();
  CHECK(a != b);
  CHECK(jobs.full());
  CHECK(jobs.size() == 2);
  jobs[a].preemptions = 7;
  jobs.remove(a);
  CHECK_FALSE(jobs.full());
  CHECK_FALSE(jobs.is_used(a));
  REQUIRE(jobs.add() == a);
  CHECK(jobs[a].preemptions == 0);
  CHECK(jobs.is_used(a));
}

#if BERTH_HARDENED
TEST_CASE("job_table: adding to a full table and removing twice are violations") {
  job_table jobs{1};
  std::uint32_t const slot = jobs.add();
  CHECK(berth_test::is_violation([&] { jobs.add(); }));
  jobs.remove(slot);
  CHECK(berth_test::is_violation([&] { jobs.remove(slot); }));
}
#endif

namespace {
// A table full of jobs of a few shapes with random keys, some of them equal.
struct waiting_room {
  job_table jobs;
  random_source random;
  waiting_room(std::uint32_t count, std::uint64_t seed) : jobs{count}, random{seed} {
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t const slot = jobs.add();
      jobs[slot].sequence = i;
      jobs[slot].form =
          check(job_spec{.gang = static_cast<std::int32_t>(1 + random.below(3))}, 1).value();
      redraw(slot);
    }
  }
  void redraw(std::uint32_t slot) {
    jobs[slot].key = ascending(random.between(0, 6)).then(ascending(random.between(0, 2)));
  }
};
using rank = std::pair<priority_key, std::uint64_t>;
}  // namespace

TEST_CASE(
    "shape_queues: the root of each queue is the first of its shape, as std::multimap has it") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    constexpr std::uint32_t count = 60;
    waiting_room room{count, seed};
    shape_queues queues{count};
    std::map<std::int32_t, std::multimap<rank, std::uint32_t>> reference;  // by gang size
    for (int step = 0; step < 4000; ++step) {
      auto const slot = static_cast<std::uint32_t>(room.random.below(count));
      job_record& job = room.jobs[slot];
      auto& mine = reference[job.form.gpus()];
      auto const me = std::find_if(mine.begin(), mine.end(),
                                   [&](auto const& entry) { return entry.second == slot; });
      REQUIRE(queues.contains(slot) == (me != mine.end()));
      if (me == mine.end()) {
        room.redraw(slot);
        queues.push(room.jobs, slot);
        mine.emplace(rank{job.key, job.sequence}, slot);
      } else {
        // Half of the time whoever is first, else anybody.
        std::uint32_t const out = room.random.below(2) == 0 ? mine.begin()->second : slot;
        queues.erase(room.jobs, out);
        mine.erase(std::find_if(mine.begin(), mine.end(),
                                [&](auto const& entry) { return entry.second == out; }));
      }
      std::size_t active = 0;
      for (auto const& [gpus, waiting] : reference) {
        if (waiting.empty()) {
          continue;
        }
        ++active;
        std::uint32_t const first = waiting.begin()->second;
        shape_queue const& queue = queues[queues.queue_of(first)];
        REQUIRE(queue.root == first);
        REQUIRE(queue.size == waiting.size());
        REQUIRE(queue.form.gpus() == gpus);
      }
      REQUIRE(queues.active().size() == active);
    }
  }
}

TEST_CASE("shape_queues: popping gives rank order, equal keys in submit order") {
  waiting_room room{40, 8};
  shape_queues queues{40};
  std::vector<std::uint32_t> expected;
  for (std::uint32_t slot = 40; slot-- > 0;) {
    room.jobs[slot].form = check(job_spec{}, 1).value();
    queues.push(room.jobs, slot);
    expected.push_back(slot);
  }
  std::sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rank{room.jobs[a].key, room.jobs[a].sequence} <
           rank{room.jobs[b].key, room.jobs[b].sequence};
  });
  std::vector<std::uint32_t> popped;
  while (!queues.active().empty()) {
    popped.push_back(queues[queues.active()[0]].root);
    queues.erase(room.jobs, popped.back());
  }
  CHECK(popped == expected);
}

TEST_CASE("shape_queues: as many shapes as jobs, again and again") {
  job_table jobs{16};
  shape_queues queues{16};
  for (std::uint32_t i = 0; i < 16; ++i) {
    jobs.add();
  }
  for (std::int64_t round = 0; round < 20; ++round) {
    for (std::uint32_t i = 0; i < 16; ++i) {
      jobs[i].form = check(job_spec{.cpu_milli_per_gpu = 100 * round + i}, 1).value();
      queues.push(jobs, i);
    }
    REQUIRE(queues.active().size() == 16);
    for (std::uint32_t i = 0; i < 16; ++i) {
      REQUIRE(queues[queues.queue_of(i)].root == i);
      queues.erase(jobs, i);
    }
    REQUIRE(queues.active().empty());
  }
}

#if BERTH_HARDENED
TEST_CASE("shape_queues: a job waits in one queue, and leaves only a queue it is in") {
  waiting_room room{2, 1};
  shape_queues queues{2};
  queues.push(room.jobs, 0);
  CHECK(berth_test::is_violation([&] { queues.push(room.jobs, 0); }));
  CHECK(berth_test::is_violation([&] { queues.erase(room.jobs, 1); }));
}
#endif

TEST_CASE("ready_queue: gives the heads in rank order") {
  waiting_room room{50, 3};
  ready_queue ready{50};
  std::vector<std::uint32_t> expected;
  for (std::uint32_t slot = 0; slot < 50; ++slot) {
    ready.push(room.jobs, {}, slot + 100, slot);
    expected.push_back(slot);
  }
  std::sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rank{room.jobs[a].key, room.jobs[a].sequence} <
           rank{room.jobs[b].key, room.jobs[b].sequence};
  });
  for (std::uint32_t const slot : expected) {
    REQUIRE_FALSE(ready.empty());
    REQUIRE(ready.top().job == slot);
    REQUIRE(ready.top().queue == slot + 100);
    ready.pop();
  }
  CHECK(ready.empty());
}

TEST_CASE("ready_queue: the place of a tenant comes before the rank of its jobs") {
  waiting_room room{6, 3};
  ready_queue ready{6};
  for (std::uint32_t slot = 0; slot < 6; ++slot) {
    auto const used = static_cast<std::int32_t>(5 - slot);
    ready.push(room.jobs, {false, 1, {{{used, 1}}}}, slot, slot);
  }
  for (std::uint32_t slot = 6; slot-- > 0;) {
    CHECK(ready.top().job == slot);
    ready.pop();
  }
}

}  // namespace containers_test
