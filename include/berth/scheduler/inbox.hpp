// SPDX-License-Identifier: BSL-1.0
// A bounded mailbox for threaded hosts: any thread puts messages in, the thread that ticks takes
// them out. Lock-free ring with a turn number per cell (Vyukov's bounded queue); the order of
// arrival is the only thing about a host's threads that decisions depend on.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// Messages of a host's own type, trivially copyable. push() from any thread, pop() from one.
template <class Message>
  requires std::is_trivially_copyable_v<Message>
class inbox {
 public:
  /// Room for at least `capacity` messages (a power of two is used). Throws std::bad_alloc.
  explicit inbox(std::size_t capacity) {
    std::size_t size = 2;
    while (size < capacity) {
      size *= 2;
    }
    cells_ = std::make_unique<cell[]>(size);
    mask_ = size - 1;
    for (std::size_t i = 0; i < size; ++i) {
      cells_[i].turn.store(i, std::memory_order_relaxed);
    }
  }

  /// Errors: capacity_exceeded when it is full; the message is not in. Lock-free.
  result<void> push(Message const& message) noexcept {
    std::size_t at = tail_.load(std::memory_order_relaxed);
    for (;;) {
      cell& place = cells_[at & mask_];
      std::size_t const turn = place.turn.load(std::memory_order_acquire);
      auto const ahead = static_cast<std::ptrdiff_t>(turn - at);
      if (ahead == 0) {
        if (tail_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
          place.message = message;
          place.turn.store(at + 1, std::memory_order_release);
          return {};
        }
      } else if (ahead < 0) {
        return error{errc::capacity_exceeded, field::message};
      } else {
        at = tail_.load(std::memory_order_relaxed);
      }
    }
  }

  /// Takes the oldest message. False if there is none (or its sender is still writing it). One
  /// thread.
  [[nodiscard]] bool pop(Message& message) noexcept {
    cell& place = cells_[head_ & mask_];
    if (place.turn.load(std::memory_order_acquire) != head_ + 1) {
      return false;
    }
    message = place.message;
    place.turn.store(head_ + mask_ + 1, std::memory_order_release);
    ++head_;
    return true;
  }

 private:
  struct cell {
    std::atomic<std::size_t> turn{0};
    Message message{};
  };
  std::unique_ptr<cell[]> cells_;
  std::size_t mask_ = 0;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::size_t head_ = 0;
};

BERTH_NAMESPACE_END
