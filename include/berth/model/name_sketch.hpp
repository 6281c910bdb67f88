// SPDX-License-Identifier: BSL-1.0
// A job's name in 64 bits, such that similar names have similar bits.
#pragma once

#include <berth/core/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

BERTH_NAMESPACE_BEGIN

/// A similarity sketch (Charikar, STOC 2002) of the trigrams of `name`: every trigram votes on
/// every bit. Digits all count as one, since it is numbers that tell the runs of one experiment
/// apart; letters count as lower case. 0, which no name but an empty one is likely to have, means
/// "not said". O(64 · length).
[[nodiscard]] constexpr std::uint64_t sketch(std::string_view name) noexcept {
  if (name.empty()) {
    return 0;
  }
  auto const folded = [&](std::size_t i) -> std::uint64_t {
    char const c = i < name.size() ? name[i] : ' ';
    return c >= '0' && c <= '9'   ? std::uint64_t{'0'}
           : c >= 'A' && c <= 'Z' ? std::uint64_t{'a'} + static_cast<std::uint64_t>(c - 'A')
                                  : static_cast<std::uint64_t>(static_cast<unsigned char>(c));
  };
  std::array<int, 64> votes{};
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::uint64_t word = folded(i) | folded(i + 1) << 8 | folded(i + 2) << 16;
    word = (word + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 29)) * 0x94d049bb133111ebu;
    word ^= word >> 32;
    for (std::size_t bit = 0; bit < votes.size(); ++bit) {
      votes[bit] += (word >> bit & 1u) != 0 ? 1 : -1;
    }
  }
  std::uint64_t bits = 0;
  for (std::size_t bit = 0; bit < votes.size(); ++bit) {
    bits |= std::uint64_t{votes[bit] > 0} << bit;
  }
  return bits;
}

/// Bits in common, 0..64. Names that have nothing to do with each other have about 32.
[[nodiscard]] constexpr int similarity(std::uint64_t a, std::uint64_t b) noexcept {
  return 64 - static_cast<int>(std::popcount(a ^ b));
}

BERTH_NAMESPACE_END
