// SPDX-License-Identifier: BSL-1.0
// Looks at the real one, and only says what it would ask of it.
#pragma once

#include <string_view>

#include "host.hpp"
#include <fmt/format.h>

namespace slurm_agent {

class dry_host final : public host {
 public:
  explicit dry_host(host& real) noexcept : real_{real} {}

  load_outcome load(picture& into) override { return real_.load(into); }
  answer update(job_update const& change) override {
    static constexpr std::string_view holds[] = {"annotate", "hold", "release"};
    fmt::print("would {} job {}", holds[static_cast<std::size_t>(change.hold)], change.job);
    if (change.pin && !change.pin->empty()) {
      fmt::print(" on {}", *change.pin);
    }
    if (change.note) {
      fmt::print(": {}", *change.note);
    }
    fmt::print("\n");
    return {};
  }
  answer signal(job_number job) override {
    fmt::print("would tell job {} to save\n", job);
    return {};
  }
  answer requeue_held(job_number job) override {
    fmt::print("would requeue job {}, held\n", job);
    return {};
  }

 private:
  host& real_;
};

}  // namespace slurm_agent
