// SPDX-License-Identifier: BSL-1.0
#include "handles.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

BERTH_NAMESPACE_BEGIN
namespace c_api {

struct slot {
  std::atomic<std::uintptr_t> handle{0};  ///< of its present owner; 0: free
  std::atomic<bool> busy{false};          ///< guards what follows
  std::uintptr_t generation = 0;
  seat* taken = nullptr;
};

namespace {

constexpr std::uintptr_t slot_count = 1024;

// Constant initialisation and no destructor: it is there before any constructor of the host runs
// and after every destructor. What the host never destroyed ends with the process.
constinit std::array<slot, slot_count> slots{};
constinit std::mutex opening{};

std::uintptr_t number_of(berth_scheduler const* handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace

berth_scheduler* open_handle(seat taken) {
  auto kept = std::make_unique<seat>(std::move(taken));
  std::lock_guard const alone{opening};
  for (std::uintptr_t index = 0; index < slot_count; ++index) {
    slot& at = slots[index];
    // The call that closes it may still be under way.
    if (at.handle.load(std::memory_order_acquire) != 0 ||
        at.busy.exchange(true, std::memory_order_acquire)) {
      continue;
    }
    ++at.generation;
    if (at.generation > UINTPTR_MAX / slot_count) {  // where pointers are short
      at.generation = 1;
    }
    at.taken = kept.release();
    std::uintptr_t const handle = at.generation * slot_count + index;
    at.handle.store(handle, std::memory_order_release);
    at.busy.store(false, std::memory_order_release);
    return reinterpret_cast<berth_scheduler*>(handle);
  }
  return nullptr;
}

hold::hold(berth_scheduler const* handle) noexcept {
  std::uintptr_t const number = number_of(handle);
  slot& at = slots[number % slot_count];
  // Asked before the slot is taken, so that a stale handle never makes its next owner wait.
  if (number == 0 || at.handle.load(std::memory_order_acquire) != number) {
    return;
  }
  if (at.busy.exchange(true, std::memory_order_acquire)) {
    status_ = BERTH_BUSY;
    return;
  }
  slot_ = &at;
  status_ = at.handle.load(std::memory_order_acquire) == number ? BERTH_OK : BERTH_BAD_HANDLE;
}

hold::~hold() {
  if (slot_ != nullptr) {
    slot_->busy.store(false, std::memory_order_release);
  }
}

seat& hold::operator*() const noexcept {
  return *slot_->taken;
}

void hold::close() noexcept {
  delete std::exchange(slot_->taken, nullptr);
  slot_->handle.store(0, std::memory_order_release);
}

}  // namespace c_api
BERTH_NAMESPACE_END
