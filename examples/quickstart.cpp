// SPDX-License-Identifier: BSL-1.0
// The whole loop of a host that needs no more: submit, tick, complete. README.md shows this code.
#include <berth/berth.hpp>

#include <cstdio>

int main() {
  using namespace std::chrono_literals;
  auto const nodes = berth::cluster::uniform(2, 8);  // two nodes with eight GPUs each
  berth::scheduler_config config;
  config.acknowledge = berth::acknowledgement::implicit;  // an order counts as done
  auto made = berth::make_scheduler(nodes.value(), config, berth::shortest_remaining{});
  auto& scheduler = made.value();
  berth::time_point now{};  // your clock, in milliseconds; berth never reads one
  auto const apply_plan = [&] {
    for (berth::action const& order : scheduler.tick(now)) {
      bool const starts = order.kind == berth::action_kind::start;
      std::printf("%s job %d on", starts ? "start" : "stop ", static_cast<int>(order.tag));
      for (berth::gpu_range const& part : order.gpus) {
        std::printf(" node %u (%d GPUs)", part.node.slot(), berth::gpu_count(part.gpus));
      }
      std::puts("");
    }
  };
  auto const large = scheduler.submit({.gang = 16, .work = 5h, .tag = 1}, now);
  apply_plan();  // it gets the whole cluster
  auto const small = scheduler.submit({.gang = 4, .work = 10min, .tag = 2}, now += 1h);
  apply_plan();  // less is left of it than of the large one, which gives way
  bool const ended = small && scheduler.complete(*small, now += 10min).has_value();
  apply_plan();  // the large one runs again
  return ended && large && scheduler.view(*large)->is_running() ? 0 : 1;
}
