// SPDX-License-Identifier: BSL-1.0
// The records of a snapshot, each with the one list of members that counting, writing and reading
// use. What stands here is the format: a change of it is a new format version.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/priority_key.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/node.hpp>
#include <berth/model/rung.hpp>
#include <berth/model/shape.hpp>
#include <berth/model/wait_reason.hpp>
#include <berth/scheduler/detail/shape_queues.hpp>
#include <berth/scheduler/detail/state.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

inline constexpr std::uint64_t snapshot_magic = 0x0a70616e73687462u;  // "bthsnap\n"
inline constexpr std::uint32_t snapshot_version = 2;

struct head_line {
  std::uint64_t magic = snapshot_magic;
  std::uint32_t version = snapshot_version;
  std::uint64_t bytes = 0;     ///< behind the head
  std::uint64_t checksum = 0;  ///< of them
};

/// How many lines of each kind follow, in this order, and what is there once.
struct totals_line {
  time_point now = time_point::min();
  std::uint64_t next_sequence = 0;
  std::uint64_t tick_number = 0;
  std::uint64_t cluster_epoch = 1;
  virtual_queue fluid;
  bool tick_wanted = false;
  bool sizing_due = false;
  bool spare_due = false;
  time_point next_sizing = never;
  loan lent;
  bool lends = false;
  bool loans_due = false;
  time_point borrow_after = time_point::min();
  time_point next_loan_change = never;
  time_point next_quota_change = never;
  std::uint8_t type_count = 0;
  std::uint32_t job_data_bytes = 0;
  std::uint32_t nodes = 0;  ///< slots
  std::uint32_t unused_nodes = 0;
  std::uint32_t slots = 0;  ///< of jobs, ever used
  std::uint32_t unused_slots = 0;
  std::uint32_t jobs = 0;
  std::uint32_t arrivals = 0;
  std::uint32_t changed = 0;
  std::uint32_t holders = 0;
  std::uint32_t reserving = 0;
  std::uint32_t stops = 0;
  std::uint32_t parked = 0;                                      ///< queues
  std::array<std::uint8_t, pool_count * max_gpu_types> gains{};  ///< free GPUs after the last tick
};

/// A queue that found no place, by the job at its head.
struct parked_line {
  std::uint32_t head = 0;
  std::uint32_t until = 0;
};

struct node_line {
  std::uint32_t generation = 0;
  bool exists = false;
  node_spec spec;
  gpu_mask lost = 0;
};

struct slot_line {
  std::uint32_t generation = 0;
  bool used = false;
};

/// Behind it: its holds and its earmarks, each in the order of its chain, its components' data, and
/// its ladder.
struct job_line {
  std::uint32_t slot = 0;
  job_record record;  ///< of `form` only the roles and the pool; the rest follows from `spec`
  wait_reason reason = wait_reason::none;
  std::uint32_t group_next = no_index;
  time_point alarm = never;
  bool queued = false;
  bool judged = false;  ///< its queue was found possible in this cluster epoch
  wait_reason verdict = wait_reason::not_decided;
  bool earmark_broken = false;
  std::uint32_t holds = 0;
  std::uint32_t earmarks = 0;
  std::uint32_t rungs = 0;  ///< that its host declared
};

struct booking_line {
  std::uint32_t node = 0;
  gpu_mask gpus = 0;
  gpu_mask leaving = 0;    ///< of them, those that the job was told to leave
  std::uint8_t place = 0;  ///< in its node's chain
};

template <class Record, class Line>
concept record_of = std::same_as<std::remove_const_t<Record>, Line>;

template <class Archive, record_of<head_line> Record>
void fields(Archive& a, Record& r) {
  a(r.magic);
  a(r.version);
  a(r.bytes);
  a(r.checksum);
}

template <class Archive, record_of<totals_line> Record>
void fields(Archive& a, Record& r) {
  a(r.now);
  a(r.next_sequence);
  a(r.tick_number);
  a(r.cluster_epoch);
  a(r.fluid.work);
  a(r.fluid.as_of);
  a(r.fluid.longest);
  a(r.tick_wanted);
  a(r.sizing_due);
  a(r.spare_due);
  a(r.next_sizing);
  a(r.lent.gpus);
  a(r.lent.until);
  a(r.lends);
  a(r.loans_due);
  a(r.borrow_after);
  a(r.next_loan_change);
  a(r.next_quota_change);
  a(r.type_count);
  a(r.job_data_bytes);
  a(r.nodes);
  a(r.unused_nodes);
  a(r.slots);
  a(r.unused_slots);
  a(r.jobs);
  a(r.arrivals);
  a(r.changed);
  a(r.holders);
  a(r.reserving);
  a(r.stops);
  a(r.parked);
  a(r.gains);
}

template <class Archive, record_of<parked_line> Record>
void fields(Archive& a, Record& r) {
  a(r.head);
  a(r.until);
}

template <class Archive, record_of<node_spec> Record>
void fields(Archive& a, Record& r) {
  a(r.gpus);
  a(r.type);
  a(r.rack);
  a(r.owner);
  a(r.health);
  a(r.cpu_milli);
  a(r.memory_mib);
  a(r.tag);
}

