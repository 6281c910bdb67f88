// SPDX-License-Identifier: BSL-1.0
// What a host reads in its log.
#include <berth/core/cost.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/interop/fmt.hpp>
#include <berth/model/action.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/exchange_note.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/node.hpp>
#include <berth/model/wait_reason.hpp>

#include <tests/support/compositions.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace fmt_test {

namespace {

using namespace std::chrono_literals;
using berth::gpu_range;

template <class T>
std::string text(T const& value) {
  return fmt::format("{}", value);
}

}  // namespace

TEST_CASE("an id names its kind, slot and generation, and null is none") {
  CHECK(text(berth::job_id{7, 2}) == "job7.2");
  CHECK(text(berth::node_id{3, 0}) == "node3.0");
  CHECK(text(berth::job_id{}) == "none");
  CHECK(text(berth::id<struct some_other_tag>{1, 1}) == "id1.1");
}

TEST_CASE("numbers that the host chose print as numbers") {
  CHECK(text(berth::gpu_type{3}) == "3");
  CHECK(text(berth::rack_id{4}) == "4");
  CHECK(text(berth::tenant_id{5}) == "5");
  CHECK(text(berth::group_id{0xffff'ffff'ffffu}) == "281474976710655");
  CHECK(text(berth::run_number{6}) == "6");
}

TEST_CASE("enumerations print their words") {
  CHECK(text(berth::job_state::draining) == "draining");
  CHECK(text(berth::wait_reason::no_gpus) == "too few GPUs are free");
  CHECK(text(berth::errc::stale_run) == to_string(berth::errc::stale_run));
  CHECK(text(berth::field::gpus_per_member) == "gpus_per_member");
  CHECK(text(berth::action_kind::start) == "start");
  CHECK(text(berth::action_kind::stop) == "stop");
  CHECK(text(berth::action_kind::carry_on) == "carry on");
  CHECK(text(berth::action_kind::resize) == "resize");
  CHECK(text(berth::stop_reason::outbid) == "outbid");
  CHECK(text(berth::stop_reason::node_lost) == "node lost");
  CHECK(text(berth::node_health::down) == "down");
  CHECK(text(berth::gpu_state::promised) == "promised");
}

TEST_CASE("an error names its field, if it is about one") {
  CHECK(text(berth::error{berth::errc::zero_or_negative, berth::field::gang}) ==
        "gang: must be positive");
  CHECK(text(berth::error{berth::errc::unknown_job, berth::field::none}) == "unknown job");
}

TEST_CASE("a duration is exact to the millisecond and leaves out what is zero") {
  using berth::readable;
  CHECK(text(readable(0ms)) == "0s");
  CHECK(text(readable(1ms)) == "0.001s");
  CHECK(text(readable(1250ms)) == "1.250s");
  CHECK(text(readable(2h + 30min)) == "2h30m");
  CHECK(text(readable(26h + 5s)) == "1d2h5s");
  CHECK(text(readable(-90s)) == "-1m30s");
  CHECK(text(readable(berth::forever)) == "forever");
  CHECK(text(readable(berth::duration::min())) == "-106751991167d7h12m55.808s");
}

TEST_CASE("an instant is the time since the host's zero") {
  CHECK(text(berth::readable(berth::time_point{90min})) == "1h30m");
  CHECK(text(berth::readable(berth::never)) == "never");
}

TEST_CASE("GPU-time prints in seconds or hours, cut off after three digits") {
  using berth::gpu_time;
  CHECK(text(gpu_time::zero()) == "0 GPU·s");
  CHECK(text(gpu_time{4, 90min}) == "6 GPU·h");
  CHECK(text(gpu_time{1, 90min}) == "1.5 GPU·h");
  CHECK(text(gpu_time{1, 1ms}) == "0.001 GPU·s");
  CHECK(text(gpu_time{1, 1050ms}) == "1.05 GPU·s");
  CHECK(text(gpu_time{3, -20min}) == "-1 GPU·h");
  CHECK(text(gpu_time{3'599'999}) == "3599.999 GPU·s");
  CHECK(text(gpu_time{2, 100min + 1s}) == "3.333 GPU·h");
  CHECK(text(gpu_time::forbidden()) == "forbidden");
  CHECK(text(gpu_time::max()) == "unbounded");
}

