// SPDX-License-Identifier: BSL-1.0
// Gangs that need several nodes. They choose a domain first (a rack that holds them, or all nodes
// of a GPU type) in an assignment of gangs to domains, then the fewest nodes in it.
#pragma once

#include <berth/core/config.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/foresight.hpp>
#include <berth/scheduler/detail/one_node.hpp>
#include <berth/scheduler/detail/pricing.hpp>
#include <berth/solve/assignment.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// Racks considered per problem and type, tightest first, beside the whole cluster.
inline constexpr std::size_t racks_per_problem = 8;

/// A gang with every member on a node of its own has one here already, of another role.
[[nodiscard]] inline bool is_taken_by_sibling(core_state const& s, gang_part const& part,
                                              std::uint32_t node) noexcept {
  bool taken = false;
  auto const look = [&](booking const& line) { taken = taken || line.node == node; };
  if (part.layout == spread::one_per_node && part.has_siblings) {
    s.books.for_each_hold(part.job, look);
    s.books.for_each_earmark(part.job, look);
  }
  return taken;
}

/// Members of this gang that a node can host now.
[[nodiscard]] inline std::int32_t hosts(core_state const& s, workspace const& w,
                                        gang_part const& part, std::uint32_t node,
                                        std::int32_t gpus) noexcept {
  if (w.restricted && w.is_promised[node] != 0) {
    return 0;  // a gang that outstays the promise goes elsewhere
  }
  if (is_taken_by_sibling(s, part, node)) {
    return 0;
  }
  std::int32_t members = gpus / part.gpus;
  if (part.layout == spread::one_per_node) {
    members = std::min(members, 1);
  }
  shape const& form = s.jobs[part.job].form;
  while (members > 0 &&
         !s.books.has_cpu_and_memory(node, std::int64_t{members} * part.gpus,
                                     form.cpu_milli_per_gpu, form.memory_mib_per_gpu)) {
    --members;
  }
  return members;
}

[[nodiscard]] inline bool in_domain(core_state const& s, rack_domain const& domain,
                                    std::uint32_t node) noexcept {
  return domain.whole_cluster || s.books.node(node).spec.rack == domain.rack;
}

/// The nodes a gang would take in a domain: the fewest, and on the last one the tightest fit. Calls
/// use(node, members) for each and returns the place they make; nodes == 0 if there is no room.
/// O(nodes of the type).
template <class Use>
berth_view compose(core_state const& s, workspace const& w, gang_part const& part,
                   rack_domain const& domain, Use&& use) noexcept {
  free_index const& index = s.books.free_nodes();
  std::int32_t left = part.members;
  berth_view place;
  place.nodes = 0;
  place.type = domain.type;
  place.gpus = part.total();
  std::uint32_t first_rack = no_index;
  bool one_rack = true;
  bool const widest_first = part.layout != spread::one_per_node;
  auto const visit = [&](std::uint32_t node, std::int32_t members, int free_gpus) {
    std::int32_t const here = std::min(left, members);
    use(node, here);
    left -= here;
    auto const rack = static_cast<std::uint32_t>(s.books.node(node).spec.rack);
    one_rack = one_rack && (place.nodes == 0 || rack == first_rack);
    first_rack = place.nodes == 0 ? rack : first_rack;
    place.first_node = place.nodes == 0 ? node : std::min(place.first_node, node);
    place.node_gpus = std::max(place.node_gpus, s.books.node(node).spec.gpus);
    place.free_before += free_gpus;
    place.free_after += free_gpus - here * part.gpus;
    place.last_free_before = free_gpus;
    place.last_free_after = free_gpus - here * part.gpus;
    ++place.nodes;
  };
  int const largest = s.books.largest_node();
  for (int step = 0; step <= largest - part.gpus && left > 0; ++step) {
    int const f = widest_first ? largest - step : part.gpus + step;
    for (std::uint32_t n = index.next(part.where, domain.type, f, 0);
         n != free_index::no_node && left > 0; n = index.next(part.where, domain.type, f, n + 1)) {
      std::int32_t const members = in_domain(s, domain, n) ? hosts(s, w, part, n, f) : 0;
      if (members == 0) {
        continue;
      }
      if (widest_first && left <= members) {
        bool tighter = false;
        for (int g = left * part.gpus; g < f && !tighter; ++g) {
          for (std::uint32_t m = index.next(part.where, domain.type, g, 0);
               m != free_index::no_node && !tighter;
               m = index.next(part.where, domain.type, g, m + 1)) {
            if (in_domain(s, domain, m) && hosts(s, w, part, m, g) >= left) {
              visit(m, left, g);
              tighter = true;
            }
          }
        }
        if (tighter) {
          break;
        }
      }
      visit(n, members, f);
    }
  }
  if (left > 0) {
    place.nodes = 0;
    return place;
  }
  std::int32_t const per_node =
      part.layout == spread::one_per_node ? 1 : std::max(1, place.node_gpus / part.gpus);
  place.fewest_nodes = (part.members + per_node - 1) / per_node;
  place.domain = place.nodes == 1 ? locality::node : one_rack ? locality::rack : locality::cluster;
  return place;
}

