// SPDX-License-Identifier: BSL-1.0
// The first pass of restore: are these bytes a whole snapshot of a possible state that has room
// here? It changes nothing but the scratch. O(jobs × log jobs + nodes × log nodes + bookings).
#pragma once

#include <berth/concepts/sizing_allocator.hpp>
#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/model/cluster.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/resize_reports.hpp>
#include <berth/scheduler/detail/snapshot_check_job.hpp>
#include <berth/scheduler/detail/snapshot_fields.hpp>
#include <berth/scheduler/detail/snapshot_scratch.hpp>
#include <berth/scheduler/detail/snapshot_write.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline result<void> check_head(std::span<std::byte const> bytes) noexcept {
  byte_reader in{bytes};
  auto const head = read_line<head_line>(in);
  bool const fine = in.ok() && head.magic == snapshot_magic && head.version == snapshot_version &&
                    head.bytes == bytes.size() - in.position() &&
                    head.checksum == checksum(bytes.subspan(in.position()));
  return fine ? result<void>{} : bad_data(field::message);
}

template <class Engine>
class snapshot_checker {
 public:
  snapshot_checker(Engine const& e, snapshot_scratch& scratch,
                   std::span<std::byte const> payload) noexcept
      : engine_{e},
        config_{e.state.config},
        type_count_{e.state.books.type_count()},
        scratch_{scratch},
        in_{payload} {}

  [[nodiscard]] result<void> run() noexcept {
    scratch_.clear();
    fields(in_, totals_);
    using step = result<void> (snapshot_checker::*)() noexcept;
    constexpr step steps[] = {
        &snapshot_checker::totals, &snapshot_checker::nodes,  &snapshot_checker::slots,
        &snapshot_checker::jobs,   &snapshot_checker::groups, &snapshot_checker::lists,
        &snapshot_checker::stops,  &snapshot_checker::parked, &snapshot_checker::admission};
    for (step const next : steps) {
      if (auto const fine = (this->*next)(); !fine) {
        return fine;
      }
      if (!in_.ok()) {
        return bad_data(field::message);
      }
    }
    return in_.at_end() ? result<void>{} : bad_data(field::message);
  }

 private:
  result<void> totals() noexcept {
    if (totals_.now != time_point::min() && (totals_.now.time_since_epoch() > max_instant ||
                                             totals_.now.time_since_epoch() < -max_instant)) {
      return bad_data(field::now);
    }
    if (totals_.type_count != type_count_) {
      return bad_data(field::type);
    }
    if (totals_.job_data_bytes != job_data_bytes<Engine>() || totals_.cluster_epoch == 0) {
      return bad_data(field::message);
    }
    if (totals_.lent.gpus < 0 || !is_possible(totals_.lent.until) ||
        !is_possible(totals_.borrow_after) || !is_possible(totals_.next_loan_change) ||
        !is_possible(totals_.next_sizing)) {
      return bad_data(field::now);
    }
    if (totals_.nodes > config_.max_nodes) {
      return error{errc::capacity_exceeded, field::max_nodes};
    }
    std::uint64_t const jobs = config_.max_jobs;
    if (totals_.slots > jobs || totals_.arrivals > jobs || totals_.stops > 2 * jobs) {
      return error{errc::capacity_exceeded, field::max_jobs};
    }
    bool const counts = totals_.changed <= totals_.slots && totals_.holders <= totals_.jobs &&
                        totals_.reserving <= totals_.jobs && totals_.parked <= totals_.jobs &&
                        totals_.unused_nodes <= totals_.nodes &&
                        totals_.slots == std::uint64_t{totals_.jobs} + totals_.unused_slots;
    return counts ? result<void>{} : bad_data(field::job);
  }