template <class Archive, record_of<node_line> Record>
void fields(Archive& a, Record& r) {
  a(r.generation);
  a(r.exists);
  if (r.exists) {
    fields(a, r.spec);
    a(r.lost);
  }
}

template <class Archive, record_of<slot_line> Record>
void fields(Archive& a, Record& r) {
  a(r.generation);
  a(r.used);
}

template <class Archive, class Roles>
  requires record_of<Roles, std::array<role, max_roles>>
void fields(Archive& a, Roles& roles) {
  for (auto& r : roles) {
    a(r.members);
    a(r.gpus);
  }
}

template <class Archive, record_of<job_spec> Record>
void fields(Archive& a, Record& r) {
  a(r.gang);
  a(r.min_gang);
  a(r.gpus_per_member);
  fields(a, r.roles);
  a(r.group);
  a(r.group_size);
  a(r.cpu_milli_per_gpu);
  a(r.memory_mib_per_gpu);
  a(r.allowed_types);
  a(r.speed);
  a(r.layout);
  a(r.where);
  a(r.borrows);
  a(r.spread_loss);
  a(r.priority);
  a(r.tenant);
  a(r.work);
  a(r.estimate);
  a(r.deadline);
  a(r.model);
  a(r.user);
  a(r.name);
  a(r.batch_size);
  a(r.epochs);
  a(r.samples);
  a(r.preemptible);
  a(r.checkpoints.epoch_period);
  a(r.checkpoints.period);
  a(r.checkpoints.phase);
  a(r.checkpoints.checkpoint_bytes);
  a(r.checkpoints.dataset_bytes);
  a(r.checkpoints.startup);
  a(r.checkpoints.resize);
  a(r.checkpoints.iteration);
  a(r.checkpoints.save);
  a(r.checkpoints.cached_bytes);
  a(r.checkpoints.modes);
  a(r.tag);
}

/// A key is read by building it up again.
template <class Archive, record_of<priority_key> Record>
void fields(Archive& a, Record& r) {
  auto count = static_cast<std::uint8_t>(r.level_count());
  a(count);
  a.require(count <= priority_key::max_levels);
  priority_key made;
  for (int i = 0; i < std::min(int{count}, priority_key::max_levels); ++i) {
    std::int64_t level = r.level(i);
    bool displaces = r.displaces(i);
    a(level);
    a(displaces);
    made = made.then(priority_key::of(level, displaces));
  }
  if constexpr (!std::is_const_v<Record>) {
    r = made;
  }
}

template <class Archive, record_of<job_record> Record>
void fields(Archive& a, Record& r) {
  fields(a, r.spec);
  fields(a, r.form.roles);
  a(r.form.where);
  a(r.state);
  a(r.run);
  a(r.sequence);
  a(r.submitted);
  a(r.waiting_since);
  a(r.first_start);
  a(r.run_since);
  a(r.counted_since);
  a(r.not_before);
  a(r.earmark_until);
  a(r.saves_at);
  a(r.stop_withdrawn);
  a(r.waited);
  a(r.executed);
  a(r.destroyed);
  a(r.served);
  a(r.done);
  a(r.done_at);
  a(r.safe);
  a(r.safe_at);
  a(r.measured_epoch);
  a(r.epoch_began);
  a(r.last_node);
  a(r.remaining.p10);
  a(r.remaining.p50);
  a(r.remaining.p90);
  a(r.estimated_at);
  fields(a, r.key);
  a(r.type);
  a(r.rung_speed);
  a(r.target);
  a(r.asleep_since);
  a(r.change);
  a(r.launched_in_tick);
  a(r.preemptions);
  a(r.node_losses);
  a(r.launch_failures);
  a(r.failures);
}

template <class Archive, record_of<job_line> Record>
void fields(Archive& a, Record& r) {
  a(r.slot);
  fields(a, r.record);
  a(r.reason);
  a(r.group_next);
  a(r.alarm);
  a(r.queued);
  a(r.judged);
  a(r.verdict);
  a(r.earmark_broken);
  a(r.holds);
  a(r.earmarks);
  a(r.rungs);
}

template <class Archive, record_of<rung> Record>
void fields(Archive& a, Record& r) {
  a(r.size);
  a(r.speed);
}

template <class Archive, record_of<booking_line> Record>
void fields(Archive& a, Record& r) {
  a(r.node);
  a(r.gpus);
  a(r.leaving);
  a(r.place);
}

template <class Archive, record_of<stop_order> Record>
void fields(Archive& a, Record& r) {
  a(r.job);
  a(r.reason);
  a(r.beneficiary);
  a(r.mode);
  a(r.saves_at);
}

/// Bytes of a default record.
template <class Line>
[[nodiscard]] std::size_t bytes_of() noexcept {
  byte_counter counter;
  Line const line{};
  fields(counter, line);
  return counter.bytes();
}

template <class Line>
[[nodiscard]] Line read_line(byte_reader& in) noexcept {
  Line line{};
  fields(in, line);
  return line;
}

}  // namespace detail
BERTH_NAMESPACE_END
