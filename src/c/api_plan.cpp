// SPDX-License-Identifier: BSL-1.0
// berth.h: plans into the caller's memory.
#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/model/action.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "convert.hpp"
#include "handles.hpp"
#include "sized.hpp"
#include "status.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {
namespace {

/// Is there memory for what it says it has?
berth_status check_plan(berth_plan const& into) noexcept {
  if (!is_size_of<berth_action>(into.action_size) ||
      !is_size_of<berth_gpu_range>(into.range_size)) {
    return BERTH_BAD_SIZE;
  }
  bool const is_missing = (into.action_capacity != 0 && into.actions == nullptr) ||
                          (into.range_capacity != 0 && into.ranges == nullptr);
  return is_missing ? BERTH_NULL_POINTER : BERTH_OK;
}

template <class T>
void put(T* first, std::size_t i, std::uint32_t stride, T const& element_of) noexcept {
  static_cast<void>(init_struct(element_of, element(first, i, stride), stride));
}

void copy(std::span<action const> orders, berth_plan const& into) noexcept {
  std::uint32_t ranges = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    action const& order = orders[i];
    berth_action made{};
    made.kind = static_cast<std::int32_t>(order.kind);
    made.reason = static_cast<std::int32_t>(order.reason);
    made.mode = static_cast<std::int32_t>(order.mode);
    made.job = order.job.value();
    made.beneficiary = order.beneficiary.value();
    made.saves_at = milliseconds(order.saves_at);
    made.tag = order.tag;
    made.run = static_cast<std::uint32_t>(order.run);
    made.change = order.change;
    made.first_range = ranges;
    made.range_count = static_cast<std::uint32_t>(order.gpus.size());
    put(into.actions, i, into.action_size, made);
    for (gpu_range const& part : order.gpus) {
      berth_gpu_range range{};
      range.node = part.node.value();
      range.gpus = part.gpus;
      put(into.ranges, ranges++, into.range_size, range);
    }
  }
}

/// Writes the plan if there is room for all of it, else keeps it in the seat.
berth_status take(seat& at, std::span<action const> orders, berth_plan& into) noexcept {
  into.action_count = static_cast<std::uint32_t>(orders.size());
  into.range_count = 0;
  for (action const& order : orders) {
    into.range_count += static_cast<std::uint32_t>(order.gpus.size());
  }
  if (into.action_count > into.action_capacity || into.range_count > into.range_capacity) {
    at.untaken = orders;
    return BERTH_BUFFER_TOO_SMALL;
  }
  copy(orders, into);
  at.untaken = {};
  return BERTH_OK;
}

/// Decides, unless a plan waits to be taken.
berth_status tick(seat& at, time_point now, berth_plan& into) {
  into.is_idle = 0;
  if (!at.untaken.empty()) {
    return take(at, at.untaken, into);
  }
  plan const decided = at.scheduler->tick(now);
  if (decided.is_refused()) {
    return status_of(decided.error());
  }
  into.is_idle = decided.is_idle() ? 1 : 0;
  return take(at, {decided.begin(), decided.end()}, into);
}

}  // namespace
}  // namespace c_api
BERTH_NAMESPACE_END

using namespace berth;
using namespace berth::c_api;

berth_status berth_tick(berth_scheduler* scheduler, int64_t now, berth_plan* plan) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    berth_plan into = default_plan();
    if (auto const read = read_struct(plan, into); read != BERTH_OK) {
      return read;
    }
    if (auto const fine = check_plan(into); fine != BERTH_OK) {
      return fine;
    }
    auto const taken = tick(at, instant(now), into);
    if (taken == BERTH_OK || taken == BERTH_BUFFER_TOO_SMALL) {
      static_cast<void>(write_struct(into, plan));
    }
    return taken;
  });
}

berth_status berth_next_wakeup(berth_scheduler* scheduler, int64_t* at) {
  return looking(scheduler, [&](seat& asked) -> berth_status {
    if (at == nullptr) {
      return BERTH_NULL_POINTER;
    }
    *at = milliseconds(asked.scheduler->next_wakeup());
    return BERTH_OK;
  });
}
