// SPDX-License-Identifier: BSL-1.0
// The ledger's changes. Include <berth/model/ledger.hpp>.
#pragma once

#include <berth/model/ledger.hpp>

BERTH_NAMESPACE_BEGIN

inline ledger::ledger(int type_count, std::size_t max_nodes, std::size_t max_gpus,
                      std::size_t max_jobs, std::size_t max_tenants)
    : type_count_{type_count},
      max_gpus_{max_gpus},
      nodes_(max_nodes),
      jobs_(max_jobs),
      bookings_(2 * max_gpus),
      draining_nodes_(max_nodes),
      tenant_held_(max_tenants, 0),
      index_(type_count, max_nodes) {}

inline void ledger::move(std::uint32_t node, gpu_mask gpus, gpu_event event) noexcept {
  node_book& book = nodes_[node];
  gpu_mask const offered_before = book.offered();
  std::array<gpu_mask, gpu_state_count> const before = book.gpus;
  for (int from = 0; from < gpu_state_count; ++from) {
    gpu_mask const part = gpus & before[static_cast<std::size_t>(from)];
    if (part == 0) {
      continue;
    }
    auto const state = static_cast<gpu_state>(from);
    BERTH_ASSERT(is_legal(state, event), "a GPU cannot make this step from where it is");
    auto const to = static_cast<std::size_t>(next(state, event));
    book.gpus[static_cast<std::size_t>(from)] &= ~part;
    book.gpus[to] |= part;
    totals_[static_cast<std::size_t>(from)] -= gpu_count(part);
    totals_[to] += gpu_count(part);
  }
  note_draining(node);
  set_offered(node, offered_before, book.offered());
}

inline void ledger::note_draining(std::uint32_t node) noexcept {
  if (nodes_[node].in(gpu_state::draining) != 0) {
    draining_nodes_.insert(node);
  } else {
    draining_nodes_.erase(node);
  }
}

inline void ledger::set_offered(std::uint32_t node, gpu_mask before, gpu_mask after) noexcept {
  int const was = gpu_count(before);
  int const is = gpu_count(after);
  if (was == is) {
    return;
  }
  node_spec const& spec = nodes_[node].spec;
  index_.erase(node, spec.owner, spec.type, was);
  index_.insert(node, spec.owner, spec.type, is);
  count_offered(spec, is - was);
  if (is > was) {
    note_gain(node);
  }
}

inline void ledger::note_gain(std::uint32_t node) noexcept {
  node_spec const& spec = nodes_[node].spec;
  int& gain = gains_[static_cast<std::size_t>(spec.owner)][static_cast<std::size_t>(spec.type)];
  int const free_gpus = gpu_count(nodes_[node].offered());
  gain = free_gpus > gain ? free_gpus : gain;
}

inline void ledger::count_node(node_spec const& spec, int change) noexcept {
  gpu_total_ += spec.gpus * change;
  nodes_of_size_[static_cast<std::size_t>(spec.owner)][static_cast<std::size_t>(spec.type)]
                [static_cast<std::size_t>(spec.gpus)] += change;
  largest_node_ = spec.gpus > largest_node_ ? spec.gpus : largest_node_;
  while (largest_node_ > 0 && !has_nodes_of_size(largest_node_)) {
    --largest_node_;
  }
}

inline bool ledger::has_nodes_of_size(int gpus) const noexcept {
  for (int p = 0; p < pool_count; ++p) {
    for (int t = 0; t < type_count_; ++t) {
      if (nodes_of_size(static_cast<pool>(p), static_cast<gpu_type>(t), gpus) > 0) {
        return true;
      }
    }
  }
  return false;
}

inline void ledger::count_offered(node_spec const& spec, int change) noexcept {
  offered_ += change;
  offered_of_[static_cast<std::size_t>(spec.owner)][static_cast<std::size_t>(spec.type)] += change;
}

