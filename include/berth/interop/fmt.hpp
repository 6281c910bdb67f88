// SPDX-License-Identifier: BSL-1.0
// fmt formatters for what a host writes into its log. Link berth::fmt. Every formatter takes the
// options of a string (width, fill, alignment, precision) and nothing else.
//
//   job_id, node_id       job7.2, node3.0: slot and generation; none
//   error                 gang: must be positive
//   gpu_range             node3.0[0-3,6]
//   action                stop job7.2 run 1 on node3.0[0-3] (preempted for job9.0)
//   plan                  a line an action; nothing to do; refused: now: time went back
//   exchange_note         who gained by whose stop and at what price, or why nobody stopped
//   gpu_time              1.5 GPU·h, forbidden, unbounded
//   readable(duration)    2h30m, 1.250s, forever
//   readable(time_point)  1d2h, never
//   enumerations          their words: running, too few GPUs are free, unknown job, preempted
//
// Durations and instants go through a wrapper because std::chrono types belong to fmt/chrono.h.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/cost.hpp>
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/action.hpp>
#include <berth/model/exchange_note.hpp>
#include <berth/model/gpu.hpp>
#include <berth/model/job_state.hpp>
#include <berth/model/node.hpp>
#include <berth/model/wait_reason.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

/// A duration for people, exact to the millisecond.
struct readable_duration {
  duration value{};
};
[[nodiscard]] constexpr readable_duration readable(duration value) noexcept {
  return {value};
}

/// An instant for people: the time since the zero of the host's clock.
struct readable_time_point {
  time_point value{};
};
[[nodiscard]] constexpr readable_time_point readable(time_point value) noexcept {
  return {value};
}

