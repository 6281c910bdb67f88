// SPDX-License-Identifier: BSL-1.0
// Collapsing against doing without: the same classes as a sorted map finds, the same optimum as the
// uncollapsed problem has, and nothing lost or invented on the way back.
#include <berth/core/random.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/collapse_expand.hpp>
#include <berth/solve/collapse_matrix.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace collapse_property_test {

namespace {

using namespace berth;

TEST_CASE("collapse: after any events the classes are those of a sorted map") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    auto const records = static_cast<std::uint32_t>(1 + random.below(60));
    std::uint32_t const classes = static_cast<std::uint32_t>(1 + random.below(12));
    std::int64_t const keys = random.between(1, 16);
    class_index<std::int64_t> index(records, classes);
    std::map<std::uint32_t, std::int64_t> key_of;
    auto const members = [&](std::int64_t key) {
      return std::ranges::count_if(key_of,
                                   [key](auto const& entry) { return entry.second == key; });
    };
    auto const distinct = [&] {
      std::set<std::int64_t> all;
      for (auto const& [record, key] : key_of) {
        all.insert(key);
      }
      return all.size();
    };
    for (int event = 0; event < 300; ++event) {
      CAPTURE(event);
      auto const record = static_cast<std::uint32_t>(random.below(records));
      std::int64_t const key = random.between(1, keys);
      auto const known = key_of.find(record);
      std::set<std::int64_t> touched;
      index.clear_touched();
      std::vector<std::uint32_t> const before(index.classes_of_records().begin(),
                                              index.classes_of_records().end());
      if (known == key_of.end()) {
        bool const fits = members(key) > 0 || distinct() < classes;
        REQUIRE((index.add(record, key) != no_class) == fits);
        if (fits) {
          key_of[record] = key;
          touched = {key};
        }
      } else if (random.below(2) == 0) {
        touched = {known->second};
        index.remove(record);
        key_of.erase(known);
      } else {
        bool const fits = members(key) > 0 || distinct() < classes || members(known->second) == 1;
        REQUIRE((index.change(record, key) != no_class) == fits);
        if (fits && key != known->second) {
          touched = {known->second, key};
          known->second = key;
        }
      }
      REQUIRE(index.class_bound() <= classes);
      REQUIRE(index.touched().size() <= touched.size());
      for (std::uint32_t other = 0; other < records; ++other) {
        auto const entry = key_of.find(other);
        REQUIRE((index.class_of(other) == no_class) == (entry == key_of.end()));
        if (entry != key_of.end()) {
          REQUIRE(index.key(index.class_of(other)) == entry->second);
          REQUIRE(index.size(index.class_of(other)) == members(entry->second));
          REQUIRE((other == record || index.class_of(other) == before[other]));
        }
      }
      for (std::uint32_t const at : index.touched()) {
        REQUIRE((index.size(at) == 0 || touched.count(index.key(at)) == 1));
      }
    }
  }
}

TEST_CASE("collapse: a matrix of equal columns has the optimum of its classes") {
  std::uint64_t matched = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::size_t const rows = random.below(20);
    std::size_t const columns = random.below(40);
    std::size_t const kinds = 1 + random.below(6);
    std::int64_t const most = random.between(0, 30);
    std::vector<std::size_t> kind;
    for (std::size_t column = 0; column < columns; ++column) {
      kind.push_back(random.below(kinds));
    }
    std::vector<integer_cost> matrix;
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<integer_cost> of_kind;
      for (std::size_t k = 0; k < kinds; ++k) {
        auto const drawn = static_cast<std::int32_t>(random.between(0, most));
        of_kind.push_back(random.below(10) == 0 ? integer_cost::forbidden() : integer_cost{drawn});
      }
      for (std::size_t column = 0; column < columns; ++column) {
        matrix.push_back(of_kind[kind[column]]);
      }
    }
    std::vector<integer_cost> const left_out(random.below(3) == 0 ? 0 : rows, integer_cost{20});
    cost_matrix_view<integer_cost> const dense{matrix, rows, columns};

    column_classes<integer_cost> classes(rows, columns, kinds);
    REQUIRE(classes.collapse(dense) == solve_status::optimal);
    positional_workspace<integer_cost> workspace(rows, kinds);
    solve_status const status =
        positional_matcher{}.solve({classes.cost(), classes.capacity(), left_out}, workspace);
    assignment_workspace<integer_cost> oracle(rows, columns);
    REQUIRE(assignment_matcher{}.solve({dense, left_out}, oracle) == status);
    if (status != solve_status::optimal) {
      continue;
    }
    ++matched;
    REQUIRE(workspace.solution().total == oracle.solution().total);
    std::vector<std::uint32_t> column_of_row(rows);
    REQUIRE(classes.expand(workspace.solution().column_of_row, column_of_row));
    std::set<std::uint32_t> taken;
    std::int64_t total = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (column_of_row[row] == unmatched) {
        total += left_out[row].value();
      } else {
        REQUIRE(taken.insert(column_of_row[row]).second);
        total += dense(row, column_of_row[row]).value();
      }
    }
    REQUIRE(total == workspace.solution().total);
  }
  CHECK(matched > 500);
}

