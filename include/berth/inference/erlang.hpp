// SPDX-License-Identifier: BSL-1.0
// The queue with Poisson arrivals and n exponential servers: who waits, and for how long. Erlang,
// "Solution of some problems in the theory of probabilities of significance in automatic telephone
// exchanges", 1917.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/fixed_math.hpp>

#include <cstdint>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// M/M/n for one offered load a (arrivals × service time, in erlangs), servers added one by one.
/// Kept is Erlang's loss B by B(n) = a·B(n−1) / (n + a·B(n−1)): only positive terms are added, so
/// it neither overflows nor cancels, as the sum of a^k / k! would.
class erlang_queue {
 public:
  /// Precondition: offered is finite and >= 0.
  explicit erlang_queue(double offered) noexcept : offered_{offered} {}

  /// O(1).
  void add_server() noexcept {
    double const blocked = rounded_product(offered_, loss_);
    ++servers_;
    loss_ = blocked / (servers_ + blocked);
  }
  [[nodiscard]] std::int32_t servers() const noexcept { return servers_; }

  /// Erlang's C, the share of arrivals that wait at all; 1 where the queue grows without end. O(1).
  [[nodiscard]] double waiting() const noexcept {
    double const spare = servers_ - offered_;
    return spare > 0.0
               ? rounded_product(servers_, loss_) / (spare + rounded_product(offered_, loss_))
               : 1.0;
  }
  /// The share that waits longer than so many service times: C · e^(−(n − a) · patience). Below
  /// 1e-300 or so it may be told as more than it is. O(1).
  [[nodiscard]] double waiting_longer(double patience) const noexcept {
    double const spare = servers_ - offered_;
    return spare > 0.0 ? rounded_product(waiting(), fixed_exp(-rounded_product(spare, patience)))
                       : 1.0;
  }

 private:
  double offered_;
  double loss_ = 1.0;
  std::int32_t servers_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
