// SPDX-License-Identifier: BSL-1.0
// Reasons are numbered once and for all.
#include <berth/model/wait_reason.hpp>

#include <cstring>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace wait_reason_test {

using namespace berth;

TEST_CASE("wait_reason: values are pinned, impossible ones are known, names differ") {
  std::vector<std::pair<wait_reason, int>> const all{{wait_reason::none, 0},
                                                     {wait_reason::not_decided, 1},
                                                     {wait_reason::exceeds_cluster, 2},
                                                     {wait_reason::no_such_type, 3},
                                                     {wait_reason::topology, 4},
                                                     {wait_reason::exceeds_cpu_or_memory, 5},
                                                     {wait_reason::no_gpus, 16},
                                                     {wait_reason::fragmented, 17},
                                                     {wait_reason::reserved, 18},
                                                     {wait_reason::back_off, 19},
                                                     {wait_reason::group_incomplete, 20},
                                                     {wait_reason::not_admitted, 21},
                                                     {wait_reason::draining_others, 22},
                                                     {wait_reason::behind_others, 23},
                                                     {wait_reason::cpu_or_memory, 24},
                                                     {wait_reason::stops_do_not_pay, 25},
                                                     {wait_reason::outbid, 26},
                                                     {wait_reason::over_quota, 27},
                                                     {wait_reason::loan_recalled, 28}};
  for (auto const& [reason, number] : all) {
    CHECK(static_cast<int>(reason) == number);
    CHECK(is_impossible(reason) == (number >= 2 && number <= 5));
    CHECK(std::strcmp(to_string(reason), "?") != 0);
    for (auto const& [other, other_number] : all) {
      CHECK((std::strcmp(to_string(reason), to_string(other)) == 0) == (number == other_number));
    }
  }
}

}  // namespace wait_reason_test
