// SPDX-License-Identifier: BSL-1.0
// What the functions of berth.h answer: berth's errors as numbers, and texts into a caller's
// memory.
#pragma once

#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

BERTH_NAMESPACE_BEGIN
namespace c_api {

[[nodiscard]] constexpr berth_status status(std::int32_t code, field where = field::none) noexcept {
  return code | (static_cast<std::int32_t>(where) << 8);
}

/// One by one, so that the numbers of berth.h outlive any change of errc.
[[nodiscard]] constexpr std::int32_t code_of(errc code) noexcept {
  switch (code) {
    case errc::unknown_job: return BERTH_UNKNOWN_JOB;
    case errc::stale_job: return BERTH_STALE_JOB;
    case errc::unknown_node: return BERTH_UNKNOWN_NODE;
    case errc::stale_node: return BERTH_STALE_NODE;
    case errc::stale_run: return BERTH_STALE_RUN;
    case errc::wrong_state: return BERTH_WRONG_STATE;
    case errc::not_held: return BERTH_NOT_HELD;
    case errc::zero_or_negative: return BERTH_ZERO_OR_NEGATIVE;
    case errc::bad_number: return BERTH_BAD_NUMBER;
    case errc::gang_never_fits: return BERTH_GANG_NEVER_FITS;
    case errc::unknown_gpu_type: return BERTH_UNKNOWN_GPU_TYPE;
    case errc::unknown_tenant: return BERTH_UNKNOWN_TENANT;
    case errc::inconsistent: return BERTH_INCONSISTENT;
    case errc::time_went_back: return BERTH_TIME_WENT_BACK;
    case errc::duplicate_node: return BERTH_DUPLICATE_NODE;
    case errc::node_in_use: return BERTH_NODE_IN_USE;
    case errc::capacity_exceeded: return BERTH_CAPACITY_EXCEEDED;
    case errc::bad_config: return BERTH_BAD_CONFIG;
    case errc::bad_data: return BERTH_BAD_DATA;
  }
  return BERTH_INTERNAL;
}
[[nodiscard]] constexpr berth_status status_of(error why) noexcept {
  return status(code_of(why.code), why.where);
}
template <class T>
[[nodiscard]] berth_status status_of(result<T> const& answer) noexcept {
  return answer ? BERTH_OK : status_of(answer.error());
}

/// Copies all of it with a final zero, or nothing.
[[nodiscard]] inline berth_status copy_text(std::string_view text, char* into, std::size_t capacity,
                                            std::size_t* needed) noexcept {
  if (needed != nullptr) {
    *needed = text.size() + 1;
  }
  if (capacity <= text.size()) {
    return BERTH_BUFFER_TOO_SMALL;
  }
  if (into == nullptr) {
    return BERTH_NULL_POINTER;
  }
  into[text.copy(into, text.size())] = '\0';
  return BERTH_OK;
}

}  // namespace c_api
BERTH_NAMESPACE_END
