// SPDX-License-Identifier: BSL-1.0
// Which places the placements prefer, and what they say a bad one costs.
#include <berth/placements/consolidated.hpp>
#include <berth/placements/first_fit.hpp>
#include <berth/placements/fragmentation_aware.hpp>

#include <tests/support/sample_job.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace placements_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
constexpr time_point start = at(duration{0});

template <class Placement>
gpu_time score(Placement const& placement, sample_job const& job, berth_view const& place) {
  return placement.score(job.view(start), place, tick_at(start));
}
sample_job lasting(duration left, std::int32_t gang) {
  sample_job job{job_spec{.gang = gang}};
  job.predict(left, start);
  return job;
}
berth_view on_one_node(std::int32_t gpus, std::int32_t free_before) {
  return {
      .gpus = gpus, .node_gpus = 8, .free_before = free_before, .free_after = free_before - gpus};
}
}  // namespace

TEST_CASE("first_fit: the lowest node, whatever else differs") {
  sample_job const job = lasting(duration{1000}, 2);
  berth_view low = on_one_node(2, 8);
  berth_view high = on_one_node(2, 2);
  low.first_node = 3;
  high.first_node = 4;
  CHECK(score(first_fit{}, job, low) < score(first_fit{}, job, high));
  low.nodes = 5;
  low.domain = locality::cluster;
  CHECK(score(first_fit{}, job, low) < score(first_fit{}, job, high));
  high.first_node = 3;
  CHECK(score(first_fit{}, job, low) == score(first_fit{}, job, high));
}

TEST_CASE("consolidated: the tightest fit among nodes that hold the gang") {
  sample_job const job = lasting(std::chrono::hours{1}, 2);
  CHECK(score(consolidated{}, job, on_one_node(2, 2)) <
        score(consolidated{}, job, on_one_node(2, 3)));
  CHECK(score(consolidated{}, job, on_one_node(2, 3)) <
        score(consolidated{}, job, on_one_node(2, 8)));
  CHECK(score(consolidated{}, job, on_one_node(2, 2)) == gpu_time::zero());
  CHECK(score(consolidated{}, job, on_one_node(2, 5)) == gpu_time{3, std::chrono::minutes{1}});
}

TEST_CASE("consolidated: every node more than needed costs its share of the run time") {
  sample_job const job = lasting(std::chrono::hours{1}, 4);
  berth_view place{.gpus = 4, .nodes = 1, .fewest_nodes = 1};
  CHECK(score(consolidated{}, job, place) == gpu_time::zero());
  place.domain = locality::rack;
  place.nodes = 2;
  CHECK(score(consolidated{}, job, place) == gpu_time{4, std::chrono::minutes{3}});
  place.nodes = 3;
  CHECK(score(consolidated{}, job, place) == gpu_time{4, std::chrono::minutes{6}});
  place.domain = locality::cluster;
  CHECK(score(consolidated{}, job, place) == gpu_time{4, std::chrono::minutes{9}});
  place.fewest_nodes = 3;
  CHECK(score(consolidated{}, job, place) == gpu_time{4, std::chrono::minutes{3}});
}

TEST_CASE("consolidated: a job that says what being spread costs it is believed") {
  auto const priced = [](std::int32_t spread_loss, berth_view const& place) {
    sample_job job{job_spec{.gang = 4, .spread_loss = spread_loss}};
    job.predict(std::chrono::hours{1}, start);
    return score(consolidated{}, job, place);
  };
  berth_view place{.gpus = 4, .nodes = 2, .fewest_nodes = 1, .domain = locality::rack};
  CHECK(priced(-1, place) == gpu_time{4, std::chrono::minutes{3}});
  CHECK(priced(0, place) == gpu_time::zero());
  CHECK(priced(200, place) == gpu_time{4, std::chrono::minutes{12}});
  place.nodes = 3;
  CHECK(priced(200, place) == gpu_time{4, std::chrono::minutes{24}});
  place.domain = locality::cluster;
  CHECK(priced(200, place) == gpu_time{4, std::chrono::minutes{27}});
  CHECK(priced(0, place) == gpu_time::zero());
}

TEST_CASE("consolidated: long jobs mind being spread more; unknown ones as if they took an hour") {
  berth_view const spread_out{.gpus = 4, .nodes = 2, .fewest_nodes = 1, .domain = locality::rack};
  gpu_time const hour = score(consolidated{}, lasting(std::chrono::hours{1}, 4), spread_out);
  CHECK(score(consolidated{}, lasting(std::chrono::hours{2}, 4), spread_out) == 2 * hour);
  CHECK(score(consolidated{}, lasting(forever, 4), spread_out) == hour);
  CHECK_FALSE(score(consolidated{}, lasting(max_duration, 4), spread_out).is_forbidden());
}

TEST_CASE(
    "consolidated: for a short job, a tight place across nodes beats breaking an empty node") {
  berth_view const across{.gpus = 2, .nodes = 2, .fewest_nodes = 1, .domain = locality::rack};
  CHECK(score(consolidated{}, lasting(std::chrono::minutes{1}, 2), across) <
        score(consolidated{}, lasting(std::chrono::minutes{1}, 2), on_one_node(2, 8)));
  CHECK(score(consolidated{}, lasting(std::chrono::hours{10}, 2), across) >
        score(consolidated{}, lasting(std::chrono::hours{10}, 2), on_one_node(2, 8)));
}

TEST_CASE("fragmentation_aware: leaves behind what the usual jobs can use") {
  fragmentation_aware only_pairs;
  only_pairs.mix = {{{2, 1}, {}, {}, {}}};
  sample_job const job = lasting(duration{1000}, 1);
  // From 2 to 1 strands a GPU; from 3 to 2 frees the stranded one; from 4 to 3 strands one.
  CHECK(score(only_pairs, job, on_one_node(1, 2)) == gpu_time{1, std::chrono::minutes{10}});
  CHECK(score(only_pairs, job, on_one_node(1, 1)) == gpu_time{-1, std::chrono::minutes{10}});
  fragmentation_aware only_whole_nodes;
  only_whole_nodes.mix = {{{8, 1}, {}, {}, {}}};
  CHECK(score(only_whole_nodes, job, on_one_node(1, 7)) <
        score(only_whole_nodes, job, on_one_node(1, 8)));
}

TEST_CASE(
    "fragmentation_aware: by default breaking an empty node is worse than filling a broken one") {
  sample_job const job = lasting(duration{1000}, 1);
  gpu_time const fill = score(fragmentation_aware{}, job, on_one_node(1, 1));
  gpu_time const brk = score(fragmentation_aware{}, job, on_one_node(1, 8));
  CHECK(fill < brk);
  // 396/1000 of the demand cannot use the 7 GPUs that are left: 7 * 0.396 * 10 min.
  CHECK(brk == gpu_time{7 * 396 * 600});
}

TEST_CASE("fragmentation_aware: a node too many costs every GPU of the gang") {
  sample_job const job = lasting(duration{1000}, 4);
  berth_view place{.gpus = 4, .nodes = 2, .fewest_nodes = 2};
  CHECK(score(fragmentation_aware{}, job, place) == gpu_time::zero());
  place.nodes = 4;
  CHECK(score(fragmentation_aware{}, job, place) == gpu_time{8, std::chrono::minutes{10}});
}

TEST_CASE("fragmentation_aware: an empty mix has no fragments and does not divide by zero") {
  fragmentation_aware none;
  none.mix = {};
  CHECK(score(none, lasting(duration{1}, 1), on_one_node(1, 8)) == gpu_time::zero());
}

}  // namespace placements_test
