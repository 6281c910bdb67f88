// SPDX-License-Identifier: BSL-1.0
// What the agent needs of a resource manager. slurm_host.hpp is the real one, tests have one in
// memory, and a dry run one that only talks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "picture.hpp"

namespace slurm_agent {

/// How a request was answered; `code` is Slurm's error number.
struct answer {
  int code = 0;
  std::string text;
  [[nodiscard]] bool is_ok() const noexcept { return code == 0; }
};

enum class hold_order : std::uint8_t {
  none,
  hold,     ///< so that only an operator can release it
  release,  ///< Slurm may start it
};

/// Changes of one job, in one request.
struct job_update {
  job_number job = 0;
  hold_order hold = hold_order::none;
  std::optional<std::string> pin{};   ///< exactly these nodes; an empty list unpins
  std::int64_t nodes_least = 0;       ///< 0 = as it is
  std::int64_t nodes_most = 0;        ///< 0 = as it is
  bool begin_now = false;             ///< without the pause that Slurm prescribes after a requeue
  std::optional<std::string> note{};  ///< its admin comment
};

enum class load_outcome : std::uint8_t { changed, unchanged, unreachable };

class host {
 public:
  virtual ~host() = default;
  /// Replaces `into` if anything has changed since the last call. `unreachable` leaves it alone.
  virtual load_outcome load(picture& into) = 0;
  virtual answer update(job_update const& change) = 0;
  /// Tells a running job to save.
  virtual answer signal(job_number job) = 0;
  /// Stops a running job and puts it back into the queue, held.
  virtual answer requeue_held(job_number job) = 0;
};

}  // namespace slurm_agent
