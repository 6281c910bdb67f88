// SPDX-License-Identifier: BSL-1.0
// How much faster a job learns on more GPUs, as integers, from its profile and its noise.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/fixed_math.hpp>
#include <berth/core/result.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_batch.hpp>
#include <berth/predictors/goodput_fit.hpp>
#include <berth/predictors/goodput_profile.hpp>
#include <berth/sizing/check_sizing.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// How far a job may go beyond what it was profiled on. Every step of the way is a restart: one
/// that lasts minutes gains by fewer and longer ones, and what a model says that far out is less
/// sure.
struct profile_reach {
  std::int32_t first = 1;   ///< GPUs before the first point; > 0
  std::int32_t growth = 2;  ///< times the most that it was profiled on; > 0. Pollux doubles
};

/// One job's goodput on every number of GPUs, kept from event to event. The model knows one node
/// and several, so these are two rows. A new profile point costs a fit, and what it changes is
/// computed when it is asked for, once: a table that nobody asks costs nothing, and no event
/// rebuilds it. All memory is allocated at construction.
class speedup_table {
 public:
  /// For 1 to `max_gpus` GPUs, and no more than limits.max_gpus(). Preconditions:
  /// check_limits(limits), max_gpus > 0, a reach in its bounds. Throws std::bad_alloc.
  speedup_table(batch_limits const& limits, std::int32_t max_gpus,
                std::uint32_t max_profile_points = 64, profile_reach reach = {})
      : limits_{limits},
        reach_{reach},
        noise_{.initial_batch = limits.initial_batch},
        profile_{max_profile_points},
        rows_(2 * static_cast<std::size_t>(std::max(1, std::min(max_gpus, limits.max_gpus())))) {
    BERTH_ASSERT(check_limits(limits).has_value() && max_gpus > 0, "limits that can be met");
    BERTH_ASSERT(reach.first > 0 && reach.growth > 0, "a reach of some GPUs");
    // Whether it can run there is up to the limits, not to how fast it is.
    while (smallest_ <= this->max_gpus() && !(best(smallest_, 1).goodput > 0.0)) {
      ++smallest_;
    }
  }

  /// A step was measured. True if it changed the model. A place that is known is averaged. The
  /// model is fitted again only when it was off by more than a 64th, and the place is new or its
  /// mean has moved by as much. Errors, with nothing recorded: of check_point. O(points), a few
  /// hundred evaluations if a fit is due; no allocation.
  result<bool> add(profile_point const& seen) noexcept {
    if (auto const fine = check_point(seen); !fine) {
      return fine.error();
    }
    bool const expected = is_profiled() && expects(seen);
    if (!profile_.add(seen) || expected) {
      return false;
    }
    steps_ = fit_goodput(profile_.points(), is_profiled() ? &steps_ : nullptr).parameters;
    forget();
    return true;
  }
  /// The job's gradients changed. Errors, with nothing changed: bad_number (batch_size) if a number
  /// is negative or not finite, or both are 0; inconsistent if they refer to another batch size
  /// than the limits. O(1).
  result<void> set_noise(gradient_noise const& noise) noexcept {
    auto const fine = [](double value) { return value >= 0.0 && value <= 1e100; };
    if (!fine(noise.square) || !fine(noise.variance) || !(noise.square + noise.variance > 0.0)) {
      return error{errc::bad_number, field::batch_size};
    }
    if (noise.initial_batch != limits_.initial_batch) {
      return error{errc::inconsistent, field::batch_size};
    }
    if (noise != noise_) {
      noise_ = noise;
      forget();
    }
    return {};
  }

