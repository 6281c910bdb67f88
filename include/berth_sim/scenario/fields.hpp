// SPDX-License-Identifier: BSL-1.0
// Typed access to the members of a JSON object that knows where it is in its file. A member that is
// missing, of the wrong type, out of range or unknown is refused with its path.
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim::scenario::detail {

using json = nlohmann::ordered_json;

/// Thrown inside the reader only; read_cases turns it into a parse_error.
struct refusal {
  std::string path;
  std::string message;
};

[[noreturn]] inline void refuse(std::string path, std::string message) {
  throw refusal{std::move(path), std::move(message)};
}

inline constexpr std::int64_t max_count = 1'000'000;
inline constexpr double max_seconds = 1.0e9;

[[nodiscard]] inline std::int64_t integer(json const& value, std::string const& path,
                                          std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) {
    refuse(path, "must be a whole number");
  }
  bool const beyond = value.is_number_unsigned() &&
                      value.get<std::uint64_t>() >
                          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::int64_t const number =
      beyond ? std::numeric_limits<std::int64_t>::max() : value.get<std::int64_t>();
  if (number < low || number > high) {
    refuse(path, "must be from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return number;
}

[[nodiscard]] inline std::int32_t count(json const& value, std::string const& path,
                                        std::int64_t low = 0, std::int64_t high = max_count) {
  return static_cast<std::int32_t>(integer(value, path, low, high));
}

[[nodiscard]] inline double real(json const& value, std::string const& path, double low,
                                 double high) {
  if (!value.is_number()) {
    refuse(path, "must be a number");
  }
  double const number = value.get<double>();
  if (!(number >= low && number <= high)) {  // also refuses NaN
    refuse(path, "out of range");
  }
  return number;
}

/// Seconds from the file as berth's milliseconds.
[[nodiscard]] inline duration seconds(json const& value, std::string const& path,
                                      double low = 0.0) {
  return duration{std::llround(real(value, path, low, max_seconds) * 1000.0)};
}
[[nodiscard]] inline time_point instant(json const& value, std::string const& path) {
  return time_point{seconds(value, path)};
}
inline constexpr double shortest = 0.001;  ///< seconds: a millisecond

[[nodiscard]] inline std::string text(json const& value, std::string const& path) {
  if (!value.is_string()) {
    refuse(path, "must be a text");
  }
  return value.get<std::string>();
}
[[nodiscard]] inline std::string name(json const& value, std::string const& path) {
  std::string made = text(value, path);
  if (made.empty()) {
    refuse(path, "is empty");
  }
  return made;
}
[[nodiscard]] inline bool truth(json const& value, std::string const& path) {
  if (!value.is_boolean()) {
    refuse(path, "must be true or false");
  }
  return value.get<bool>();
}

/// Calls visit(element, path) for the elements of an array.
template <class Visit>
void for_each_element(json const& value, std::string const& path, Visit&& visit) {
  if (!value.is_array()) {
    refuse(path, "must be a list");
  }
  std::size_t index = 0;
  for (json const& element : value) {
    visit(element, path + "[" + std::to_string(index++) + "]");
  }
}

/// One object. Ask for its members, then call finish(): what nobody asked for is unknown.
class fields {
 public:
  fields(json const& object, std::string path) : object_{&object}, path_{std::move(path)} {
    if (!object.is_object()) {
      refuse(path_, "must be an object");
    }
  }

  [[nodiscard]] std::string const& path() const noexcept { return path_; }
  [[nodiscard]] std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string{key} : path_ + "." + std::string{key};
  }
  /// nullptr if it is absent.
  [[nodiscard]] json const* find(std::string_view key) {
    asked_.emplace(key);
    auto const at = object_->find(std::string{key});
    return at == object_->end() ? nullptr : &*at;
  }
  [[nodiscard]] json const& need(std::string_view key) {
    json const* const found = find(key);
    if (found == nullptr) {
      refuse(path_of(key), "is missing");
    }
    return *found;
  }
  /// Calls read(value, path) for a member that is there.
  template <class Read>
  bool with(std::string_view key, Read&& read) {
    json const* const found = find(key);
    if (found == nullptr) {
      return false;
    }
    read(*found, path_of(key));
    return true;
  }
  void finish() const {
    for (auto const& [key, value] : object_->items()) {
      if (asked_.find(key) == asked_.end()) {
        refuse(path_of(key), "is not known here");
      }
    }
  }

 private:
  json const* object_;
  std::string path_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace sim::scenario::detail

BERTH_NAMESPACE_END
