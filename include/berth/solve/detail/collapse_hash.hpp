// SPDX-License-Identifier: BSL-1.0
// The default hash of class keys, the same on every platform of one byte order; classes do not
// depend on it, only how fast they are found.
#pragma once

#include <berth/core/config.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// One round of mixing a word into a hash (after MurmurHash3's finalizer, Appleby, 2011).
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 32);
}

}  // namespace detail

/// Hashes the bytes of a key. Only for types in which equal values have equal bytes: no padding, no
/// floating point, no pointers to what is compared.
struct bytes_hash {
  template <class Key>
    requires std::has_unique_object_representations_v<Key> && std::is_trivially_copyable_v<Key>
  [[nodiscard]] constexpr std::uint64_t operator()(Key const& key) const noexcept {
    auto const bytes = std::bit_cast<std::array<unsigned char, sizeof(Key)>>(key);
    std::uint64_t hash = 0;
    for (std::size_t first = 0; first < bytes.size(); first += 8) {
      std::uint64_t word = 0;
      for (std::size_t i = first; i < bytes.size() && i < first + 8; ++i) {
        word = word << 8 | bytes[i];
      }
      hash = detail::mixed(hash, word);
    }
    return hash;
  }
};

BERTH_NAMESPACE_END
