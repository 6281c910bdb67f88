// SPDX-License-Identifier: BSL-1.0
// How long jobs like this one took.
#pragma once

#include <berth/concepts/throughput_predictor.hpp>
#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/model/counted_down.hpp>
#include <berth/model/estimate.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/history_bytes.hpp>
#include <berth/predictors/history_guess.hpp>
#include <berth/predictors/history_store.hpp>
#include <berth/predictors/log_histogram.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

BERTH_NAMESPACE_BEGIN

/// Predicts from jobs that ended: per model from a step-time model that four of them determine
/// (step_time.hpp), else from the most similar ones (guess_basis). The interval is measured: before
/// a job is added, it is asked what would have been said, and p10, p50 and p90 are the guess times
/// the quantiles of truth / guess of that basis. After the first epochs the measured speed of the
/// job itself takes over. After PickyMan (IPCCC 2022), whose four jobs these are; the text of the
/// paper is not public, so the rest is ours. O(1) an answer and a record, bounded by 256 records
/// looked at; about 120 bytes a record, all allocated at construction.
class history {
 public:
  using component_role = predictor_role;

  /// Times at speed 1.
  struct job_data {
    duration measured{0};    ///< what the job takes in all, by its own progress
    std::int64_t trust = 0;  ///< in that, in thousandths
  };

  /// Remembers the last `capacity` jobs. Throws std::bad_alloc.
  explicit history(std::uint32_t capacity = 4096) : jobs_{capacity} {}

  // ---- without a scheduler ----

  /// How long such a job takes at speed 1; `forever` if no job has been recorded.
  [[nodiscard]] estimate predict(training_query const& job) const noexcept {
    guess const found = detail::best_guess(jobs_, job);
    if (found.basis == guess_basis::everybody) {
      auto const at = [&](std::uint32_t percent) {
        return jobs_.last() == 0 ? forever : bounded(duration{lengths_.quantile(percent, 1)});
      };
      return {at(10), at(50), at(90)};
    }
    return spread(errors_[static_cast<std::size_t>(found.basis)], found.basis, found.took);
  }
  /// What such a prediction would rest on.
  [[nodiscard]] guess_basis basis(training_query const& job) const noexcept {
    return detail::best_guess(jobs_, job).basis;
  }

  /// A job ended well. Errors, with nothing recorded: bad_number and the first bad member of gpus,
  /// node, batch_size, epochs, samples, work (took).
  result<void> record(training_record const& job) noexcept {
    if (auto const fine = detail::check_record(job); !fine) {
      return fine;
    }
    guess const found = detail::best_guess(jobs_, job.what);
    if (found.basis != guess_basis::everybody) {
      errors_[static_cast<std::size_t>(found.basis)].add(job.took.count(), found.took.count());
    }
    lengths_.add(job.took.count());
    step_time_model& fit = jobs_.push(job).fit;
    fit = detail::fit_model(jobs_, job.what.model);
    return {};
  }

  // ---- as a component ----

  [[nodiscard]] estimate remaining(job_view const& job, job_data const& data,
                                   tick_context const& tick) const noexcept {
    training_query const asked = query_of(job);
    job_spec const& spec = job.spec();
    bool const owner_knows = spec.work != forever || spec.estimate != forever;
    if (data.trust == 0 && owner_knows && basis(asked) == guess_basis::everybody) {
      return declared{}.remaining(job, tick);
    }
    estimate total = predict(asked);
    if (data.trust > 0) {
      estimate const own = spread(own_errors_, guess_basis::own_progress, data.measured);
      total = total.p50 == forever ? own
                                   : estimate{mixed(total.p10, own.p10, data.trust),
                                              mixed(total.p50, own.p50, data.trust),
                                              mixed(total.p90, own.p90, data.trust)};
    }
    auto const at_its_speed = [&](duration span) {
      return span == forever ? forever : bounded(detail::at_speed(span, job.speed()));
    };
    return counted_down({at_its_speed(total.p10), at_its_speed(total.p50), at_its_speed(total.p90)},
                        job.useful_run_time());
  }