  /// The best way to run there; all 0 if it cannot, or is beyond the table. Before the first point,
  /// by the model's defaults. O(1) if it was asked before, else as best_batch().
  [[nodiscard]] batch_choice best(std::int32_t gpus, std::int32_t nodes) noexcept {
    if (gpus <= 0 || nodes <= 0 || nodes > gpus || gpus > max_gpus()) {
      return {};
    }
    std::size_t const row = nodes > 1 ? rows_.size() / 2 : 0;
    entry& found = rows_[row + static_cast<std::size_t>(gpus - 1)];
    if (found.version != version_) {
      found = {best_batch(steps_, noise_, limits_, gpus, nodes), version_};
    }
    return found.choice;
  }
  /// Goodput there over that on one GPU, in 1/unit_rung_speed; 0 if it cannot run there. Where the
  /// limits do not allow one GPU, the fewest that they allow count as so many times one. Before the
  /// first point nothing is known: as many times as fast as GPUs. As best(). What is kept does not
  /// depend on this base: for another one, divide two of these.
  [[nodiscard]] std::int64_t speedup(std::int32_t gpus, std::int32_t nodes) noexcept {
    double const there = best(gpus, nodes).goodput;
    if (!(there > 0.0)) {
      return 0;
    }
    double const base = best(smallest_, 1).goodput;
    return rounded(is_profiled() ? detail::rounded_product(smallest_, there / base) : gpus);
  }

  /// What an allocator asks: a rung for each number of GPUs up to reach(), on as few nodes as can
  /// be, sizes on which the job cannot run left out. Returns the part of `into` that it filled.
  /// O(rungs), each as best().
  [[nodiscard]] std::span<rung> ladder(std::span<rung> into, std::int32_t gpus_per_node) noexcept {
    BERTH_ASSERT(gpus_per_node > 0, "nodes have GPUs");
    std::size_t filled = 0;
    for (std::int32_t gpus = smallest_; gpus <= reach() && filled < into.size(); ++gpus) {
      std::int64_t const speed = speedup(gpus, (gpus - 1) / gpus_per_node + 1);
      if (speed > 0) {
        into[filled++] = {gpus, speed};
      }
    }
    return into.first(filled);
  }

  /// How many GPUs it may be given, so that what is taken as free until it is measured does no
  /// harm: as its profile_reach says, and no less than the fewest that it can run on.
  [[nodiscard]] std::int32_t reach() const noexcept {
    std::int64_t const profiled = std::int64_t{reach_.growth} * profile_.most_gpus();
    std::int64_t const known = std::max<std::int64_t>({profiled, reach_.first, smallest_});
    return static_cast<std::int32_t>(std::min<std::int64_t>(known, max_gpus()));
  }
  [[nodiscard]] std::int32_t max_gpus() const noexcept {
    return static_cast<std::int32_t>(rows_.size() / 2);
  }
  [[nodiscard]] bool is_profiled() const noexcept { return profile_.most_gpus() > 0; }
  [[nodiscard]] goodput_parameters const& parameters() const noexcept { return steps_; }
  [[nodiscard]] gradient_noise const& noise() const noexcept { return noise_; }

 private:
  struct entry {
    batch_choice choice{};
    std::uint64_t version = 0;
  };

  /// The one place where a floating-point number becomes one that decides: to the nearest 1/65536,
  /// halves up, at most what a rung may hold.
  [[nodiscard]] static std::int64_t rounded(double ratio) noexcept {
    constexpr auto most = static_cast<double>(max_rung_speed);
    double const scaled = ratio * static_cast<double>(unit_rung_speed);  // a power of two: exact
    return static_cast<std::int64_t>(std::min(scaled, most) + 0.5);
  }
  /// Both times of the step are within a 64th of what the model says.
  [[nodiscard]] bool expects(profile_point const& seen) const noexcept {
    auto const close = [](double modelled, std::chrono::nanoseconds measured) {
      double const seconds = static_cast<double>(measured.count()) / 1e9;
      double const off = modelled > seconds ? modelled - seconds : seconds - modelled;
      return off * 64.0 <= seconds;
    };
    return close(steps_.compute_time(seen.where.batch_size), seen.compute) &&
           close(steps_.step(seen.where).time, seen.step);
  }
  void forget() noexcept { ++version_; }

  batch_limits limits_;
  profile_reach reach_;
  gradient_noise noise_;
  goodput_parameters steps_{};
  goodput_profile profile_;
  std::vector<entry> rows_;    ///< one node, then several
  std::int32_t smallest_ = 1;  ///< number of GPUs that the limits allow
  std::uint64_t version_ = 1;
};

BERTH_NAMESPACE_END
