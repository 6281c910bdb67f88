// SPDX-License-Identifier: BSL-1.0
// One number for a whole run: equal runs give equal numbers on every platform.
#pragma once

#include <berth/concepts/observer.hpp>
#include <berth/core/digest.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN

class digest_observer {
 public:
  using component_role = observer_role;
  void on_action(action const& decided, tick_context const& tick) noexcept {
    digest_.add(tick.now.time_since_epoch().count());
    decided.add_to(digest_);
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return digest_.value(); }

 private:
  digest digest_;
};

BERTH_NAMESPACE_END
