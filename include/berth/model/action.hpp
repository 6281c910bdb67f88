// SPDX-License-Identifier: BSL-1.0
// What a plan tells the host to do.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/digest.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/node.hpp>
#include <berth/model/suspension.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

enum class action_kind : std::uint8_t {
  start,  ///< launch the gang on exactly these GPUs
  stop,   ///< let it stop and report `stopped`; its GPUs stay booked until then
  /// The order to stop this run is withdrawn: let it go on. If it has begun to save, let it stop
  /// all the same and report `stopped`.
  carry_on,
  /// Go on with exactly these GPUs, more or fewer than before; report `vacated` as soon as the
  /// others are empty, if that is before `resized`, and `resized` once it runs again.
  resize,
};

enum class stop_reason : std::uint8_t {
  none,
  preempted,  ///< makes way for `beneficiary`
  cancelled,  ///< its owner cancelled it
  node_lost,  ///< part of its gang is gone
  outbid,     ///< the allocator gives its GPUs to others
  recalled,   ///< inference needs GPUs that were on loan
};

struct action {
  action_kind kind = action_kind::start;
  stop_reason reason = stop_reason::none;
  job_id job;
  run_number run{};          ///< the run that starts, stops or changes; put it into every report
  std::uint32_t change = 0;  ///< of a resize: its number, from 1; put it into its reports
  job_id beneficiary;        ///< for whom a preempted job makes way; null otherwise
  suspension_mode mode = suspension_mode::kill;  ///< how it stops
  /// When it leaves its last useful step: the host may let it work until then, and berth may
  /// withdraw the order until then. `never` for what is no stop.
  time_point saves_at = never;
  std::uint64_t tag = 0;            ///< job_spec::tag
  std::span<gpu_range const> gpus;  ///< valid until the next non-const call of the scheduler

  void add_to(digest& d) const noexcept {
    d.add(kind);
    d.add(reason);
    d.add_word(job.value());
    d.add(run);
    d.add_word(beneficiary.value());
    d.add(mode);
    d.add(saves_at.time_since_epoch().count());
    if (kind == action_kind::resize) {
      d.add(change);
    }
    for (gpu_range const& range : gpus) {
      d.add_word(range.node.value());
      d.add_word(range.gpus);
    }
  }
};

/// The answer of tick(): what to do, in order. A range of actions; empty if the tick was refused.
/// Valid until the next non-const call.
class plan {
 public:
  plan(std::span<action const> actions) noexcept : actions_{actions} {}
  plan(berth::error why) noexcept : why_{why}, refused_{true} {}
  /// The answer of a tick that had nothing to look at.
  [[nodiscard]] static plan of_idle_tick() noexcept {
    plan made{std::span<action const>{}};
    made.idle_ = true;
    return made;
  }

  [[nodiscard]] auto begin() const noexcept { return actions_.begin(); }
  [[nodiscard]] auto end() const noexcept { return actions_.end(); }
  [[nodiscard]] std::size_t size() const noexcept { return actions_.size(); }
  [[nodiscard]] bool empty() const noexcept { return actions_.empty(); }
  [[nodiscard]] action const& operator[](std::size_t index) const noexcept {
    return actions_[index];
  }

  /// Nothing had happened since the last tick that could lead to another decision, and nothing was
  /// looked at.
  [[nodiscard]] bool is_idle() const noexcept { return idle_; }
  /// The call was refused (time went back) and nothing was decided.
  [[nodiscard]] bool is_refused() const noexcept { return refused_; }
  /// Why; meaningful only if is_refused().
  [[nodiscard]] berth::error error() const noexcept { return why_; }

 private:
  std::span<action const> actions_;
  berth::error why_{};
  bool refused_ = false;
  bool idle_ = false;
};

BERTH_NAMESPACE_END
