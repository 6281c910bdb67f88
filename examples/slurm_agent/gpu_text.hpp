// SPDX-License-Identifier: BSL-1.0
// How Slurm writes GPUs: `gres:gpu:h100:8` for what is asked for and what a node has,
// `gpu:h100:4(IDX:0-2,5)` for what a job holds on a node. Knows nothing of Slurm's library.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace slurm_agent {

struct gpu_count_and_type {
  std::int64_t count = 0;
  std::string type;  ///< empty: any
};

namespace detail {

[[nodiscard]] inline std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || failed != std::errc{} || end != text.data() + text.size() || number < 0) {
    return std::nullopt;
  }
  return number;
}

/// The text before the first `mark`, which is taken off `rest` with it.
[[nodiscard]] inline std::string_view take_until(std::string_view& rest, char mark) {
  std::size_t const at = rest.find(mark);
  std::string_view const taken = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return taken;
}

/// "0-2,5" as a mask; GPUs from 64 on are left out, as berth knows none.
[[nodiscard]] inline std::uint64_t mask_of_ranges(std::string_view text) {
  std::uint64_t mask = 0;
  while (!text.empty()) {
    std::string_view range = take_until(text, ',');
    auto const first = whole_number(take_until(range, '-'));
    auto const last = range.empty() ? first : whole_number(range);
    for (std::int64_t i = first.value_or(64); i <= last.value_or(-1) && i < 64; ++i) {
      mask |= std::uint64_t{1} << i;
    }
  }
  return mask;
}

/// The part of `text` without what stands in parentheses, so that commas separate its items.
[[nodiscard]] inline std::string without_parentheses(std::string_view text) {
  std::string plain;
  int depth = 0;
  for (char const c : text) {
    depth += c == '(' ? 1 : 0;
    if (depth == 0) {
      plain += c;
    }
    depth -= c == ')' && depth > 0 ? 1 : 0;
  }
  return plain;
}

}  // namespace detail

/// The GPUs in a list of resources, over all types; the type of the last that has one.
[[nodiscard]] inline gpu_count_and_type read_gpus(std::string_view text) {
  gpu_count_and_type sum;
  std::string const plain = detail::without_parentheses(text);
  std::string_view rest = plain;
  while (!rest.empty()) {
    std::string_view item = detail::take_until(rest, ',');
    constexpr std::string_view prefixes[] = {"gres:", "gres/"};
    for (std::string_view const prefix : prefixes) {
      if (item.starts_with(prefix)) {
        item.remove_prefix(prefix.size());
      }
    }
    if (detail::take_until(item, ':') != "gpu") {
      continue;
    }
    std::string_view const second = detail::take_until(item, ':');
    auto const direct = detail::whole_number(second);
    if (second.empty()) {
      sum.count += 1;  // "gpu" alone
    } else if (direct && item.empty()) {
      sum.count += *direct;
    } else {
      sum.type = second;
      sum.count += item.empty() ? 1 : detail::whole_number(item).value_or(0);
    }
  }
  return sum;
}

/// The GPUs that a job holds on one node, as bits.
[[nodiscard]] inline std::uint64_t read_held_gpus(std::string_view text) {
  std::uint64_t mask = 0;
  constexpr std::string_view begin = "(IDX:";
  for (std::size_t at = text.find("gpu"); at != std::string_view::npos;
       at = text.find("gpu", at + 1)) {
    std::size_t const open = text.find(begin, at);
    std::size_t const close = text.find(')', open);
    if (open != std::string_view::npos && close != std::string_view::npos) {
      std::size_t const from = open + begin.size();
      mask |= detail::mask_of_ranges(text.substr(from, close - from));
    }
  }
  return mask;
}

}  // namespace slurm_agent
