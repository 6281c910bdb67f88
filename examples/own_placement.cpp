// SPDX-License-Identifier: BSL-1.0
// A placement of your own: the emptiest node first, so that jobs share host memory and network with
// as few others as possible. The shipped placements do the opposite and keep nodes free for large
// gangs.
#include <berth/berth.hpp>

#include <chrono>
#include <cstdio>

struct emptiest_first {
  using component_role = berth::placement_role;
  [[nodiscard]] berth::gpu_time score(berth::job_view const&, berth::berth_view const& place,
                                      berth::tick_context const&) const noexcept {
    auto const neighbours = std::int64_t{berth::max_gpus_per_node} - place.free_after;
    return berth::gpu_time{neighbours, std::chrono::seconds{10}};  // lower is better
  }
};
static_assert(berth::placement_policy<emptiest_first>);

template <class Placement>
int nodes_in_use(Placement placement) {
  auto const nodes = berth::cluster::uniform(4, 8);
  auto scheduler = berth::make_scheduler(nodes.value(), {}, placement);
  berth::time_point now{};
  for (int i = 0; i < 4; ++i) {
    now += std::chrono::seconds{1};
    if (!scheduler->submit({.gang = 2}, now) || scheduler->tick(now).size() != 1) {
      return 0;
    }
  }
  int used = 0;
  for (std::uint32_t n = 0; n < scheduler->books().node_slots(); ++n) {
    used += scheduler->books().node(n).in(berth::gpu_state::held) != 0 ? 1 : 0;
  }
  return used;
}

int main() {
  int const spread = nodes_in_use(emptiest_first{});
  int const packed = nodes_in_use(berth::consolidated{});
  std::printf("four gangs of 2 GPUs sit on %d nodes; consolidated uses %d\n", spread, packed);
  return spread == 4 && packed == 1 ? 0 : 1;
}