TEST_CASE("GPUs of a node print as ranges up to the last one of the mask") {
  berth::node_id const node{3, 0};
  CHECK(text(gpu_range{node, 0}) == "node3.0[]");
  CHECK(text(gpu_range{node, 0b1}) == "node3.0[0]");
  CHECK(text(gpu_range{node, 0b1100'1111}) == "node3.0[0-3,6-7]");
  CHECK(text(gpu_range{node, ~berth::gpu_mask{0}}) == "node3.0[0-63]");
  CHECK(text(gpu_range{node, berth::gpu_mask{1} << 63}) == "node3.0[63]");
}

TEST_CASE("an action says who, where and why") {
  std::array<gpu_range, 2> const gpus{{{berth::node_id{3, 0}, 0xf}, {berth::node_id{4, 1}, 0x1}}};
  berth::action decided;
  decided.job = berth::job_id{7, 2};
  decided.run = berth::run_number{1};
  decided.gpus = gpus;
  CHECK(text(decided) == "start job7.2 run 1 on node3.0[0-3] node4.1[0]");

  decided.kind = berth::action_kind::stop;
  decided.reason = berth::stop_reason::preempted;
  decided.beneficiary = berth::job_id{9, 0};
  CHECK(text(decided) == "stop job7.2 run 1 on node3.0[0-3] node4.1[0] (preempted for job9.0)");

  decided.reason = berth::stop_reason::cancelled;
  decided.beneficiary = berth::job_id{};
  decided.gpus = {};
  CHECK(text(decided) == "stop job7.2 run 1 (cancelled)");
}

TEST_CASE("the plan of a real tick prints a line an action, and says when there is none") {
  auto const nodes = berth::cluster::uniform(1, 8);
  auto const scheduler = tests::skipping_fifo.make(nodes.value(), {});
  berth::time_point const now{1h};
  CHECK(text(scheduler->tick(now)) == "nothing to do");
  REQUIRE(scheduler->submit({.gang = 2}, now));
  REQUIRE(scheduler->submit({.gang = 1}, now));
  CHECK(text(scheduler->tick(now)) ==
        "start job0.0 run 1 on node0.0[0-1]\nstart job1.0 run 1 on node0.0[2]");
  CHECK(text(scheduler->tick(now - 1ms)) == "refused: now: time went back");
}

TEST_CASE("an exchange says who gained, what it cost and what else there was") {
  berth::exchange_note note;
  CHECK(text(note) == "no stop was ever weighed");
  note.beneficiary = berth::job_id{9, 0};
  note.decided = berth::time_point{2h};
  note.made = true;
  note.victims = 2;
  note.lost = berth::gpu_time{8, 63s};
  CHECK(text(note) ==
        "at 2h 2 jobs were told to stop for job9.0: stopping and restarting destroys 504 GPU·s");
  note.wait = 3h;
  note.cost = 25min;
  CHECK(text(note) ==
        "at 2h 2 jobs were told to stop for job9.0: stopping and restarting destroys 504 GPU·s; "
        "else it waits 3h; all lose together 25m");
  note.victims = 1;
  note.next_best = 26min;
  CHECK(text(note) ==
        "at 2h 1 job was told to stop for job9.0: stopping and restarting destroys 504 GPU·s; "
        "else it waits 3h; all lose together 25m; the next best place costs 26m");
}

TEST_CASE("an exchange that was refused says why") {
  berth::exchange_note note;
  note.beneficiary = berth::job_id{9, 0};
  note.decided = berth::time_point{2h};
  note.victims = 1;
  note.wait = 20min;
  note.cost = 25min;
  CHECK(text(note) ==
        "at 2h it did not pay that 1 job stopped for job9.0: else it waits 20m; "
        "all would lose together 25m");
  note.victims = 0;
  CHECK(text(note) ==
        "at 2h it did not pay that anybody stopped for job9.0: else it waits 20m; "
        "one alone would lose more than 25m");
  note.victims = 3;
  note.wait = berth::forever;
  CHECK(text(note) ==
        "at 2h it did not pay that 3 jobs stopped for job9.0: else it waits forever; "
        "all would lose together 25m");
  CHECK(text(berth::wait_reason::stops_do_not_pay) == "others would lose more by stopping for it");
}

TEST_CASE("width, fill and alignment are those of a string") {
  CHECK(fmt::format("{:>8}|", berth::job_id{7, 2}) == "  job7.2|");
  CHECK(fmt::format("{:*^11}|", berth::job_state::running) == "**running**|");
  CHECK(fmt::format("{:<10}|", berth::gpu_time{1, 90min}) == "1.5 GPU·h |");
}

}  // namespace fmt_test
