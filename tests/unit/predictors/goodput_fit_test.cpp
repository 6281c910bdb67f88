// SPDX-License-Identifier: BSL-1.0
// The fit of the seven parameters. Golden profiles and objectives are those of the specification of
// DeepBoot's simulator (deepboot-vectors.json: fit): measured steps of the published applications,
// fitted by its authors' method.
#include <berth/core/random.hpp>
#include <berth/predictors/goodput.hpp>
#include <berth/predictors/goodput_fit.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace goodput_fit_test {

using namespace berth;

namespace {

struct measured {
  std::int32_t nodes;
  std::int32_t gpus;
  std::int32_t batch;
  double step;
  double sync;
};
struct golden_fit {
  std::string application;
  std::vector<measured> profile;
  std::array<double, 7> parameters;
  double objective;
};

std::vector<golden_fit> const& golden_fits() {
  static std::vector<golden_fit> const fits{
      {"cifar10",
       {{1, 1, 128, 0.10311532334277498, 0.0005253355733657631}},
       {0.05129499388470461, 0.0004017901831556793, 1.1000000000000001e-08, 1.1000000000000001e-08,
        1e-08, 1e-08, 1.0009999738311823},
       0.02510756842536118},
      {"cifar10",
       {{1, 1, 128, 0.10311532334277498, 0.0005253355733657631},
        {1, 2, 64, 0.0654734373092651, 0.0009209567964076001}},
       {0.026489690144675077, 0.000594730120918773, 0.0010174162079434942, 1.1000000000000001e-08,
        0.0009249238254031764, 1e-08, 1.0008306143951686},
       0.0036115975943436253},
      {"cifar10",
       {{1, 1, 128, 0.10311532334277498, 0.0005253355733657631},
        {1, 2, 64, 0.0654734373092651, 0.0009209567964076001},
        {1, 4, 128, 0.10976016960645973, 0.004430788643109137}},
       {0.023469126590622284, 0.0006267003615170657, 0.0049050987026996165, 0.003249694204663586,
        0.004459180638817833, 0.002954267458785078, 1.1871930761048213},
       0.02799980047313491},
      {"cifar10",
       {{1, 1, 128, 0.10311532334277498, 0.0005253355733657631},
        {1, 2, 64, 0.0654734373092651, 0.0009209567964076001},
        {1, 4, 128, 0.10976016960645973, 0.004430788643109137},
        {2, 8, 128, 0.23039008378982537, 0.12598341046383502}},
       {0.023369763111650572, 0.0006290398331344172, 0.15274515916875728, 0.0004354504600712946,
        0.004844799531699956, 0.002888894900131339, 1.2136840209420585},
       0.021247752974039285},
      {"cifar10",
       {{1, 1, 128, 0.10311532334277498, 0.0005253355733657631},
        {1, 2, 64, 0.0654734373092651, 0.0009209567964076001},
        {1, 4, 128, 0.10976016960645973, 0.004430788643109137},
        {2, 8, 128, 0.23039008378982537, 0.12598341046383502},
        {4, 16, 256, 0.22349417114257814, 0.011016484230677229},
        {2, 2, 257, 0.1993326902389526, 0.0025851423978805015}},
       {0.019957148781813074, 0.000678136487712141, 0.08438347055812791, 0.0014635952953411747,
        0.004938658872569566, 1.2584871570159841e-05, 1.2084637234530433},
       0.2045132166084635},
      {"imagenet",
       {{1, 1, 200, 0.923530888557434, 0.0012039680004119},
        {1, 2, 200, 0.9454313039779664, 0.0159385794639587},
        {1, 4, 163, 0.8310210466384887, 0.0177263265609741},
        {2, 8, 115, 0.7451762676239013, 0.1451180733203888},
        {4, 16, 200, 1.0462684392929078, 0.008119945526123},
        {8, 32, 200, 1.0932517528533936, 0.0950473083496094}},
       {0.21732224267675992, 0.003565486474245922, 0.23022886907424184, 0.0044488645962959626,
        0.07559530543327699, 0.016688437336938693, 1.4374300236430608},
       0.06110367822108309},
      {"bert",
       {{1, 1, 12, 0.9215156733989716, 0.0136957540512084},
        {1, 2, 12, 0.9190408140420914, 0.054674411535263},
        {1, 4, 12, 0.9571182131767272, 0.0928678698539733},
        {2, 8, 12, 2.538950562477112, 1.6628430938720702}},
       {0.4390680167227984, 0.037311101282079595, 1.6939679057030455, 0.0004011180385613567,
        0.04476685838371136, 0.013578356086177025, 1.0276362263685312},
       0.04321499613272593},
  };
  return fits;
}

std::chrono::nanoseconds nanoseconds_of(double seconds) {
  return std::chrono::nanoseconds{std::llround(seconds * 1e9)};
}
std::vector<profile_point> points_of(std::vector<measured> const& profile) {
  std::vector<profile_point> points;
  for (measured const& each : profile) {
    points.push_back({{each.gpus, each.nodes, each.batch},
                      nanoseconds_of(each.step - each.sync),
                      nanoseconds_of(each.step)});
  }
  return points;
}

/// The published objective, as its own code computes it.
double published_objective(std::vector<measured> const& profile, std::array<double, 7> const& x) {
  double compute_squares = 0.0;
  double step_squares = 0.0;
  for (measured const& each : profile) {
    double const compute = x[0] + x[1] * each.batch;
    double const beyond = std::max(each.gpus - 2.0, 1e-8);
    double const sync = each.nodes > 1  ? x[2] + x[3] * beyond
                        : each.gpus > 1 ? x[4] + x[5] * beyond
                                        : 1e-8 + 1e-8 * beyond;
    double const step = std::exp(std::log(std::pow(compute, x[6]) + std::pow(sync, x[6])) / x[6]);
    compute_squares += std::pow(std::log(compute) - std::log(each.step - each.sync), 2);
    step_squares += std::pow(std::log(step) - std::log(each.step), 2);
  }
  auto const count = static_cast<double>(profile.size());
  return std::sqrt(compute_squares / count) + std::sqrt(step_squares / count) +
         1e-3 * std::pow(x[6] - 1.0, 2) +
         1e-2 * (std::pow(x[3] / x[2], 2) + std::pow(x[5] / x[4], 2));
}

double uniform(random_source& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.below(1'000'001)) / 1e6;
}
/// Steps that a model takes, without noise, on places of all kinds.
std::vector<measured> steps_of(goodput_parameters const& truth) {
  std::vector<measured> profile;
  for (configuration const where : {configuration{1, 1, 32},
                                    {1, 1, 128},
                                    {2, 1, 64},
                                    {4, 1, 128},
                                    {8, 1, 32},
                                    {2, 2, 64},
                                    {8, 2, 64},
                                    {16, 4, 128},
                                    {32, 8, 16}}) {
    double const step = truth.step(where).time;
    profile.push_back({where.nodes, where.gpus, where.batch_size, step,
                       step - truth.compute_time(where.batch_size)});
  }
  return profile;
}

}  // namespace

