// SPDX-License-Identifier: BSL-1.0
// Handles are looked up in a table, never followed: one that is null, foreign or destroyed is
// recognised, and memory that is gone is not touched. A slot is reused, its generation is not.
#pragma once

#include <berth/c/berth.h>
#include <berth/core/config.hpp>
#include <berth/model/action.hpp>
#include <berth/model/rung.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "host.hpp"

BERTH_NAMESPACE_BEGIN
namespace c_api {

struct slot;

/// What a handle stands for.
struct seat {
  std::unique_ptr<host> scheduler;
  /// The last plan, if it did not fit into its caller's memory; an empty one always does.
  std::span<action const> untaken;
  /// Room for the longest ladder, so that reading one allocates nothing.
  std::vector<rung> ladder;
};

/// Null if the table is full. Throws std::bad_alloc.
[[nodiscard]] berth_scheduler* open_handle(seat taken);

/// One call's hold on its scheduler; a second call meanwhile finds it busy.
class hold {
 public:
  explicit hold(berth_scheduler const* handle) noexcept;
  hold(hold const&) = delete;
  hold& operator=(hold const&) = delete;
  ~hold();

  /// BERTH_OK, BERTH_BAD_HANDLE or BERTH_BUSY.
  [[nodiscard]] berth_status status() const noexcept { return status_; }
  /// Precondition: status() is BERTH_OK.
  [[nodiscard]] seat& operator*() const noexcept;
  /// Ends the scheduler and makes its handle stale.
  void close() noexcept;

 private:
  slot* slot_ = nullptr;
  berth_status status_ = BERTH_BAD_HANDLE;
};

/// The boundary: nothing that is thrown gets past it.
template <class Call>
[[nodiscard]] berth_status guarded(Call&& call) noexcept {
  try {
    return call();
  } catch (std::bad_alloc const&) {
    return BERTH_OUT_OF_MEMORY;
  } catch (std::length_error const&) {
    return BERTH_OUT_OF_MEMORY;  // more than a container can ever hold
  } catch (...) {
    return BERTH_INTERNAL;
  }
}

/// call(seat) on the handle's scheduler.
template <class Call>
[[nodiscard]] berth_status looking(berth_scheduler* handle, Call&& call) noexcept {
  hold const held{handle};
  return held.status() == BERTH_OK ? guarded([&] { return call(*held); }) : held.status();
}
/// The same, for what ends the life of the last plan.
template <class Call>
[[nodiscard]] berth_status changing(berth_scheduler* handle, Call&& call) noexcept {
  return looking(handle, [&](seat& at) -> berth_status {
    return at.untaken.empty() ? call(at) : BERTH_PLAN_PENDING;
  });
}

}  // namespace c_api
BERTH_NAMESPACE_END
