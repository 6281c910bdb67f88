// SPDX-License-Identifier: BSL-1.0
// The structured log: one line an event, `key=value` words, on standard error.
#pragma once

#include <string_view>

#include <fmt/format.h>

namespace slurm_agent {

enum class severity : unsigned char { debug, info, warning, error };

class journal {
 public:
  explicit journal(severity least) noexcept : least_{least} {}

  /// log.write(severity::info, "release", "job={} nodes={}", number, nodes)
  template <class... Values>
  void write(severity how, std::string_view event, fmt::format_string<Values...> format,
             Values&&... values) const {
    if (how >= least_) {
      emit(how, event, fmt::vformat(format, fmt::make_format_args(values...)));
    }
  }
  /// A value in quotation marks, without what would end them.
  [[nodiscard]] static std::string quoted(std::string_view text);

 private:
  static void emit(severity how, std::string_view event, std::string_view words);
  severity least_;
};

}  // namespace slurm_agent
