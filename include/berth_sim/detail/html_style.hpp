// SPDX-License-Identifier: BSL-1.0
// Style sheet of the HTML report. Every colour is a custom property with a light and a dark value;
// the script reads the same properties, so charts and text cannot disagree about the theme. Lines
// differ by dash as well as by colour.
#pragma once

#include <berth/core/config.hpp>

#include <string_view>

BERTH_NAMESPACE_BEGIN

namespace sim::detail {

inline constexpr std::string_view html_style = R"css(
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --panel: #ffffff; --ink: #1d2329; --quiet: #5a6672; --rule: #dde2e7; --best: #e6f2ea;
  --focus: #1f66c1; --pick: #d9480f;
  --c0: #1f66c1; --c1: #c2501d; --c2: #23804f; --c3: #7d45b0; --c4: #94690a; --c5: #b3286b;
  --c6: #0d7d86; --c7: #5a6672;
  --g0: #cadff5; --g1: #94bfe8; --g2: #5b9ad6; --g3: #2c6fb4; --g4: #143f72; --idle: #f1f3f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181c; --panel: #1b2126; --ink: #e6eaee; --quiet: #a3afba; --rule: #333c45; --best: #1d3a2b;
    --focus: #7db4ff; --pick: #ff9d5c;
    --c0: #6fadf5; --c1: #f2935f; --c2: #5fc78f; --c3: #bf90ea; --c4: #dcb24a; --c5: #ef7fb2;
    --c6: #4fc3cc; --c7: #a3afba;
    --g0: #25466a; --g1: #336596; --g2: #4a8ac6; --g3: #82b7ea; --g4: #cbe2fa; --idle: #20272d;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 86rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 0 0 .25rem; font-size: 1.1rem; }
p { margin: .25rem 0 .75rem; }
.quiet { color: var(--quiet); font-size: .875rem; }
section { margin-top: 1.25rem; padding: 1rem 1.25rem; background: var(--panel); min-width: 0;
  border: 1px solid var(--rule); border-radius: 8px; }
.pair { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.pair > section { margin-top: 0; }
.pair { margin-top: 1.25rem; }
.scroll { overflow-x: auto; }
.scroll:focus-visible, canvas:focus-visible, select:focus-visible, summary:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .875rem; }
th, td { padding: .35rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; }
thead th { font-size: .8rem; white-space: normal; font-weight: 600; color: var(--quiet); vertical-align: bottom; }
tbody th { font-weight: 600; }
td.best { background: var(--best); font-weight: 600; }
.plot { position: relative; height: 20rem; }
.chart { display: block; width: 100%; height: auto; }
.chart.wide { min-width: 56rem; }
.grid { stroke: var(--rule); stroke-width: 1; }
.tick, .label { fill: var(--quiet); font-size: 12px; }
.line { fill: none; stroke-width: 2.2; }
.s0 { stroke: var(--c0); } .s1 { stroke: var(--c1); stroke-dasharray: 8 4; }
.s2 { stroke: var(--c2); stroke-dasharray: 2 4; } .s3 { stroke: var(--c3); stroke-dasharray: 10 4 2 4; }
.s4 { stroke: var(--c4); stroke-dasharray: 5 3; } .s5 { stroke: var(--c5); stroke-dasharray: 14 4; }
.s6 { stroke: var(--c6); stroke-dasharray: 3 3; } .s7 { stroke: var(--c7); stroke-dasharray: 6 2 2 2; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0 0; padding: 0; list-style: none;
  font-size: .875rem; }
.legend svg { width: 28px; height: 8px; margin-right: .4rem; vertical-align: middle; }
.swatch { display: inline-block; width: 1rem; height: .8rem; margin-right: .4rem; vertical-align: -1px;
  border: 1px solid var(--rule); }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; margin-bottom: .5rem; }
select { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--rule);
  border-radius: 5px; padding: .2rem .5rem; }
#gantt { display: block; width: 100%; height: 30rem; }
#where { min-height: 1.5em; margin: .5rem 0 0; font-variant-numeric: tabular-nums; }
details { margin-top: .75rem; } summary { cursor: pointer; color: var(--quiet); font-size: .875rem; }
)css";

}  // namespace sim::detail

BERTH_NAMESPACE_END
