// SPDX-License-Identifier: BSL-1.0
// A policy of your own: earliest deadline first. A job with an earlier deadline takes the place of
// a running one with a later one.
#include <berth/berth.hpp>

#include <chrono>
#include <cstdio>

struct earliest_deadline {
  using component_role = berth::policy_role;
  [[nodiscard]] berth::priority_key priority(berth::job_view const& job,
                                             berth::tick_context const&) const noexcept {
    return berth::ascending(job.spec().deadline.time_since_epoch().count()).displacing();
  }
};
static_assert(berth::scheduling_policy<earliest_deadline>);  // an error would point here

int main() {
  using namespace std::chrono_literals;
  auto const nodes = berth::cluster::uniform(1, 8);
  berth::scheduler_config config;
  config.acknowledge = berth::acknowledgement::implicit;  // an order counts as done
  auto made = berth::make_scheduler(nodes.value(), config, earliest_deadline{});
  auto& scheduler = made.value();
  berth::time_point const now{};
  auto const relaxed = scheduler.submit({.gang = 8, .work = 3h, .deadline = now + 48h}, now);
  if (!relaxed || scheduler.tick(now).size() != 1) {
    return 1;
  }
  auto const urgent = scheduler.submit({.gang = 8, .work = 3h, .deadline = now + 4h}, now + 10min);
  if (!urgent || scheduler.tick(now + 10min).size() != 2) {
    return 1;
  }
  std::printf("relaxed: %s, urgent: %s\n", to_string(scheduler.view(*relaxed)->state()),
              to_string(scheduler.view(*urgent)->state()));
  return scheduler.view(*urgent)->is_running() && !scheduler.view(*relaxed)->is_running() ? 0 : 1;
}