  result<void> nodes() noexcept {
    std::int64_t gpus = 0;
    std::uint32_t existing = 0;
    for (std::uint32_t n = 0; n < totals_.nodes; ++n) {
      auto const line = read_line<node_line>(in_);
      if (!line.exists) {
        if (line.generation == 0) {
          return bad_data(field::node);
        }
        continue;
      }
      if (auto const fine = check(line.spec, type_count_); !fine) {
        return bad_data(fine.error().where);
      }
      if (static_cast<std::uint32_t>(line.spec.rack) >= config_.max_nodes) {
        return error{errc::capacity_exceeded, field::max_nodes};
      }
      node_check& node = scratch_.nodes[n];
      node.exists = true;
      node.health = line.spec.health;
      node.all = first_gpus(line.spec.gpus);
      node.lost = line.lost;
      if ((line.lost & ~node.all) != 0) {
        return bad_data(field::mask);
      }
      ++existing;
      gpus += line.spec.gpus;
      if (line.spec.tag != 0) {
        scratch_.numbers.push_back(line.spec.tag);
      }
    }
    if (gpus > config_.max_gpus) {
      return error{errc::capacity_exceeded, field::max_gpus};
    }
    if (!scratch_.take_all_different()) {
      return bad_data(field::tag);
    }
    if (existing + totals_.unused_nodes != totals_.nodes) {
      return bad_data(field::node);
    }
    for (std::uint32_t i = 0; i < totals_.unused_nodes; ++i) {
      auto const n = in_.read<std::uint32_t>();
      if (n >= totals_.nodes || scratch_.nodes[n].exists || scratch_.nodes[n].listed) {
        return bad_data(field::node);
      }
      scratch_.nodes[n].listed = true;
    }
    return {};
  }

