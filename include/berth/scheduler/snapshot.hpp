// SPDX-License-Identifier: BSL-1.0
// A scheduler's state as bytes, and back: what scheduler::snapshot and scheduler::restore do. The
// format is in detail/snapshot_fields.hpp; docs/snapshot.md says what is kept and how a host uses
// it.
//
// The same version of the format, on any machine, gives a scheduler that decides the same from then
// on, bit for bit. What components keep per job is copied as bytes: between machines of different
// byte order or layout only where no component has job_data.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/scheduler/detail/engine.hpp>
#include <berth/scheduler/detail/snapshot_apply.hpp>
#include <berth/scheduler/detail/snapshot_check.hpp>
#include <berth/scheduler/detail/snapshot_fields.hpp>
#include <berth/scheduler/detail/snapshot_write.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Version of the format that is written; restore reads this one.
inline constexpr std::uint32_t snapshot_format = detail::snapshot_version;

namespace detail {

/// O(jobs + nodes).
template <class Engine>
[[nodiscard]] std::size_t snapshot_size(Engine const& e) noexcept {
  byte_counter counter;
  write_state(counter, e);
  return bytes_of<head_line>() + counter.bytes();
}

/// Bytes written. Errors: capacity_exceeded.
template <class Engine>
[[nodiscard]] result<std::size_t> write_snapshot(Engine const& e,
                                                 std::span<std::byte> into) noexcept {
  std::size_t const size = snapshot_size(e);
  if (into.size() < size) {
    return error{errc::capacity_exceeded, field::message};
  }
  std::size_t const head_bytes = bytes_of<head_line>();
  auto const payload = into.first(size).subspan(head_bytes);
  byte_writer out{payload};
  write_state(out, e);
  head_line head;
  head.bytes = payload.size();
  head.checksum = checksum(payload);
  head_line const& written = head;
  byte_writer front{into.first(head_bytes)};
  fields(front, written);
  return size;
}

/// All or nothing: the bytes are checked in one pass and applied in a second.
template <class Engine>
[[nodiscard]] result<void> restore_snapshot(Engine& e, snapshot_scratch& scratch,
                                            std::span<std::byte const> from) noexcept {
  if (auto const fine = check_head(from); !fine) {
    return fine;
  }
  auto const payload = from.subspan(bytes_of<head_line>());
  if (auto const fine = snapshot_checker<Engine>{e, scratch, payload}.run(); !fine) {
    return fine;
  }
  read_state(byte_reader{payload}, e);
  return {};
}

}  // namespace detail
BERTH_NAMESPACE_END
