// SPDX-License-Identifier: BSL-1.0
// How fast a job of Gavel's traces trains (Narayanan et al., OSDI 2020): steps a second by GPU
// type, job type and number of GPUs. Read from the JSON files of the Gavel repository, or a
// built-in table of what one V100 does, re-typed from its simulation_throughputs.json (MIT) with
// two digits behind the point.
#pragma once

#include <berth/core/config.hpp>

#include <berth_sim/parsed.hpp>
#include <berth_sim/traces/detail/number.hpp>
#include <berth_sim/traces/detail/table.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

BERTH_NAMESPACE_BEGIN

namespace sim {

/// steps/s of job types that run alone. Lookups are O(log n).
class gavel_throughputs {
 public:
  void set(std::string_view gpu_type, std::string_view job_type, std::int32_t gpus, double speed) {
    speeds_[key(gpu_type, job_type, gpus)] = speed;
  }

  /// 0 when it was not measured. A gang larger than what was measured is scaled from one GPU,
  /// linearly: an upper bound, and the only figure there is.
  [[nodiscard]] double steps_per_second(std::string_view gpu_type, std::string_view job_type,
                                        std::int32_t gpus) const {
    if (auto const exact = speeds_.find(key(gpu_type, job_type, gpus)); exact != speeds_.end()) {
      return exact->second;
    }
    auto const single = speeds_.find(key(gpu_type, job_type, 1));
    return single == speeds_.end() ? 0.0 : single->second * gpus;
  }

  [[nodiscard]] std::size_t size() const noexcept { return speeds_.size(); }

  /// One V100 each.
  [[nodiscard]] static gavel_throughputs nominal() {
    struct speed {
      std::string_view job_type;
      double steps;
    };
    static constexpr std::array table{speed{"ResNet-18 (batch size 16)", 32.35},
                                      speed{"ResNet-18 (batch size 32)", 29.95},
                                      speed{"ResNet-18 (batch size 64)", 24.09},
                                      speed{"ResNet-18 (batch size 128)", 17.99},
                                      speed{"ResNet-18 (batch size 256)", 10.30},
                                      speed{"ResNet-50 (batch size 16)", 11.40},
                                      speed{"ResNet-50 (batch size 32)", 7.79},
                                      speed{"ResNet-50 (batch size 64)", 4.39},
                                      speed{"ResNet-50 (batch size 128)", 2.50},
                                      speed{"Transformer (batch size 16)", 11.06},
                                      speed{"Transformer (batch size 32)", 10.62},
                                      speed{"Transformer (batch size 64)", 8.62},
                                      speed{"Transformer (batch size 128)", 5.45},
                                      speed{"Transformer (batch size 256)", 1.60},
                                      speed{"LM (batch size 5)", 109.17},
                                      speed{"LM (batch size 10)", 81.65},
                                      speed{"LM (batch size 20)", 64.74},
                                      speed{"LM (batch size 40)", 45.24},
                                      speed{"LM (batch size 80)", 28.24},
                                      speed{"Recommendation (batch size 512)", 23.32},
                                      speed{"Recommendation (batch size 1024)", 13.28},
                                      speed{"Recommendation (batch size 2048)", 7.47},
                                      speed{"Recommendation (batch size 4096)", 3.91},
                                      speed{"Recommendation (batch size 8192)", 2.84},
                                      speed{"A3C", 7.18},
                                      speed{"CycleGAN", 4.43}};
    gavel_throughputs all;
    for (speed const& each : table) {
      all.set("v100", each.job_type, 1, each.steps);
    }
    return all;
  }

 private:
  [[nodiscard]] static std::string key(std::string_view gpu_type, std::string_view job_type,
                                       std::int32_t gpus) {
    std::string text{gpu_type};
    return text.append("|").append(job_type).append("|").append(std::to_string(gpus));
  }
  std::map<std::string, double, std::less<>> speeds_;
};

/// Reads a throughput file. Pairs of co-located jobs are not read. Errors name the entry as
/// `field`.
[[nodiscard]] inline parsed<gavel_throughputs> read_gavel_throughputs(std::istream& in,
                                                                      std::string const& file) {
  auto const wrong = [&file](std::string field, std::string message) {
    return parse_error{file, 0, 0, std::move(field), std::move(message)};
  };
  nlohmann::json const all = nlohmann::json::parse(in, nullptr, false);
  if (all.is_discarded()) {
    return wrong({}, "is not JSON");
  }
  if (!all.is_object() || all.empty()) {
    return wrong({}, "is not an object of GPU types");
  }
  gavel_throughputs result;
  for (auto const& [gpu_type, jobs] : all.items()) {
    if (!jobs.is_object()) {
      return wrong(gpu_type, "is not an object of job types");
    }
    for (auto const& [entry, speeds] : jobs.items()) {
      // ('<job type>', <gpus>)
      std::size_t const middle = entry.rfind("', ");
      std::int32_t gpus = 0;
      if (!entry.starts_with("('") || !entry.ends_with(')') || middle == std::string::npos ||
          detail::parse_gpus(std::string_view{entry}.substr(middle + 3, entry.size() - middle - 4),
                             gpus) != nullptr) {
        return wrong(entry, "is not ('job type', GPUs)");
      }
      auto const alone = speeds.is_object() ? speeds.find("null") : speeds.end();
      if (!speeds.is_object() || alone == speeds.end() || !alone->is_number()) {
        return wrong(entry, "has no number under \"null\"");
      }
      auto const speed = alone->get<double>();
      if (!std::isfinite(speed) || speed < 0) {
        return wrong(entry, "is negative or not finite");
      }
      result.set(gpu_type, std::string_view{entry}.substr(2, middle - 2), gpus, speed);
    }
  }
  return result;
}

[[nodiscard]] inline parsed<gavel_throughputs> read_gavel_throughputs_file(
    std::string const& path) {
  return detail::read_path(path, [&](std::istream& in) -> parsed<gavel_throughputs> {
    return read_gavel_throughputs(in, path);
  });
}

}  // namespace sim

BERTH_NAMESPACE_END
