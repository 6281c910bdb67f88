// SPDX-License-Identifier: BSL-1.0
// berth's snapshot in a file: written beside the old one and renamed, so that there is always a
// whole one.
#pragma once

#include <berth/core/time.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace slurm_agent {

struct memory {
  berth::time_point taken;  ///< by berth's clock
  std::vector<std::byte> snapshot;
};

/// False if it could not be written; the old one is then still there.
bool write_memory(std::string const& path, memory const& what);
/// Nothing if there is none. What is inside is checked by berth.
[[nodiscard]] std::optional<memory> read_memory(std::string const& path);

}  // namespace slurm_agent
