// SPDX-License-Identifier: BSL-1.0
// How an application learns: what each epoch takes, and how noisy its gradients are meanwhile.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/predictors/goodput.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// The end of an epoch, as recorded at one batch size.
struct epoch_record {
  double progress = 0;   ///< since the start, in iterations at the initial batch size
  double iteration = 0;  ///< since the start, at the batch size of the record
  double square = 0;     ///< of the gradient, as gradient_noise
  double variance = 0;
};

/// Recorded at several total batch sizes; between two of them, what was recorded is linear in the
/// batch size, and beyond the outermost as there. All records have the same number of epochs.
class training_curve {
 public:
  /// Preconditions: as many epochs as others, at least one; batch > 0, not there yet.
  void add(std::int32_t batch, std::vector<epoch_record> record) {
    BERTH_ASSERT(batch > 0 && !record.empty(), "a record of something");
    BERTH_ASSERT(records_.empty() || record.size() == marks_.size(), "as many epochs as others");
    marks_.resize(record.size(), record.back().progress);
    for (std::size_t epoch = 0; epoch < record.size(); ++epoch) {
      marks_[epoch] = records_.empty() ? record[epoch].progress
                                       : std::min(marks_[epoch], record[epoch].progress);
    }
    records_.emplace(batch, std::move(record));
  }

  [[nodiscard]] std::int32_t epochs() const noexcept {
    return static_cast<std::int32_t>(marks_.size());
  }
  [[nodiscard]] std::int32_t min_batch() const noexcept { return records_.begin()->first; }
  [[nodiscard]] std::int32_t max_batch() const noexcept { return records_.rbegin()->first; }
  /// Progress at which that epoch, from 0, ends: the least of all records, so that no batch size
  /// has to wait for another.
  [[nodiscard]] double mark(std::int32_t epoch) const noexcept {
    return marks_[static_cast<std::size_t>(epoch)];
  }
  [[nodiscard]] double total() const noexcept { return marks_.back(); }
  /// Iterations at that batch size until the end of an epoch.
  [[nodiscard]] double iteration(double batch, std::int32_t epoch) const {
    return between(batch, epoch).iteration;
  }
  /// During an epoch. O(log records).
  [[nodiscard]] gradient_noise noise(double batch, std::int32_t epoch) const {
    epoch_record const found = between(batch, epoch);
    return {found.square, found.variance, min_batch()};
  }

 private:
  [[nodiscard]] epoch_record between(double batch, std::int32_t epoch) const {
    auto const at = static_cast<std::size_t>(epoch);
    auto high = records_.begin();
    while (high != records_.end() && high->first < batch) {
      ++high;
    }
    if (high == records_.end()) {
      return std::prev(high)->second[at];
    }
    if (high == records_.begin()) {
      return high->second[at];
    }
    auto const low = std::prev(high);
    double const share = (batch - low->first) / (high->first - low->first);
    auto const mix = [share](double a, double b) { return a + share * (b - a); };
    epoch_record const& a = low->second[at];
    epoch_record const& b = high->second[at];
    return {mix(a.progress, b.progress), mix(a.iteration, b.iteration), mix(a.square, b.square),
            mix(a.variance, b.variance)};
  }

  std::map<std::int32_t, std::vector<epoch_record>> records_;  ///< by batch size
  std::vector<double> marks_;
};

}  // namespace sim

BERTH_NAMESPACE_END
