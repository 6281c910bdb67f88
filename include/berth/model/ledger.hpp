// SPDX-License-Identifier: BSL-1.0
// The one place that knows who holds which GPU in which state. Every change of a GPU goes through
// `move`, which walks the table of gpu.hpp and moves all counters or none; nothing else writes
// them.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/slot_set.hpp>
#include <berth/model/booking.hpp>
#include <berth/model/free_index.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/node.hpp>
#include <berth/model/topology.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// A node as the ledger keeps it. The six state masks are disjoint and cover its GPUs.
struct node_book {
  node_spec spec;
  std::uint32_t generation = 0;
  bool exists = false;
  std::array<gpu_mask, gpu_state_count> gpus{};  ///< by gpu_state
  gpu_mask lost = 0;                             ///< withdrawn: down as soon as nobody holds them
  std::int64_t cpu_booked = 0;                   ///< thousandths of a core, held and earmarked
  std::int64_t memory_booked = 0;                ///< MiB, held and earmarked
  std::uint32_t first_booking = no_booking;

  [[nodiscard]] gpu_mask in(gpu_state state) const noexcept {
    return gpus[static_cast<std::size_t>(state)];
  }
  /// GPUs that new work may take.
  [[nodiscard]] gpu_mask offered() const noexcept {
    return exists && spec.health == node_health::up ? in(gpu_state::free) : 0;
  }
};

/// A job as the ledger keeps it.
struct job_book {
  bool open = false;
  bool earmark_broken = false;  ///< a node took part of the earmark with it
  tenant_id tenant{};
  std::int64_t cpu_milli_per_gpu = 0;
  std::int64_t memory_mib_per_gpu = 0;
  std::uint32_t first_hold = no_booking;
  std::uint32_t first_earmark = no_booking;
  std::int32_t gpus_held = 0;
  std::int32_t nodes_held = 0;
  std::int32_t gpus_earmarked = 0;
  std::int32_t gpus_promised = 0;  ///< part of the earmark that others have not left yet
};

class ledger {
 public:
  ledger() = default;
  ledger(int type_count, std::size_t max_nodes, std::size_t max_gpus, std::size_t max_jobs,
         std::size_t max_tenants);

  // Nodes. A slot is given by add_node and free again after remove_node.
  /// Precondition: check(spec) passed, there is room (see full()).
  std::uint32_t add_node(node_spec const& spec) noexcept;
  /// Precondition: no bookings on it.
  void remove_node(std::uint32_t node) noexcept;
  /// `down` does not touch bookings: the caller has released or failed them (see fail_node).
  void set_health(std::uint32_t node, node_health health) noexcept;
  /// Withdraws exactly these GPUs; those that are held stay booked until they are released.
  void set_lost(std::uint32_t node, gpu_mask lost) noexcept;
  /// Takes `gpus` away from whatever they were doing: the node is gone. Bookings vanish; jobs keep
  /// the rest of their gang, earmarks are marked as broken.
  void fail_gpus(std::uint32_t node, gpu_mask gpus) noexcept;

  // Jobs. A book is opened for the slot of a job that lives.
  void open(std::uint32_t job, tenant_id tenant, std::int64_t cpu_milli_per_gpu,
            std::int64_t memory_mib_per_gpu) noexcept;
  /// Precondition: nothing held, nothing earmarked.
  void close(std::uint32_t job) noexcept;

