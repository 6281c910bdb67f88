// SPDX-License-Identifier: BSL-1.0
// The ledger's audit: everything is counted again from the bookings. Include
// <berth/model/ledger.hpp>.
#pragma once

#include <berth/core/digest.hpp>
#include <berth/model/ledger.hpp>

BERTH_NAMESPACE_BEGIN

inline char const* ledger::check_node(
    std::uint32_t node, std::array<std::int64_t, gpu_state_count>& sums) const noexcept {
  node_book const& book = nodes_[node];
  gpu_mask seen = 0;
  for (int s = 0; s < gpu_state_count; ++s) {
    gpu_mask const part = book.gpus[static_cast<std::size_t>(s)];
    if ((seen & part) != 0) {
      return "a GPU is in two states";
    }
    seen |= part;
    sums[static_cast<std::size_t>(s)] += gpu_count(part);
  }
  if (seen != first_gpus(book.spec.gpus)) {
    return "a GPU is in no state";
  }
  gpu_mask held = 0;
  gpu_mask earmarked = 0;
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::uint32_t previous = no_booking;
  for (std::uint32_t b = book.first_booking; b != no_booking; b = bookings_[b].next_of_node) {
    booking const& line = bookings_[b];
    if (line.node != node || line.gpus == 0 || line.previous_of_node != previous) {
      return "a booking is in the wrong chain, or empty";
    }
    gpu_mask& taken = line.kind == booking_kind::hold ? held : earmarked;
    if ((taken & line.gpus) != 0) {
      return "a GPU is booked twice";
    }
    taken |= line.gpus;
    job_book const& job = jobs_[line.job];
    if (!job.open) {
      return "a booking of a job without a book";
    }
    cpu += gpu_count(line.gpus) * job.cpu_milli_per_gpu;
    memory += gpu_count(line.gpus) * job.memory_mib_per_gpu;
    previous = b;
  }
  if (held !=
      (book.in(gpu_state::held) | book.in(gpu_state::draining) | book.in(gpu_state::promised))) {
    return "the held GPUs of a node and its holds differ";
  }
  if (earmarked != (book.in(gpu_state::promised) | book.in(gpu_state::reserved))) {
    return "the promised GPUs of a node and its earmarks differ";
  }
  if (cpu != book.cpu_booked || memory != book.memory_booked) {
    return "booked CPU or memory of a node is wrong";
  }
  if (book.spec.health == node_health::down && seen != book.in(gpu_state::down)) {
    return "a GPU of a node that is down is in use";
  }
  if ((book.lost & book.in(gpu_state::free)) != 0) {
    return "a withdrawn GPU is free";
  }
  return nullptr;
}

inline char const* ledger::check_job(std::uint32_t job) const noexcept {
  job_book const& book = jobs_[job];
  std::int32_t held = 0;
  std::int32_t nodes = 0;
  for (std::uint32_t b = book.first_hold; b != no_booking; b = bookings_[b].next_of_job) {
    if (bookings_[b].job != job || bookings_[b].kind != booking_kind::hold) {
      return "a hold is in the wrong chain";
    }
    held += gpu_count(bookings_[b].gpus);
    ++nodes;
  }
  std::int32_t earmarked = 0;
  std::int32_t promised = 0;
  for (std::uint32_t b = book.first_earmark; b != no_booking; b = bookings_[b].next_of_job) {
    if (bookings_[b].job != job || bookings_[b].kind != booking_kind::earmark) {
      return "an earmark is in the wrong chain";
    }
    earmarked += gpu_count(bookings_[b].gpus);
    promised += gpu_count(bookings_[b].gpus & nodes_[bookings_[b].node].in(gpu_state::promised));
  }
  if (held != book.gpus_held || nodes != book.nodes_held) {
    return "a job's count of held GPUs is wrong";
  }
  if (earmarked != book.gpus_earmarked || promised != book.gpus_promised) {
    return "a job's count of earmarked GPUs is wrong";
  }
  return !book.open && held + earmarked > 0 ? "a job without a book has bookings" : nullptr;
}

inline char const* ledger::check_invariants() const noexcept {
  std::array<std::int64_t, gpu_state_count> sums{};
  std::int64_t gpus = 0;
  int largest = 0;
  auto nodes_of_size = nodes_of_size_;
  auto offered_of = offered_of_;
  std::int64_t offered = 0;
  std::size_t lines = 0;
  std::int64_t held_on_nodes = 0;
  for (std::uint32_t n = 0; n < node_slots_; ++n) {
    if (!nodes_[n].exists) {
      continue;
    }
    if (char const* const broken = check_node(n, sums)) {
      return broken;
    }
    gpus += nodes_[n].spec.gpus;
    largest = nodes_[n].spec.gpus > largest ? nodes_[n].spec.gpus : largest;
    --nodes_of_size[static_cast<std::size_t>(nodes_[n].spec.owner)][static_cast<std::size_t>(
        nodes_[n].spec.type)][static_cast<std::size_t>(nodes_[n].spec.gpus)];
    offered += gpu_count(nodes_[n].offered());
    offered_of[static_cast<std::size_t>(nodes_[n].spec.owner)]
              [static_cast<std::size_t>(nodes_[n].spec.type)] -= gpu_count(nodes_[n].offered());
    for_each_booking(n, [&](booking const& line) {
      ++lines;
      held_on_nodes += line.kind == booking_kind::hold ? gpu_count(line.gpus) : 0;
    });
    node_spec const& spec = nodes_[n].spec;
    if ((nodes_[n].in(gpu_state::draining) != 0) != draining_nodes_.contains(n)) {
      return "the list of draining nodes is wrong";
    }
    if (index_.next(spec.owner, spec.type, gpu_count(nodes_[n].offered()), n) != n) {
      return "the free index has lost a node";
    }
  }
  if (sums != totals_ || gpus != gpu_total_ || offered != offered_ || largest != largest_node_) {
    return "totals differ from the sum over nodes";
  }
  if (nodes_of_size != decltype(nodes_of_size){} || offered_of != decltype(offered_of){}) {
    return "the nodes of a size, or the free GPUs of a type, are miscounted";
  }
  if (lines != bookings_.used()) {
    return "a booking is in no node's chain";
  }
  // Tenants are compared in one sum, each with a weight of its own, so that two errors do not
  // cancel.
  auto const weight_of = [](std::size_t tenant) {
    digest d;
    d.add_word(tenant);
    return d.value();
  };
  std::int64_t held_by_jobs = 0;
  std::uint64_t by_tenant_of_job = 0;
  for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
    if (char const* const broken = check_job(j)) {
      return broken;
    }
    held_by_jobs += jobs_[j].gpus_held;
    by_tenant_of_job += weight_of(static_cast<std::size_t>(jobs_[j].tenant)) *
                        static_cast<std::uint64_t>(jobs_[j].gpus_held);
  }
  std::uint64_t by_tenant = 0;
  for (std::size_t t = 0; t < tenant_held_.size(); ++t) {
    if (tenant_held_[t] < 0) {
      return "a tenant holds a negative number of GPUs";
    }
    by_tenant += weight_of(t) * static_cast<std::uint64_t>(tenant_held_[t]);
  }
  if (held_by_jobs != held_on_nodes || by_tenant != by_tenant_of_job) {
    return "nodes, jobs and tenants disagree on the GPUs in use";
  }
  return nullptr;
}

BERTH_NAMESPACE_END
