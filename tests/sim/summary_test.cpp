// SPDX-License-Identifier: BSL-1.0
// From a run to its dozen numbers, and the curves and grids the reports draw.
#include <berth_sim/detail/gantt.hpp>
#include <berth_sim/detail/series.hpp>
#include <berth_sim/summary.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "sample_runs.hpp"
#include <doctest/doctest.h>

namespace summary_test {

using namespace berth;
using namespace berth::sim;
using namespace std::chrono_literals;

namespace {

sim::job_record done(duration submit, duration start, duration finish, duration waiting) {
  sim::job_record record;
  record.submit = time_point{submit};
  record.first_start = time_point{start};
  record.finish = time_point{finish};
  record.waiting = waiting;
  return record;
}

/// Four GPUs; three jobs finish, one does not.
run_result small_run() {
  run_result run;
  run.scheduler = "s";
  run.node_gpus = {2, 2};
  run.jobs = {done(10s, 10s, 20s, 0s), done(10s, 12s, 40s, 2s), done(20s, 25s, 31s, 5s), {}};
  run.jobs[1].preemptions = 2;
  run.jobs[1].lost = gpu_time{1500};
  run.jobs[3].submit = time_point{15s};
  run.jobs[3].preemptions = 1;
  run.load = {{time_point{10s}, 1, 0},
              {time_point{20s}, 3, 0},
              {time_point{31s}, 2, 0},
              {time_point{40s}, 0, 0}};
  run.tick_nanoseconds = {50, 10, 40, 20, 30};
  run.ticks = 5;
  run.digest = 7;
  return run;
}

}  // namespace

TEST_CASE("a summary counts finished jobs exactly") {
  summary const s = summarise(small_run());
  CHECK(s.jobs == 4);
  CHECK(s.finished == 3);
  CHECK(s.avg_jct == 17s);  // (10 + 30 + 11) / 3
  CHECK(s.p50_jct == 11s);
  CHECK(s.p99_jct == 30s);
  CHECK(s.avg_wait == 2333ms);
  CHECK(s.p99_wait == 5s);
  CHECK(s.makespan == 30s);
  CHECK(s.preemptions == 3);
  CHECK(s.lost == gpu_time{1500});
  // 1 GPU for 10 s, 3 for 11 s, 2 for 9 s, of 4 for 30 s
  CHECK(s.utilisation == doctest::Approx(61.0 / 120.0));
  CHECK(s.ticks == 5);
  CHECK(s.tick_p50 == 30);
  CHECK(s.tick_p99 == 50);
  CHECK(s.digest == 7);
}

TEST_CASE("a run without jobs, or without a finished one, has a summary") {
  CHECK(summarise(run_result{}).jobs == 0);
  run_result run = small_run();
  for (sim::job_record& job : run.jobs) {
    job.finish = never;
  }
  summary const s = summarise(run);
  CHECK(s.finished == 0);
  CHECK(s.makespan == 0s);
  CHECK(s.utilisation == 0);
}

TEST_CASE("nearest rank is one of the values") {
  std::vector<int> const ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(nearest_rank(ten, 0) == 1);
  CHECK(nearest_rank(ten, 50) == 5);
  CHECK(nearest_rank(ten, 51) == 6);
  CHECK(nearest_rank(ten, 90) == 9);
  CHECK(nearest_rank(ten, 91) == 10);
  CHECK(nearest_rank(ten, 99) == 10);
  CHECK(nearest_rank(ten, 100) == 10);
  CHECK(nearest_rank(std::vector<int>{3}, 1) == 3);
}

TEST_CASE("a mean is rounded to the nearest millisecond and survives huge sums") {
  CHECK(sim::detail::rounded_mean({1ms, 2ms}) == 2ms);
  CHECK(sim::detail::rounded_mean({1ms, 1ms, 2ms}) == 1ms);
  std::vector<duration> const huge(64, duration{std::int64_t{1} << 62});
  CHECK(sim::detail::rounded_mean(huge) == huge[0]);
}

TEST_CASE("busy time is cut to the interval and the last sample lasts") {
  std::vector<load_sample> const load{{time_point{10s}, 2, 0}, {time_point{20s}, 5, 0}};
  CHECK(busy_time(load, time_point{0s}, time_point{30s}) == gpu_time{70'000});
  CHECK(busy_time(load, time_point{15s}, time_point{21s}) == gpu_time{15'000});
  CHECK(busy_time({}, time_point{0s}, time_point{30s}) == gpu_time{});
}

TEST_CASE("a segment finds its ranges again") {
  run_result run;
  std::array const a{gpu_block{0, 0, 2}, gpu_block{1, 1, 1}};
  std::array const b{gpu_block{1, 0, 1}};
  run.add_segment(0, time_point{}, time_point{1s}, a, segment_end::finished);
  run.add_segment(1, time_point{}, time_point{2s}, b, segment_end::preempted);
  REQUIRE(run.segments.size() == 2);
  REQUIRE(run.ranges_of(run.segments[0]).size() == 2);
  CHECK(run.ranges_of(run.segments[0])[1] == a[1]);
  REQUIRE(run.ranges_of(run.segments[1]).size() == 1);
  CHECK(run.ranges_of(run.segments[1])[0] == b[0]);
}

TEST_CASE("a distribution ends at 100 per cent and never falls") {
  std::vector<duration> values;
  for (std::int64_t at = 1000; at > 0; --at) {
    values.push_back(duration{at * 10});
  }
  std::vector<sim::detail::point> const points = sim::detail::distribution(values, 100);
  REQUIRE(points.size() == 100);
  CHECK(points.front().x == 1.0);  // 0.1 s is drawn at 1 s
  CHECK(points.front().y == doctest::Approx(1.0));
  CHECK(points.back().x == doctest::Approx(10.0));
  CHECK(points.back().y == 100.0);
  for (std::size_t at = 1; at < points.size(); ++at) {
    CHECK(points[at].x >= points[at - 1].x);
    CHECK(points[at].y > points[at - 1].y);
  }
  CHECK(sim::detail::distribution({}, 100).empty());
  CHECK(sim::detail::distribution({5s}, 100).size() == 1);
}

TEST_CASE("binned utilisation keeps the area under the curve") {
  run_result const run = small_run();
  for (std::size_t const bins : {1u, 7u, 30u, 300u}) {
    CAPTURE(bins);
    double sum = 0;
    for (sim::detail::point const& each : sim::detail::utilisation(run, bins)) {
      CHECK(each.y >= 0);
      CHECK(each.y <= 100);
      sum += each.y;
    }
    CHECK(sum / static_cast<double>(bins) == doctest::Approx(100 * 61.0 / 120.0));
  }
}

TEST_CASE("every cell of a Gantt grid shows who held the GPU in its middle") {
  std::vector<run_result> const runs = sample::make_runs(200);
  for (run_result const& run : runs) {
    sim::detail::gantt_grid const grid = sim::detail::sample_gantt(run, 16, 100, 100'000);
    REQUIRE(grid.rows.size() == 16);
    REQUIRE(grid.columns == 100);
    std::int64_t const length = (grid.span.to - grid.span.from).count();
    for (sim::detail::gantt_row const& row : grid.rows) {
      std::size_t column = 0;
      for (sim::detail::stretch const& each : row.stretches) {
        for (std::uint32_t cell = 0; cell < each.cells; ++cell, ++column) {
          auto const middle = static_cast<std::int64_t>(static_cast<double>(length) *
                                                        (static_cast<double>(column) + 0.5) / 100);
          time_point const at = grid.span.from + duration{middle};
          std::uint32_t holder = sim::detail::no_job;
          for (segment const& stay : run.segments) {
            for (gpu_block const& range : run.ranges_of(stay)) {
              if (stay.start <= at && at < stay.end && range.node == row.node &&
                  range.first <= row.gpu && row.gpu < range.first + range.count) {
                holder = stay.job;
              }
            }
          }
          CHECK(holder == each.job);
        }
      }
      CHECK(column == 100);
    }
  }
}

TEST_CASE("a Gantt grid keeps to its limits") {
  std::vector<run_result> const runs = sample::make_runs(600);
  sim::detail::gantt_grid const grid = sim::detail::sample_gantt(runs[0], 40, 800, 1000);
  CHECK(grid.rows.size() <= 40);
  CHECK(grid.columns < 800);
  CHECK(grid.stretch_count() <= 1000);
  CHECK(sim::detail::sample_gantt(run_result{}, 40, 800, 3000).rows.empty());
}

}  // namespace summary_test