TEST_SUITE("goodput_fit") {
  TEST_CASE("the published objective is met on its own fits") {  // or the comparison means nothing
    for (golden_fit const& each : golden_fits()) {
      CHECK(std::abs(published_objective(each.profile, each.parameters) - each.objective) < 1e-9);
    }
  }
  TEST_CASE("the objective is at least as low as the published fit's") {
    for (golden_fit const& each : golden_fits()) {
      CAPTURE(each.application);
      CAPTURE(each.profile.size());
      goodput_fit const fit = fit_goodput(points_of(each.profile));
      double const reached = published_objective(each.profile, fit.parameters.values());
      CHECK(reached <= each.objective);
      CHECK(std::abs(reached - fit.objective) < 1e-6);
    }
  }
  TEST_CASE("no start at random leads much lower") {
    for (golden_fit const& each : golden_fits()) {
      auto const points = points_of(each.profile);
      double const reached = fit_goodput(points).objective;
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(each.application);
        CAPTURE(seed);
        random_source random{seed};
        std::array<double, 7> start{};
        for (double& value : start) {
          value = std::exp(uniform(random, -12.0, 2.0));
        }
        start[6] = uniform(random, 1.0, 10.0);
        auto const hint = goodput_parameters::from(start);
        CHECK(fit_goodput(points, &hint).objective > reached - 1e-5);
      }
    }
  }
  TEST_CASE("nothing near a fit is better") {
    for (golden_fit const& each : golden_fits()) {
      if (each.profile.size() < 4) {
        continue;  // some parameters are fixed
      }
      CAPTURE(each.application);
      auto const best = fit_goodput(points_of(each.profile)).parameters.values();
      double const reached = published_objective(each.profile, best);
      for (std::size_t i = 0; i < best.size(); ++i) {
        for (double const factor : {0.9, 0.999, 1.001, 1.1}) {
          auto moved = best;
          moved[i] = std::max(moved[i] * factor, i == 6 ? 1.0 : 1e-8);
          CHECK(published_objective(each.profile, moved) >= reached - 1e-7);
        }
      }
    }
  }
  TEST_CASE("steps of a model without noise are predicted well elsewhere too") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      CAPTURE(seed);
      random_source random{seed};
      goodput_parameters truth;
      truth.alpha_compute = uniform(random, 0.01, 0.3);
      truth.beta_compute = uniform(random, 0.0005, 0.01);
      truth.alpha_local = uniform(random, 0.01, 0.2);
      truth.beta_local = truth.alpha_local * uniform(random, 0.001, 0.05);
      truth.alpha_network = uniform(random, 0.1, 1.0);
      truth.beta_network = truth.alpha_network * uniform(random, 0.001, 0.05);
      truth.gamma = uniform(random, 1.0, 2.0);
      auto const profile = steps_of(truth);
      goodput_fit const fit = fit_goodput(points_of(profile));
      // The truth is one candidate, so what is found is at most its priors.
      CHECK(fit.objective <= published_objective(profile, truth.values()) + 1e-6);
      for (configuration const where : {configuration{1, 1, 64}, {4, 1, 32}, {16, 2, 64}}) {
        double const ratio = fit.parameters.step(where).time / truth.step(where).time;
        CHECK(ratio > 0.97);
        CHECK(ratio < 1.03);
      }
    }
  }
  TEST_CASE("what was not measured is fixed as published") {
    std::vector<profile_point> points{
        {{1, 1, 100}, std::chrono::milliseconds{200}, std::chrono::milliseconds{200}}};
    goodput_parameters fit = fit_goodput(points).parameters;
    CHECK(fit.alpha_compute == doctest::Approx(0.1));  // half of the time
    CHECK(fit.beta_compute == doctest::Approx(0.001));
    CHECK(fit.alpha_local == 1e-8);
    CHECK(fit.beta_local == 1e-8);
    CHECK(fit.alpha_network == doctest::Approx(1.1e-8));
    CHECK(fit.beta_network == doctest::Approx(1.1e-8));

    points.push_back({{2, 1, 100}, std::chrono::milliseconds{200}, std::chrono::milliseconds{260}});
    fit = fit_goodput(points).parameters;
    CHECK(fit.alpha_compute == doctest::Approx(0.1));
    CHECK(fit.alpha_local > 0.01);
    CHECK(fit.beta_local == 1e-8);  // nothing beyond two GPUs
    CHECK(fit.alpha_network == doctest::Approx(1.1 * fit.alpha_local));

    points.push_back({{4, 2, 50}, std::chrono::milliseconds{120}, std::chrono::milliseconds{400}});
    fit = fit_goodput(points).parameters;
    CHECK(fit.alpha_compute == doctest::Approx(0.04).epsilon(0.05));
    CHECK(fit.beta_local == doctest::Approx(1e-8).epsilon(0.01));  // only the prior speaks
    CHECK(fit.alpha_network > 0.1);
  }
  TEST_CASE("bounds hold, whatever the profile") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      CAPTURE(seed);
      random_source random{seed};
      std::vector<profile_point> points;
      auto const count = 1 + random.below(12);
      for (std::uint64_t i = 0; i < count; ++i) {
        auto const up_to = [&](std::uint64_t bits) {
          return 1 +
                 static_cast<std::int64_t>(random.below(std::uint64_t{1} << random.below(bits)));
        };
        auto const gpus = static_cast<std::int32_t>(up_to(31));
        auto const nodes = std::min(gpus, static_cast<std::int32_t>(up_to(5)));
        points.push_back({{gpus, nodes, static_cast<std::int32_t>(up_to(31))},
                          std::chrono::nanoseconds{up_to(51)},
                          std::chrono::nanoseconds{up_to(51)}});  // steps may be too short
        REQUIRE(check_point(points.back()).has_value());
      }
      goodput_fit const fit = fit_goodput(points);
      CHECK(std::isfinite(fit.objective));
      auto const x = fit.parameters.values();
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(x[i] >= 1e-8);
        CHECK(std::isfinite(x[i]));
      }
      CHECK(x[6] >= 1.0);
      CHECK(x[6] <= 10.0);
    }
  }
  TEST_CASE("fits have the same bits everywhere") {
    std::uint64_t bits = 0;
    for (golden_fit const& each : golden_fits()) {
      for (double const value : fit_goodput(points_of(each.profile)).parameters.values()) {
        bits = std::rotl(bits, 7) ^ std::bit_cast<std::uint64_t>(value);
      }
    }
    CHECK(bits == 10431854522129643786u);
  }
  TEST_CASE("no points, no opinion") {
    CHECK(fit_goodput({}).parameters == goodput_parameters{});
  }
  TEST_CASE("points that cannot be are refused") {
    using std::chrono::nanoseconds;
    profile_point const good{{4, 2, 8}, nanoseconds{5}, nanoseconds{6}};
    CHECK(check_point(good).has_value());
    auto const refused = [&](auto change, errc code, field where) {
      profile_point bad = good;
      change(bad);
      CHECK(check_point(bad).error() == error{code, where});
    };
    refused([](auto& p) { p.where.gpus = 0; }, errc::zero_or_negative, field::gpus);
    refused([](auto& p) { p.where.nodes = -1; }, errc::zero_or_negative, field::node);
    refused([](auto& p) { p.where.nodes = 5; }, errc::inconsistent, field::node);
    refused([](auto& p) { p.where.batch_size = 0; }, errc::zero_or_negative, field::batch_size);
    refused([](auto& p) { p.compute = nanoseconds{0}; }, errc::bad_number, field::iteration);
    refused([](auto& p) { p.step = nanoseconds{-1}; }, errc::bad_number, field::iteration);
    refused([](auto& p) { p.step = nanoseconds::max(); }, errc::bad_number, field::iteration);
  }
}

}  // namespace goodput_fit_test
