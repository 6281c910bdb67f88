// SPDX-License-Identifier: BSL-1.0
// The header is C99, needs nothing before it, and may come twice.
#include <berth/c/berth.h>
#include <berth/c/berth.h>  // NOLINT

berth_status use_all(berth_scheduler* scheduler, int64_t now);
berth_status use_all(berth_scheduler* scheduler, int64_t now) {
  berth_job job;
  uint64_t id = BERTH_NULL_ID;
  berth_status const status = berth_job_init(&job, sizeof job);
  job.work = BERTH_FOREVER;
  job.deadline = BERTH_NEVER;
  job.allowed_types = BERTH_ANY_TYPE;
  return BERTH_CODE(status) == BERTH_OK ? berth_submit(scheduler, &job, now, &id) : status;
}