  /// Trusts the job's own speed by half after one epoch, and wholly after two (schedulers.md A.2).
  /// Needs job_spec::work and job_spec::epochs, or there is nothing to measure by.
  void observe(job_view const& job, job_data& data, progress const& report) const noexcept {
    job_spec const& spec = job.spec();
    if (spec.work == forever || spec.epochs == 0 || report.done <= duration{0}) {
      return;
    }
    // Shares of the whole in units of 2^-20, so that no product leaves 64 bits.
    std::int64_t const done = std::min(report.done, spec.work).count();
    std::int64_t const share = std::max<std::int64_t>(1, (done << 20) / spec.work.count());
    std::int64_t const ran =
        std::min(max_duration, at_speed_one(job, job.useful_run_time())).count();
    data.measured = bounded(duration{(ran << 20) / share});
    data.trust = std::clamp<std::int64_t>((share * spec.epochs * 500) >> 20, 0, 1000);
  }

  void learn(job_view const& job, job_data& data, duration took) noexcept {
    duration const at_one = bounded(at_speed_one(job, took));
    if (data.trust >= 1000) {
      own_errors_.add(at_one.count(), data.measured.count());
    }
    if (gpus_asked(job.spec()) == job.gpus_held()) {  // else some had left before the end
      (void)record({query_of(job), at_one});
    }
  }

  // ---- saving ----

  [[nodiscard]] std::size_t save_size() const noexcept { return detail::saved_bytes(parts()); }
  /// Writes all that it has learned; returns the bytes written. Errors: capacity_exceeded.
  result<std::size_t> save(std::span<std::byte> into) const noexcept {
    return detail::save_history(parts(), into);
  }
  /// Replaces what it has learned; if it remembers less than what was saved, the newest. Errors:
  /// bad_data with the field: message if truncated, changed or of another format, else the member
  /// of a record that is impossible, or estimate. After an error it is as it was.
  result<void> load(std::span<std::byte const> from) noexcept {
    return detail::load_history(parts(), from);
  }

 private:
  [[nodiscard]] detail::history_parts<true> parts() const noexcept {
    return {jobs_, lengths_, errors_, own_errors_};
  }
  [[nodiscard]] detail::history_parts<false> parts() noexcept {
    return {jobs_, lengths_, errors_, own_errors_};
  }

  [[nodiscard]] static training_query query_of(job_view const& job) noexcept {
    job_spec const& spec = job.spec();
    return {.model = spec.model,
            .user = spec.user,
            .name = spec.name,
            .gpus = job.gang_gpus(),
            .nodes = job.nodes_held(),
            .batch_size = spec.batch_size,
            .epochs = spec.epochs,
            .samples = spec.samples};
  }
  [[nodiscard]] static std::int32_t gpus_asked(job_spec const& spec) noexcept {
    if (spec.roles[0].members == 0) {
      return spec.gang * spec.gpus_per_member;
    }
    std::int32_t sum = 0;
    for (role const& part : spec.roles) {
      sum += part.members * part.gpus;
    }
    return sum;
  }
  [[nodiscard]] static duration bounded(duration span) noexcept {
    return std::clamp(span, duration{1}, max_duration);
  }
  [[nodiscard]] static duration at_speed_one(job_view const& job, duration span) noexcept {
    return duration{gpu_time{job.speed(), span}.count() / unit_speed};
  }
  [[nodiscard]] static duration mixed(duration ours, duration own, std::int64_t trust) noexcept {
    return (ours * (1000 - trust) + own * trust) / 1000;
  }
  /// A guess with the errors that were measured, or assumed while too few were.
  [[nodiscard]] static estimate spread(ratio_histogram const& errors, guess_basis basis,
                                       duration guessed) noexcept {
    if (errors.seen() < enough) {
      std::int64_t const part = detail::assumed_spread(basis);
      return {bounded(guessed * 100 / part), guessed, bounded(guessed * part / 100)};
    }
    auto const at = [&](std::uint32_t percent) {
      return bounded(duration{errors.quantile(percent, guessed.count())});
    };
    return {at(10), at(50), at(90)};
  }
  static constexpr std::uint32_t enough = 20;

  detail::history_store jobs_;
  log_histogram<0, 41> lengths_;
  std::array<ratio_histogram, detail::measured_bases> errors_;  ///< by basis
  ratio_histogram own_errors_;  ///< of what the job's own progress said
};

BERTH_NAMESPACE_END
