// SPDX-License-Identifier: BSL-1.0
// A line chart as plain SVG, for pages without a chart library. Colours and dashes are the classes
// s0, s1, … of the page's style sheet, so the picture follows the light or dark theme of the
// reader.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/detail/series.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

inline constexpr std::size_t line_styles = 8;  ///< s0 … s7, then again

struct chart_text {
  std::string_view title;
  std::string_view x_label;
  std::string_view y_label;
};

/// &, <, >, " made harmless.
[[nodiscard]] inline std::string escape_html(std::string_view text) {
  std::string out;
  for (char const letter : text) {
    switch (letter) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += letter;
    }
  }
  return out;
}

struct tick {
  double at = 0;
  std::string text;
};

/// Seconds on a logarithmic axis, at the values people know.
[[nodiscard]] inline std::vector<tick> time_ticks(double low, double high) {
  static std::pair<double, char const*> const known[] = {
      {1, "1 s"},     {10, "10 s"},     {60, "1 min"},      {600, "10 min"},     {3600, "1 h"},
      {86400, "1 d"}, {864000, "10 d"}, {8640000, "100 d"}, {86400000, "1000 d"}};
  std::vector<tick> ticks;
  for (auto const& [at, text] : known) {
    if (at >= low && at <= high) {
      ticks.push_back({at, text});
    }
  }
  return ticks;
}

/// About six round values from 0 to `high`.
[[nodiscard]] inline std::vector<tick> round_ticks(double high) {
  double const decade = std::pow(10.0, std::floor(std::log10(std::max(high, 1e-9) / 8)));
  double step = decade;
  for (double const factor : {1.0, 2.0, 5.0, 10.0}) {
    step = decade * factor;
    if (high / step <= 8) {
      break;
    }
  }
  std::vector<tick> ticks;
  for (int count = 0; count * step <= high * 1.0001; ++count) {
    ticks.push_back({count * step, fmt::format("{:g}", count * step)});
  }
  return ticks;
}

/// y runs from 0 to 100 per cent; x is logarithmic in seconds, or linear in hours.
[[nodiscard]] inline std::string svg_chart(std::span<curve const> curves, chart_text const& text,
                                           bool logarithmic) {
  // A chart over time takes the whole page, a distribution half of it: the same size of letters.
  double const width = logarithmic ? 640 : 1280;
  constexpr double height = 320;
  constexpr double left = 56;
  constexpr double right = 16;
  constexpr double top = 12;
  constexpr double bottom = 46;
  double high = logarithmic ? 10.0 : 1e-3;
  for (curve const& each : curves) {
    for (point const& at : each.points) {
      high = std::max(high, at.x);
    }
  }
  auto const x_of = [&](double x) {
    double const part = logarithmic ? std::log10(std::max(x, 1.0)) / std::log10(high) : x / high;
    return left + part * (width - left - right);
  };
  auto const y_of = [&](double y) { return height - bottom - y / 100 * (height - top - bottom); };

  std::string out = fmt::format(
      R"(<div class="scroll" tabindex="0"><svg class="chart{}" viewBox="0 0 {:g} {:g}" role="img" )"
      R"(aria-label="{}" xmlns="http://www.w3.org/2000/svg">)",
      logarithmic ? "" : " wide", width, height, escape_html(text.title));
  for (int y = 0; y <= 100; y += 25) {
    out += fmt::format(R"(<line class="grid" x1="{:g}" x2="{:g}" y1="{:.1f}" y2="{:.1f}"/>)"
                       R"(<text class="tick" x="{:g}" y="{:.1f}" text-anchor="end">{}</text>)",
                       left, width - right, y_of(y), y_of(y), left - 8, y_of(y) + 4, y);
  }
  for (tick const& each : logarithmic ? time_ticks(1, high) : round_ticks(high)) {
    out += fmt::format(R"(<line class="grid" x1="{:.1f}" x2="{:.1f}" y1="{:g}" y2="{:g}"/>)"
                       R"(<text class="tick" x="{:.1f}" y="{:g}" text-anchor="middle">{}</text>)",
                       x_of(each.at), x_of(each.at), top, height - bottom, x_of(each.at),
                       height - bottom + 18, each.text);
  }
  out += fmt::format(R"(<text class="label" x="{:g}" y="{:g}" text-anchor="middle">{}</text>)",
                     (left + width - right) / 2, height - 8, escape_html(text.x_label));
  out += fmt::format(R"svg(<text class="label" transform="translate(14 {:g}) rotate(-90)" )svg"
                     R"(text-anchor="middle">{}</text>)",
                     (top + height - bottom) / 2, escape_html(text.y_label));
  for (std::size_t at = 0; at < curves.size(); ++at) {
    out += fmt::format(R"(<polyline class="line s{}" points=")", at % line_styles);
    for (point const& each : curves[at].points) {
      out += fmt::format("{:.1f},{:.1f} ", x_of(each.x), y_of(std::clamp(each.y, 0.0, 100.0)));
    }
    out += fmt::format(R"("><title>{}</title></polyline>)", escape_html(curves[at].name));
  }
  out += "</svg></div>\n<ul class=\"legend\">";
  for (std::size_t at = 0; at < curves.size(); ++at) {
    out += fmt::format(R"(<li><svg viewBox="0 0 28 8" aria-hidden="true"><line class="line s{}" )"
                       R"(x1="0" x2="28" y1="4" y2="4"/></svg>{}</li>)",
                       at % line_styles, escape_html(curves[at].name));
  }
  return out + "</ul>\n";
}

}  // namespace sim::detail

BERTH_NAMESPACE_END
