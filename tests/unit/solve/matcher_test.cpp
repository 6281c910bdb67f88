// SPDX-License-Identifier: BSL-1.0
// Which types may stand behind the seam of the matchers.
#include <berth/core/cost.hpp>
#include <berth/interop/boost_graph.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/matcher.hpp>
#include <berth/solve/transport.hpp>

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace matcher_test {

namespace {

using namespace berth;

struct without_workspace {
  solve_status solve(assignment_problem<gpu_time> const&, int&) const noexcept;
};
struct with_wrong_answer {
  template <class Problem>
  using workspace_for = assignment_workspace<typename Problem::cost_type>;
  bool solve(assignment_problem<gpu_time> const&, assignment_workspace<gpu_time>&) const noexcept;
};

static_assert(matcher<assignment_matcher, assignment_problem<gpu_time>>);
static_assert(matcher<transport_matcher, transport_problem<rank_cost>>);
static_assert(!matcher<assignment_matcher, transport_problem<gpu_time>>);
static_assert(!matcher<transport_matcher, assignment_problem<gpu_time>>);
static_assert(!matcher<without_workspace, assignment_problem<gpu_time>>);
static_assert(!matcher<with_wrong_answer, assignment_problem<gpu_time>>);
static_assert(matcher<boost_graph_matcher, assignment_problem<gpu_time>>);
static_assert(matcher<boost_graph_matcher, transport_problem<rank_cost>>);
static_assert(!tick_matcher<boost_graph_matcher, transport_problem<rank_cost>>);

template <class Matcher>
std::vector<std::uint32_t> match(Matcher const& solver) {
  std::vector<gpu_time> const cells{gpu_time{4}, gpu_time{1}, gpu_time{2}, gpu_time{9}};
  assignment_problem<gpu_time> const problem{{cells, 2, 2}};
  workspace_of<Matcher, assignment_problem<gpu_time>> workspace;
  workspace.reserve(2, 2);
  REQUIRE(solver.solve(problem, workspace) == solve_status::optimal);
  auto const found = workspace.solution().column_of_row;
  return {found.begin(), found.end()};
}

TEST_CASE_TEMPLATE("matcher: code written against the seam runs with either engine", Matcher,
                   assignment_matcher, boost_graph_matcher) {
  CHECK(match(Matcher{}) == std::vector<std::uint32_t>{1, 0});
}

TEST_CASE("boost_graph_matcher: refuses what the other matchers refuse, and leaves no answer") {
  using arcs = std::vector<transport_arc<gpu_time>>;
  arcs const beyond{{0, gpu_time{cost_traits<gpu_time>::limit + 1}}};
  arcs const good{{0, gpu_time{1}}};
  arcs const nowhere{{1, gpu_time{1}}};
  std::vector<transport_row> const row{{0, 1}};
  std::vector<transport_row> const outside{{0, 2}};
  std::vector<std::int32_t> const one{1};
  std::vector<std::int32_t> const negative{-1};
  boost_graph_transport_workspace<gpu_time> workspace;
  boost_graph_matcher const solver;
  auto const status = [&](transport_problem<gpu_time> const& problem) {
    return solver.solve(problem, workspace);
  };
  CHECK(status({good, row, one, one}) == solve_status::optimal);
  CHECK(workspace.solution().flow.size() == 1);
  CHECK(status({beyond, row, one, one}) == solve_status::cost_out_of_range);
  CHECK(workspace.solution().flow.empty());
  CHECK(status({good, row, negative, one}) == solve_status::malformed);
  CHECK(status({good, outside, one, one}) == solve_status::malformed);
  CHECK(status({nowhere, row, one, one}) == solve_status::malformed);
  std::vector<std::int32_t> const none{0};
  CHECK(status({good, row, one, none}) == solve_status::infeasible);
}

}  // namespace

}  // namespace matcher_test
