// SPDX-License-Identifier: BSL-1.0
// Names of a trace (users, tenants, applications) as small dense numbers: a job carries an index
// instead of a string, and equal names have equal numbers.
#pragma once

#include <berth/core/config.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// Index into a string_table, in the order of first appearance; `none` names nothing.
enum class name_id : std::uint32_t { none = 0xffffffffu };

class string_table {
 public:
  /// The number of `text`, new if it was not seen before; an empty text is `none`. O(log n).
  name_id intern(std::string_view text) {
    if (text.empty()) {
      return name_id::none;
    }
    if (auto const known = index_.find(text); known != index_.end()) {
      return known->second;
    }
    auto const fresh = static_cast<name_id>(texts_.size());
    texts_.emplace_back(text);
    index_.emplace(text, fresh);
    return fresh;
  }

  /// `none` when the text was never interned. O(log n).
  [[nodiscard]] name_id find(std::string_view text) const {
    auto const known = index_.find(text);
    return known == index_.end() ? name_id::none : known->second;
  }

  /// Empty for `none` and for numbers of another table that are out of range.
  [[nodiscard]] std::string_view operator[](name_id number) const noexcept {
    auto const at = static_cast<std::size_t>(number);
    return at < texts_.size() ? std::string_view{texts_[at]} : std::string_view{};
  }

  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, name_id, std::less<>> index_;
};

}  // namespace sim

BERTH_NAMESPACE_END
