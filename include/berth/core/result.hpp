// SPDX-License-Identifier: BSL-1.0
// result<T>: a value or an error, without exceptions. (std::expected is C++23; an alias that
// changed with the language mode would give two translation units two signatures.)
#pragma once

#include <berth/core/assert.hpp>
#include <berth/core/config.hpp>
#include <berth/core/error.hpp>

#include <type_traits>
#include <utility>
#include <variant>

BERTH_NAMESPACE_BEGIN

template <class T>
class [[nodiscard]] result {
 public:
  constexpr result(T value) noexcept(std::is_nothrow_move_constructible_v<T>)
      : content_{std::in_place_index<0>, std::move(value)} {}
  constexpr result(berth::error why) noexcept : content_{std::in_place_index<1>, why} {}

  [[nodiscard]] constexpr bool has_value() const noexcept { return content_.index() == 0; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value(); }

  /// The value; a result that holds an error ends the program through the violation handler,
  /// hardened or not: an ignored error must not become a wrong decision.
  [[nodiscard]] constexpr T& value() & { return checked(*this); }
  [[nodiscard]] constexpr T const& value() const& { return checked(*this); }
  [[nodiscard]] constexpr T&& value() && { return std::move(checked(*this)); }

  [[nodiscard]] constexpr T* operator->() { return &checked(*this); }
  [[nodiscard]] constexpr T const* operator->() const { return &checked(*this); }
  [[nodiscard]] constexpr T& operator*() & { return checked(*this); }
  [[nodiscard]] constexpr T const& operator*() const& { return checked(*this); }

  /// Precondition: !has_value().
  [[nodiscard]] constexpr berth::error error() const {
    BERTH_ASSERT(!has_value(), "error() of a result that holds a value");
    auto const* const why = std::get_if<1>(&content_);
    return why != nullptr ? *why : berth::error{};
  }

 private:
  template <class Self>
  static constexpr auto& checked(Self& self) {
    auto* const held = std::get_if<0>(&self.content_);
    if (held == nullptr) {
      auto const why = *std::get_if<1>(&self.content_);
      detail::violated(to_string(why.where), to_string(why.code), __FILE__, __LINE__);
    }
    return *held;
  }
  std::variant<T, berth::error> content_;
};

template <>
class [[nodiscard]] result<void> {
 public:
  constexpr result() noexcept = default;
  constexpr result(berth::error why) noexcept : why_{why}, ok_{false} {}

  [[nodiscard]] constexpr bool has_value() const noexcept { return ok_; }
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return ok_; }
  constexpr void value() const {
    if (!ok_) {
      detail::violated(to_string(why_.where), to_string(why_.code), __FILE__, __LINE__);
    }
  }
  [[nodiscard]] constexpr berth::error error() const {
    BERTH_ASSERT(!ok_, "error() of a result that holds a value");
    return why_;
  }

 private:
  berth::error why_{};
  bool ok_ = true;
};

BERTH_NAMESPACE_END
