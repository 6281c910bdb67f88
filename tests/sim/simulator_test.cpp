// SPDX-License-Identifier: BSL-1.0
// The simulator against schedules that can be worked out by hand, and its own promises.
#include <berth/berth.hpp>

#include <berth_sim/simulator.hpp>
#include <berth_sim/summary.hpp>
#include <berth_sim/synthetic.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace simulator_test {

namespace {

using namespace std::chrono_literals;
namespace sim = berth::sim;

sim::workload trace_of(std::vector<sim::job> jobs) {
  sim::workload made;
  made.source = "by hand";
  std::uint32_t line = 0;
  for (sim::job& each : jobs) {
    each.line = ++line;
    made.jobs.push_back(each);
  }
  sim::sort_by_submit(made);
  return made;
}

sim::job job_at(berth::duration submit, berth::duration work, std::int32_t gpus) {
  sim::job made;
  made.submit = berth::time_point{submit};
  made.work = work;
  made.gpus = gpus;
  made.members = gpus;
  return made;
}

template <class... Components>
sim::run_result play(sim::workload const& trace, sim::node_list const& nodes,
                     sim::simulation_options options, Components... components) {
  options.check = true;
  auto made = berth::make_scheduler(sim::make_cluster(nodes).value(), sim::limits_for(trace, nodes),
                                    components...)
                  .value();
  return sim::simulator{made, trace, nodes, options}.run();
}

berth::duration in_seconds(std::int64_t count) {
  return std::chrono::seconds{count};
}

}  // namespace

TEST_CASE("a job alone takes its launch and its work") {
  auto const trace = trace_of({job_at(5s, 100s, 2)});
  auto const run = play(trace, sim::uniform_nodes(1, 4), {}, berth::fifo{});
  REQUIRE(run.jobs.size() == 1);
  CHECK(run.jobs[0].completion_time() == 101s);
  CHECK(run.jobs[0].waiting == 0s);
  CHECK(run.jobs[0].lost == berth::gpu_time::zero());
  CHECK(run.load.back().busy_gpus == 0);
}

TEST_CASE("the second of two jobs waits for the first on one GPU") {
  auto const trace = trace_of({job_at(0s, 100s, 1), job_at(10s, 20s, 1)});
  auto const run = play(trace, sim::uniform_nodes(1, 1), {}, berth::fifo{}, berth::never_preempt{});
  CHECK(run.jobs[0].finish == berth::time_point{101s});
  CHECK(run.jobs[1].waiting == 91s);
  CHECK(run.jobs[1].finish == berth::time_point{101s + 21s});
}

TEST_CASE("a preemption costs saving, restarting and the idle time between, and loses no work") {
  auto const trace = trace_of({job_at(0s, 1000s, 1), job_at(101s, 50s, 1)});
  auto const run = play(trace, sim::uniform_nodes(1, 1), {}, berth::shortest_remaining{});
  // 0: runs from 1 s; is told to stop at 101 s with 100 s done, leaves at 111 s after saving.
  // 1: launches at 111 s, runs from 112 s to 162 s. 0 comes back at 162 s, runs at 163 s, works
  // from 193 s and needs 900 s more.
  CHECK(run.jobs[0].preemptions == 1);
  CHECK(run.jobs[1].finish == berth::time_point{162s});
  CHECK(run.jobs[1].waiting == 10s);
  CHECK(run.jobs[0].waiting == 51s);
  CHECK(run.jobs[0].finish == berth::time_point{193s + 900s});
  // Launch 1 + save 10, then launch 1 + restart 30: the first launch of a job is not lost, the run
  // was cut.
  CHECK(run.jobs[0].lost == berth::gpu_time{1, 42s});
}

