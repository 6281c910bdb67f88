// SPDX-License-Identifier: BSL-1.0
// Training and inference on one cluster: idle inference GPUs are lent to an elastic job, and come
// back when a burst of requests needs them.
#include <berth/allocators/elastic.hpp>
#include <berth/interop/fmt.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/presets/deepboot.hpp>

#include <array>
#include <chrono>
#include <vector>

#include <fmt/format.h>

namespace {

using namespace std::chrono_literals;

/// Prints the plan and carries it out at once.
template <class Scheduler>
bool serve(Scheduler& scheduler, berth::time_point now) {
  berth::plan const plan = scheduler.tick(now);
  std::vector<berth::action> const orders(plan.begin(), plan.end());
  for (berth::action const& each : orders) {
    fmt::print("{:>4} s  {}\n", now.time_since_epoch() / 1s, each);
  }
  for (berth::action const& each : orders) {
    switch (each.kind) {
      case berth::action_kind::start:
        scheduler.report(each.job, berth::started{each.run}, now).value();
        break;
      case berth::action_kind::resize:
        scheduler.report(each.job, berth::resized{each.run, each.change}, now).value();
        break;
      case berth::action_kind::stop:
        scheduler.report(each.job, berth::stopped{.run = each.run}, now).value();
        break;
      case berth::action_kind::carry_on: break;
    }
  }
  return !orders.empty();
}

}  // namespace

int main() {
  berth::cluster nodes;
  if (!nodes.add({.gpus = 4}) || !nodes.add({.gpus = 4, .owner = berth::pool::inference})) {
    return 1;
  }
  auto scheduler = berth::presets::deepboot(nodes, {}).value();
  berth::time_point now{};

  // A training job that needs one GPU and can use eight; each beyond its least may be on loan.
  auto const training =
      scheduler
          .submit({.gang = 8, .min_gang = 1, .borrows = berth::borrowing::extra, .work = 10h}, now)
          .value();
  std::array const ladder{
      berth::rung{1, berth::unit_rung_speed}, berth::rung{4, berth::unit_rung_speed * 7 / 2},
      berth::rung{7, berth::unit_rung_speed * 5}, berth::rung{8, berth::unit_rung_speed * 11 / 2}};
  scheduler.set_ladder(training, ladder, now).value();

  fmt::print("the night: inference lends all of its GPUs for half an hour\n");
  scheduler.lend({.gpus = 4, .until = now + 30min}, now).value();
  while (serve(scheduler, now)) {
  }

  now += 10min;
  fmt::print("a burst: two replicas wait\n");
  std::vector<berth::job_id> replicas;
  for (int i = 0; i < 2; ++i) {
    replicas.push_back(scheduler.submit({.where = berth::pool::inference}, now).value());
  }
  while (serve(scheduler, now)) {
  }

  now += 5min;
  fmt::print("the burst is over\n");
  for (berth::job_id const each : replicas) {
    scheduler.complete(each, now).value();
  }
  while (serve(scheduler, now)) {
  }

  now = scheduler.next_wakeup();
  while (now < berth::time_point{30min}) {
    serve(scheduler, now);
    now = scheduler.next_wakeup();
  }
  fmt::print("the lease ends\n");
  while (serve(scheduler, now)) {
  }
  fmt::print("training keeps {} GPUs, {} of them on loan\n", scheduler.view(training)->gpus_held(),
             scheduler.gpus_on_loan());
  return scheduler.gpus_on_loan() == 0 ? 0 : 1;
}
