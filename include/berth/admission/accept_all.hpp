// SPDX-License-Identifier: BSL-1.0
// Everybody may enter.
#pragma once

#include <berth/concepts/admission_policy.hpp>

BERTH_NAMESPACE_BEGIN

struct accept_all {
  using component_role = admission_role;
  [[nodiscard]] bool admit(job_view const&, tick_context const&) const noexcept { return true; }
};

BERTH_NAMESPACE_END
