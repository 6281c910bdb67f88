// SPDX-License-Identifier: BSL-1.0
// How many replicas an inference service needs for a load. Batches as Nexus sizes them (Shen et
// al., SOSP 2019), a cap on utilisation, Erlang's C (1917) against the latency objective, and the
// load that will have come by the time a replica that starts now serves.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/core/time.hpp>
#include <berth/inference/erlang.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

BERTH_NAMESPACE_BEGIN

inline constexpr std::int32_t max_replica_count = std::int32_t{1} << 16;
inline constexpr std::int32_t max_request_batch = std::int32_t{1} << 16;
inline constexpr std::chrono::microseconds max_objective = std::chrono::hours{1};
/// Of requests, in thousandths of a request per second: a billion requests per second.
inline constexpr std::int64_t max_request_rate = 1'000'000'000'000;

/// What a replica does and what is asked of the service. A batch of b requests takes
/// batch_fixed + b · batch_each.
struct inference_service {
  std::chrono::microseconds batch_fixed{0};
  std::chrono::microseconds batch_each{1};
  std::int32_t max_batch = 1;              ///< requests that fit into a replica at once
  std::chrono::microseconds objective{1};  ///< latency from arrival to answer
  std::int32_t late_millionths = 10'000;   ///< share of requests that may miss it
  std::int32_t utilisation_percent = 75;   ///< of a replica at most, 1 to 99
  duration startup{0};                     ///< cold start of a replica
  duration period{0};                      ///< between two questions
  std::int32_t min_replicas = 0;           ///< 0: without load there is none
  std::int32_t max_replicas = max_replica_count;

  [[nodiscard]] constexpr std::chrono::microseconds batch_time(std::int32_t batch) const noexcept {
    return batch_fixed + batch_each * batch;
  }
};

/// Requests that arrive.
struct offered_load {
  std::int64_t rate = 0;    ///< in thousandths of a request per second
  std::int64_t growth = 0;  ///< by how much the rate rises each second; if negative it counts as 0
};

/// What the number of replicas was decided by.
enum class replica_bound : std::uint8_t {
  minimum,      ///< min_replicas
  utilisation,  ///< the cap on utilisation
  waiting,      ///< fewer would let too many requests wait too long
  maximum,      ///< max_replicas, and more are needed
};

struct replica_demand {
  std::int32_t replicas = 0;
  std::int32_t batch = 0;            ///< the largest that a replica should form
  std::int64_t rate = 0;             ///< that was planned for: the load after startup + period
  std::int64_t late_millionths = 0;  ///< of requests with so many replicas, by the queue's formula
  replica_bound bound = replica_bound::minimum;
  friend constexpr bool operator==(replica_demand const&, replica_demand const&) noexcept = default;
};

/// The largest batch with 2 · batch_time <= objective: who just misses a batch waits for it and
/// goes with the next (Nexus). 0 if a single request is too slow. O(1).
[[nodiscard]] constexpr std::int32_t largest_batch(inference_service const& service) noexcept {
  auto const room = service.objective / 2 - service.batch_fixed;
  return room.count() <= 0 ? 0
                           : static_cast<std::int32_t>(std::min<std::int64_t>(
                                 room / service.batch_each, service.max_batch));
}

/// The first member that is not as said: `zero_or_negative` of batch_each or max_batch (latency,
/// batch_size), objective, max_replicas (replicas); `bad_number` beyond the maxima above, of
/// late_millionths outside [1, 1'000'000], of utilisation_percent outside [1, 99], of times outside
/// [0, max_duration]; `inconsistent` if min_replicas > max_replicas, or if a single request meets
/// no objective (objective). O(1).
[[nodiscard]] constexpr result<void> check_service(inference_service const& service) noexcept {
  auto const is_time = [](duration span) { return span >= duration{0} && span <= max_duration; };
  if (service.batch_each.count() <= 0) {
    return error{errc::zero_or_negative, field::latency};
  }
  if (service.batch_fixed.count() < 0 || service.batch_fixed > max_objective ||
      service.batch_each > max_objective) {
    return error{errc::bad_number, field::latency};
  }
  if (service.max_batch <= 0) {
    return error{errc::zero_or_negative, field::batch_size};
  }
  if (service.max_batch > max_request_batch) {
    return error{errc::bad_number, field::batch_size};
  }
  if (service.objective.count() <= 0) {
    return error{errc::zero_or_negative, field::objective};
  }
  if (service.objective > max_objective) {
    return error{errc::bad_number, field::objective};
  }
  if (service.late_millionths < 1 || service.late_millionths > 1'000'000) {
    return error{errc::bad_number, field::late};
  }
  if (service.utilisation_percent < 1 || service.utilisation_percent > 99) {
    return error{errc::bad_number, field::utilisation};
  }
  if (!is_time(service.startup)) {
    return error{errc::bad_number, field::startup};
  }
  if (!is_time(service.period)) {
    return error{errc::bad_number, field::period};
  }
  if (service.max_replicas <= 0) {
    return error{errc::zero_or_negative, field::replicas};
  }
  if (service.min_replicas < 0 || service.max_replicas > max_replica_count) {
    return error{errc::bad_number, field::replicas};
  }
  if (service.min_replicas > service.max_replicas) {
    return error{errc::inconsistent, field::replicas};
  }
  if (largest_batch(service) == 0) {
    return error{errc::inconsistent, field::objective};
  }
  return {};
}

