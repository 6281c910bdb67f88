// SPDX-License-Identifier: BSL-1.0
// Another predictor, with its error as measured.
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
#include <berth/model/shape.hpp>
#include <berth/predictors/declared.hpp>
#include <berth/predictors/log_histogram.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

BERTH_NAMESPACE_BEGIN

/// Learns from jobs that ended well how far the truth lay from the first estimate: a histogram of
/// run time / p50 at submit, in which the old fades. Until `enough` jobs have ended it answers as
/// `Predictor` does; from then on p10, p50 and p90 are the first p50 times those quantiles, given
/// that the job has lasted so long already (counted_down). A predictor that observes the job is
/// believed while it runs: there, the quantiles scale what it says is left. An exact predictor
/// stays exact, one that is always half of the truth is doubled. O(1), 1 KiB.
template <throughput_predictor Predictor = declared>
struct calibrated {
  using component_role = predictor_role;

  struct job_data : job_data_of<Predictor> {
    duration first{0};  ///< p50 at submit, at the best speed it may get; 0 = not asked yet
  };

  calibrated() = default;
  explicit calibrated(Predictor corrected) noexcept : base{std::move(corrected)} {}

  Predictor base{};
  std::uint32_t enough = 20;  ///< jobs that must have ended before the histogram is believed

  [[nodiscard]] estimate remaining(job_view const& job, job_data& data,
                                   tick_context const& tick) const noexcept {
    estimate const answer = ask_remaining(base, job, data, tick);
    if (data.first == duration{0}) {
      data.first = answer.p50 > max_duration
                       ? forever
                       : std::max(duration{1}, at_best_speed(job, answer.p50));
    }
    if (errors_.seen() < enough || answer.p50 > max_duration) {
      return answer;
    }
    if (observing_predictor<Predictor> || reading_predictor<Predictor> || data.first == forever) {
      return scaled(answer.p50);
    }
    return counted_down(scaled(from_best_speed(job, data.first)), job.useful_run_time());
  }

  template <class Report>
    requires requires(Predictor const& p, job_view const& j, job_data_of<Predictor>& d,
                      Report const& e) { p.observe(j, d, e); }
  void observe(job_view const& job, job_data& data, Report const& report) const noexcept {
    base.observe(job, data, report);
  }

  void learn(job_view const& job, job_data& data, duration took) noexcept {
    if (data.first != duration{0} && data.first != forever) {
      errors_.add(at_best_speed(job, took).count(), data.first.count());
    }
    if constexpr (learning_predictor<Predictor>) {
      base.learn(job, data, took);
    }
  }

  /// Truth / estimate, as seen so far.
  [[nodiscard]] ratio_histogram const& errors() const noexcept { return errors_; }

  [[nodiscard]] static std::size_t save_size() noexcept {
    detail::byte_counter counter;
    ratio_histogram const fresh;
    fields(counter, fresh);
    return counter.bytes();
  }
  /// Writes what it has learned, but what `base` has; returns the bytes written. Errors:
  /// capacity_exceeded.
  result<std::size_t> save(std::span<std::byte> into) const noexcept {
    if (into.size() < save_size()) {
      return error{errc::capacity_exceeded, field::message};
    }
    detail::byte_writer writer{into};
    fields(writer, errors_);
    return save_size();
  }
  /// Errors: bad_data with the field: message if truncated, too long or not of this format,
  /// estimate if the content is impossible. After an error it is as it was.
  result<void> load(std::span<std::byte const> from) noexcept {
    ratio_histogram read;
    detail::byte_reader reader{from};
    fields(reader, read);
    if (!reader.ok() || !reader.at_end()) {
      return error{errc::bad_data, field::message};
    }
    if (!read.is_sound()) {
      return error{errc::bad_data, field::estimate};
    }
    errors_ = read;
    return {};
  }

 private:
  static constexpr std::uint64_t format = 0x3130'626c'6163'7462u;  // "btcalb01"

  template <class Archive, class Histogram>
  static void fields(Archive& a, Histogram& errors) {
    std::uint64_t magic = format;
    a(magic);
    a.require(magic == format);
    ratio_histogram::fields(a, errors);
  }
  [[nodiscard]] static duration at_best_speed(job_view const& job, duration span) noexcept {
    return duration{gpu_time{job.speed(), span}.count() / job.best_speed()};
  }
  [[nodiscard]] static duration from_best_speed(job_view const& job, duration span) noexcept {
    return std::min(max_duration, duration{gpu_time{job.best_speed(), span}.count() / job.speed()});
  }
  [[nodiscard]] estimate scaled(duration span) const noexcept {
    auto const at = [&](std::uint32_t percent) {
      return std::clamp(duration{errors_.quantile(percent, span.count())}, duration{1},
                        max_duration);
    };
    return {at(10), at(50), at(90)};
  }

  ratio_histogram errors_;
};

BERTH_NAMESPACE_END
