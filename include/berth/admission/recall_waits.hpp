// SPDX-License-Identifier: BSL-1.0
// Hysteresis of loans: a tenant whose loan was recalled waits before it borrows again, longer each
// time. So the restarts of a borrower in gaps that keep coming grow with the logarithm of their
// number.
#pragma once

#include <berth/core/backoff.hpp>
#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// Base 0: nobody waits.
class recall_waits {
 public:
  recall_waits(backoff const& rule, std::size_t tenants) : rule_{rule}, lines_(tenants) {}

  [[nodiscard]] bool waits(tenant_id tenant, time_point now) const noexcept {
    return lines_[static_cast<std::size_t>(tenant)].until > now;
  }
  /// Several stops at one instant are one recall. A loan that lasted longer, after the wait before
  /// it, than that wait itself is forgiven: counting begins anew. O(log cap).
  void recalled(tenant_id tenant, time_point now) noexcept {
    line& mine = lines_[static_cast<std::size_t>(tenant)];
    if (rule_.base <= duration{0} || (mine.count > 0 && mine.at == now)) {
      return;
    }
    bool const lasted = mine.count > 0 && saturating_add(mine.until, rule_.delay(mine.count)) < now;
    mine.count = lasted ? 1 : mine.count + 1;
    mine.at = now;
    mine.until = saturating_add(now, rule_.delay(mine.count));
  }
  /// The next instant at which somebody may borrow again; `never` if nobody waits. O(tenants).
  [[nodiscard]] time_point next_end(time_point now) const noexcept {
    time_point next = never;
    for (line const& each : lines_) {
      next = each.until > now ? std::min(next, each.until) : next;
    }
    return next;
  }

  template <class Archive>
  void save(Archive& a) const noexcept {
    for (line const& each : lines_) {
      a(each.count);
      a(each.at);
      a(each.until);
    }
  }
  [[nodiscard]] bool accepts(detail::byte_reader& in) const noexcept {
    bool fine = true;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      line const read = read_line(in);
      fine = fine && read.at <= read.until && (read.count > 0 || read.until == line{}.until);
    }
    return fine;
  }
  void load(detail::byte_reader& in) noexcept {
    for (line& each : lines_) {
      each = read_line(in);
    }
  }

 private:
  struct line {
    std::uint32_t count = 0;  ///< recalls in a row
    time_point at = time_point::min();
    time_point until = time_point::min();
  };
  [[nodiscard]] static line read_line(detail::byte_reader& in) noexcept {
    line read;
    in(read.count);
    in(read.at);
    in(read.until);
    return read;
  }

  backoff rule_;
  std::vector<line> lines_;
};

BERTH_NAMESPACE_END
