// SPDX-License-Identifier: BSL-1.0
// What a host may say about nodes.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/model/cluster.hpp>
#include <berth/scheduler/detail/lifecycle.hpp>
#include <berth/scheduler/detail/reports.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] inline result<std::uint32_t> check_node(core_state const& s, node_id id,
                                                      time_point now) noexcept {
  if (auto const time = check_time(s, now); !time) {
    return time.error();
  }
  if (id.slot() >= s.books.node_slots()) {
    return error{errc::unknown_node, field::node};
  }
  node_book const& book = s.books.node(id.slot());
  if (id.generation() > book.generation || (id.generation() == book.generation && !book.exists)) {
    return error{errc::unknown_node, field::node};
  }
  if (id.generation() < book.generation) {
    return error{errc::stale_node, field::node};
  }
  return id.slot();
}

[[nodiscard]] inline result<void> check_new_node(core_state const& s,
                                                 node_spec const& spec) noexcept {
  if (auto const fine = check(spec, s.books.type_count()); !fine) {
    return fine.error();
  }
  if (static_cast<std::uint32_t>(spec.rack) >= s.config.max_nodes) {
    return error{errc::bad_number, field::rack};
  }
  if (s.books.full(0)) {
    return error{errc::capacity_exceeded, field::max_nodes};
  }
  if (s.books.full(spec.gpus)) {
    return error{errc::capacity_exceeded, field::max_gpus};
  }
  for (std::uint32_t n = 0; spec.tag != 0 && n < s.books.node_slots(); ++n) {
    if (s.books.node(n).exists && s.books.node(n).spec.tag == spec.tag) {
      return error{errc::duplicate_node, field::tag};
    }
  }
  return {};
}

/// The empty cluster can host other gangs than before: all are judged anew.
inline void change_cluster(core_state& s) noexcept {
  ++s.cluster_epoch;
  s.sizing_due = s.loans_due = true;
  s.queues.wake_all();
}

inline result<node_id> add_node(core_state& s, node_spec const& spec, time_point now) noexcept {
  if (auto const time = check_time(s, now); !time) {
    return time.error();
  }
  if (auto const fine = check_new_node(s, spec); !fine) {
    return fine.error();
  }
  s.accept(now);
  change_cluster(s);
  return s.books.id_of(s.books.add_node(spec));
}

inline result<void> remove_node(core_state& s, node_id id, time_point now) noexcept {
  auto const slot = check_node(s, id, now);
  if (!slot) {
    return slot.error();
  }
  if (s.books.node(*slot).first_booking != no_booking) {
    return error{errc::node_in_use, field::node};
  }
  s.accept(now);
  change_cluster(s);
  s.books.remove_node(*slot);
  return {};
}

/// Is a part of its gang gone, and nobody has told it to stop yet? One that changes its GPUs may
/// have lost only what it was to leave.
[[nodiscard]] inline bool is_broken_gang(core_state const& s, std::uint32_t slot) noexcept {
  job_record const& job = s.jobs[slot];
  if (job.state == job_state::resizing) {
    std::int32_t kept = 0;
    s.books.for_each_hold(
        slot, [&](booking const& held) { kept += gpu_count(held.gpus & ~s.books.leaving(held)); });
    return kept < job.form.gpus();
  }
  return job.state == job_state::launching || job.state == job_state::running;
}

/// The node took these jobs' GPUs with it. A gang that lost all of them waits again; one that lost
/// a part is stopped, because a rigid gang is whole or nothing.
inline void lose_gang_members(core_state& s, std::uint32_t slot) noexcept {
  job_record& job = s.jobs[slot];
  ++job.node_losses;
  mirror_books(s, slot);
  if (job.gpus_held == 0) {
    end_run(s, slot, not_said);
    if (job.state == job_state::cancelling) {
      end_job(s, slot, job_event::gang_lost);
    } else {
      requeue(s, slot, job_event::gang_lost);
    }
  } else if (is_broken_gang(s, slot)) {
    order_stop(s, slot, stop_reason::node_lost, job_id{});
    step(s, slot, job_event::preempt);
    job.saves_at = s.now;
  } else if (job.state == job_state::draining) {
    job.saves_at = std::min(job.saves_at, s.now);  // its rest has nothing to wait for
  }
}

inline result<void> set_health(core_state& s, node_id id, node_health health,
                               time_point now) noexcept {
  auto const slot = check_node(s, id, now);
  if (!slot) {
    return slot.error();
  }
  if (health > node_health::down) {
    return error{errc::bad_number, field::health};
  }
  s.accept(now);
  s.sizing_due = s.loans_due = true;
  if (health != node_health::down) {
    s.books.set_health(*slot, health);
    return {};
  }
  std::uint32_t hit[max_gpus_per_node];
  std::size_t count = 0;
  s.books.for_each_booking(*slot, [&](booking const& line) {
    if (line.kind == booking_kind::hold) {
      count_service(s, line.job);
      hit[count++] = line.job;
    }
  });
  s.books.set_health(*slot, health);
  for (std::size_t i = 0; i < count; ++i) {
    lose_gang_members(s, hit[i]);
  }
  return {};
}

inline result<void> set_lost_gpus(core_state& s, node_id id, gpu_mask lost,
                                  time_point now) noexcept {
  auto const slot = check_node(s, id, now);
  if (!slot) {
    return slot.error();
  }
  if ((lost & ~first_gpus(s.books.node(*slot).spec.gpus)) != 0) {
    return error{errc::bad_number, field::mask};
  }
  s.accept(now);
  s.books.set_lost(*slot, lost);
  return {};
}

/// Which GPUs go when only their number is known: free ones first, from the top; then held ones.
[[nodiscard]] inline gpu_mask lose_down_to(node_book const& node, std::int32_t capacity) noexcept {
  gpu_mask lost = 0;
  int surplus_gpus = node.spec.gpus - capacity;
  gpu_mask const idle = node.in(gpu_state::free) | node.in(gpu_state::down);
  for (gpu_mask const group : {idle, ~idle}) {
    for (int i = node.spec.gpus - 1; i >= 0 && surplus_gpus > 0; --i) {
      if (((group >> i) & 1u) != 0) {
        lost |= gpu_mask{1} << i;
        --surplus_gpus;
      }
    }
  }
  return lost;
}

inline result<void> set_capacity(core_state& s, node_id id, std::int32_t gpus,
                                 time_point now) noexcept {
  auto const slot = check_node(s, id, now);
  if (!slot) {
    return slot.error();
  }
  if (gpus < 0 || gpus > s.books.node(*slot).spec.gpus) {
    return error{errc::bad_number, field::gpus};
  }
  s.accept(now);
  s.books.set_lost(*slot, lose_down_to(s.books.node(*slot), gpus));
  return {};
}

}  // namespace detail
BERTH_NAMESPACE_END