  result<void> slots() noexcept {
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < totals_.slots; ++i) {
      auto const line = read_line<slot_line>(in_);
      scratch_.slots[i].generation = line.generation;
      scratch_.slots[i].used = line.used;
      used += line.used ? 1 : 0;
      if (!line.used && line.generation == 0) {
        return bad_data(field::job);
      }
    }
    if (used != totals_.jobs) {
      return bad_data(field::job);
    }
    for (std::uint32_t i = 0; i < totals_.unused_slots; ++i) {
      auto const slot = in_.read<std::uint32_t>();
      if (slot >= totals_.slots || scratch_.slots[slot].used || scratch_.slots[slot].listed) {
        return bad_data(field::job);
      }
      scratch_.slots[slot].listed = true;
    }
    return {};
  }

  result<void> jobs() noexcept {
    std::uint32_t from = 0;
    for (std::uint32_t i = 0; i < totals_.jobs; ++i) {
      auto line = read_line<job_line>(in_);
      if (line.slot < from || line.slot >= totals_.slots || !scratch_.slots[line.slot].used) {
        return bad_data(field::job);
      }
      from = line.slot + 1;
      if (auto const fine = job(line); !fine) {
        return fine;
      }
      scratch_.numbers.push_back(line.record.sequence);
    }
    if (!scratch_.take_all_different()) {
      return bad_data(field::job);
    }
    for (std::uint32_t n = 0; n < totals_.nodes; ++n) {
      if (!is_consistent(scratch_.nodes[n])) {
        return bad_data(field::mask);
      }
    }
    return {};
  }

  result<void> job(job_line& line) noexcept {
    if (auto const fine = check_line(line, totals_, config_); !fine) {
      return fine;
    }
    std::int64_t held = 0;
    std::int64_t leaving = 0;
    std::int64_t earmarked = 0;
    for (booking_kind const kind : {booking_kind::hold, booking_kind::earmark}) {
      std::uint32_t const count = kind == booking_kind::hold ? line.holds : line.earmarks;
      for (std::uint32_t b = 0; b < count && in_.ok(); ++b) {
        auto const one = read_line<booking_line>(in_);
        if (auto const fine =
                check_booking(one, line.slot, kind, line.record.state, scratch_, totals_.nodes);
            !fine) {
          return fine;
        }
        (kind == booking_kind::hold ? held : earmarked) += gpu_count(one.gpus);
        leaving += gpu_count(one.leaving);
      }
    }
    if (!is_whole(line, held, leaving, earmarked)) {
      return bad_data(field::gpus);
    }
    in_.skip(totals_.job_data_bytes);
    if (auto const fine = ladder(line); !fine) {
      return fine;
    }
    slot_check& slot = scratch_.slots[line.slot];
    slot.state = line.record.state;
    slot.group = line.record.spec.group;
    slot.group_next = line.group_next;
    slot.queued = line.queued;
    slot.needs_change = line.record.state == job_state::pending && !line.queued &&
                        line.group_next == no_index && line.record.target != 0 &&
                        line.alarm > line.record.not_before;
    return {};
  }

  /// Sizes that the job can have, ascending. It was written where the allocator sizes jobs.
  result<void> ladder(job_line const& line) noexcept {
    if (line.rungs == 0) {
      return {};
    }
    if (!sizing_allocator<typename Engine::allocator_type>) {
      return bad_data(field::ladder);
    }
    if (line.rungs > config_.max_rungs) {
      return error{errc::capacity_exceeded, field::ladder};
    }
    std::int32_t below = 0;
    for (std::uint32_t i = 0; i < line.rungs && in_.ok(); ++i) {
      auto const each = read_line<rung>(in_);
      if (each.size <= below || !check_ladder(line.record, std::span{&each, 1})) {
        return bad_data(field::ladder);
      }
      below = each.size;
    }
    return {};
  }

  /// Every chain is closed, within one group.
  result<void> groups() noexcept {
    for (std::uint32_t i = 0; i < totals_.slots; ++i) {
      slot_check const& slot = scratch_.slots[i];
      if (slot.group_next == no_index) {
        continue;
      }
      slot_check& next = scratch_.slots[slot.group_next];
      if (!next.used || next.group_next == no_index || next.is_next || next.group != slot.group) {
        return bad_data(field::group);
      }
      next.is_next = true;
    }
    return {};
  }

  /// Reads a list of slots that have no duplicates.
  bool list(std::uint32_t count, bool slot_check::*flag) noexcept {
    for (std::uint32_t i = 0; i < count; ++i) {
      auto const slot = in_.read<std::uint32_t>();
      if (slot >= totals_.slots || scratch_.slots[slot].*flag) {
        return false;
      }
      scratch_.slots[slot].*flag = true;
    }
    return true;
  }
  /// An id that was given out, of a living job or one that has ended.
  [[nodiscard]] bool was_given(job_id id) const noexcept {
    if (id.slot() >= totals_.slots) {
      return false;
    }
    slot_check const& slot = scratch_.slots[id.slot()];
    return slot.used ? id.generation() <= slot.generation : id.generation() < slot.generation;
  }
  [[nodiscard]] bool lives(job_id id) const noexcept {
    return scratch_.slots[id.slot()].used &&
           id.generation() == scratch_.slots[id.slot()].generation;
  }

  result<void> lists() noexcept {
    for (std::uint32_t i = 0; i < totals_.arrivals; ++i) {
      auto const id = in_.read<job_id>();
      if (!was_given(id)) {
        return bad_data(field::job);
      }
      if (lives(id)) {
        if (scratch_.slots[id.slot()].arrives) {
          return bad_data(field::job);
        }
        scratch_.slots[id.slot()].arrives = true;
      }
    }
    if (!list(totals_.changed, &slot_check::changed) ||
        !list(totals_.holders, &slot_check::holds) ||
        !list(totals_.reserving, &slot_check::reserves)) {
      return bad_data(field::job);
    }
    for (std::uint32_t i = 0; i < totals_.slots; ++i) {
      slot_check const& slot = scratch_.slots[i];
      bool const listed = slot.arrives == (slot.used && slot.state == job_state::submitted) &&
                          slot.holds == (slot.used && holds_gpus(slot.state)) &&
                          slot.reserves == (slot.used && slot.state == job_state::reserving);
      if (!listed || (slot.needs_change && !slot.changed)) {
        return bad_data(field::state);
      }
    }
    return {};
  }

  result<void> stops() noexcept {
    for (std::uint32_t i = 0; i < totals_.stops; ++i) {
      auto const order = read_line<stop_order>(in_);
      if (!was_given(order.job) || order.reason == stop_reason::none ||
          order.reason > stop_reason::recalled || order.mode > suspension_mode::kill ||
          order.saves_at == never || !is_possible(order.saves_at) ||
          (!order.beneficiary.is_null() && !was_given(order.beneficiary))) {
        return bad_data(field::job);
      }
    }
    return {};
  }

  result<void> parked() noexcept {
    for (std::uint32_t i = 0; i < totals_.parked; ++i) {
      auto const line = read_line<parked_line>(in_);
      bool const fine = line.head < totals_.slots && scratch_.slots[line.head].queued &&
                        line.until < shape_queues::until_cluster_changes;
      if (!fine) {
        return bad_data(field::job);
      }
    }
    auto const is_gain = [](std::uint8_t gpus) { return gpus <= max_gpus_per_node; };
    return std::all_of(totals_.gains.begin(), totals_.gains.end(), is_gain) ? result<void>{}
                                                                            : bad_data(field::gpus);
  }

  result<void> admission() noexcept {
    if constexpr (saved_admission<typename Engine::admission_type>) {
      return engine_.parts.admission.accepts(in_) ? result<void>{} : bad_data(field::tenant);
    } else {
      return {};
    }
  }

  Engine const& engine_;
  scheduler_config const& config_;
  int type_count_;
  snapshot_scratch& scratch_;
  byte_reader in_;
  totals_line totals_;
};

}  // namespace detail
BERTH_NAMESPACE_END