inline void ledger::index(std::uint32_t node) noexcept {
  node_spec const& spec = nodes_[node].spec;
  int const free_gpus = gpu_count(nodes_[node].offered());
  index_.insert(node, spec.owner, spec.type, free_gpus);
  count_offered(spec, free_gpus);
  note_gain(node);
}
inline void ledger::unindex(std::uint32_t node) noexcept {
  node_spec const& spec = nodes_[node].spec;
  int const free_gpus = gpu_count(nodes_[node].offered());
  index_.erase(node, spec.owner, spec.type, free_gpus);
  count_offered(spec, -free_gpus);
}

inline std::uint32_t ledger::add_node(node_spec const& spec) noexcept {
  std::uint32_t slot = free_node_slot_;
  if (slot != no_slot) {
    free_node_slot_ = nodes_[slot].first_booking;  // an unused slot links to the next one there
  } else {
    slot = node_slots_++;
  }
  node_book& book = nodes_[slot];
  std::uint32_t const generation = book.generation;
  book = node_book{};
  book.generation = generation;
  book.exists = true;
  book.spec = spec;
  auto const initial = spec.health == node_health::down ? gpu_state::down : gpu_state::free;
  book.gpus[static_cast<std::size_t>(initial)] = first_gpus(spec.gpus);
  totals_[static_cast<std::size_t>(initial)] += spec.gpus;
  count_node(spec, 1);
  index(slot);
  return slot;
}

inline void ledger::remove_node(std::uint32_t node) noexcept {
  node_book& book = nodes_[node];
  BERTH_ASSERT(book.first_booking == no_booking, "a node with bookings stays");
  unindex(node);
  for (int s = 0; s < gpu_state_count; ++s) {
    totals_[static_cast<std::size_t>(s)] -= gpu_count(book.gpus[static_cast<std::size_t>(s)]);
  }
  count_node(book.spec, -1);
  std::uint32_t const generation = book.generation + 1;
  book = node_book{};
  book.generation = generation;
  book.first_booking = free_node_slot_;
  free_node_slot_ = node;
}

inline void ledger::set_health(std::uint32_t node, node_health health) noexcept {
  node_book& book = nodes_[node];
  if (book.spec.health == health) {
    return;
  }
  unindex(node);
  bool const was_down = book.spec.health == node_health::down;
  book.spec.health = health;
  index(node);
  if (health == node_health::down) {
    fail_gpus(node, first_gpus(book.spec.gpus) & ~book.in(gpu_state::down));
  } else if (was_down) {
    move(node, book.in(gpu_state::down) & ~book.lost, gpu_event::repair);
  }
}

inline void ledger::set_lost(std::uint32_t node, gpu_mask lost) noexcept {
  node_book& book = nodes_[node];
  gpu_mask const back = book.lost & ~lost;
  book.lost = lost & first_gpus(book.spec.gpus);
  move(node, book.lost & book.in(gpu_state::free), gpu_event::fail);
  if (gpu_mask const reserved = book.lost & book.in(gpu_state::reserved); reserved != 0) {
    fail_gpus(node, reserved);
  }
  if (book.spec.health != node_health::down) {
    move(node, back & book.in(gpu_state::down), gpu_event::repair);
  }
}

inline void ledger::fail_gpus(std::uint32_t node, gpu_mask gpus) noexcept {
  std::uint32_t next = nodes_[node].first_booking;
  while (next != no_booking) {
    std::uint32_t const at = next;
    next = bookings_[at].next_of_node;
    booking const line = bookings_[at];
    gpu_mask const hit = line.gpus & gpus;
    if (hit == 0) {
      continue;
    }
    job_book& book = jobs_[line.job];
    if (line.kind == booking_kind::earmark) {
      book.earmark_broken = true;
      book.gpus_promised -= gpu_count(hit & nodes_[node].in(gpu_state::promised));
    }
    shrink_booking(at, hit);
  }
  move(node, gpus, gpu_event::fail);
}