/// Domains: the racks that hold the gang most tightly, and the whole of every type that does.
inline void collect_domains(core_state const& s, workspace& w, gang_part const& part,
                            type_mask types) noexcept {
  free_index const& index = s.books.free_nodes();
  w.domains.clear();
  for (int t = 0; t < s.books.type_count(); ++t) {
    auto const type = static_cast<gpu_type>(t);
    if (!contains(types, type)) {
      continue;
    }
    w.racks.clear();
    std::int64_t total = 0;
    for (int f = part.gpus; f <= s.books.largest_node(); ++f) {
      for (std::uint32_t n = index.next(part.where, type, f, 0); n != free_index::no_node;
           n = index.next(part.where, type, f, n + 1)) {
        std::int32_t const members = hosts(s, w, part, n, f);
        auto const rack = static_cast<std::uint32_t>(s.books.node(n).spec.rack);
        if (members > 0) {
          if (w.rack_hosts[rack] == 0) {
            w.racks.push_back(rack);
          }
          w.rack_hosts[rack] += members;
          total += members;
        }
      }
    }
    std::sort(w.racks.begin(), w.racks.end(), [&](std::uint32_t a, std::uint32_t b) noexcept {
      return w.rack_hosts[a] != w.rack_hosts[b] ? w.rack_hosts[a] < w.rack_hosts[b] : a < b;
    });
    std::size_t taken = 0;
    for (std::uint32_t const rack : w.racks) {
      if (w.effort != batch_effort::tightest && w.racks.size() > 1 &&
          w.rack_hosts[rack] >= part.members && taken < racks_per_problem) {
        w.domains.push_back({type, rack_id{rack}, false});
        ++taken;
      }
      w.rack_hosts[rack] = 0;
    }
    if (total >= part.members) {
      w.domains.push_back({type, rack_id{}, true});
    }
  }
}

template <class Engine>
void price_several_nodes_free(Engine& e, std::span<gang_part const> rows) noexcept {
  workspace& w = e.work;
  type_mask types = 0;
  for (gang_part const& row : rows) {
    types |= row.types;
  }
  collect_domains(e.state, w, rows.front(), types);
  std::size_t const width = w.domains.size();
  w.stride = width;
  for (std::size_t c = 0; c < width; ++c) {
    berth_view const place =
        compose(e.state, w, rows.front(), w.domains[c], [](std::uint32_t, std::int32_t) {});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      bool const allowed = place.nodes > 0 && contains(rows[r].types, w.domains[c].type);
      w.cells[r * width + c] =
          allowed ? price_of_place(e, rows[r].job, place) : rank_cost::forbidden();
    }
  }
}

/// Composes the row's place in a domain into w.item_owner and w.supply_of_node; returns its nodes.
[[nodiscard]] inline std::size_t compose_in(core_state const& s, workspace& w, gang_part const& row,
                                            rack_domain const& domain) noexcept {
  std::size_t count = 0;
  berth_view const place =
      compose(s, w, row, domain, [&](std::uint32_t node, std::int32_t members) {
        w.item_owner[count] = node;
        w.supply_of_node[count++] = members;
      });
  return place.nodes == 0 ? 0 : count;
}

/// Would the rows behind this one, and the rest of the batch, still fit beside the place just
/// composed?
[[nodiscard]] inline bool leaves_room(core_state const& s, workspace& w, gang_part const& row,
                                      std::size_t nodes,
                                      std::span<gang_part const> behind) noexcept {
  w.counts.load(s.books);
  for (std::size_t i = 0; i < nodes; ++i) {
    node_book const& node = s.books.node(w.item_owner[i]);
    int const free_gpus = gpu_count(node.offered());
    w.counts.move_node(row.where, node.spec.type, free_gpus,
                       free_gpus - w.supply_of_node[i] * row.gpus);
  }
  return rest_fits(w, w.counts, behind);
}

/// Domains overlap (a rack is part of the cluster), so each gang composes its nodes anew; one that
/// finds its domain used up stays for the next round. A domain that would leave no room for the
/// rest of the batch is changed for the cheapest that does.
template <class Engine>
void bind_several_nodes_free(Engine& e, std::span<gang_part> rows) noexcept {
  core_state& s = e.state;
  workspace& w = e.work;
  auto const answer = w.assignment.solution();
  bool const look = may_spoil(s, w);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::uint32_t domain = answer.column_of_row[r];
    if (domain == unmatched) {
      continue;
    }
    auto const behind = rows.subspan(r + 1);
    std::size_t count = compose_in(s, w, rows[r], w.domains[domain]);
    if (look && (count == 0 || !leaves_room(s, w, rows[r], count, behind))) {
      rank_cost best = rank_cost::forbidden();
      for (std::uint32_t other = 0; other < w.domains.size(); ++other) {
        rank_cost const price = w.cells[r * w.domains.size() + other];
        if (price < best) {
          std::size_t const nodes = compose_in(s, w, rows[r], w.domains[other]);
          if (nodes > 0 && leaves_room(s, w, rows[r], nodes, behind)) {
            best = price;
            domain = other;
          }
        }
      }
      count = compose_in(s, w, rows[r], w.domains[domain]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      take_free(e, rows[r].job, w.item_owner[i], w.supply_of_node[i] * rows[r].gpus);
    }
    rows[r].placed = count > 0;
  }
}

/// What it would cost each row to be spread over nodes now, where that is cheaper than waiting: a
/// fast type in pieces may beat a slow one whole. O(nodes × domains).
template <class Engine>
void price_spreading(Engine& e, std::span<gang_part const> rows) noexcept {
  workspace& w = e.work;
  type_mask types = 0;
  for (gang_part const& row : rows) {
    types |= row.types;
  }
  if (e.state.books.type_count() == 1 || rows.front().needs_one_node()) {
    return;
  }
  collect_domains(e.state, w, rows.front(), types);
  for (rack_domain const& domain : w.domains) {
    berth_view const place =
        compose(e.state, w, rows.front(), domain, [](std::uint32_t, std::int32_t) {});
    for (std::size_t r = 0; place.nodes > 1 && r < rows.size(); ++r) {
      if (contains(rows[r].types, domain.type)) {
        w.unmatched[r] = std::min(w.unmatched[r], price_of_place(e, rows[r].job, place));
      }
    }
  }
}

}  // namespace detail
BERTH_NAMESPACE_END