TEST_CASE("what a job says of its own saving and restarting goes before the model") {
  auto trace = trace_of({job_at(0s, 1000s, 1), job_at(101s, 50s, 1)});
  trace.jobs[0].save = 20s;
  trace.jobs[0].restart = 70s;
  auto const run = play(trace, sim::uniform_nodes(1, 1), {}, berth::shortest_remaining{});
  CHECK(run.jobs[1].finish == berth::time_point{121s + 1s + 50s});
  CHECK(run.jobs[0].finish == berth::time_point{172s + 1s + 70s + 900s});
  berth::job_spec const told = sim::describe(trace.jobs[0], sim::uniform_nodes(1, 1), {});
  CHECK(told.checkpoints.save == 20s);
  CHECK(told.checkpoints.startup == 70s);
  CHECK(sim::describe(trace.jobs[1], sim::uniform_nodes(1, 1), {}).checkpoints.save == 10s);
}

TEST_CASE("a wrong prediction misleads the scheduler, and not the job") {
  auto trace = trace_of({job_at(0s, 100s, 1), job_at(1s, 50s, 1), job_at(2s, 60s, 1)});
  trace.jobs[1].predicted = 90s;
  auto const run =
      play(trace, sim::uniform_nodes(1, 1), {}, berth::shortest_job{}, berth::never_preempt{});
  CHECK(run.jobs[2].finish == berth::time_point{101s + 61s});
  CHECK(run.jobs[1].finish == berth::time_point{162s + 51s});
}

TEST_CASE("a killed job falls back to its last checkpoint") {
  auto trace = trace_of({job_at(0s, 1000s, 1), job_at(101s, 50s, 1)});
  trace.jobs[0].checkpoint_period = 60s;
  sim::simulation_options options;
  options.model.stopping = sim::stop_mode::kill;
  auto const run = play(trace, sim::uniform_nodes(1, 1), options, berth::shortest_remaining{});
  // 100 s done, 60 s of it safe; the GPU is empty at 102 s.
  CHECK(run.jobs[1].finish == berth::time_point{102s + 1s + 50s});
  CHECK(run.jobs[0].finish == berth::time_point{153s + 1s + 30s + 940s});
}

TEST_CASE("a job that drains to its boundary goes on until then") {
  auto trace = trace_of({job_at(0s, 1000s, 1), job_at(101s, 50s, 1)});
  trace.jobs[0].epoch_period = 150s;
  sim::simulation_options options;
  options.model.stopping = sim::stop_mode::at_boundary;
  auto const run = play(trace, sim::uniform_nodes(1, 1), options, berth::shortest_remaining{});
  // It reaches 150 s of work at 151 s and has saved at 161 s.
  CHECK(run.jobs[1].finish == berth::time_point{161s + 1s + 50s});
  CHECK(run.jobs[0].finish == berth::time_point{212s + 1s + 30s + 850s});
}

TEST_CASE("a job whose order to stop is withdrawn goes on as if there had been none") {
  auto trace = trace_of({job_at(0s, 1000s, 1), job_at(0s, 120s, 1), job_at(101s, 40s, 1)});
  trace.jobs[0].epoch_period = 300s;
  sim::simulation_options options;
  options.model.stopping = sim::stop_mode::as_ordered;
  options.check = true;
  auto const run = play(trace, sim::uniform_nodes(2, 1), options, berth::shortest_remaining{},
                        berth::epoch_boundary{});
  // 0 is told to make way for 2 at the end of its epoch, at 301 s; 1 is done before.
  CHECK(run.jobs[1].finish == berth::time_point{121s});
  CHECK(run.jobs[2].finish == berth::time_point{121s + 1s + 40s});
  CHECK(run.jobs[0].finish == berth::time_point{1001s});
  CHECK(run.jobs[0].preemptions == 0);
  CHECK(run.jobs[0].lost == berth::gpu_time::zero());
}

