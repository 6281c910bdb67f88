// SPDX-License-Identifier: BSL-1.0
// Proof of optimality of a task flow by complementary slackness, as certificate.hpp has it for the
// matchings: primal feasibility, dual feasibility, slackness, and the stated total (Ahuja,
// Magnanti, Orlin, Network Flows, 1993, section 9.3). It shares no code with the solver and
// believes nothing it can compute itself.
#pragma once

#include <berth/core/config.hpp>
#include <berth/solve/certificate_defect.hpp>
#include <berth/solve/cost_traits.hpp>
#include <berth/solve/task_flow_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN
namespace detail {

template <solver_cost Cost>
class task_flow_certifier {
  using traits = cost_traits<Cost>;
  using raw = typename traits::raw;
  using price = typename traits::price;

 public:
  task_flow_certifier(task_flow_problem<Cost> const& problem,
                      task_flow_solution<Cost> const& solution)
      : problem_{problem}, solution_{solution}, units_(problem.places.size()) {}

  [[nodiscard]] certificate run() {
    for (auto const check :
         {&task_flow_certifier::check_shape, &task_flow_certifier::check_ranges,
          &task_flow_certifier::check_tasks, &task_flow_certifier::check_units,
          &task_flow_certifier::check_place_prices, &task_flow_certifier::check_choices,
          &task_flow_certifier::check_total}) {
      if (certificate const found = (this->*check)(); !found.holds()) {
        return found;
      }
    }
    return {};
  }

 private:
  static constexpr std::int64_t price_limit = std::int64_t{1} << 60;  // three of them fit an int64
  static constexpr std::size_t max_tasks = std::size_t{1} << 18;
  static constexpr std::size_t max_levels = 7;

  static certificate at_place(certificate_defect defect, std::size_t place) {
    return certificate::at(defect, certificate::nowhere, place);
  }
  [[nodiscard]] raw price_at(std::size_t place) const {
    return traits::price_to_raw(solution_.price[place]);
  }
  [[nodiscard]] bool is_out(std::size_t task) const { return solution_.way[task] == no_place; }
  [[nodiscard]] task_flow_way<Cost> const& way_of(std::size_t task) const {
    return problem_.ways_of(task)[solution_.way[task]];
  }
  [[nodiscard]] bool is_machine(std::size_t place) const { return !has_child_[place]; }

  [[nodiscard]] certificate check_shape() {
    std::size_t const tasks = problem_.tasks();
    std::size_t const places = problem_.places.size();
    if (problem_.ways.size() != tasks * problem_.ways_per_task ||
        solution_.machine.size() != tasks || solution_.way.size() != tasks ||
        solution_.flow.size() != places || solution_.price.size() != places) {
      return {certificate_defect::shape};
    }
    has_child_.assign(places, false);
    for (std::size_t place = 0; place < places; ++place) {
      std::uint32_t const parent = problem_.places[place].parent;
      if (parent != no_place && (parent <= place || parent >= places)) {
        return at_place(certificate_defect::shape, place);
      }
      if (parent != no_place) {
        has_child_[parent] = true;
      }
    }
    return {};
  }

  [[nodiscard]] certificate check_ranges() {
    if (problem_.tasks() > max_tasks) {
      return {certificate_defect::problem_range};
    }
    for (std::size_t place = 0; place < problem_.places.size(); ++place) {
      task_flow_place<Cost> const& given = problem_.places[place];
      std::size_t levels = 0;
      for (std::uint32_t up = static_cast<std::uint32_t>(place); up != no_place;
           up = problem_.places[up].parent) {
        ++levels;
      }
      if (given.slots < 0 || given.cost.is_forbidden() || !traits::in_range(given.cost) ||
          (given.slots > 0 && !is_machine(place)) || levels > max_levels) {
        return at_place(certificate_defect::problem_range, place);
      }
      if (!traits::is_price(solution_.price[place], price_limit)) {
        return at_place(certificate_defect::price_range, place);
      }
    }
    for (std::size_t task = 0; task < problem_.tasks(); ++task) {
      for (task_flow_way<Cost> const& way : problem_.ways_of(task)) {
        if (!way.cost.is_forbidden() &&
            (way.place >= problem_.places.size() || !traits::in_range(way.cost))) {
          return certificate::at(certificate_defect::problem_range, task, way.place);
        }
      }
      if (!traits::in_range(problem_.unscheduled_cost[task])) {
        return certificate::at(certificate_defect::problem_range, task, certificate::nowhere);
      }
    }
    return {};
  }

