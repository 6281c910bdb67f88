// SPDX-License-Identifier: BSL-1.0
// The six training applications of the Pollux artifact (Qiao et al., OSDI 2021, Table 1), as its
// simulator runs them, and what a restart costs each, as DeepBoot measured it (Chen et al., IEEE
// TPDS 34(9), 2023).
#pragma once

#include <berth/core/config.hpp>
#include <berth/core/time.hpp>
#include <berth/predictors/goodput_batch.hpp>
#include <berth/sizing/elastic_job.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

BERTH_NAMESPACE_BEGIN

namespace sim {

struct application_facts {
  std::string_view name;
  batch_limits limits;
  std::int32_t epochs = 1;    ///< of a whole training run
  std::int32_t max_gpus = 1;  ///< never run on more
  bool is_adaptive = true;    ///< may choose its batch size; else its owner's stays
  resize_time restart{};      ///< of its workers
  duration first_answer{};    ///< start of an inference task of that model
};

namespace detail {

inline constexpr std::array known_applications{
    application_facts{"bert",
                      {12, 384, 4, 12},
                      2,
                      64,
                      true,
                      {std::chrono::seconds{103}, std::chrono::seconds{5}},
                      std::chrono::seconds{8}},
    application_facts{"cifar10",
                      {128, 4096, 32, 1024},
                      100,
                      64,
                      true,
                      {std::chrono::seconds{24}, std::chrono::seconds{3}},
                      std::chrono::seconds{6}},
    application_facts{"deepspeech2",
                      {20, 640, 10, 80},
                      80,
                      64,
                      true,
                      {std::chrono::seconds{18}, std::chrono::seconds{1}},
                      std::chrono::seconds{4}},
    application_facts{"imagenet",
                      {200, 12800, 20, 200},
                      90,
                      64,
                      true,
                      {std::chrono::seconds{35}, std::chrono::seconds{3}},
                      std::chrono::seconds{6}},
    application_facts{"ncf",
                      {256, 32768, 32, 32768},
                      10,
                      1,
                      false,
                      {std::chrono::seconds{25}, std::chrono::seconds{2}},
                      std::chrono::seconds{4}},
    application_facts{"yolov3",
                      {8, 512, 4, 8},
                      50,
                      64,
                      true,
                      {std::chrono::seconds{26}, std::chrono::seconds{3}},
                      std::chrono::seconds{6}}};

}  // namespace detail

/// All of them, by name. The yolov3 traces have local batches of 16, too, but its jobs use 8.
inline constexpr auto const& known_applications = detail::known_applications;

/// nullptr if there is none of that name. O(1).
[[nodiscard]] constexpr application_facts const* find_application(std::string_view name) noexcept {
  for (application_facts const& each : known_applications) {
    if (each.name == name) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace sim

BERTH_NAMESPACE_END