/// The rate when a replica that is asked for now serves and until the next question after that:
/// rate + growth · (startup + period), at most max_request_rate. Precondition: 0 <= load.rate <=
/// max_request_rate, |load.growth| likewise. O(1).
[[nodiscard]] constexpr std::int64_t expected_rate(inference_service const& service,
                                                   offered_load const& load) noexcept {
  __extension__ using wide = __int128;
  wide const lead = wide{service.startup.count()} + service.period.count();
  wide const grown = (wide{std::max<std::int64_t>(0, load.growth)} * lead + 999) / 1000;
  return static_cast<std::int64_t>(std::min<wide>(load.rate + grown, max_request_rate));
}

/// Replicas for the load: the least number from min_replicas to max_replicas that keeps each below
/// its cap on utilisation, and of which M/M/n says that no more than late_millionths of the
/// requests wait longer than objective − batch_time. More replicas come with more load, never
/// fewer.
///
/// The probability is computed in doubles of a fixed form and rounded to millionths, upwards,
/// before it is compared. Errors: of check_service; `bad_number` (load) if the rate is negative or
/// beyond max_request_rate, or the growth is beyond it either way. No allocation. O(replicas).
[[nodiscard]] inline result<replica_demand> replicas_for(inference_service const& service,
                                                         offered_load const& load) noexcept {
  __extension__ using wide = __int128;
  if (auto const fine = check_service(service); !fine) {
    return fine.error();
  }
  if (load.rate < 0 || load.rate > max_request_rate || load.growth < -max_request_rate ||
      load.growth > max_request_rate) {
    return error{errc::bad_number, field::load};
  }
  replica_demand demand{.replicas = service.min_replicas,
                        .batch = largest_batch(service),
                        .rate = expected_rate(service, load)};
  if (demand.rate == 0) {
    return demand;
  }
  std::int64_t const batch_time = service.batch_time(demand.batch).count();
  // Erlangs are rate · batch_time / per_replica: thousandths of requests and microseconds.
  wide const per_replica = wide{demand.batch} * 1'000'000'000;
  wide const work = wide{demand.rate} * batch_time;
  wide const cap = per_replica * service.utilisation_percent;
  wide const capped = (work * 100 + cap - 1) / cap;
  if (capped > demand.replicas) {
    demand.replicas = static_cast<std::int32_t>(std::min<wide>(capped, service.max_replicas));
    demand.bound = replica_bound::utilisation;
  }

  detail::erlang_queue queue{
      detail::rounded_product(static_cast<double>(demand.rate), static_cast<double>(batch_time)) /
      static_cast<double>(per_replica)};
  // In service times of one request, batch_time / batch.
  double const patience =
      detail::rounded_product(static_cast<double>(service.objective.count() - batch_time),
                              demand.batch) /
      static_cast<double>(batch_time);
  auto const late = [&]() noexcept {
    double const millionths = detail::rounded_product(queue.waiting_longer(patience), 1e6);
    auto const below = static_cast<std::int64_t>(millionths);
    return below + (static_cast<double>(below) < millionths ? 1 : 0);
  };
  while (queue.servers() < demand.replicas) {
    queue.add_server();
  }
  demand.late_millionths = late();
  while (demand.late_millionths > service.late_millionths &&
         demand.replicas < service.max_replicas) {
    queue.add_server();
    ++demand.replicas;
    demand.late_millionths = late();
    demand.bound = replica_bound::waiting;
  }
  if (capped > service.max_replicas || demand.late_millionths > service.late_millionths) {
    demand.bound = replica_bound::maximum;
  }
  return demand;
}

BERTH_NAMESPACE_END