  /// Every task uses a way that it has, to a machine that the way leads to.
  [[nodiscard]] certificate check_tasks() {
    for (std::size_t task = 0; task < problem_.tasks(); ++task) {
      std::uint32_t const machine = solution_.machine[task];
      if (is_out(task)) {
        if (machine != no_place) {
          return certificate::at(certificate_defect::matching, task, machine);
        }
        if (problem_.unscheduled_cost[task].is_forbidden()) {
          return certificate::at(certificate_defect::forbidden_used, task, certificate::nowhere);
        }
        continue;
      }
      if (solution_.way[task] >= problem_.ways_per_task || machine >= problem_.places.size() ||
          !is_machine(machine)) {
        return certificate::at(certificate_defect::matching, task, machine);
      }
      if (way_of(task).cost.is_forbidden()) {
        return certificate::at(certificate_defect::forbidden_used, task, machine);
      }
      std::uint32_t place = machine;
      for (; place != no_place && place != way_of(task).place;
           place = problem_.places[place].parent) {
        ++units_[place].from_parent;
      }
      if (place == no_place) {
        return certificate::at(certificate_defect::matching, task, machine);
      }
      ++units_[machine].in_slots;
    }
    return {};
  }

  [[nodiscard]] certificate check_units() {
    for (std::size_t place = 0; place < problem_.places.size(); ++place) {
      if (solution_.flow[place] != units_[place].from_parent) {
        return at_place(certificate_defect::conservation, place);
      }
      if (units_[place].in_slots > problem_.places[place].slots) {
        return at_place(certificate_defect::capacity, place);
      }
    }
    return {};
  }

  [[nodiscard]] certificate check_place_prices() {
    for (std::size_t place = 0; place < problem_.places.size(); ++place) {
      task_flow_place<Cost> const& given = problem_.places[place];
      if (is_machine(place) && price_at(place) < raw{}) {
        return at_place(certificate_defect::column_price_negative, place);
      }
      if (is_machine(place) && raw{} < price_at(place) && units_[place].in_slots < given.slots) {
        return at_place(certificate_defect::slackness, place);
      }
      if (given.parent == no_place) {
        continue;
      }
      raw const reduced = traits::to_raw(given.cost) + price_at(place) - price_at(given.parent);
      if (reduced < raw{}) {
        return at_place(certificate_defect::row_price_too_high, place);
      }
      if (raw{} < reduced && units_[place].from_parent > 0) {
        return at_place(certificate_defect::slackness, place);
      }
    }
    return {};
  }

  /// No task has a way that is cheaper than what it does.
  [[nodiscard]] certificate check_choices() {
    for (std::size_t task = 0; task < problem_.tasks(); ++task) {
      Cost const out = problem_.unscheduled_cost[task];
      raw const paid = is_out(task)
                           ? traits::to_raw(out)
                           : traits::to_raw(way_of(task).cost) + price_at(way_of(task).place);
      if (!out.is_forbidden() && traits::to_raw(out) < paid) {
        return certificate::at(certificate_defect::slackness, task, certificate::nowhere);
      }
      for (task_flow_way<Cost> const& way : problem_.ways_of(task)) {
        if (!way.cost.is_forbidden() && traits::to_raw(way.cost) + price_at(way.place) < paid) {
          return certificate::at(certificate_defect::slackness, task, way.place);
        }
      }
    }
    return {};
  }

  [[nodiscard]] certificate check_total() {
    raw sum{};
    for (std::size_t task = 0; task < problem_.tasks(); ++task) {
      sum =
          sum + traits::to_raw(is_out(task) ? problem_.unscheduled_cost[task] : way_of(task).cost);
    }
    for (std::size_t place = 0; place < problem_.places.size(); ++place) {
      sum = sum +
            std::int64_t{units_[place].from_parent} * traits::to_raw(problem_.places[place].cost);
    }
    auto const says = [&sum](price stated) {
      return traits::is_price(stated, std::int64_t{1} << 61) && traits::price_to_raw(stated) == sum;
    };
    return {says(solution_.total) && says(solution_.bound) ? certificate_defect::none
                                                           : certificate_defect::total};
  }

  struct unit_count {
    std::int32_t from_parent = 0;
    std::int32_t in_slots = 0;
  };
  task_flow_problem<Cost> const& problem_;
  task_flow_solution<Cost> const& solution_;
  std::vector<unit_count> units_;
  std::vector<bool> has_child_;
};

}  // namespace detail

/// Whether `solution` is an optimum of `problem`, else what is wrong first; rows are tasks, columns
/// places. Any numbers may be passed: a bad one is a defect, not an overflow. O(ways + (tasks +
/// places) × levels); allocates two numbers a place, unlike the other certificates: not for a tick.
/// Throws std::bad_alloc.
template <solver_cost Cost>
[[nodiscard]] certificate certify(task_flow_problem<Cost> const& problem,
                                  task_flow_solution<Cost> const& solution) {
  return detail::task_flow_certifier<Cost>{problem, solution}.run();
}

BERTH_NAMESPACE_END
