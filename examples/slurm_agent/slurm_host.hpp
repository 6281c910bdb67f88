// SPDX-License-Identifier: BSL-1.0
// Slurm through its public C library. The only place that includes it: libslurm is GPL, changes its
// soname with every major release, and may end the process it lives in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "host.hpp"

namespace slurm_agent {

class slurm_host final : public host {
 public:
  /// Reads slurm.conf, whose place SLURM_CONF must say: without it libslurm asks the DNS, and ends
  /// the program where that does not know.
  slurm_host(std::string partition, std::uint16_t signal);
  ~slurm_host() override;
  slurm_host(slurm_host const&) = delete;
  slurm_host& operator=(slurm_host const&) = delete;

  /// What this user may not do here; empty if nothing is missing. One request.
  [[nodiscard]] std::string missing_rights() const;

  load_outcome load(picture& into) override;
  answer update(job_update const& change) override;
  answer signal(job_number job) override;
  answer requeue_held(job_number job) override;

 private:
  struct replies;
  std::string partition_;
  std::uint16_t signal_;
  std::unique_ptr<replies> last_;
};

}  // namespace slurm_agent
