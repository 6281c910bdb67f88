// SPDX-License-Identifier: BSL-1.0
// The structs of berth.h and what they stand for. Numbers that do not fit into berth's types are
// refused here; what berth checks itself is left to it.
#pragma once

#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/node.hpp>
#include <berth/scheduler/config.hpp>

#include <cstdint>

#include "host.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

[[nodiscard]] berth_node default_node() noexcept;
[[nodiscard]] berth_config default_config() noexcept;
[[nodiscard]] berth_job default_job() noexcept;
[[nodiscard]] berth_event default_event() noexcept;
[[nodiscard]] berth_plan default_plan() noexcept;

[[nodiscard]] result<node_spec> node_of(berth_node const& given) noexcept;
[[nodiscard]] result<scheduler_config> config_of(berth_config const& given) noexcept;
[[nodiscard]] result<job_spec> job_of(berth_job const& given) noexcept;
[[nodiscard]] result<run_report> report_of(berth_event const& given) noexcept;

[[nodiscard]] constexpr time_point instant(std::int64_t milliseconds) noexcept {
  return time_point{duration{milliseconds}};
}
[[nodiscard]] constexpr std::int64_t milliseconds(time_point at) noexcept {
  return at.time_since_epoch().count();
}

}  // namespace c_api
BERTH_NAMESPACE_END