inline void ledger::open(std::uint32_t job, tenant_id tenant, std::int64_t cpu_milli_per_gpu,
                         std::int64_t memory_mib_per_gpu) noexcept {
  BERTH_ASSERT(!jobs_[job].open, "a book is opened once");
  jobs_[job] = job_book{};
  jobs_[job].open = true;
  jobs_[job].tenant = tenant;
  jobs_[job].cpu_milli_per_gpu = cpu_milli_per_gpu;
  jobs_[job].memory_mib_per_gpu = memory_mib_per_gpu;
}
inline void ledger::close(std::uint32_t job) noexcept {
  BERTH_ASSERT(jobs_[job].first_hold == no_booking && jobs_[job].first_earmark == no_booking,
               "a job that ends holds nothing");
  jobs_[job] = job_book{};
}

inline void ledger::take_cpu_and_memory(std::uint32_t node, job_book const& book,
                                        std::int64_t gpus) noexcept {
  nodes_[node].cpu_booked += gpus * book.cpu_milli_per_gpu;
  nodes_[node].memory_booked += gpus * book.memory_mib_per_gpu;
  if (gpus < 0) {
    note_gain(node);
  }
}

inline std::uint32_t ledger::find_booking(std::uint32_t first, std::uint32_t node) const noexcept {
  while (first != no_booking && bookings_[first].node != node) {
    first = bookings_[first].next_of_job;
  }
  return first;
}

// A job has at most one hold and one earmark per node: more GPUs there join it.
inline void ledger::book(std::uint32_t job, std::uint32_t node, gpu_mask gpus,
                         booking_kind kind) noexcept {
  job_book& book = jobs_[job];
  bool const is_hold = kind == booking_kind::hold;
  std::uint32_t* tail = is_hold ? &book.first_hold : &book.first_earmark;
  std::uint32_t at = find_booking(*tail, node);
  if (at == no_booking) {
    at = bookings_.take();
    booking& line = bookings_[at];
    line.job = job;
    line.node = node;
    line.kind = kind;
    node_book& place = nodes_[node];
    line.next_of_node = place.first_booking;
    if (place.first_booking != no_booking) {
      bookings_[place.first_booking].previous_of_node = at;
    }
    place.first_booking = at;
    while (*tail != no_booking) {
      tail = &bookings_[*tail].next_of_job;
    }
    *tail = at;
    book.nodes_held += is_hold ? 1 : 0;
  }
  bookings_[at].gpus |= gpus;
  int const count = gpu_count(gpus);
  take_cpu_and_memory(node, book, count);
  if (is_hold) {
    book.gpus_held += count;
    tenant_held_[static_cast<std::size_t>(book.tenant)] += count;
  } else {
    book.gpus_earmarked += count;
  }
}

// Takes `gpus` out of a booking; an empty one disappears. The GPUs' states are the caller's.
inline void ledger::shrink_booking(std::uint32_t at, gpu_mask gpus) noexcept {
  booking& line = bookings_[at];
  job_book& book = jobs_[line.job];
  int const count = gpu_count(gpus);
  line.gpus &= ~gpus;
  take_cpu_and_memory(line.node, book, -count);
  bool const is_hold = line.kind == booking_kind::hold;
  if (is_hold) {
    book.gpus_held -= count;
    tenant_held_[static_cast<std::size_t>(book.tenant)] -= count;
  } else {
    book.gpus_earmarked -= count;
  }
  if (line.gpus != 0) {
    return;
  }
  if (line.previous_of_node != no_booking) {
    bookings_[line.previous_of_node].next_of_node = line.next_of_node;
  } else {
    nodes_[line.node].first_booking = line.next_of_node;
  }
  if (line.next_of_node != no_booking) {
    bookings_[line.next_of_node].previous_of_node = line.previous_of_node;
  }
  std::uint32_t* link = is_hold ? &book.first_hold : &book.first_earmark;
  while (*link != at) {
    link = &bookings_[*link].next_of_job;
  }
  *link = line.next_of_job;
  book.nodes_held -= is_hold ? 1 : 0;
  bookings_.give_back(at);
}