namespace detail {

using text_buffer = fmt::memory_buffer;

inline void put(text_buffer& out, std::string_view text) {
  out.append(text);
}
template <class... Args>
void put(text_buffer& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

[[nodiscard]] constexpr std::string_view to_word(action_kind kind) noexcept {
  switch (kind) {
    case action_kind::start: return "start";
    case action_kind::stop: return "stop";
    case action_kind::carry_on: return "carry on";
    case action_kind::resize: return "resize";
  }
  return "?";
}
[[nodiscard]] constexpr std::string_view to_word(stop_reason reason) noexcept {
  switch (reason) {
    case stop_reason::none: return "no reason";
    case stop_reason::preempted: return "preempted";
    case stop_reason::cancelled: return "cancelled";
    case stop_reason::node_lost: return "node lost";
    case stop_reason::outbid: return "outbid";
    case stop_reason::recalled: return "recalled";
  }
  return "?";
}
[[nodiscard]] constexpr std::string_view to_word(node_health health) noexcept {
  switch (health) {
    case node_health::up: return "up";
    case node_health::draining: return "draining";
    case node_health::down: return "down";
  }
  return "?";
}
[[nodiscard]] constexpr std::string_view to_word(gpu_state state) noexcept {
  switch (state) {
    case gpu_state::free: return "free";
    case gpu_state::held: return "held";
    case gpu_state::draining: return "draining";
    case gpu_state::promised: return "promised";
    case gpu_state::reserved: return "reserved";
    case gpu_state::down: return "down";
  }
  return "?";
}
[[nodiscard]] constexpr std::string_view to_word(job_state state) noexcept {
  return to_string(state);
}
[[nodiscard]] constexpr std::string_view to_word(wait_reason reason) noexcept {
  return to_string(reason);
}
[[nodiscard]] constexpr std::string_view to_word(errc code) noexcept {
  return to_string(code);
}
[[nodiscard]] constexpr std::string_view to_word(field where) noexcept {
  return to_string(where);
}

// Host-chosen numbers print as numbers.
template <class T>
concept numbered =
    std::same_as<T, gpu_type> || std::same_as<T, rack_id> || std::same_as<T, tenant_id> ||
    std::same_as<T, group_id> || std::same_as<T, run_number>;
template <class T>
concept worded = requires(T value) {
  { to_word(value) } -> std::same_as<std::string_view>;
};

template <worded T>
void write(text_buffer& out, T value) {
  put(out, to_word(value));
}
template <numbered T>
void write(text_buffer& out, T value) {
  put(out, "{}", static_cast<std::uint64_t>(value));
}
template <class Tag>
void write(text_buffer& out, id<Tag> value) {
  if (value.is_null()) {
    put(out, "none");
    return;
  }
  put(out, std::same_as<Tag, job_tag> ? "job" : std::same_as<Tag, node_tag> ? "node" : "id");
  put(out, "{}.{}", value.slot(), value.generation());
}
inline void write(text_buffer& out, error value) {
  if (value.where != field::none) {
    put(out, to_word(value.where));
    put(out, ": ");
  }
  put(out, to_word(value.code));
}
inline void write(text_buffer& out, readable_duration span) {
  if (span.value == forever) {
    put(out, "forever");
    return;
  }
  bool const negative = span.value < duration{0};
  put(out, negative ? "-" : "");
  // The magnitude of the smallest duration is no duration, but it is a number without sign.
  auto left = static_cast<std::uint64_t>(span.value.count());
  left = negative ? 0 - left : left;
  constexpr std::uint64_t second = 1000;
  constexpr std::uint64_t minute = 60 * second;
  constexpr std::uint64_t hour = 60 * minute;
  constexpr std::uint64_t day = 24 * hour;
  std::size_t const before = out.size();
  auto const part = [&](std::uint64_t unit, std::string_view name) {
    if (left >= unit) {
      put(out, "{}{}", left / unit, name);
      left %= unit;
    }
  };
  part(day, "d");
  part(hour, "h");
  part(minute, "m");
  if (left % second != 0) {
    put(out, "{}.{:03}s", left / second, left % second);
  } else if (left != 0 || out.size() == before) {
    put(out, "{}s", left / second);
  }
}
inline void write(text_buffer& out, readable_time_point at) {
  if (at.value == never) {
    put(out, "never");
  } else {
    write(out, readable(at.value.time_since_epoch()));
  }
}
/// The largest unit of which it is at least one, with up to three digits behind the point, cut off.
inline void write(text_buffer& out, gpu_time cost) {
  if (cost.is_forbidden()) {
    put(out, "forbidden");
    return;
  }
  if (cost >= gpu_time::max()) {
    put(out, "unbounded");
    return;
  }
  std::int64_t const size = cost.count() < 0 ? -cost.count() : cost.count();
  std::int64_t const unit = size >= 3'600'000 ? 3'600'000 : 1000;
  std::int64_t const thousandths = size % unit * 1000 / unit;
  put(out, cost.count() < 0 ? "-" : "");
  put(out, "{}", size / unit);
  if (thousandths != 0) {
    std::int64_t const digits = thousandths % 100 == 0 ? 1 : thousandths % 10 == 0 ? 2 : 3;
    put(out, ".{:0{}}", thousandths / (digits == 1 ? 100 : digits == 2 ? 10 : 1), digits);
  }
  put(out, unit == 1000 ? " GPU·s" : " GPU·h");
}
inline void write(text_buffer& out, gpu_range const& range) {
  write(out, range.node);
  put(out, "[");
  bool first = true;
  for (int at = 0; at < max_gpus_per_node; ++at) {
    auto const has = [&](int gpu) {
      return gpu < max_gpus_per_node && ((range.gpus >> gpu) & 1u) != 0;
    };
    if (!has(at)) {
      continue;
    }
    int last = at;
    while (has(last + 1)) {
      ++last;
    }
    put(out, first ? "" : ",");
    put(out, "{}", at);
    if (last > at) {
      put(out, "-{}", last);
    }
    first = false;
    at = last;
  }
  put(out, "]");
}
inline void write(text_buffer& out, action const& decided) {
  put(out, to_word(decided.kind));
  put(out, " ");
  write(out, decided.job);
  put(out, " run {}", static_cast<std::uint32_t>(decided.run));
  std::string_view before = " on ";
  for (gpu_range const& range : decided.gpus) {
    put(out, before);
    write(out, range);
    before = " ";
  }
  if (decided.reason != stop_reason::none) {
    put(out, " (");
    put(out, to_word(decided.reason));
    if (!decided.beneficiary.is_null()) {
      put(out, " for ");
      write(out, decided.beneficiary);
    }
    put(out, ")");
  }
}
inline void write(text_buffer& out, plan const& decided) {
  if (decided.is_refused()) {
    put(out, "refused: ");
    write(out, decided.error());
    return;
  }
  if (decided.empty()) {
    put(out, "nothing to do");
  }
  std::string_view before;
  for (action const& each : decided) {
    put(out, before);
    write(out, each);
    before = "\n";
  }
}
inline void write(text_buffer& out, exchange_note const& note) {
  if (note.beneficiary.is_null()) {
    put(out, "no stop was ever weighed");
    return;
  }
  put(out, "at ");
  write(out, readable(note.decided));
  bool const one = note.victims == 1;
  put(out, note.made ? "" : " it did not pay that");
  if (note.victims == 0) {
    put(out, " anybody");
  } else {
    put(out, " {} {}", note.victims, one ? "job" : "jobs");
  }
  put(out,
      note.made ? one ? " was told to stop for " : " were told to stop for " : " stopped for ");
  write(out, note.beneficiary);
  std::string_view before = ": ";
  auto const part = [&](std::string_view what, auto const& value) {
    put(out, before);
    put(out, what);
    write(out, value);
    before = "; ";
  };
  if (note.made) {
    part("stopping and restarting destroys ", note.lost);
  }
  if (note.cost != forever) {
    part("else it waits ", readable(note.wait));
    part(note.made           ? "all lose together "
         : note.victims == 0 ? "one alone would lose more than "
                             : "all would lose together ",
         readable(note.cost));
  }
  if (note.made && note.next_best != forever) {
    part("the next best place costs ", readable(note.next_best));
  }
}

template <class T>
concept writable = requires(text_buffer& out, T const& value) { write(out, value); };

/// Formats into a buffer, then as a string, so that width and alignment mean what they mean there.
template <writable T>
struct text_formatter : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(T const& value, Context& context) const {
    text_buffer text;
    write(text, value);
    return fmt::formatter<fmt::string_view>::format(fmt::string_view{text.data(), text.size()},
                                                    context);
  }
};

}  // namespace detail
BERTH_NAMESPACE_END

template <class Tag>
struct fmt::formatter<berth::id<Tag>> : berth::detail::text_formatter<berth::id<Tag>> {};
template <class T>
  requires berth::detail::worded<T> || berth::detail::numbered<T>
struct fmt::formatter<T> : berth::detail::text_formatter<T> {};
template <>
struct fmt::formatter<berth::error> : berth::detail::text_formatter<berth::error> {};
template <>
struct fmt::formatter<berth::gpu_time> : berth::detail::text_formatter<berth::gpu_time> {};
template <>
struct fmt::formatter<berth::gpu_range> : berth::detail::text_formatter<berth::gpu_range> {};
template <>
struct fmt::formatter<berth::action> : berth::detail::text_formatter<berth::action> {};
template <>
struct fmt::formatter<berth::plan> : berth::detail::text_formatter<berth::plan> {};
template <>
struct fmt::formatter<berth::exchange_note> : berth::detail::text_formatter<berth::exchange_note> {
};
template <>
struct fmt::formatter<berth::readable_duration>
    : berth::detail::text_formatter<berth::readable_duration> {};
template <>
struct fmt::formatter<berth::readable_time_point>
    : berth::detail::text_formatter<berth::readable_time_point> {};
