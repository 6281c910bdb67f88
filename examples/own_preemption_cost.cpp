// SPDX-License-Identifier: BSL-1.0
// A preemption cost of your own: as lost_work, but nobody is stopped more than twice, so that a
// long job ends one day however many short ones arrive.
#include <berth/berth.hpp>

#include <chrono>
#include <cstdio>

struct at_most_twice {
  using component_role = berth::preemption_role;
  berth::lost_work base;
  [[nodiscard]] berth::suspension suspend(berth::job_view const& job,
                                          berth::tick_context const& tick) const noexcept {
    berth::suspension answer = base.suspend(job, tick);
    answer.allowed = job.preemptions() < 2;
    return answer;
  }
  [[nodiscard]] berth::duration resume(berth::job_view const& job,
                                       berth::tick_context const& tick) const noexcept {
    return base.resume(job, tick);
  }
};
static_assert(berth::preemption_cost<at_most_twice>);

int main() {
  using namespace std::chrono_literals;
  auto const nodes = berth::cluster::uniform(1, 8);
  berth::scheduler_config config;
  config.acknowledge = berth::acknowledgement::implicit;  // an order counts as done
  auto made =
      berth::make_scheduler(nodes.value(), config, berth::shortest_remaining{}, at_most_twice{});
  auto& scheduler = made.value();
  berth::time_point now{};
  auto const patient = scheduler.submit({.gang = 8, .work = 100h}, now);
  if (!patient || scheduler.tick(now).empty()) {
    return 1;
  }
  for (int round = 1; round <= 3; ++round) {
    now += 10min;
    auto const hasty = scheduler.submit({.gang = 8, .work = 1min}, now);
    bool const plan_has_actions = !scheduler.tick(now).empty();
    bool const displaced = hasty && scheduler.view(*hasty)->is_running();
    std::printf("short job %d: %s\n", round,
                displaced ? "starts at once" : to_string(scheduler.why_waiting(*hasty).value()));
    if (displaced != (round <= 2) || plan_has_actions != displaced) {
      return 1;
    }
    if (displaced && (!scheduler.complete(*hasty, now += 1min) || scheduler.tick(now).empty())) {
      return 1;
    }
  }
  return scheduler.view(*patient)->preemptions() == 2 ? 0 : 1;
}
