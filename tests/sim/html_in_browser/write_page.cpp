// SPDX-License-Identifier: BSL-1.0
// Writes the pages that check.sh opens in a browser: DIRECTORY/chartjs.html (when the build found
// the library) and DIRECTORY/svg.html.
#include <berth_sim/assets/chartjs.hpp>
#include <berth_sim/report_html.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "../sample_runs.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_page DIRECTORY\n", stderr);
    return 2;
  }
  std::string const directory = argv[1];
  std::vector<berth::sim::run_result> const runs = sample::make_runs(600);
  std::ofstream svg{directory + "/svg.html"};
  berth::sim::write_html(svg, runs, {.title = "Sample of <three> schedulers", .chart_script = {}});
  bool good = svg.flush().good();
  if (!berth::sim::assets::chartjs().empty()) {
    std::ofstream page{directory + "/chartjs.html"};
    berth::sim::write_html(
        page, runs,
        {.title = "Sample of <three> schedulers", .chart_script = berth::sim::assets::chartjs()});
    good = good && page.flush().good();
  }
  return good ? 0 : 1;
}