inline void ledger::hold(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept {
  BERTH_ASSERT(gpus != 0 && (gpus & ~nodes_[node].offered()) == 0, "only offered GPUs are held");
  move(node, gpus, gpu_event::hold);
  book(job, node, gpus, booking_kind::hold);
}

inline void ledger::release(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept {
  std::uint32_t const at = find_booking(jobs_[job].first_hold, node);
  BERTH_ASSERT(at != no_booking && (gpus & ~bookings_[at].gpus) == 0,
               "only held GPUs are released");
  node_book const& place = nodes_[node];
  gpu_mask const promised = gpus & place.in(gpu_state::promised);
  if (promised != 0) {
    // The beneficiary's earmark gets the GPU, or breaks if it was withdrawn meanwhile.
    for (std::uint32_t b = place.first_booking; b != no_booking;) {
      std::uint32_t const following = bookings_[b].next_of_node;
      booking const line = bookings_[b];
      gpu_mask const mine = line.gpus & promised;
      if (line.kind == booking_kind::earmark && mine != 0) {
        jobs_[line.job].gpus_promised -= gpu_count(mine);
        if (gpu_mask const gone = mine & place.lost; gone != 0) {
          jobs_[line.job].earmark_broken = true;
          shrink_booking(b, gone);
        }
      }
      b = following;
    }
  }
  shrink_booking(at, gpus);
  move(node, gpus & ~place.lost, gpu_event::release);
  move(node, gpus & place.lost, gpu_event::retire);
}

inline void ledger::release_all(std::uint32_t job) noexcept {
  while (jobs_[job].first_hold != no_booking) {
    booking const line = bookings_[jobs_[job].first_hold];
    release(job, line.node, line.gpus);
  }
}

inline void ledger::drain(std::uint32_t job) noexcept {
  for (std::uint32_t b = jobs_[job].first_hold; b != no_booking; b = bookings_[b].next_of_job) {
    booking const& line = bookings_[b];
    move(line.node, line.gpus & nodes_[line.node].in(gpu_state::held), gpu_event::drain);
  }
}
inline void ledger::leave(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept {
  [[maybe_unused]] std::uint32_t const at = find_booking(jobs_[job].first_hold, node);
  BERTH_ASSERT(at != no_booking && (gpus & ~bookings_[at].gpus) == 0, "only held GPUs are left");
  move(node, gpus, gpu_event::drain);
}
inline void ledger::vacate(std::uint32_t job) noexcept {
  for (std::uint32_t b = jobs_[job].first_hold; b != no_booking;) {
    booking const line = bookings_[b];
    b = line.next_of_job;
    if (gpu_mask const left = leaving(line); left != 0) {
      release(job, line.node, left);
    }
  }
}
inline void ledger::revive(std::uint32_t job) noexcept {
  for (std::uint32_t b = jobs_[job].first_hold; b != no_booking; b = bookings_[b].next_of_job) {
    move(bookings_[b].node, bookings_[b].gpus, gpu_event::revive);
  }
}

inline void ledger::earmark(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept {
  jobs_[job].gpus_promised += gpu_count(gpus & nodes_[node].in(gpu_state::draining));
  move(node, gpus, gpu_event::promise);
  book(job, node, gpus, booking_kind::earmark);
}

inline void ledger::drop_earmark(std::uint32_t job) noexcept {
  while (jobs_[job].first_earmark != no_booking) {
    std::uint32_t const at = jobs_[job].first_earmark;
    booking const line = bookings_[at];
    shrink_booking(at, line.gpus);
    move(line.node, line.gpus, gpu_event::unpromise);
  }
  jobs_[job].gpus_promised = 0;
  jobs_[job].earmark_broken = false;
}

inline void ledger::claim_earmark(std::uint32_t job) noexcept {
  BERTH_ASSERT(jobs_[job].gpus_promised == 0 && !jobs_[job].earmark_broken,
               "an earmark is claimed when it is complete");
  while (jobs_[job].first_earmark != no_booking) {
    std::uint32_t const at = jobs_[job].first_earmark;
    booking const line = bookings_[at];
    shrink_booking(at, line.gpus);
    move(line.node, line.gpus, gpu_event::hold);
    book(job, line.node, line.gpus, booking_kind::hold);
  }
}

BERTH_NAMESPACE_END