TEST_CASE("a job that is told to save at the end of its epoch does, and not sooner") {
  auto trace = trace_of({job_at(0s, 1000s, 1), job_at(101s, 40s, 1)});
  trace.jobs[0].epoch_period = 150s;
  sim::simulation_options options;
  options.model.stopping = sim::stop_mode::as_ordered;
  auto const run = play(trace, sim::uniform_nodes(1, 1), options, berth::shortest_remaining{},
                        berth::epoch_boundary{});
  CHECK(run.jobs[1].finish == berth::time_point{161s + 1s + 40s});
  CHECK(run.jobs[0].preemptions == 1);
}

TEST_CASE("a job that would finish before its boundary is let finish") {
  auto trace = trace_of({job_at(0s, 140s, 1), job_at(101s, 5s, 1)});
  trace.jobs[0].epoch_period = 150s;
  sim::simulation_options options;
  options.model.stopping = sim::stop_mode::at_boundary;
  auto const run = play(trace, sim::uniform_nodes(1, 1), options, berth::shortest_remaining{});
  CHECK(run.jobs[0].finish == berth::time_point{141s});
  CHECK(run.jobs[1].finish == berth::time_point{141s + 6s});
}

TEST_CASE("a gang that minds being spread runs slower on more nodes than it needs") {
  auto trace = trace_of({job_at(0s, 50s, 3), job_at(0s, 50s, 3), job_at(1s, 100s, 2)});
  trace.jobs[2].spread_loss = 200;
  auto const run = play(trace, sim::uniform_nodes(2, 4), {}, berth::fifo{}, berth::never_preempt{});
  // One GPU is left on either node: 2 GPUs over two nodes at 80 % of the speed.
  CHECK(run.jobs[2].completion_time() == 1s + 125s);
}

TEST_CASE("what a trace says of being spread reaches the scheduler") {
  auto const nodes = sim::uniform_nodes(1, 4);
  sim::job each = job_at(0s, 50s, 3);
  CHECK(sim::describe(each, nodes, {}).spread_loss == 0);
  each.spread_loss = 200;
  CHECK(sim::describe(each, nodes, {}).spread_loss == 200);
  each.spread_loss = 5000;  // more than all of its speed
  CHECK(sim::describe(each, nodes, {}).spread_loss == 1000);
}

TEST_CASE("neighbours slow a job down only where interference is on") {
  auto const trace = trace_of({job_at(0s, 1000s, 3), job_at(10s, 100s, 1)});
  sim::simulation_options options;
  CHECK(play(trace, sim::uniform_nodes(1, 4), options, berth::fifo{}).jobs[1].completion_time() ==
        101s);
  options.model.interference = 100;
  // Three busy GPUs of the neighbour: 70 % of the speed.
  CHECK(play(trace, sim::uniform_nodes(1, 4), options, berth::fifo{}).jobs[1].completion_time() ==
        berth::duration{1000 + 142858});
}

TEST_CASE("a job that can never fit is given up at the end and delays nobody") {
  auto const trace = trace_of({job_at(0s, 10s, 9), job_at(1s, 20s, 4)});
  auto const run = play(trace, sim::uniform_nodes(2, 4), {}, berth::fifo{}, berth::easy_backfill{},
                        berth::never_preempt{});
  CHECK_FALSE(run.jobs[0].is_finished());
  CHECK(run.jobs[1].completion_time() == 21s);
}

TEST_CASE(
    "every job finishes under every way of stopping, with nodes that fail, and no GPU is lost") {
  auto const trace =
      sim::philly_like({.jobs = 300, .seed = 7, .load_percent = 120, .gpus = 32, .max_gang = 32});
  auto const nodes = sim::uniform_nodes(4, 8);
  for (auto const mode : {sim::stop_mode::save_now, sim::stop_mode::at_boundary,
                          sim::stop_mode::kill, sim::stop_mode::as_ordered}) {
    CAPTURE(static_cast<int>(mode));
    sim::simulation_options options;
    options.model.stopping = mode;
    options.model.node_mtbf = std::chrono::hours{200};
    options.model.seed = 11;
    auto const run = play(trace, nodes, options, berth::shortest_remaining{});
    auto const figures = sim::summarise(run);
    CHECK(figures.finished == 300);
    CHECK(run.load.back().busy_gpus == 0);
    for (sim::job_record const& job : run.jobs) {
      REQUIRE(job.completion_time() >=
              trace.jobs[static_cast<std::size_t>(&job - run.jobs.data())].work);
      REQUIRE(job.lost >= berth::gpu_time::zero());
      REQUIRE(job.waiting >= 0s);
    }
  }
}

