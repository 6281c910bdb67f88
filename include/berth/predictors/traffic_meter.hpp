// SPDX-License-Identifier: BSL-1.0
// Epochs of a training job, told from what it reads from storage. On its own, without a scheduler.
#pragma once

#include <berth/concepts/throughput_predictor.hpp>
#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/traffic_rates.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

BERTH_NAMESPACE_BEGIN

/// Two ways to tell where a job is. While a data set of known size is streamed, an epoch is as many
/// bytes; its period is the time that the last so many took. Where the size is unknown, or nothing
/// or little is read after the first epoch because the data are cached, it is the period in the
/// rate (gaps for validation and checkpoints, or what is read for them), and an epoch ends where
/// the rate rises.
///
/// Missing samples count as an even rate in between; a sample of no later instant is ignored; a
/// total below the one before is believed when the next is below it too, as a counter that began
/// again.
struct traffic_meter {
  traffic_rates rates;
  duration counted_period{0};  ///< of the last whole epoch in bytes; 0 = not yet
  duration heard_period{0};    ///< by the rhythm; 0 = not heard
  time_point heard_rise = never;
  time_point began = never;         ///< of this run; never before the first
  time_point sampled = never;       ///< last sample
  time_point epoch_began = never;   ///< by bytes
  time_point cached_since = never;  ///< little is read any more, though the size is known
  time_point doubted_at = never;    ///< a sample below the one before it; never = none
  std::int64_t total = 0;           ///< of the last sample
  std::int64_t doubted_total = 0;
  std::int64_t dataset_bytes = 0;   ///< 0 = unknown
  std::int64_t in_epoch = 0;        ///< bytes since the last end of an epoch
  std::int64_t counted_epochs = 0;  ///< in this run, by bytes
  std::int64_t earlier_epochs = 0;  ///< in earlier runs

  /// The job starts, or starts again: its counter is at 0 and it begins an epoch. What was measured
  /// stays; an epoch that was all but read in the last run counts as done.
  void begin_run(time_point at) noexcept {
    if (began != never) {
      epoch_clock const last = clock(sampled);
      earlier_epochs = epochs_done(sampled);
      if (last.period > duration{0} && last.began != never &&
          sampled - last.began >= last.period - last.period / 20) {
        ++earlier_epochs;
      }
    }
    rates.restart(at);
    began = at;
    sampled = at;
    epoch_began = at;
    doubted_at = never;
    heard_rise = never;
    total = 0;
    in_epoch = 0;
    counted_epochs = 0;
    cached_since = never;
  }

  /// Periods that were measured at one speed are expected at another.
  void rescale(std::int64_t from, std::int64_t to) noexcept {
    counted_period = std::min(max_duration, duration{scaled(from, counted_period, duration{to})});
    heard_period = std::min(max_duration, duration{scaled(from, heard_period, duration{to})});
  }

  /// `read` bytes in all since the run began; an epoch reads `size` bytes, 0 = unknown.
  /// Precondition: a run has begun; 0 <= read, size <= 2^60. O(1): at worst a few thousand
  /// additions.
  void sample(time_point at, std::int64_t read, std::int64_t size) noexcept {
    if (at <= sampled || (is_in_doubt() && at <= doubted_at)) {
      return;
    }
    if (read < total && !is_in_doubt()) {
      doubted_at = at;
      doubted_total = read;
      return;
    }
    std::int64_t amount = read - total;
    if (amount < 0) {  // it began again, no one knows when: at the rate since the doubted sample
      amount =
          scaled(std::max<std::int64_t>(0, read - doubted_total), at - sampled, at - doubted_at);
    }
    doubted_at = never;
    total = read;
    dataset_bytes = size;
    count(at, amount);
    if (!counts_bytes() && rates.add(at, amount)) {
      if (rhythm const heard = rates.find(); heard.period > duration{0}) {
        heard_period = heard.period;
        heard_rise = heard.rise;
      }
    }
    sampled = at;
  }

  /// Where the job is in its epoch at `now`. Unknown until the first was seen in part (size known)
  /// or three were (unknown).
  [[nodiscard]] epoch_clock clock(time_point now) const noexcept {
    if (began == never) {
      return {};
    }
    if (counts_bytes()) {
      duration const period = counted();
      if (period == duration{0}) {
        return {};
      }
      duration const age = part_of(period, share_of(in_epoch, dataset_bytes));
      return {period, std::min(now, sampled - age)};
    }
    duration const period = heard_period > duration{0} ? heard_period : counted_period;
    if (period <= duration{0}) {
      return {};
    }
    time_point const some_end =
        heard_rise != never && heard_period > duration{0} ? heard_rise : epoch_began;
    duration const since = now - some_end;
    duration const age = since >= duration{0} ? since % period : duration{0};
    return {period, std::max(began, now - age)};
  }

