// SPDX-License-Identifier: BSL-1.0
// berth: which deep-learning jobs run on which GPUs, and which running jobs give way.
//
// What to read, in this order:
//   presets/make_scheduler.hpp     compose a scheduler from components in any order
//   scheduler/scheduler.hpp        the object: submit, report, tick, complete; tick() is ten stages
//   concepts/scheduling_policy.hpp one seam; the others look the same
//   policies/least_attained_service.hpp  one component
//   model/ledger.hpp               who holds which GPU
// Floors, from the bottom: core, model and solve, sizing, concepts, the components, scheduler,
// presets.
// Bridges to other libraries (fmt, Boost.Graph) are in interop/ and not included here.
#pragma once

#include <berth/version.hpp>

// IWYU pragma: begin_exports
#include <berth/admission/accept_all.hpp>
#include <berth/admission/tenant_quota.hpp>
#include <berth/allocators/easy_backfill.hpp>
#include <berth/allocators/elastic.hpp>
#include <berth/allocators/ordered_division.hpp>
#include <berth/allocators/rigid.hpp>
#include <berth/core/random.hpp>
#include <berth/inference/lender.hpp>
#include <berth/inference/replica_scaler.hpp>
#include <berth/inference/replicas.hpp>
#include <berth/model/name_sketch.hpp>
#include <berth/model/topology.hpp>
#include <berth/observers/digest_observer.hpp>
#include <berth/observers/null_observer.hpp>
#include <berth/placements/cache_aware.hpp>
#include <berth/placements/consolidated.hpp>
#include <berth/placements/first_fit.hpp>
#include <berth/placements/fragmentation_aware.hpp>
#include <berth/policies/any_policy.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/patient.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/policies/shortest_job.hpp>
#include <berth/policies/shortest_remaining.hpp>
#include <berth/policies/then.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_batch.hpp>
#include <berth/predictors/goodput_fit.hpp>
#include <berth/predictors/goodput_profile.hpp>
#include <berth/predictors/history.hpp>
#include <berth/predictors/observed_rate.hpp>
#include <berth/predictors/speedup_table.hpp>
#include <berth/predictors/traffic.hpp>
#include <berth/preemption/auto_fast_elastic.hpp>
#include <berth/preemption/epoch_boundary.hpp>
#include <berth/preemption/fit_gpp.hpp>
#include <berth/preemption/free_of_charge.hpp>
#include <berth/preemption/gfs.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/preemption/never_preempt.hpp>
#include <berth/preemption/restart_factor.hpp>
#include <berth/preemption/servers_spanned.hpp>
#include <berth/preemption/youngest_first.hpp>
#include <berth/presets/afs.hpp>
#include <berth/presets/deepboot.hpp>
#include <berth/presets/easy_backfill_scheduler.hpp>
#include <berth/presets/fair_share.hpp>
#include <berth/presets/fifo_scheduler.hpp>
#include <berth/presets/lyra.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/presets/optimus.hpp>
#include <berth/presets/pickyman.hpp>
#include <berth/presets/pollux.hpp>
#include <berth/presets/shortest_remaining_scheduler.hpp>
#include <berth/presets/tiresias.hpp>
#include <berth/scheduler/inbox.hpp>
#include <berth/scheduler/scheduler.hpp>
#include <berth/sizing/choice_knapsack_sizing.hpp>
#include <berth/sizing/marginal_gain.hpp>
#include <berth/sizing/pairwise.hpp>
#include <berth/sizing/power_mean.hpp>
#include <berth/sizing/satisfactory_share.hpp>
#include <berth/sizing/sizing_rule.hpp>
#include <berth/sizing/two_phase.hpp>
#include <berth/solve/assignment.hpp>
#include <berth/solve/certificate.hpp>
#include <berth/solve/choice_knapsack.hpp>
#include <berth/solve/collapse.hpp>
#include <berth/solve/collapse_expand.hpp>
#include <berth/solve/collapse_matrix.hpp>
#include <berth/solve/cover_greedy.hpp>
#include <berth/solve/cover_knapsack.hpp>
#include <berth/solve/integer_cost.hpp>
#include <berth/solve/positional.hpp>
#include <berth/solve/positional_certificate.hpp>
#include <berth/solve/task_flow.hpp>
#include <berth/solve/task_flow_certificate.hpp>
#include <berth/solve/transport.hpp>
#include <berth/solve/transport_arcs.hpp>
// IWYU pragma: end_exports
