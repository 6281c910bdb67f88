// SPDX-License-Identifier: BSL-1.0
// The ledger built anew from what a snapshot keeps. Include <berth/model/ledger.hpp>.
#pragma once

#include <berth/model/ledger.hpp>

#include <algorithm>

BERTH_NAMESPACE_BEGIN

inline std::uint32_t ledger::place_on_node(booking const& line) const noexcept {
  std::uint32_t place = 0;
  for (std::uint32_t b = line.previous_of_node; b != no_booking;
       b = bookings_[b].previous_of_node) {
    ++place;
  }
  return place;
}

inline void ledger::clear() noexcept {
  gpu_total_ = 0;
  largest_node_ = 0;
  nodes_of_size_ = {};
  gains_ = {};
  draining_nodes_.clear();
  offered_ = 0;
  offered_of_ = {};
  node_slots_ = 0;
  free_node_slot_ = no_slot;
  totals_ = {};
  std::fill(nodes_.begin(), nodes_.end(), node_book{});
  std::fill(jobs_.begin(), jobs_.end(), job_book{});
  bookings_.clear();
  std::fill(tenant_held_.begin(), tenant_held_.end(), 0);
  index_.clear();
}

inline void ledger::restore_node(std::uint32_t generation, bool exists, node_spec const& spec,
                                 gpu_mask lost) noexcept {
  node_book& book = nodes_[node_slots_++];
  book.generation = generation;
  book.exists = exists;
  if (exists) {
    book.spec = spec;
    book.lost = lost;
    count_node(spec, 1);
  }
}

inline void ledger::restore_unused_node(std::uint32_t node) noexcept {
  nodes_[node].first_booking = free_node_slot_;
  free_node_slot_ = node;
}

// Until finish_restore, previous_of_node is the place in the node's chain, and `reserved` holds
// what is earmarked.
inline std::uint32_t ledger::restore_booking(booking const& line, std::uint32_t previous,
                                             std::uint32_t place, gpu_mask leaving) noexcept {
  std::uint32_t const at = bookings_.take();
  booking& made = bookings_[at];
  made.gpus = line.gpus;
  made.job = line.job;
  made.node = line.node;
  made.kind = line.kind;
  made.previous_of_node = place;
  job_book& book = jobs_[line.job];
  bool const is_hold = line.kind == booking_kind::hold;
  (previous != no_booking ? bookings_[previous].next_of_job
   : is_hold              ? book.first_hold
                          : book.first_earmark) = at;
  node_book& node = nodes_[line.node];
  std::uint32_t* link = &node.first_booking;
  while (*link != no_booking && bookings_[*link].previous_of_node < place) {
    link = &bookings_[*link].next_of_node;
  }
  made.next_of_node = *link;
  *link = at;
  int const count = gpu_count(line.gpus);
  take_cpu_and_memory(line.node, book, count);
  if (is_hold) {
    book.gpus_held += count;
    ++book.nodes_held;
    tenant_held_[static_cast<std::size_t>(book.tenant)] += count;
  } else {
    book.gpus_earmarked += count;
  }
  auto const in = [&](gpu_state state) -> gpu_mask& {
    return node.gpus[static_cast<std::size_t>(state)];
  };
  in(is_hold ? gpu_state::held : gpu_state::reserved) |= line.gpus & ~leaving;
  in(gpu_state::draining) |= line.gpus & leaving;
  return at;
}

inline void ledger::finish_restore() noexcept {
  for (std::uint32_t n = 0; n < node_slots_; ++n) {
    node_book& node = nodes_[n];
    if (!node.exists) {
      continue;
    }
    auto const in = [&](gpu_state state) -> gpu_mask& {
      return node.gpus[static_cast<std::size_t>(state)];
    };
    in(gpu_state::promised) = in(gpu_state::draining)&in(gpu_state::reserved);
    in(gpu_state::draining) &= ~in(gpu_state::promised);
    in(gpu_state::reserved) &= ~in(gpu_state::promised);
    gpu_mask const idle =
        first_gpus(node.spec.gpus) & ~(in(gpu_state::held) | in(gpu_state::draining) |
                                       in(gpu_state::promised) | in(gpu_state::reserved));
    in(gpu_state::down) = node.spec.health == node_health::down ? idle : idle & node.lost;
    in(gpu_state::free) = idle & ~in(gpu_state::down);
    for (int s = 0; s < gpu_state_count; ++s) {
      totals_[static_cast<std::size_t>(s)] += gpu_count(in(static_cast<gpu_state>(s)));
    }
    note_draining(n);
    index(n);
    std::uint32_t previous = no_booking;
    for (std::uint32_t b = node.first_booking; b != no_booking; b = bookings_[b].next_of_node) {
      booking& line = bookings_[b];
      line.previous_of_node = previous;
      previous = b;
      if (line.kind == booking_kind::earmark) {
        jobs_[line.job].gpus_promised += gpu_count(line.gpus & in(gpu_state::promised));
      }
    }
  }
}

BERTH_NAMESPACE_END
