// SPDX-License-Identifier: BSL-1.0
// What is inside a sizing_workspace, and how every rule begins and ends.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/sizing/check_sizing.hpp>
#include <berth/sizing/concave_majorant.hpp>
#include <berth/sizing/detail/option_list.hpp>
#include <berth/sizing/elastic_job.hpp>
#include <berth/sizing/sizing_problem.hpp>
#include <berth/solve/choice_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

struct sizing_access;

/// The next step of an item up its majorant.
struct climber {
  ladder_step next;
  std::uint32_t item = 0;
};

struct sizing_memory {
  std::size_t jobs = 0;
  std::size_t rungs = 0;
  std::size_t table_capacity = 0;
  std::vector<std::uint32_t> order;  ///< of the jobs: by remaining time, then id
  std::vector<std::int32_t> sizes;   ///< per job: the answer
  option_list options;
  std::vector<std::uint32_t> chosen;    ///< per item, the number of its option
  std::vector<std::uint32_t> vertices;  ///< of the majorants; where an item's options are
  std::vector<std::uint32_t> vertex_count;
  std::vector<std::uint32_t> vertex;  ///< per item, where on its majorant it stands
  std::vector<climber> heap;
  std::vector<std::uint32_t> bracket;  ///< a tournament: the winner below each node
  choice_workspace<gpu_time> concave;  ///< without a table
  choice_workspace<gpu_time> tabulated;

  void reserve(std::size_t more_jobs, std::size_t more_rungs, std::size_t larger_table) {
    jobs = std::max(jobs, more_jobs);
    rungs = std::max(rungs, more_rungs);
    table_capacity = std::max(table_capacity, larger_table);
    order.resize(jobs);
    sizes.resize(jobs);
    options.reserve(jobs, rungs + jobs);  // to get nothing is an option, too
    chosen.resize(jobs);
    vertices.resize(rungs + jobs);
    vertex_count.resize(jobs);
    vertex.resize(jobs);
    heap.resize(jobs);
    bracket.resize(2 * jobs);
    concave.reserve_concave(jobs);
    if (table_capacity > 0) {
      tabulated.reserve(jobs, table_capacity);
    }
  }

  /// Checks the problem, puts the jobs in order and gives nobody anything.
  [[nodiscard]] result<void> begin(sizing_problem const& problem) noexcept {
    std::size_t const count = problem.jobs.size();
    if (count > jobs) {
      return error{errc::capacity_exceeded, field::max_jobs};
    }
    if (result<void> const checked = check_sizing(problem); !checked) {
      return checked;
    }
    std::size_t all_rungs = 0;
    for (std::uint32_t at = 0; at < count; ++at) {
      all_rungs += problem.jobs[at].ladder.size();
      order[at] = at;
      sizes[at] = 0;
    }
    if (all_rungs > rungs) {
      return error{errc::capacity_exceeded, field::ladder};
    }
    options.clear();
    auto const id = [&](std::uint32_t at) { return problem.jobs[at].id; };
    auto const end = order.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(order.begin(), end, [&](std::uint32_t a, std::uint32_t b) { return id(a) < id(b); });
    if (std::adjacent_find(order.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
          return id(a) == id(b);
        }) != end) {
      return error{errc::inconsistent, field::job};
    }
    order_by(problem, [&](std::uint32_t at) { return problem.jobs[at].remaining; });
    return {};
  }
  /// The jobs by a key, then by id.
  template <class Key>
  void order_by(sizing_problem const& problem, Key key) noexcept {
    auto const end = order.begin() + static_cast<std::ptrdiff_t>(problem.jobs.size());
    std::sort(order.begin(), end, [&](std::uint32_t a, std::uint32_t b) {
      auto const of_a = key(a);
      auto const of_b = key(b);
      return of_a < of_b || (of_a == of_b && problem.jobs[a].id < problem.jobs[b].id);
    });
  }
  [[nodiscard]] std::span<std::uint32_t const> ordered(
      sizing_problem const& problem) const noexcept {
    return std::span{order}.first(problem.jobs.size());
  }

  /// The sizes as they stand.
  [[nodiscard]] sizing answer(sizing_problem const& problem) const noexcept {
    sizing answer{.sizes = std::span{sizes}.first(problem.jobs.size())};
    for (std::int32_t const size : answer.sizes) {
      answer.given += size;
    }
    return answer;
  }
  /// The sizes of what was chosen of the options.
  [[nodiscard]] sizing answer_chosen(sizing_problem const& problem) noexcept {
    std::int64_t value = 0;
    for (std::size_t item = 0; item < options.size(); ++item) {
      auto const& option = options.of(item)[chosen[item]];
      sizes[options.job(item)] = option.size;
      value += option.value.count();
    }
    sizing all = answer(problem);
    all.value = all.bound = value;
    return all;
  }
};

}  // namespace detail
BERTH_NAMESPACE_END
