// SPDX-License-Identifier: BSL-1.0
// What a host says of a job when it submits it. Plain data: every member has a default, so that a
// designated initialiser names only what matters.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/node.hpp>
#include <berth/model/suspension.hpp>

#include <array>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

/// Members of a gang that look alike. A gang with members of different sizes has several roles.
struct role {
  std::int32_t members = 0;
  std::int32_t gpus = 0;  ///< per member; all on one node
  friend constexpr bool operator==(role const&, role const&) noexcept = default;
};
inline constexpr int max_roles = 4;

/// How much a gang minds being spread.
enum class spread : std::uint8_t {
  prefer_together,  ///< fewest nodes, more if that is all there is
  same_node,        ///< one node or nothing
  one_per_node,     ///< every member on a node of its own
};

/// How its training state survives a stop: what preemption pricing needs. Zero or `forever` means
/// unknown; berth then assumes that everything since the start of the run is lost.
struct checkpointing {
  duration epoch_period{0};  ///< time between epoch ends, where it may stop without loss
  duration period{0};        ///< time between checkpoints
  duration phase{0};         ///< age of the last checkpoint or epoch end when a run starts
  std::int64_t checkpoint_bytes = 0;
  std::int64_t dataset_bytes = 0;  ///< read again after a restart, unless cached
  duration startup{0};             ///< from "GPUs granted" to the first useful step
  duration resize{0};  ///< without a useful step when its GPUs change while it runs; 0 = not said
  duration iteration{0};  ///< time of one training step
  duration save{0};       ///< writing its state while nobody else does; else by `checkpoint_bytes`
  std::int64_t cached_bytes = 0;  ///< of `dataset_bytes`, what a node keeps after the job left it
  /// How it may leave its GPUs, as only(mode) | only(mode); 0 = not said: at the end of an epoch if
  /// `epoch_period` is known, after an iteration if `iteration` is, and by a kill.
  mode_mask modes = 0;
};

struct job_spec {
  // The gang: `gang` members of `gpus_per_member` GPUs each, or up to four roles instead of them.
  std::int32_t gang = 1;  ///< members that start together, all or none
  /// Elastic jobs: may run with as few members, and with any number up to `gang`; 0 = `gang`,
  /// rigid. Where the allocator does not size jobs, they all run with `gang`.
  std::int32_t min_gang = 0;
  std::int32_t gpus_per_member = 1;  ///< a member's GPUs are on one node
  std::array<role, max_roles>
      roles{};       ///< if roles[0].members > 0, `gang` and `gpus_per_member` are unused
  group_id group{};  ///< jobs that start together; group_id{0} = alone
  std::int32_t group_size = 0;  ///< jobs in the group

  // Where it may run.
  std::int64_t cpu_milli_per_gpu = 0;
  std::int64_t memory_mib_per_gpu = 0;
  type_mask allowed_types = any_type;
  std::array<double, max_gpu_types> speed{};  ///< relative to the reference type; 0 = 1.0
  spread layout = spread::prefer_together;
  pool where = pool::training;
  borrowing borrows = borrowing::none;  ///< which of its GPUs may be lent by inference
  /// Thousandths of its speed that it loses per node more than it needs, 0..1000; 0 = it does not
  /// mind being spread, -1 = unknown: what the placement assumes.
  std::int32_t spread_loss = -1;

  // Who goes first.
  std::int32_t priority = 0;  ///< higher first
  tenant_id tenant{};
  /// Run time on its gang at speed 1, without stops; of an elastic job at a ladder's
  /// unit_rung_speed.
  duration work = forever;
  duration estimate = forever;  ///< upper bound on the run time that its owner gave ("walltime")
  time_point deadline = never;

  // What it trains, so that a predictor can compare it with earlier jobs; 0 = not said.
  model_id model{};
  user_id user{};
  std::uint64_t name = 0;       ///< sketch(name), model/name_sketch.hpp
  std::int32_t batch_size = 0;  ///< samples per GPU and step
  std::int32_t epochs = 0;
  std::int64_t samples = 0;  ///< per epoch

  // Whether and how it may be stopped.
  bool preemptible = true;
  checkpointing checkpoints{};

  std::uint64_t tag = 0;  ///< the host's own number, given back in actions
};

BERTH_NAMESPACE_END