  // Transitions. Masks must be in the state that the table of gpu.hpp demands.
  void hold(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept;
  void release(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept;
  void release_all(std::uint32_t job) noexcept;
  /// Everything that it holds and does not leave yet.
  void drain(std::uint32_t job) noexcept;
  /// Only these: the job goes on with the others.
  void leave(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept;
  /// What it was to leave is empty. O(bookings of the job and of those nodes).
  void vacate(std::uint32_t job) noexcept;
  /// Undoes drain; promises on its GPUs must be dropped first.
  void revive(std::uint32_t job) noexcept;
  /// Free GPUs become reserved, draining ones promised.
  void earmark(std::uint32_t job, std::uint32_t node, gpu_mask gpus) noexcept;
  void drop_earmark(std::uint32_t job) noexcept;
  /// Turns a complete earmark into holds. Precondition: gpus_promised == 0.
  void claim_earmark(std::uint32_t job) noexcept;

  // Queries.
  [[nodiscard]] node_book const& node(std::uint32_t slot) const noexcept { return nodes_[slot]; }
  [[nodiscard]] job_book const& job(std::uint32_t slot) const noexcept { return jobs_[slot]; }
  [[nodiscard]] std::uint32_t node_slots() const noexcept { return node_slots_; }
  [[nodiscard]] bool full(std::int32_t more_gpus) const noexcept {
    return (free_node_slot_ == no_slot && node_slots_ == nodes_.size()) ||
           gpu_total_ + more_gpus > static_cast<std::int64_t>(max_gpus_);
  }
  [[nodiscard]] node_id id_of(std::uint32_t node) const noexcept {
    return node_id{node, nodes_[node].generation};
  }
  [[nodiscard]] tree_position position(std::uint32_t node) const noexcept {
    return {node, nodes_[node].spec.rack};
  }
  [[nodiscard]] free_index const& free_nodes() const noexcept { return index_; }
  [[nodiscard]] int type_count() const noexcept { return type_count_; }
  [[nodiscard]] std::int64_t total(gpu_state state) const noexcept {
    return totals_[static_cast<std::size_t>(state)];
  }
  /// GPUs that new work may take now, over all nodes.
  [[nodiscard]] std::int64_t offered() const noexcept { return offered_; }
  [[nodiscard]] std::int64_t offered(pool owner, gpu_type type) const noexcept {
    return offered_of_[static_cast<std::size_t>(owner)][static_cast<std::size_t>(type)];
  }
  [[nodiscard]] std::int64_t gpu_total() const noexcept { return gpu_total_; }
  /// GPUs of the largest node there is, whatever its health; 0 without nodes.
  [[nodiscard]] int largest_node() const noexcept { return largest_node_; }
  /// Nodes of this pool and type with so many GPUs, 0..max_gpus_per_node, whatever their health.
  [[nodiscard]] std::int32_t nodes_of_size(pool owner, gpu_type type, int gpus) const noexcept {
    return nodes_of_size_[static_cast<std::size_t>(owner)][static_cast<std::size_t>(type)]
                         [static_cast<std::size_t>(gpus)];
  }
  /// Nodes with GPUs that drain and are promised to nobody, in no particular order.
  [[nodiscard]] std::vector<std::uint32_t> const& draining_nodes() const noexcept {
    return draining_nodes_.members();
  }
  /// Since forget_gains(): the most GPUs that a node of this pool and type had free just after
  /// GPUs, CPU or memory on it became free; 0 if none did.
  [[nodiscard]] int gain(pool owner, gpu_type type) const noexcept {
    return gains_[static_cast<std::size_t>(owner)][static_cast<std::size_t>(type)];
  }
  void forget_gains() noexcept { gains_ = {}; }
  [[nodiscard]] std::int64_t held_by(tenant_id tenant) const noexcept {
    return tenant_held_[static_cast<std::size_t>(tenant)];
  }
  /// Room for `gpus` GPUs' worth of CPU and memory of a job with these demands?
  [[nodiscard]] bool has_cpu_and_memory(std::uint32_t node, std::int64_t gpus, std::int64_t cpu,
                                        std::int64_t memory) const noexcept {
    node_book const& book = nodes_[node];
    return (cpu == 0 || book.spec.cpu_milli - book.cpu_booked >= gpus * cpu) &&
           (memory == 0 || book.spec.memory_mib - book.memory_booked >= gpus * memory);
  }
  /// Of a hold, the GPUs that its job was told to leave.
  [[nodiscard]] gpu_mask leaving(booking const& held) const noexcept {
    node_book const& place = nodes_[held.node];
    return held.gpus & (place.in(gpu_state::draining) | place.in(gpu_state::promised));
  }
  /// Calls visit(booking) for everything that `job` holds, in the order it was given.
  template <class Visit>
  void for_each_hold(std::uint32_t job, Visit&& visit) const {
    for (std::uint32_t b = jobs_[job].first_hold; b != no_booking; b = bookings_[b].next_of_job) {
      visit(bookings_[b]);
    }
  }
  template <class Visit>
  void for_each_earmark(std::uint32_t job, Visit&& visit) const {
    for (std::uint32_t b = jobs_[job].first_earmark; b != no_booking;
         b = bookings_[b].next_of_job) {
      visit(bookings_[b]);
    }
  }
  /// Calls visit(booking) for every hold and earmark on `node`.
  template <class Visit>
  void for_each_booking(std::uint32_t node, Visit&& visit) const {
    for (std::uint32_t b = nodes_[node].first_booking; b != no_booking;
         b = bookings_[b].next_of_node) {
      visit(bookings_[b]);
    }
  }

  // For a snapshot. The states of GPUs follow from the bookings, the jobs that leave theirs, the
  // withdrawn GPUs and the health of nodes: only these are kept.
  /// Calls visit(slot) for node slots that are free again, the next to be given out first.
  template <class Visit>
  void for_each_unused_node(Visit&& visit) const {
    for (std::uint32_t n = free_node_slot_; n != no_slot; n = nodes_[n].first_booking) {
      visit(n);
    }
  }
  /// How many bookings are before this one in its node's chain.
  [[nodiscard]] std::uint32_t place_on_node(booking const& line) const noexcept;
  // Rebuilding, in this order: clear, every node slot, the unused ones (the next to be given out
  // last), books by open(), bookings job by job, finish_restore. What is given must be consistent.
  void clear() noexcept;
  void restore_node(std::uint32_t generation, bool exists, node_spec const& spec,
                    gpu_mask lost) noexcept;
  void restore_unused_node(std::uint32_t node) noexcept;
  /// Goes behind `previous` (or first, if that is no_booking) in its job's chain and to `place` in
  /// its node's. Returns the booking's index. O(bookings of the node).
  std::uint32_t restore_booking(booking const& line, std::uint32_t previous, std::uint32_t place,
                                gpu_mask leaving) noexcept;
  void restore_gain(pool owner, gpu_type type, int gpus) noexcept {
    gains_[static_cast<std::size_t>(owner)][static_cast<std::size_t>(type)] = gpus;
  }
  void restore_broken_earmark(std::uint32_t job) noexcept { jobs_[job].earmark_broken = true; }
  void finish_restore() noexcept;

  /// Recomputes everything from the bookings and compares: nullptr, or what is broken. O(GPUs +
  /// jobs).
  [[nodiscard]] char const* check_invariants() const noexcept;

 private:
  static constexpr std::uint32_t no_slot = 0xffffffffu;

  void count_node(node_spec const& spec, int change) noexcept;
  [[nodiscard]] bool has_nodes_of_size(int gpus) const noexcept;
  void count_offered(node_spec const& spec, int change) noexcept;
  void note_gain(std::uint32_t node) noexcept;
  void note_draining(std::uint32_t node) noexcept;
  void move(std::uint32_t node, gpu_mask gpus, gpu_event event) noexcept;
  void set_offered(std::uint32_t node, gpu_mask before, gpu_mask after) noexcept;
  void index(std::uint32_t node) noexcept;
  void unindex(std::uint32_t node) noexcept;
  void take_cpu_and_memory(std::uint32_t node, job_book const& book, std::int64_t gpus) noexcept;
  void book(std::uint32_t job, std::uint32_t node, gpu_mask gpus, booking_kind kind) noexcept;
  void shrink_booking(std::uint32_t booking, gpu_mask gpus) noexcept;
  [[nodiscard]] std::uint32_t find_booking(std::uint32_t first, std::uint32_t node) const noexcept;
  [[nodiscard]] char const* check_node(
      std::uint32_t node, std::array<std::int64_t, gpu_state_count>& sums) const noexcept;
  [[nodiscard]] char const* check_job(std::uint32_t job) const noexcept;

  int type_count_ = 1;
  std::size_t max_gpus_ = 0;
  std::int64_t gpu_total_ = 0;
  int largest_node_ = 0;
  std::array<std::array<int, max_gpu_types>, pool_count> gains_{};
  std::array<std::array<std::array<std::int32_t, max_gpus_per_node + 1>, max_gpu_types>, pool_count>
      nodes_of_size_{};
  std::int64_t offered_ = 0;
  std::array<std::array<std::int64_t, max_gpu_types>, pool_count> offered_of_{};
  std::uint32_t node_slots_ = 0;
  std::uint32_t free_node_slot_ = no_slot;
  std::array<std::int64_t, gpu_state_count> totals_{};
  std::vector<node_book> nodes_;
  std::vector<job_book> jobs_;
  booking_pool bookings_;
  detail::slot_set draining_nodes_;
  std::vector<std::int64_t> tenant_held_;
  free_index index_;
};

BERTH_NAMESPACE_END

#include <berth/model/detail/ledger_check.hpp>
#include <berth/model/detail/ledger_restore.hpp>
#include <berth/model/detail/ledger_transitions.hpp>