/// A cluster of a few kinds of jobs and nodes as a transportation problem over some grouping of
/// them; costs belong to the kinds.
struct cluster {
  std::vector<std::uint32_t> job_kind;
  std::vector<std::uint32_t> node_kind;
  std::vector<std::int32_t> demand;    // per kind
  std::vector<std::int32_t> gpus;      // per kind
  std::vector<std::int32_t> left_out;  // per kind
  std::vector<std::int32_t> cost;      // kinds × kinds, negative: no arc

  explicit cluster(random_source& random) {
    std::size_t const kinds = 1 + random.below(5);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      demand.push_back(static_cast<std::int32_t>(random.between(1, 4)));
      gpus.push_back(static_cast<std::int32_t>(random.between(1, 8)));
      left_out.push_back(static_cast<std::int32_t>(random.between(10, 40)));
      for (std::size_t other = 0; other < kinds; ++other) {
        cost.push_back(static_cast<std::int32_t>(random.between(-5, 30)));
      }
    }
    for (std::uint64_t job = random.below(30); job > 0; --job) {
      job_kind.push_back(static_cast<std::uint32_t>(random.below(kinds)));
    }
    for (std::uint64_t node = random.below(12); node > 0; --node) {
      node_kind.push_back(static_cast<std::uint32_t>(random.below(kinds)));
    }
  }
  [[nodiscard]] std::int32_t cost_of(std::uint32_t job, std::uint32_t node) const {
    return cost[job * demand.size() + node];
  }
};

/// Rows and columns of the given kinds, so many of each.
struct kinds_problem {
  std::vector<transport_arc<integer_cost>> arcs;
  std::vector<transport_row> rows;
  std::vector<std::int32_t> supply;
  std::vector<std::int32_t> capacity;
  std::vector<integer_cost> left_out;

  kinds_problem(cluster const& from,
                std::vector<std::pair<std::uint32_t, std::int32_t>> const& jobs,
                std::vector<std::pair<std::uint32_t, std::int32_t>> const& nodes) {
    for (auto const& [kind, count] : nodes) {
      capacity.push_back(count * from.gpus[kind]);
    }
    for (auto const& [kind, count] : jobs) {
      auto const first = static_cast<std::uint32_t>(arcs.size());
      for (std::uint32_t column = 0; column < nodes.size(); ++column) {
        if (std::int32_t const cost = from.cost_of(kind, nodes[column].first); cost >= 0) {
          arcs.push_back({column, integer_cost{cost}});
        }
      }
      rows.push_back({first, static_cast<std::uint32_t>(arcs.size()) - first});
      supply.push_back(count * from.demand[kind]);
      left_out.emplace_back(from.left_out[kind]);
    }
  }
  [[nodiscard]] transport_problem<integer_cost> problem() const {
    return {arcs, rows, supply, capacity, left_out};
  }
};

