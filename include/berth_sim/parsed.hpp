// SPDX-License-Identifier: BSL-1.0
// What a reader gives back: the thing it read, or the first place where the file is wrong. Separate
// from berth::result because a position in a file is not one of the scheduler's error codes.
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct parse_error {
  std::string file;
  std::size_t line = 0;    ///< from 1; 0 = the file as a whole
  std::size_t column = 0;  ///< character of the line, from 1; 0 = the line as a whole
  std::string field;       ///< name of the column; empty if the line as a whole is meant
  std::string message;
};

/// `file:line:column: field: message`, without the parts that are not known.
[[nodiscard]] inline std::string to_string(parse_error const& error) {
  std::string text = error.file;
  if (error.line != 0) {
    text += ":" + std::to_string(error.line);
    if (error.column != 0) {
      text += ":" + std::to_string(error.column);
    }
  }
  text += ": ";
  if (!error.field.empty()) {
    text += error.field + ": ";
  }
  return text + error.message;
}

/// Value or parse_error. Asking for the one that is not there is a broken precondition.
template <class T>
class [[nodiscard]] parsed {
 public:
  parsed(T value) : state_{std::in_place_index<0>, std::move(value)} {}
  parsed(parse_error error) : state_{std::in_place_index<1>, std::move(error)} {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & noexcept { return *checked(); }
  [[nodiscard]] T const& value() const& noexcept { return *checked(); }
  [[nodiscard]] T&& value() && noexcept { return std::move(*checked()); }
  [[nodiscard]] T& operator*() & noexcept { return *checked(); }
  [[nodiscard]] T const& operator*() const& noexcept { return *checked(); }
  [[nodiscard]] T* operator->() noexcept { return checked(); }
  [[nodiscard]] T const* operator->() const noexcept { return checked(); }

  [[nodiscard]] parse_error const& error() const noexcept {
    BERTH_ASSERT(!has_value(), "error() of a parsed value");
    return *std::get_if<1>(&state_);
  }

 private:
  [[nodiscard]] T* checked() noexcept {
    BERTH_ASSERT(has_value(), "value() of a parse error");
    return std::get_if<0>(&state_);
  }
  [[nodiscard]] T const* checked() const noexcept {
    BERTH_ASSERT(has_value(), "value() of a parse error");
    return std::get_if<0>(&state_);
  }
  std::variant<T, parse_error> state_;
};

}  // namespace sim

BERTH_NAMESPACE_END
