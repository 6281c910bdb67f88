// SPDX-License-Identifier: BSL-1.0
// The jobs that a predictor remembers: a ring of fixed size, found by model and by user.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/step_time.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

BERTH_NAMESPACE_BEGIN

/// What a job is, as far as a prediction may depend on it; 0 = not said.
struct training_query {
  model_id model{};
  user_id user{};
  std::uint64_t name = 0;  ///< sketch(name)
  std::int32_t gpus = 1;
  std::int32_t nodes = 0;       ///< 0: as few as they fit on
  std::int32_t batch_size = 0;  ///< samples per GPU and step
  std::int32_t epochs = 0;
  std::int64_t samples = 0;  ///< per epoch
};

/// A job that ended well, and how long it took at speed 1.
struct training_record {
  training_query what;
  duration took{0};
};

namespace detail {

/// Records are numbered from 1 in the order of their arrival. Of those with one model, and with one
/// user, each knows the one before in its bucket; a number that has left the ring ends the chain.
class history_store {
 public:
  struct entry {
    training_record seen;
    std::uint64_t before_of_model = 0;
    std::uint64_t before_of_user = 0;
    step_time_model fit;  ///< of its model, when this record had arrived
  };

  /// Throws std::bad_alloc. No other member allocates.
  explicit history_store(std::uint32_t capacity)
      : ring_(std::max<std::uint32_t>(1, capacity)),
        models_(std::bit_ceil(ring_.size())),
        users_(models_.size()) {}

  [[nodiscard]] std::size_t capacity() const noexcept { return ring_.size(); }
  /// Number of the last record; 0 = none.
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  /// Number of the oldest that is still there.
  [[nodiscard]] std::uint64_t first() const noexcept {
    return last_ < ring_.size() ? 1 : last_ - ring_.size() + 1;
  }
  [[nodiscard]] entry& operator[](std::uint64_t number) noexcept {
    return ring_[(number - 1) % ring_.size()];
  }
  [[nodiscard]] entry const& operator[](std::uint64_t number) const noexcept {
    return ring_[(number - 1) % ring_.size()];
  }

  /// The oldest record goes if the ring is full. O(1).
  entry& push(training_record const& seen) noexcept {
    entry& added = (*this)[++last_];
    added = {seen, 0, 0, {}};
    if (seen.what.model != model_id{}) {
      std::uint64_t& head = models_[bucket(static_cast<std::uint32_t>(seen.what.model))];
      added.before_of_model = head;
      head = last_;
    }
    if (seen.what.user != user_id{}) {
      std::uint64_t& head = users_[bucket(static_cast<std::uint32_t>(seen.what.user))];
      added.before_of_user = head;
      head = last_;
    }
    return added;
  }
  void clear() noexcept {
    std::fill(models_.begin(), models_.end(), 0);
    std::fill(users_.begin(), users_.end(), 0);
    last_ = 0;
  }

  /// Calls visit(entry) for the newest records of a model, at most 64. O(1).
  template <class Visit>
  void for_each_of(model_id model, Visit&& visit) const {
    if (model != model_id{}) {
      walk(
          models_[bucket(static_cast<std::uint32_t>(model))], &entry::before_of_model,
          [&](entry const& e) { return e.seen.what.model == model; }, visit);
    }
  }
  /// The same for a user.
  template <class Visit>
  void for_each_of(user_id user, Visit&& visit) const {
    if (user != user_id{}) {
      walk(
          users_[bucket(static_cast<std::uint32_t>(user))], &entry::before_of_user,
          [&](entry const& e) { return e.seen.what.user == user; }, visit);
    }
  }
  static constexpr int most_visited = 64;

 private:
  [[nodiscard]] std::size_t bucket(std::uint32_t id) const noexcept {
    return (std::uint64_t{id} * 0x9e3779b97f4a7c15u >> 32) & (models_.size() - 1);
  }
  template <class IsMeant, class Visit>
  void walk(std::uint64_t number, std::uint64_t entry::*before, IsMeant&& is_meant,
            Visit&& visit) const {
    int visited = 0;
    // Others in the bucket are passed over, but not without end.
    for (int steps = 0; number >= first() && number > 0 && steps < 4 * most_visited; ++steps) {
      entry const& e = (*this)[number];
      if (is_meant(e)) {
        visit(e);
        if (++visited == most_visited) {
          return;
        }
      }
      number = e.*before;
    }
  }

  std::vector<entry> ring_;
  std::vector<std::uint64_t> models_;  ///< newest record of each bucket
  std::vector<std::uint64_t> users_;
  std::uint64_t last_ = 0;
};

}  // namespace detail
BERTH_NAMESPACE_END
