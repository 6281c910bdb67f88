// SPDX-License-Identifier: BSL-1.0
// Which of the jobs that ended tell most about a new one.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/check_job.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/name_sketch.hpp>
#include <berth/predictors/history_store.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// What a prediction rests on, best first (schedulers.md A.2, and C.12 for the names).
enum class guess_basis : std::uint8_t {
  same_configuration,  ///< the model ran twice or more on as many GPUs and nodes, with this batch
  step_time,           ///< four configurations of the model are known
  same_size,           ///< the model ran on as many GPUs
  similar_name,        ///< the user had a job with such a name
  same_user,           ///< the mean of the user's jobs
  everybody,           ///< quantiles of all jobs
  own_progress,        ///< the job itself, after its first epochs
};

struct guess {
  guess_basis basis = guess_basis::everybody;
  duration took{0};  ///< at speed 1; 0 for everybody
};

namespace detail {

/// Those with an error of their own: same_configuration to same_user.
inline constexpr std::size_t measured_bases = 5;
/// p90 / p50 and p50 / p10 in hundredths, until enough errors were seen. [recon]
[[nodiscard]] constexpr std::int64_t assumed_spread(guess_basis basis) noexcept {
  switch (basis) {
    case guess_basis::same_configuration: return 120;
    case guess_basis::step_time: return 133;
    case guess_basis::own_progress: return 110;
    default: return 200;
  }
}
/// Bits that two names must share to count as similar; strangers share about 32.
inline constexpr int similar_bits = 46;
/// A record weighs half of the newest of its model when so many came after it.
inline constexpr double half_weight_after = 16.0;

[[nodiscard]] inline result<void> check_record(training_record const& job) noexcept {
  training_query const& what = job.what;
  if (what.gpus < 1 || what.gpus > max_gang_gpus) {
    return error{errc::bad_number, field::gpus};
  }
  if (what.nodes < 0 || what.nodes > what.gpus) {
    return error{errc::bad_number, field::node};
  }
  if (what.batch_size < 0 || what.batch_size > max_batch_size) {
    return error{errc::bad_number, field::batch_size};
  }
  if (what.epochs < 0 || what.epochs > max_epochs) {
    return error{errc::bad_number, field::epochs};
  }
  if (what.samples < 0 || what.samples > max_samples) {
    return error{errc::bad_number, field::samples};
  }
  if (job.took < duration{1} || job.took > max_duration) {
    return error{errc::bad_number, field::work};
  }
  return {};
}

/// Nodes that are not said are as few as is usual: eight GPUs each.
[[nodiscard]] constexpr configuration configuration_of(training_query const& what) noexcept {
  std::int32_t const nodes = what.nodes > 0 ? what.nodes : (what.gpus + 7) / 8;
  return {what.gpus, nodes, what.batch_size};
}

/// Steps of the whole job, a fraction allowed; 0 = not known.
[[nodiscard]] inline double steps_of(training_query const& what) noexcept {
  if (what.batch_size <= 0 || what.epochs <= 0 || what.samples <= 0) {
    return 0.0;
  }
  double const all = rounded_product(static_cast<double>(what.samples), what.epochs);
  return all / rounded_product(what.batch_size, what.gpus);
}

/// The one place where a double becomes time: whole milliseconds, halves up.
[[nodiscard]] inline duration to_duration(double milliseconds) noexcept {
  double const longest = static_cast<double>(max_duration.count());
  return duration{static_cast<std::int64_t>(std::min(longest, std::max(1.0, milliseconds + 0.5)))};
}

/// The step times of a model's last jobs, once four configurations are among them.
[[nodiscard]] inline step_time_model fit_model(history_store const& jobs, model_id model) noexcept {
  std::array<step_observation, history_store::most_visited> seen{};
  std::size_t count = 0;
  std::size_t distinct = 0;
  jobs.for_each_of(model, [&](history_store::entry const& e) {
    double const steps = steps_of(e.seen.what);
    if (steps <= 0.0) {
      return;
    }
    double const age = static_cast<double>(count);
    step_observation const one{configuration_of(e.seen.what),
                               static_cast<double>(e.seen.took.count()) / steps,
                               half_weight_after / (half_weight_after + age)};
    bool const known = std::any_of(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count),
                                   [&](auto const& other) { return other.where == one.where; });
    distinct += known ? 0 : 1;
    seen[count++] = one;
  });
  return distinct < unknowns ? step_time_model{}
                             : step_time_model::fit(std::span{seen}.first(count));
}

/// A mean of durations that never leaves their range.
class mean_duration {
 public:
  void add(duration value) noexcept {
    sum_ += value.count();  // at most 64 values of 2^40
    ++count_;
  }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  [[nodiscard]] duration value() const noexcept {
    return duration{count_ == 0 ? 0 : std::max<std::int64_t>(1, sum_ / count_)};
  }

 private:
  std::int64_t sum_ = 0;
  std::int64_t count_ = 0;
};

/// As long as the record took, but for the number of epochs, and of samples where both know it.
[[nodiscard]] inline duration scaled_to(training_query const& job,
                                        training_record const& seen) noexcept {
  double took = static_cast<double>(seen.took.count());
  if (job.epochs > 0 && seen.what.epochs > 0) {
    took = rounded_product(took, job.epochs) / seen.what.epochs;
    if (job.samples > 0 && seen.what.samples > 0) {
      took = rounded_product(took, static_cast<double>(job.samples)) /
             static_cast<double>(seen.what.samples);
    }
  }
  return to_duration(took);
}

[[nodiscard]] inline guess best_guess(history_store const& jobs,
                                      training_query const& job) noexcept {
  step_time_model model;
  bool is_newest = true;
  mean_duration same_configuration;
  mean_duration same_size;
  jobs.for_each_of(job.model, [&](history_store::entry const& e) {
    if (is_newest) {
      model = e.fit;
      is_newest = false;
    }
    if (e.seen.what.gpus != job.gpus) {
      return;
    }
    duration const took = scaled_to(job, e.seen);
    same_size.add(took);
    if (configuration_of(e.seen.what) == configuration_of(job)) {
      same_configuration.add(took);
    }
  });
  if (same_configuration.count() >= 2) {
    return {guess_basis::same_configuration, same_configuration.value()};
  }
  double const steps = steps_of(job);
  if (model.is_fitted() && steps > 0.0) {
    double const step = model.step(configuration_of(job));
    return {guess_basis::step_time, to_duration(rounded_product(step, steps))};
  }
  if (same_size.count() > 0) {
    return {guess_basis::same_size, same_size.value()};
  }
  // The most similar name; among equals that with as many GPUs, then the newest.
  mean_duration of_user;
  duration nearest{0};
  int most = 0;
  jobs.for_each_of(job.user, [&](history_store::entry const& e) {
    of_user.add(e.seen.took);
    bool const named = job.name != 0 && e.seen.what.name != 0;
    int const shared = named ? similarity(job.name, e.seen.what.name) : 0;
    int const rank = 2 * shared + (e.seen.what.gpus == job.gpus ? 1 : 0);
    if (shared >= similar_bits && rank > most) {
      most = rank;
      nearest = e.seen.took;
    }
  });
  if (most > 0) {
    return {guess_basis::similar_name, nearest};
  }
  if (of_user.count() > 0) {
    return {guess_basis::same_user, of_user.value()};
  }
  return {};
}

}  // namespace detail
BERTH_NAMESPACE_END