TEST_CASE("collapse: jobs and nodes as classes cost what they cost one by one") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    cluster const drawn{random};
    class_index<std::uint32_t> jobs(drawn.job_kind.size(), 5);
    class_index<std::uint32_t> nodes(drawn.node_kind.size(), 5);
    using counted = std::vector<std::pair<std::uint32_t, std::int32_t>>;
    counted single_jobs;
    counted single_nodes;
    for (std::uint32_t job = 0; job < drawn.job_kind.size(); ++job) {
      jobs.add(job, drawn.job_kind[job]);
      single_jobs.emplace_back(drawn.job_kind[job], 1);
    }
    for (std::uint32_t node = 0; node < drawn.node_kind.size(); ++node) {
      nodes.add(node, drawn.node_kind[node]);
      single_nodes.emplace_back(drawn.node_kind[node], 1);
    }
    auto const counts = [](auto const& index) {
      counted made;
      for (std::uint32_t at = 0; at < index.class_bound(); ++at) {
        made.emplace_back(index.key(at), index.size(at));
      }
      return made;
    };
    auto const units = [](counted const& classes, std::vector<std::int32_t> const& per_member) {
      std::vector<std::int32_t> made;
      for (auto const& [kind, count] : classes) {
        made.push_back(per_member[kind]);
      }
      return made;
    };
    kinds_problem const collapsed{drawn, counts(jobs), counts(nodes)};
    kinds_problem const uncollapsed{drawn, single_jobs, single_nodes};
    transport_workspace<integer_cost> workspace(5, 5);
    transport_workspace<integer_cost> oracle(single_jobs.size(), single_nodes.size());
    REQUIRE(transport_matcher{}.solve(collapsed.problem(), workspace) == solve_status::optimal);
    REQUIRE(transport_matcher{}.solve(uncollapsed.problem(), oracle) == solve_status::optimal);
    auto const solution = workspace.solution();
    REQUIRE(solution.total == oracle.solution().total);

    std::vector<shipment> flow;
    for (std::uint32_t row = 0; row < collapsed.rows.size(); ++row) {
      transport_row const range = collapsed.rows[row];
      for (std::uint32_t arc = range.first; arc < range.first + range.count; ++arc) {
        flow.push_back({row, collapsed.arcs[arc].column, solution.flow[arc]});
      }
    }
    class_expansion expansion;
    expansion.reserve(single_jobs.size(), 5, single_nodes.size(), 5, flow.size());
    REQUIRE(expansion.expand(flow, {jobs.classes_of_records(), units(counts(jobs), drawn.demand)},
                             {nodes.classes_of_records(), units(counts(nodes), drawn.gpus)}) ==
            solve_status::optimal);
    std::int64_t total = 0;
    std::vector<std::int32_t> waiting = uncollapsed.supply;
    std::vector<std::int32_t> room = uncollapsed.capacity;
    for (shipment const& one : expansion.shipments()) {
      std::int32_t const cost = drawn.cost_of(drawn.job_kind[one.row], drawn.node_kind[one.column]);
      REQUIRE(cost >= 0);
      REQUIRE((waiting[one.row] -= one.units) >= 0);
      REQUIRE((room[one.column] -= one.units) >= 0);
      total += std::int64_t{cost} * one.units;
    }
    for (std::size_t job = 0; job < waiting.size(); ++job) {
      total += std::int64_t{waiting[job]} * uncollapsed.left_out[job].value();
    }
    REQUIRE(total == solution.total);
  }
}

TEST_CASE("expand: members get what their classes shipped, to the unit") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    struct side {
      std::vector<std::uint32_t> class_of;
      std::vector<std::int32_t> units;
      std::vector<std::int64_t> left;  // per class

      side(random_source& from, std::size_t records, std::size_t classes) : left(classes) {
        for (std::size_t at = 0; at < classes; ++at) {
          units.push_back(static_cast<std::int32_t>(from.between(1, 8)));
        }
        for (std::size_t record = 0; record < records; ++record) {
          bool const is_in = from.below(5) != 0;
          class_of.push_back(is_in ? static_cast<std::uint32_t>(from.below(classes)) : no_class);
          if (is_in) {
            left[class_of.back()] += units[class_of.back()];
          }
        }
      }
    };
    side rows{random, random.below(40), 1 + random.below(5)};
    side columns{random, random.below(40), 1 + random.below(5)};
    std::vector<shipment> flow;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> expected;
    for (std::uint32_t row = 0; row < rows.units.size(); ++row) {
      for (std::uint32_t column = 0; column < columns.units.size(); ++column) {
        std::int64_t const units =
            random.between(0, std::min(rows.left[row], columns.left[column]));
        rows.left[row] -= units;
        columns.left[column] -= units;
        flow.push_back({row, column, static_cast<std::int32_t>(units)});
        if (units > 0) {
          expected[{row, column}] = units;
        }
      }
    }
    class_expansion expansion;
    expansion.reserve(rows.class_of.size(), rows.units.size(), columns.class_of.size(),
                      columns.units.size(), flow.size());
    REQUIRE(expansion.expand(flow, {rows.class_of, rows.units},
                             {columns.class_of, columns.units}) == solve_status::optimal);
    std::map<std::uint32_t, std::int64_t> by_row;
    std::map<std::uint32_t, std::int64_t> by_column;
    for (shipment const& one : expansion.shipments()) {
      REQUIRE(one.units > 0);
      std::uint32_t const row = rows.class_of[one.row];
      std::uint32_t const column = columns.class_of[one.column];
      expected[{row, column}] -= one.units;
      REQUIRE((by_row[one.row] += one.units) <= rows.units[row]);
      REQUIRE((by_column[one.column] += one.units) <= columns.units[column]);
    }
    for (auto const& [pair, missing] : expected) {
      REQUIRE(missing == 0);
    }
  }
}

}  // namespace

}  // namespace collapse_property_test
