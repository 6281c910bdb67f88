// SPDX-License-Identifier: BSL-1.0
// Runs one case and says whether it passed.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/time.hpp>

#include <berth_sim/scenario/check_claim.hpp>
#include <berth_sim/scenario/composition.hpp>
#include <berth_sim/scenario/host.hpp>
#include <berth_sim/scenario/quotas.hpp>
#include <berth_sim/scenario/situation.hpp>
#include <berth_sim/scenario/translate.hpp>
#include <berth_sim/scenario/unsupported.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario {

enum class verdict : std::uint8_t { passed, failed, unsupported };

struct case_report {
  verdict outcome = verdict::passed;
  std::vector<std::string> differences;  ///< why it failed, or what it needs that is not there
  std::vector<std::string> log;          ///< what happened
};

namespace detail {

[[nodiscard]] inline bool is_measured_later(claim const& said) {
  return said.kind == claim_kind::backoff;
}

inline void check_at(host const& seen, expectation const& expected, bool later,
                     std::vector<std::string>& differences) {
  std::vector<claim> due;
  std::copy_if(expected.claims.begin(), expected.claims.end(), std::back_inserter(due),
               [later](claim const& said) { return is_measured_later(said) == later; });
  check_claims(seen, due, differences);
}

inline void play(situation const& about, host& player, std::vector<std::string>& differences) {
  time_point end = about.expect.back().at;
  if (!about.events.empty()) {
    end = std::max(end, about.events.back().at);
  }
  constexpr int most_instants = 1'000'000;
  std::size_t checked = 0;
  for (int i = 0; i < most_instants; ++i) {
    time_point const next = player.next_instant();
    if (next == never || (next > end && !player.waits_for_a_retry())) {
      break;
    }
    player.run_instant(next);
    while (checked < about.expect.size() && about.expect[checked].at <= next) {
      check_at(player, about.expect[checked++], false, differences);
    }
  }
  if (player.waits_for_a_retry() || checked < about.expect.size()) {
    differences.push_back("the case does not end");
  }
  for (expectation const& expected : about.expect) {
    check_at(player, expected, true, differences);
  }
}

}  // namespace detail

/// Never throws for a case that was read by read_cases.
[[nodiscard]] inline case_report run_case(situation const& about) {
  case_report report;
  report.differences = unsupported_features(about);
  if (!report.differences.empty()) {
    report.outcome = verdict::unsupported;
    return report;
  }
  auto const refused = [&](error why) {
    report.outcome = verdict::failed;
    report.differences.push_back(
        fmt::format("the cluster is refused: {} {}", to_string(why.where), to_string(why.code)));
    return report;
  };
  type_table const types{about};
  auto const nodes = cluster_of(about, types);
  if (!nodes) {
    return refused(nodes.error());
  }
  composition const parts = *composition_of(about.config);
  auto tenants = quotas_of(about);
  if (!tenants) {
    return refused(tenants.error());
  }
  auto made =
      make_scheduler(*nodes, config_of(about), parts.policy, parts.allocator, std::move(*tenants));
  if (!made) {
    return refused(made.error());
  }
  host player{about, types, std::move(*made)};
  detail::play(about, player, report.differences);
  report.differences.insert(report.differences.begin(), player.written().complaints().begin(),
                            player.written().complaints().end());
  report.log = player.written().lines();
  report.outcome = report.differences.empty() ? verdict::passed : verdict::failed;
  return report;
}

}  // namespace sim::scenario

BERTH_NAMESPACE_END
