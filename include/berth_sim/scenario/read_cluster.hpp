// SPDX-License-Identifier: BSL-1.0
// Nodes, queues and settings of a case.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/scenario/fields.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <cstdint>
#include <string>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario::detail {

inline constexpr std::int64_t max_mib = std::int64_t{1} << 40;
inline constexpr std::int64_t max_prio = 1'000'000'000;

[[nodiscard]] inline node_line read_node(json const& value, std::string const& path) {
  fields in{value, path};
  node_line node;
  node.id = name(in.need("id"), in.path_of("id"));
  node.gpus = count(in.need("gpus"), in.path_of("gpus"));
  in.with("type", [&](auto& v, auto p) { node.type = name(v, p); });
  in.with("rack", [&](auto& v, auto p) {
    node.rack = v.is_number_integer() ? std::to_string(count(v, p)) : name(v, p);
  });
  in.with("mem_mib", [&](auto& v, auto p) { node.mem_mib = integer(v, p, 0, max_mib); });
  in.with("count", [&](auto& v, auto p) { node.count = count(v, p, 1, 100'000); });
  in.with("up_at", [&](auto& v, auto p) { node.up_at = instant(v, p); });
  in.with("drained", [&](auto& v, auto p) { node.drained = truth(v, p); });
  in.finish();
  return node;
}

[[nodiscard]] inline queue_line read_queue(json const& value, std::string const& path) {
  fields in{value, path};
  queue_line queue;
  queue.id = name(in.need("id"), in.path_of("id"));
  queue.quota = count(in.need("quota"), in.path_of("quota"));
  in.with("weight", [&](auto& v, auto p) { queue.weight = real(v, p, 0.0, 1.0e9); });
  in.with("prio", [&](auto& v, auto p) { queue.prio = count(v, p, -max_prio, max_prio); });
  in.with("borrow", [&](auto& v, auto p) { queue.borrow = truth(v, p); });
  in.finish();
  return queue;
}

[[nodiscard]] inline backing_off read_backing_off(json const& value, std::string const& path) {
  fields in{value, path};
  backing_off made;
  made.base = seconds(in.need("base"), in.path_of("base"), shortest);
  made.factor = count(in.need("factor"), in.path_of("factor"), 1);
  made.cap = seconds(in.need("cap"), in.path_of("cap"), shortest);
  if (made.cap < made.base) {
    refuse(in.path_of("cap"), "is below base");
  }
  in.finish();
  return made;
}

[[nodiscard]] inline settings read_settings(json const& value, std::string const& path) {
  fields in{value, path};
  settings made;
  in.with("tick_every", [&](auto& v, auto p) { made.tick_every = seconds(v, p, shortest); });
  in.with("ack_stop_after", [&](auto& v, auto p) { made.ack_stop_after = seconds(v, p); });
  in.with("policy", [&](auto& v, auto p) { made.policy = name(v, p); });
  in.with("cooldown", [&](auto& v, auto p) { made.cooldown = read_backing_off(v, p); });
  in.with("backoff", [&](auto& v, auto p) { made.backoff = read_backing_off(v, p); });
  in.with("horizon", [&](auto& v, auto p) { made.horizon = instant(v, p); });
  in.with("failure_limit", [&](auto& v, auto p) { made.failure_limit = count(v, p, 1); });
  in.with("look_ahead", [&](auto& v, auto p) { made.look_ahead = count(v, p, 1); });
  in.with("preset", [&](auto& v, auto p) {
    made.preset = name(v, p);
    if (!made.policy.empty()) {
      refuse(p, "a preset has a policy of its own: give one of the two");
    }
  });
  in.finish();
  return made;
}

}  // namespace sim::scenario::detail

BERTH_NAMESPACE_END