TEST_CASE("a gang whose nodes fail one after the other, before what is left has gone, comes back") {
  // Nodes fail faster than a stopped gang leaves them, and are back before it has left.
  auto const trace = trace_of({job_at(0s, 600s, 16), job_at(10s, 600s, 24), job_at(20s, 900s, 4)});
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    sim::simulation_options options;
    options.model.grace = 300s;
    options.model.node_mtbf = 900s;
    options.model.node_repair = 60s;
    options.model.checkpoint_period = 30s;
    options.model.seed = seed;
    auto const run = play(trace, sim::uniform_nodes(3, 8), options, berth::shortest_remaining{});
    CHECK(run.load.back().busy_gpus == 0);
    for (sim::job_record const& job : run.jobs) {
      REQUIRE(job.is_finished());
      REQUIRE(job.waiting >= 0s);
      REQUIRE(job.waiting <= job.completion_time());
      REQUIRE(job.lost >= berth::gpu_time::zero());
    }
  }
}

TEST_CASE("equal runs have equal digests, and another seed of failures gives another") {
  auto const trace =
      sim::philly_like({.jobs = 200, .seed = 3, .load_percent = 150, .gpus = 16, .max_gang = 16});
  auto const nodes = sim::uniform_nodes(2, 8);
  sim::simulation_options options;
  options.model.node_mtbf = std::chrono::hours{100};
  auto const digest = [&] {
    return play(trace, nodes, options, berth::least_attained_service{}).digest;
  };
  auto const first = digest();
  CHECK(digest() == first);
  options.model.seed = 2;
  CHECK(digest() != first);
}

TEST_CASE("segments cover exactly the time that GPUs were held and no GPU twice") {
  auto const trace =
      sim::philly_like({.jobs = 150, .seed = 5, .load_percent = 150, .gpus = 16, .max_gang = 16});
  sim::simulation_options options;
  options.record_segments = true;
  auto const run = play(trace, sim::uniform_nodes(2, 8), options, berth::shortest_remaining{});
  berth::gpu_time held;
  std::vector<std::vector<std::pair<berth::time_point, berth::time_point>>> of_gpu(16);
  for (sim::segment const& stay : run.segments) {
    for (sim::gpu_block const& range : run.ranges_of(stay)) {
      held += berth::gpu_time{range.count, stay.end - stay.start};
      for (std::uint32_t g = range.first; g < range.first + range.count; ++g) {
        of_gpu[range.node * 8 + g].emplace_back(stay.start, stay.end);
      }
    }
  }
  for (auto& stays : of_gpu) {
    std::sort(stays.begin(), stays.end());
    for (std::size_t i = 1; i < stays.size(); ++i) {
      REQUIRE(stays[i].first >= stays[i - 1].second);
    }
  }
  CHECK(held == sim::busy_time(run.load, berth::time_point{0s}, run.load.back().at));
}

TEST_CASE("exponential draws have their mean and never are zero") {
  berth::random_source random{42};
  std::int64_t sum = 0;
  constexpr int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    auto const drawn = sim::draw_exponential(random, in_seconds(100));
    REQUIRE(drawn.count() > 0);
    sum += drawn.count();
  }
  CHECK(sum / draws > 98'000);
  CHECK(sum / draws < 102'000);
}

}  // namespace simulator_test