  /// Whole epochs until `now`, over all runs.
  [[nodiscard]] std::int64_t epochs_done(time_point now) const noexcept {
    if (counts_bytes()) {
      return earlier_epochs + counted_epochs;
    }
    epoch_clock const at = clock(now);
    if (at.period <= duration{0}) {
      return earlier_epochs + counted_epochs;
    }
    if (cached_since != never) {  // the first was counted, and the others begin with it
      duration const since = at.began - epoch_began + at.period / 2;
      return earlier_epochs + counted_epochs + std::max<std::int64_t>(0, since / at.period);
    }
    return earlier_epochs + (at.began - began + at.period / 2) / at.period;
  }

 private:
  [[nodiscard]] bool counts_bytes() const noexcept {
    return dataset_bytes > 0 && cached_since == never;
  }

  [[nodiscard]] bool is_in_doubt() const noexcept { return doubted_at != never; }

  /// part / whole in parts per 2^20; neither is negative, part <= whole, whole > 0.
  [[nodiscard]] static std::int64_t share_of(std::int64_t part, std::int64_t whole) noexcept {
    std::int64_t const unit = std::max<std::int64_t>(1, whole >> 20);
    return (part / unit << 20) / (whole / unit);
  }
  [[nodiscard]] static duration part_of(duration whole, std::int64_t share) noexcept {
    return duration{gpu_time{share, whole}.count() >> 20};
  }
  /// amount * to / from, at most 2^60.
  [[nodiscard]] static std::int64_t scaled(std::int64_t amount, duration to,
                                           duration from) noexcept {
    std::int64_t const per = std::max<std::int64_t>(1, from.count());
    gpu_time const whole = gpu_time{amount / per, to};
    gpu_time const rest{gpu_time{amount % per, to}.count() / per};
    return std::min(std::int64_t{1} << 60, (whole + rest).count());
  }

  /// The period by bytes: of the last epoch, or from what is seen of the first.
  [[nodiscard]] duration counted() const noexcept {
    if (counted_period > duration{0}) {
      return counted_period;
    }
    std::int64_t const share = share_of(in_epoch, dataset_bytes);
    duration const seen = std::min(sampled - epoch_began, max_duration);
    bool const enough = share >= (1 << 14);  // a 64th
    return enough ? std::min(max_duration, duration{(seen.count() << 20) / share}) : duration{0};
  }

  /// `amount` more bytes until `at`. While the data are cached, an epoch's worth of bytes in twice
  /// its time says that they are not.
  void count(time_point at, std::int64_t amount) noexcept {
    if (dataset_bytes <= 0) {
      return;
    }
    in_epoch += amount;
    std::int64_t const ends = in_epoch / dataset_bytes;
    if (ends > 0) {
      in_epoch %= dataset_bytes;
      if (cached_since == never) {
        end_epochs(at, amount, ends);
      } else {
        bool const streams = at - cached_since < 2 * counted_period;
        counted_epochs = streams ? epochs_done(at) - earlier_epochs : counted_epochs;
        epoch_began = streams ? at : epoch_began;
        cached_since = streams ? never : at;
      }
    }
    if (cached_since == never && counted_period > duration{0}) {
      duration const passed = at - epoch_began;
      duration const read = part_of(counted_period, share_of(in_epoch, dataset_bytes));
      if (passed >= counted_period / 2 && read < passed / 4) {
        cached_since = at;
        rates.restart(sampled);
      }
    }
  }
  /// What was read since the last sample was read evenly.
  void end_epochs(time_point at, std::int64_t amount, std::int64_t ends) noexcept {
    std::int64_t const since = std::min(in_epoch, amount);
    time_point const end =
        at - part_of(at - sampled, share_of(since, std::max<std::int64_t>(1, amount)));
    counted_period = std::max(duration{1}, (end - epoch_began) / ends);
    counted_epochs += ends;
    epoch_began = end;
  }
};
static_assert(std::has_unique_object_representations_v<traffic_meter>,
              "kept per job: equal data are equal bytes, in a snapshot and in a digest");

BERTH_NAMESPACE_END
