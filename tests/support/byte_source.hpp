// SPDX-License-Identifier: BSL-1.0
// Choices made from bytes, so that a random test, a fuzzer and a committed failure are the same
// thing. A source that has run dry answers 0: every sequence of bytes is a complete input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace tests {

class byte_source {
 public:
  explicit byte_source(std::span<std::uint8_t const> bytes) noexcept : bytes_{bytes} {}

  [[nodiscard]] bool dry() const noexcept { return at_ >= bytes_.size(); }
  std::uint8_t byte() noexcept { return dry() ? std::uint8_t{0} : bytes_[at_++]; }
  /// In [0, bound); one byte up to 256, else two. 0 if `bound` is 0.
  std::uint32_t below(std::uint32_t bound) noexcept {
    if (bound <= 1) {
      return 0;
    }
    std::uint32_t drawn = byte();
    if (bound > 256) {
      drawn = (drawn << 8) | byte();
    }
    return drawn % bound;
  }
  /// True in `of_256` of 256 cases; a dry source says no.
  bool chance(std::uint32_t of_256) noexcept { return 255u - byte() < of_256; }
  template <class T>
  T one_of(std::initializer_list<T> choices) noexcept {
    return choices.begin()[below(static_cast<std::uint32_t>(choices.size()))];
  }

 private:
  std::span<std::uint8_t const> bytes_;
  std::size_t at_ = 0;
};

}  // namespace tests
