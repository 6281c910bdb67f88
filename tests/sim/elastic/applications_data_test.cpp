// SPDX-License-Identifier: BSL-1.0
// The real profiles, against what the simulator of the Pollux artifact says about them, and the
// built-in figures against the real ones.
#include <berth/core/time.hpp>

#include <berth_sim/elastic/application.hpp>
#include <berth_sim/elastic/application_facts.hpp>
#include <berth_sim/elastic/built_in_applications.hpp>
#include <berth_sim/elastic/elastic_training.hpp>
#include <berth_sim/elastic/elastic_workload.hpp>
#include <berth_sim/elastic/fluid_model.hpp>
#include <berth_sim/elastic/placement_shape.hpp>
#include <berth_sim/traces/pollux_elastic.hpp>
#include <berth_sim/traces/pollux_profiles.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

namespace applications_data_test {

using namespace berth;
using namespace berth::sim;

namespace {

std::string const data = BERTH_DATA_DIR;

bool absent() {
  if (data.empty()) {
    MESSAGE("skipped: needs the real profiles (BERTH_DATA_DIR)");
  }
  return data.empty();
}
std::vector<application> read_all() {
  auto all = read_applications(data + "/pollux_profiles");
  REQUIRE_MESSAGE(all.has_value(), (all ? std::string{} : to_string(all.error())));
  return *std::move(all);
}
application const& named(std::vector<application> const& all, std::string_view name) {
  return all[static_cast<std::size_t>(find_application(name) - known_applications.data())];
}
std::int64_t seconds_to_train(application const& app, std::int32_t gpus) {
  elastic_training training{app, app.facts.is_adaptive ? 0 : app.facts.limits.max_batch, 64};
  training.place(placement_shape::packed(gpus, 4), duration{0});
  duration all{0};
  while (!training.is_done()) {
    duration const next = training.until_next();
    training.advance(next);
    all += next;
  }
  return all.count() / 1000;
}

}  // namespace

TEST_CASE("step times are those of the artifact where it interpolates in the batch size alone") {
  if (absent()) {
    return;
  }
  auto const all = read_all();
  struct expected {
    std::string_view application;
    std::vector<std::int32_t> placement;
    std::int32_t batch;
    double step;
    double sync;
  };
  std::vector<std::int32_t> const sixteen(16, 4);
  for (expected const& each :
       {expected{"cifar10", {1}, 100, 0.0825301603267067, 0.0005246517907631315},
        expected{"cifar10", {4, 2}, 100, 0.26723393201828, 0.18616901285271897},
        expected{"cifar10", {2, 4}, 100, 0.26723393201828, 0.18616901285271897},
        expected{"cifar10", {3, 1, 2}, 50, 0.13876631636368597, 0.08751389348883375},
        expected{"cifar10", sixteen, 64, 0.3016991853713989, 0.2409171508789062},
        expected{"bert", {4, 3, 1}, 7, 1.5073923990130424, 0.9239581813812255},
        expected{"yolov3", {4, 4, 1}, 8, 1.1189134120941162, 0.8323196830749512},
        expected{"ncf", {1}, 20000, 0.01631164394956923, 0.0003369780357396042}}) {
    CAPTURE(each.application);
    CAPTURE(each.batch);
    auto const found =
        named(all, each.application).step(placement_shape::of(each.placement), each.batch);
    CHECK(found.step == doctest::Approx(each.step).epsilon(1e-9));
    CHECK(found.step - found.compute == doctest::Approx(each.sync).epsilon(1e-9));
  }
}

TEST_CASE("noise, marks and iterations are those of the artifact") {
  if (absent()) {
    return;
  }
  auto const all = read_all();
  auto const noise = named(all, "cifar10").curve.noise(1000, 50);
  CHECK(noise.square == doctest::Approx(0.033781940187070925).epsilon(1e-12));
  CHECK(noise.variance == doctest::Approx(3.686186756338151).epsilon(1e-12));
  CHECK(noise.initial_batch == 128);
  auto const late = named(all, "imagenet").curve.noise(5000, 89);
  CHECK(late.square == doctest::Approx(0.06825023061163787).epsilon(1e-12));
  CHECK(late.variance == doctest::Approx(47.013666877614625).epsilon(1e-12));
  CHECK(named(all, "cifar10").curve.mark(0) == doctest::Approx(390.71438596642224));
  CHECK(named(all, "cifar10").curve.total() == doctest::Approx(39062.90816659533));
  CHECK(named(all, "imagenet").curve.mark(44) == doctest::Approx(288263.0));
  CHECK(named(all, "yolov3").curve.total() == doctest::Approx(103443.97796253164));
  CHECK(named(all, "cifar10").curve.iteration(1000, 99) == doctest::Approx(5951.359375));
  CHECK(named(all, "bert").curve.iteration(384, 1) == 480.0);
}

TEST_CASE("the built-in figures train as long as the measured ones, within a fifth, mostly less") {
  if (absent()) {
    return;
  }
  auto const real = read_all();
  auto const fitted = built_in_applications();
  double sum = 0;
  int count = 0;
  for (std::size_t number = 0; number < real.size(); ++number) {
    for (std::int32_t gpus : {1, 2, 4, 8, 16, 32}) {
      if (gpus > real[number].facts.max_gpus) {
        continue;
      }
      CAPTURE(real[number].facts.name);
      CAPTURE(gpus);
      auto const truth = static_cast<double>(seconds_to_train(real[number], gpus));
      auto const guess = static_cast<double>(seconds_to_train(fitted[number], gpus));
      double const off = guess / truth - 1.0;
      CHECK(off < 0.30);
      CHECK(off > -0.21);
      sum += off < 0 ? -off : off;
      ++count;
    }
  }
  CHECK(sum / count < 0.09);
}

TEST_CASE("the fluid model comes within 2 % of the figures that others got from one") {
  if (absent()) {
    return;
  }
  auto const all = read_all();
  auto const work = read_elastic_workload_file(data + "/pollux_workloads/workloads/workload-1.csv");
  REQUIRE(work.has_value());
  CHECK(work->jobs.size() == 160);
  auto const average = [&](double power, batch_chosen when) {
    fluid_model model{all, *work, {.power = power, .when = when}};
    double sum = 0;
    for (duration const time : model.completion_times()) {
      sum += static_cast<double>(time.count()) / 1000.0;
    }
    return sum / static_cast<double>(work->jobs.size());
  };
  for (auto const& each :
       std::map<double, double>{{0.0, 2023}, {0.25, 1685}, {0.5, 1704}, {1.0, 1826}}) {
    double const power = each.first;
    CAPTURE(power);
    double const once = average(power, batch_chosen::once);
    CHECK(once == doctest::Approx(each.second).epsilon(0.02));
    // A batch size that follows the noise is worth a good deal.
    CHECK(average(power, batch_chosen::each_epoch) < 0.9 * once);
  }
}

}  // namespace applications_data_test
