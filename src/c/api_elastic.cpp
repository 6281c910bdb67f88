// SPDX-License-Identifier: BSL-1.0
// berth.h: elastic jobs, and GPUs on loan.
#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/model/loan.hpp>
#include <berth/model/rung.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

#include "convert.hpp"
#include "handles.hpp"
#include "sized.hpp"
#include "status.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {
namespace {

/// Copies the ladder into `into`, which is long enough.
berth_status read_ladder(berth_rung const* rungs, std::size_t count, std::uint32_t rung_size,
                         std::span<rung> into) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    berth_rung const* const at = element(rungs, i, rung_size);
    if (size_at(at) != rung_size) {
      return BERTH_BAD_SIZE;
    }
    berth_rung given{};
    if (auto const read = read_struct(at, given); read != BERTH_OK) {
      return read;
    }
    into[i] = {given.gpus, given.speed};
  }
  return BERTH_OK;
}

}  // namespace
}  // namespace c_api
BERTH_NAMESPACE_END

using namespace berth;
using namespace berth::c_api;

berth_status berth_rung_init(berth_rung* rung, size_t size) {
  berth_rung usual{};
  usual.gpus = berth::rung{}.size;
  usual.speed = berth::rung{}.speed;
  return init_struct(usual, rung, size);
}

berth_status berth_set_ladder(berth_scheduler* scheduler, uint64_t job, berth_rung const* rungs,
                              uint32_t count, uint32_t rung_size, int64_t now) {
  return changing(scheduler, [&](seat& at) -> berth_status {
    if (rungs == nullptr) {
      return BERTH_NULL_POINTER;
    }
    if (!is_size_of<berth_rung>(rung_size)) {
      return BERTH_BAD_SIZE;
    }
    // Before the array is read: a wild count must not lead beyond it.
    if (count > at.ladder.size()) {
      return status(BERTH_CAPACITY_EXCEEDED, field::ladder);
    }
    if (auto const read = read_ladder(rungs, count, rung_size, at.ladder); read != BERTH_OK) {
      return read;
    }
    std::span<rung const> const ladder{at.ladder.data(), count};
    return status_of(at.scheduler->set_ladder(job_id::from_value(job), ladder, instant(now)));
  });
}

berth_status berth_lend(berth_scheduler* scheduler, int32_t gpus, int64_t until, int64_t now) {
  return changing(scheduler, [&](seat& at) {
    return status_of(at.scheduler->lend({gpus, instant(until)}, instant(now)));
  });
}

berth_status berth_gpus_on_loan(berth_scheduler* scheduler, int64_t* gpus) {
  return looking(scheduler, [&](seat& at) -> berth_status {
    if (gpus == nullptr) {
      return BERTH_NULL_POINTER;
    }
    *gpus = at.scheduler->gpus_on_loan();
    return BERTH_OK;
  });
}
