// SPDX-License-Identifier: BSL-1.0
// One solver on one input, behind a common interface, so that berth and its peers take turns.
#pragma once

#include <bench/matching/case.hpp>
#include <bench/matching/flow_network.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace berth_bench {

class contender {
 public:
  explicit contender(std::string name) : name_{std::move(name)} {}
  contender(contender const&) = delete;
  contender& operator=(contender const&) = delete;
  virtual ~contender() = default;

  [[nodiscard]] std::string const& name() const { return name_; }
  virtual void solve() = 0;
  [[nodiscard]] virtual std::int64_t optimum() const = 0;
  /// Whether the last solution proves itself; nothing to prove where there are no prices.
  [[nodiscard]] virtual bool is_certified() const { return true; }

 private:
  std::string name_;
};

/// An engine (case.hpp) that starts from nothing each time.
template <class Engine>
class cold_contender final : public contender {
 public:
  template <class Shape>
    requires cold_engine<Engine, Shape>
  cold_contender(std::string name, Shape const& shape)
      : contender{std::move(name)}, engine_{shape} {}

  void solve() override { engine_.solve_cold(); }
  [[nodiscard]] std::int64_t optimum() const override { return engine_.optimum(); }
  [[nodiscard]] bool is_certified() const override {
    if constexpr (requires { engine_.is_certified(); }) {
      return engine_.is_certified();
    } else {
      return true;
    }
  }

 private:
  Engine engine_;
};

/// A solver of general networks.
class network_contender final : public contender {
 public:
  using solver = std::int64_t (*)(flow_network const&);
  network_contender(std::string name, solver solve_with,
                    std::shared_ptr<flow_network const> network)
      : contender{std::move(name)}, solver_{solve_with}, network_{std::move(network)} {}

  void solve() override { optimum_ = solver_(*network_); }
  [[nodiscard]] std::int64_t optimum() const override { return optimum_; }

 private:
  solver solver_;
  std::shared_ptr<flow_network const> network_;
  std::int64_t optimum_ = -1;
};

}  // namespace berth_bench
