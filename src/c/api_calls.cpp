// SPDX-License-Identifier: BSL-1.0
// berth.h: jobs, reports and nodes.
#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>

#include "convert.hpp"
#include "handles.hpp"
#include "sized.hpp"
#include "status.hpp"

using namespace berth;
using namespace berth::c_api;

berth_status berth_submit(berth_scheduler* scheduler, berth_job const* job, int64_t now,
                          uint64_t* id) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    berth_job given = default_job();
    if (auto const read = read_struct(job, given); read != BERTH_OK) {
      return read;
    }
    if (id == nullptr) {
      return BERTH_NULL_POINTER;
    }
    auto const spec = job_of(given);
    if (!spec) {
      return status_of(spec);
    }
    auto const accepted = at.scheduler->submit(*spec, instant(now));
    if (accepted) {
      *id = accepted->value();
    }
    return status_of(accepted);
  });
}

berth_status berth_complete(berth_scheduler* scheduler, uint64_t job, int32_t how, int64_t now) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    if (how != BERTH_FINISHED && how != BERTH_FAILED) {
      return status(BERTH_BAD_NUMBER, field::outcome);
    }
    auto const ended = how == BERTH_FINISHED ? outcome::finished : outcome::failed;
    return status_of(at.scheduler->complete(job_id::from_value(job), instant(now), ended));
  });
}

berth_status berth_cancel(berth_scheduler* scheduler, uint64_t job, int64_t now) {
  return changing(scheduler, [&](seat& at) {
    return status_of(at.scheduler->cancel(job_id::from_value(job), instant(now)));
  });
}

berth_status berth_report(berth_scheduler* scheduler, berth_event const* event, int64_t now) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    berth_event given = default_event();
    if (auto const read = read_struct(event, given); read != BERTH_OK) {
      return read;
    }
    auto const said = report_of(given);
    if (!said) {
      return status_of(said);
    }
    return status_of(at.scheduler->report(job_id::from_value(given.job), *said, instant(now)));
  });
}

berth_status berth_add_node(berth_scheduler* scheduler, berth_node const* node, int64_t now,
                            uint64_t* id) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    berth_node given = default_node();
    if (auto const read = read_struct(node, given); read != BERTH_OK) {
      return read;
    }
    auto const spec = node_of(given);
    if (!spec) {
      return status_of(spec);
    }
    auto const added = at.scheduler->add_node(*spec, instant(now));
    if (added && id != nullptr) {
      *id = added->value();
    }
    return status_of(added);
  });
}

berth_status berth_remove_node(berth_scheduler* scheduler, uint64_t node, int64_t now) {
  return changing(scheduler, [&](seat& at) {
    return status_of(at.scheduler->remove_node(node_id::from_value(node), instant(now)));
  });
}

berth_status berth_set_node(berth_scheduler* scheduler, uint64_t node, int32_t health,
                            int64_t now) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    if (health < BERTH_NODE_UP || health > BERTH_NODE_DOWN) {
      return status(BERTH_BAD_NUMBER, field::health);
    }
    return status_of(at.scheduler->set_node(node_id::from_value(node),
                                            static_cast<node_health>(health), instant(now)));
  });
}

berth_status berth_set_lost_gpus(berth_scheduler* scheduler, uint64_t node, uint64_t lost,
                                 int64_t now) {
  return changing(scheduler, [&](seat& at) {
    return status_of(at.scheduler->set_lost_gpus(node_id::from_value(node), lost, instant(now)));
  });
}

berth_status berth_set_capacity(berth_scheduler* scheduler, uint64_t node, int32_t gpus,
                                int64_t now) {
  return changing(scheduler, [&](seat& at) {
    return status_of(at.scheduler->set_capacity(node_id::from_value(node), gpus, instant(now)));
  });
}
