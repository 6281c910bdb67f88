// SPDX-License-Identifier: BSL-1.0
// The rows as a table for people, in Markdown, and as JSON for programs.
#pragma once

#include <bench/matching/row.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace berth_bench {

/// Three digits or so, whatever the size.
[[nodiscard]] inline std::string short_number(double value) {
  return value >= 100  ? fmt::format("{:.0f}", value)
         : value >= 10 ? fmt::format("{:.1f}", value)
         : value >= 1  ? fmt::format("{:.2f}", value)
                       : fmt::format("{:.3f}", value);
}

[[nodiscard]] inline std::string short_bytes(std::int64_t bytes) {
  return bytes >= 1'000'000 ? short_number(static_cast<double>(bytes) / 1e6) + " MB"
                            : short_number(static_cast<double>(bytes) / 1e3) + " kB";
}

[[nodiscard]] inline std::string times(double ratio) {
  return short_number(ratio) + "×";
}

[[nodiscard]] inline std::string verdict(row const& measured) {
  if (!measured.optimum_agrees || !measured.is_certified) {
    return "WRONG";
  }
  std::optional<bool> const holds = measured.holds();
  return !holds ? "" : !*holds ? "no" : measured.reaches_aim() ? "aim" : "yes";
}

/// The names of the rivals as they stand in the table.
[[nodiscard]] inline std::string short_name(std::string const& name) {
  return name == "lemon_network_simplex"    ? "LEMON NS"
         : name == "lemon_cost_scaling"     ? "LEMON CS"
         : name == "lemon_capacity_scaling" ? "LEMON CAP"
         : name == "boost_graph"            ? "Boost.Graph"
         : name == "berth_cold"             ? "own cold"
                                            : name;
}

/// One cell a column of the table.
[[nodiscard]] inline std::vector<std::string> cells_of(row const& measured) {
  std::vector<std::string> cells{fmt::format("{} {}", measured.shape, measured.kind),
                                 fmt::format("{} × {}", measured.rows, measured.columns),
                                 measured.is_warm ? "warm" : "cold",
                                 short_number(measured.berth.milliseconds)};
  for (peer const which : all_peers) {
    measurement const* const peer_measured = measured.of(which);
    cells.push_back(peer_measured == nullptr ? "" : short_number(peer_measured->milliseconds));
  }
  std::optional<measurement> const rival = measured.rival();
  cells.push_back(rival ? short_name(rival->name) : "");
  cells.push_back(rival ? times(measured.ratio_to(*rival)) : "");
  cells.push_back(measured.promise ? times(measured.promise->at_least) : "");
  cells.push_back(measured.promise && measured.promise->aim > 0 ? times(measured.promise->aim)
                                                                : "");
  cells.push_back(verdict(measured));
  cells.push_back(short_bytes(measured.berth.bytes));
  cells.push_back(rival ? short_bytes(rival->bytes) : "");
  return cells;
}

[[nodiscard]] inline std::vector<std::string> table_head() {
  return {"input", "size",    "mode",  "berth",    "LEMON NS", "LEMON CS", "LEMON CAP", "dlib",
          "Boost", "against", "ratio", "at least", "aim",      "holds",    "berth mem", "its mem"};
}

[[nodiscard]] inline std::string to_table(std::vector<std::vector<std::string>> const& lines) {
  // Width in characters, not bytes: "×" is two bytes.
  auto const width = [](std::string const& text) {
    std::size_t characters = 0;
    for (char const byte : text) {
      characters += (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u ? 1 : 0;
    }
    return characters;
  };
  std::vector<std::size_t> widths(lines.front().size(), 3);
  for (auto const& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  std::string text;
  for (std::size_t number = 0; number < lines.size(); ++number) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      std::string const pad(widths[i] - width(lines[number][i]), ' ');
      bool const is_text = i == 0 || i == 2;
      text += is_text ? "| " + lines[number][i] + pad + " " : "| " + pad + lines[number][i] + " ";
    }
    text += "|\n";
    if (number == 0) {
      for (std::size_t i = 0; i < widths.size(); ++i) {
        bool const is_text = i == 0 || i == 2;
        text += "|" + std::string(widths[i] + 1, '-') + (is_text ? "-" : ":");
      }
      text += "|\n";
    }
  }
  return text;
}

[[nodiscard]] inline std::string to_table(std::vector<row> const& rows) {
  std::vector<std::vector<std::string>> lines{table_head()};
  for (row const& measured : rows) {
    lines.push_back(cells_of(measured));
  }
  return to_table(lines);
}

[[nodiscard]] inline nlohmann::ordered_json to_json(std::vector<row> const& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (row const& measured : rows) {
    nlohmann::ordered_json times = nlohmann::ordered_json::object();
    nlohmann::ordered_json bytes = nlohmann::ordered_json::object();
    for (measurement const& each : measured.peers) {
      times[each.name] = each.milliseconds;
      bytes[each.name] = each.bytes;
    }
    nlohmann::ordered_json line{{"shape", measured.shape},
                                {"kind", measured.kind},
                                {"rows", measured.rows},
                                {"columns", measured.columns},
                                {"mode", measured.is_warm ? "warm" : "cold"},
                                {"berth_ms", measured.berth.milliseconds},
                                {"peers", times},
                                {"optimum_agrees", measured.optimum_agrees},
                                {"certified", measured.is_certified},
                                {"berth_bytes", measured.berth.bytes},
                                {"peer_bytes", bytes}};
    if (measured.berth_cold) {
      line["berth_cold_ms"] = measured.berth_cold->milliseconds;
      line["warm_allocations"] = measured.warm_allocations;
    }
    if (measured.promise && measured.rival()) {
      line["against"] = measured.rival()->name;
      line["ratio"] = measured.ratio_to(*measured.rival());
      line["at_least"] = measured.promise->at_least;
      line["aim"] = measured.promise->aim;
      line["holds"] = measured.holds().value_or(false);
    }
    all.push_back(line);
  }
  return {{"rows", all}};
}

}  // namespace berth_bench
