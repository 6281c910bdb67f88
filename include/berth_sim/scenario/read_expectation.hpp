// SPDX-License-Identifier: BSL-1.0
// What a case expects, as a list of claims.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/scenario/fields.hpp>
#include <berth_sim/scenario/reason_codes.hpp>
#include <berth_sim/scenario/situation.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario::detail {

[[nodiscard]] inline std::vector<std::string> read_names(json const& value,
                                                         std::string const& path) {
  std::vector<std::string> names;
  for_each_element(value, path, [&](json const& element, std::string const& at) {
    names.push_back(name(element, at));
  });
  return names;
}

/// Adds a claim for each member of an object; fill(claim, value, path) reads what is claimed.
template <class Fill>
void read_map(claim_kind kind, json const& value, std::string const& path, std::vector<claim>& into,
              Fill&& fill) {
  if (!value.is_object()) {
    refuse(path, "must be an object");
  }
  for (auto const& [key, claimed] : value.items()) {
    claim made;
    made.kind = kind;
    made.subject = key;
    fill(made, claimed, path + "." + key);
    into.push_back(std::move(made));
  }
}

inline void read_metric(claim& made, json const& value, std::string const& path) {
  constexpr double limit = 1.0e15;
  if (!value.is_object()) {
    made.number = made.largest = real(value, path, -limit, limit);
    return;
  }
  fields in{value, path};
  made.number = -std::numeric_limits<double>::infinity();
  made.largest = std::numeric_limits<double>::infinity();
  bool given = in.with("min", [&](auto& v, auto p) { made.number = real(v, p, -limit, limit); });
  given =
      in.with("max", [&](auto& v, auto p) { made.largest = real(v, p, -limit, limit); }) || given;
  in.finish();
  if (!given) {
    refuse(path, "give min or max");
  }
}

inline void read_attempt(claim& made, json const& value, std::string const& path) {
  std::string const& digits = made.subject;
  bool const fine =
      !digits.empty() && digits.size() <= 6 && digits[0] != '0' &&
      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!fine) {
    refuse(path, "the attempt must be a number from 1");
  }
  made.number = real(value, path, 0.0, max_seconds);
}

inline void read_reason(claim& made, json const& value, std::string const& path) {
  made.names = {text(value, path)};
  if (std::find(reason_codes.begin(), reason_codes.end(), made.names[0]) == reason_codes.end()) {
    refuse(path, "\"" + made.names[0] + "\" is no reason code");
  }
}

[[nodiscard]] inline std::vector<claim> read_claims(fields& in);

inline void read_alternatives(json const& value, std::string const& path,
                              std::vector<claim>& into) {
  claim made;
  made.kind = claim_kind::any_of;
  for_each_element(value, path, [&](json const& element, std::string const& at) {
    fields in{element, at};
    made.alternatives.push_back(read_claims(in));
  });
  if (made.alternatives.empty()) {
    refuse(path, "is empty");
  }
  into.push_back(std::move(made));
}

inline void read_claim(claim_kind kind, json const& value, std::string const& path,
                       std::vector<claim>& into) {
  claim single;
  single.kind = kind;
  switch (kind) {
    case claim_kind::running:
    case claim_kind::pending:
    case claim_kind::running_includes:
    case claim_kind::pending_includes: single.names = read_names(value, path); break;
    case claim_kind::pending_count:
    case claim_kind::free:
    case claim_kind::stops_max:
    case claim_kind::stops_total: single.number = count(value, path); break;
    case claim_kind::no_stops_after: single.number = real(value, path, 0.0, max_seconds); break;
    case claim_kind::place:
      read_map(kind, value, path, into, [](claim& made, json const& v, std::string const& p) {
        made.names = read_names(v, p);
      });
      return;
    case claim_kind::reason: read_map(kind, value, path, into, read_reason); return;
    case claim_kind::forecast_end:
      read_map(kind, value, path, into, [](claim& made, json const& v, std::string const& p) {
        made.number = v == json("inf") ? std::numeric_limits<double>::infinity()
                                       : real(v, p, 0.0, max_seconds);
      });
      return;
    case claim_kind::backoff: read_map(kind, value, path, into, read_attempt); return;
    case claim_kind::metrics: read_map(kind, value, path, into, read_metric); return;
    case claim_kind::any_of: read_alternatives(value, path, into); return;
    default:
      read_map(kind, value, path, into,
               [](claim& made, json const& v, std::string const& p) { made.number = count(v, p); });
      return;
  }
  into.push_back(std::move(single));
}

/// The claims of one object; at least one.
[[nodiscard]] inline std::vector<claim> read_claims(fields& in) {
  std::vector<claim> claims;
  for (std::size_t k = 0; k < claim_words.size(); ++k) {
    in.with(claim_words[k], [&](json const& value, std::string const& path) {
      read_claim(static_cast<claim_kind>(k), value, path, claims);
    });
  }
  in.finish();
  if (claims.empty()) {
    refuse(in.path(), "expects nothing");
  }
  return claims;
}

[[nodiscard]] inline expectation read_expectation(json const& value, std::string const& path) {
  fields in{value, path};
  expectation made;
  made.at = instant(in.need("t"), in.path_of("t"));
  made.claims = read_claims(in);
  return made;
}

}  // namespace sim::scenario::detail

BERTH_NAMESPACE_END
