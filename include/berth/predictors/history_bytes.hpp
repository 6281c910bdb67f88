// SPDX-License-Identifier: BSL-1.0
// What a history has learned as bytes: versioned, checked, the same on every platform.
#pragma once

#include <berth/core/byte_archive.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>
#include <berth/core/result.hpp>
#include <berth/predictors/history_guess.hpp>
#include <berth/predictors/history_store.hpp>
#include <berth/predictors/log_histogram.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

BERTH_NAMESPACE_BEGIN
namespace detail {

/// What a history consists of, to write from (const) or to read into.
template <bool IsConst>
struct history_parts {
  template <class T>
  using part = std::conditional_t<IsConst, T const, T>;

  part<history_store>& jobs;
  part<log_histogram<0, 41>>& lengths;
  part<std::array<ratio_histogram, measured_bases>>& errors;
  part<ratio_histogram>& own_errors;
};

struct history_head {
  std::uint64_t magic = 0x3130'7473'6968'7462u;  // "bthist01"
  std::uint64_t records = 0;
  std::uint64_t checksum = 0;  ///< of what follows

  template <class Archive, class Self>
  static void fields(Archive& a, Self& self) {
    a(self.magic);
    a(self.records);
    a(self.checksum);
  }
};

/// The list of members of a record that counting, writing and reading share.
template <class Archive, class Record>
void record_fields(Archive& a, Record& seen, four& terms) {
  a(seen.what.model);
  a(seen.what.user);
  a(seen.what.name);
  a(seen.what.gpus);
  a(seen.what.nodes);
  a(seen.what.batch_size);
  a(seen.what.epochs);
  a(seen.what.samples);
  a(seen.took);
  a(terms);
}
template <class Archive, class Lengths, class Errors, class Own>
void histogram_fields(Archive& a, Lengths& lengths, Errors& errors, Own& own) {
  log_histogram<0, 41>::fields(a, lengths);
  for (auto& each : errors) {
    ratio_histogram::fields(a, each);
  }
  ratio_histogram::fields(a, own);
}

[[nodiscard]] inline std::size_t saved_bytes(history_parts<true> const& parts) noexcept {
  byte_counter head;
  history_head const none{};
  history_head::fields(head, none);
  byte_counter line;
  four terms{};
  training_record const seen{};
  record_fields(line, seen, terms);
  byte_counter rest;
  histogram_fields(rest, parts.lengths, parts.errors, parts.own_errors);
  auto const records = static_cast<std::size_t>(parts.jobs.last() + 1 - parts.jobs.first());
  return head.bytes() + rest.bytes() + records * line.bytes();
}

/// `into` holds at least saved_bytes().
inline result<std::size_t> save_history(history_parts<true> const& parts,
                                        std::span<std::byte> into) noexcept {
  std::size_t const bytes = saved_bytes(parts);
  if (into.size() < bytes) {
    return error{errc::capacity_exceeded, field::message};
  }
  byte_counter counter;
  history_head const none{};
  history_head::fields(counter, none);
  std::span<std::byte> const body = into.subspan(counter.bytes(), bytes - counter.bytes());
  byte_writer writer{body};
  histogram_fields(writer, parts.lengths, parts.errors, parts.own_errors);
  for (std::uint64_t number = parts.jobs.first(); number <= parts.jobs.last(); ++number) {
    four terms = parts.jobs[number].fit.terms();
    record_fields(writer, parts.jobs[number].seen, terms);
  }
  history_head const head{.records = parts.jobs.last() + 1 - parts.jobs.first(),
                          .checksum = checksum(body)};
  byte_writer first{into};
  history_head::fields(first, head);
  return bytes;
}

/// Reads everything twice: first to judge it, then to keep it.
inline result<void> load_history(history_parts<false> const& parts,
                                 std::span<std::byte const> from) noexcept {
  error const not_ours{errc::bad_data, field::message};
  byte_reader reader{from};
  history_head head;
  history_head::fields(reader, head);
  if (!reader.ok() || head.magic != history_head{}.magic ||
      head.checksum != checksum(from.subspan(reader.position()))) {
    return not_ours;
  }
  log_histogram<0, 41> lengths;
  std::array<ratio_histogram, measured_bases> errors;
  ratio_histogram own;
  histogram_fields(reader, lengths, errors, own);
  bool sound = lengths.is_sound() && own.is_sound();
  for (ratio_histogram const& each : errors) {
    sound = sound && each.is_sound();
  }
  if (reader.ok() && !sound) {
    return error{errc::bad_data, field::estimate};
  }
  std::size_t const records_at = reader.position();
  for (std::uint64_t i = 0; i < head.records && reader.ok(); ++i) {
    training_record seen;
    four terms{};
    record_fields(reader, seen, terms);
    if (auto const fine = check_record(seen); reader.ok() && !fine) {
      return error{errc::bad_data, fine.error().where};
    }
    for (double const term : terms) {
      if (!(term >= 0.0 && term < 1e300)) {
        return error{errc::bad_data, field::estimate};
      }
    }
  }
  if (!reader.ok() || !reader.at_end()) {
    return not_ours;
  }
  reader.seek(records_at);
  parts.jobs.clear();
  for (std::uint64_t i = 0; i < head.records; ++i) {
    training_record seen;
    four terms{};
    record_fields(reader, seen, terms);
    parts.jobs.push(seen).fit = step_time_model{terms};
  }
  parts.lengths = lengths;
  parts.errors = errors;
  parts.own_errors = own;
  return {};
}

}  // namespace detail
BERTH_NAMESPACE_END
