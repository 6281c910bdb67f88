// SPDX-License-Identifier: BSL-1.0
// history: the ladder, the intervals, correction, bounds, saving.
#include <berth/core/random.hpp>
#include <berth/model/name_sketch.hpp>
#include <berth/predictors/history.hpp>

#include <tests/support/sample_job.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

namespace history_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

static_assert(learning_predictor<history>);
static_assert(observing_predictor<history>);
static_assert(std::has_unique_object_representations_v<history::job_data>);

namespace {

constexpr time_point start = at(duration{0});

training_query on(std::int32_t gpus, std::int32_t nodes, std::int32_t batch) {
  return {.model = model_id{7},
          .user = user_id{3},
          .gpus = gpus,
          .nodes = nodes,
          .batch_size = batch,
          .epochs = 10,
          .samples = 1'000'000};
}
/// What a model with these terms takes for all epochs.
duration truth(training_query const& job) {
  step_time_model const model{{900.0, 40.0, 2.5, 3000.0}};
  double const steps = 1e7 / (static_cast<double>(job.gpus) * job.batch_size);
  return duration{std::llround(steps * model.step({job.gpus, job.nodes, job.batch_size}))};
}
void teach_four(history& past) {
  for (training_query const& job : {on(1, 1, 8), on(1, 1, 64), on(4, 1, 32), on(16, 4, 16)}) {
    REQUIRE(past.record({job, truth(job)}));
  }
}
bool is_close(duration a, duration b, double tolerance) {
  return std::abs(static_cast<double>(a.count()) / static_cast<double>(b.count()) - 1.0) <=
         tolerance;
}

}  // namespace

TEST_CASE("history: no record, no prediction") {
  history const past;
  CHECK(past.predict(on(1, 1, 8)) == estimate{});
  CHECK(past.basis(on(1, 1, 8)) == guess_basis::everybody);
}

TEST_CASE("history: four jobs of a model are enough for any other of it") {
  history past;
  teach_four(past);
  for (training_query const& job : {on(2, 1, 16), on(8, 2, 64), on(64, 16, 32), on(3, 3, 8)}) {
    CHECK(past.basis(job) == guess_basis::step_time);
    CHECK(is_close(past.predict(job).p50, truth(job), 1e-6));
  }
  training_query half = on(2, 1, 16);
  half.epochs = 5;
  CHECK(is_close(past.predict(half).p50, truth(on(2, 1, 16)) / 2, 1e-6));
}

TEST_CASE("history: three configurations are not four, however often they ran") {
  history past;
  for (int i = 0; i < 5; ++i) {
    for (training_query const& job : {on(1, 1, 8), on(1, 1, 64), on(4, 1, 32)}) {
      REQUIRE(past.record({job, truth(job)}));
    }
  }
  CHECK(past.basis(on(2, 1, 8)) != guess_basis::step_time);
}

TEST_CASE("history: the ladder, rung by rung") {
  history past;
  training_query named{.user = user_id{3}, .name = sketch("bert-squad-run1"), .gpus = 2};
  REQUIRE(past.record({named, duration{5000}}));
  named.name = sketch("yolo_voc_detector");
  REQUIRE(past.record({named, duration{1000}}));

  training_query asked{.gpus = 2};
  CHECK(past.basis(asked) == guess_basis::everybody);
  CHECK(past.predict(asked).p10 >= duration{900});
  CHECK(past.predict(asked).p90 <= duration{5100});

  asked.user = user_id{3};
  CHECK(past.basis(asked) == guess_basis::same_user);
  CHECK(past.predict(asked).p50 == duration{3000});

  asked.name = sketch("bert-squad-run22");
  CHECK(past.basis(asked) == guess_basis::similar_name);
  CHECK(past.predict(asked).p50 == duration{5000});

  REQUIRE(past.record({on(2, 1, 8), duration{8000}}));
  asked = on(2, 2, 64);
  CHECK(past.basis(asked) == guess_basis::same_size);
  CHECK(past.predict(asked).p50 == duration{8000});
  asked.epochs = 20;
  CHECK(past.predict(asked).p50 == duration{16'000});

  REQUIRE(past.record({on(2, 1, 8), duration{9000}}));
  CHECK(past.basis(on(2, 1, 8)) == guess_basis::same_configuration);
  CHECK(past.predict(on(2, 1, 8)).p50 == duration{8500});
}

TEST_CASE("history: new records count for more than old ones") {
  history past;
  training_query const places[] = {on(1, 1, 8), on(1, 1, 64), on(4, 1, 32), on(16, 4, 16)};
  for (int i = 0; i < 40; ++i) {
    for (training_query const& job : places) {
      REQUIRE(past.record({job, i < 30 ? truth(job) : truth(job) * 2}));  // a slower framework
    }
  }
  training_query const job = on(2, 1, 16);
  double const grown =
      static_cast<double>(past.predict(job).p50.count()) / static_cast<double>(truth(job).count());
  CHECK(grown > 1.7);  // of the 64 newest, 40 are slow and weigh three quarters
  CHECK(grown < 2.3);
}

TEST_CASE("history: the oldest jobs go first, and memory is bounded") {
  history past{8};
  teach_four(past);
  training_query other{.model = model_id{9}, .user = user_id{5}, .gpus = 1};
  for (int i = 0; i < 7; ++i) {
    REQUIRE(past.record({other, duration{1000}}));
  }
  CHECK(past.basis(on(2, 1, 8)) == guess_basis::step_time);  // the fit stays with the newest
  REQUIRE(past.record({other, duration{1000}}));
  CHECK(past.basis(on(2, 1, 8)) == guess_basis::everybody);
  CHECK(past.basis({.model = model_id{9}, .gpus = 1}) == guess_basis::same_configuration);
}

TEST_CASE("history: intervals cover four in five of the outcomes, and half lie below the median") {
  history past;
  random_source random{11};
  int asked = 0;
  int inside = 0;
  int below = 0;
  for (int i = 0; i < 3000; ++i) {
    training_query job = on(static_cast<std::int32_t>(1u << random.below(5)), 1,
                            static_cast<std::int32_t>(random.between(8, 64)));
    job.nodes = (job.gpus + 3) / 4;
    double noise = -6.0;
    for (int k = 0; k < 12; ++k) {
      noise += random.unit();
    }
    duration const took{
        std::llround(static_cast<double>(truth(job).count()) * std::exp(0.3 * noise))};
    if (i >= 300) {
      estimate const said = past.predict(job);
      ++asked;
      inside += took >= said.p10 && took <= said.p90 ? 1 : 0;
      below += took <= said.p50 ? 1 : 0;
    }
    REQUIRE(past.record({job, took}));
  }
  CHECK(inside * 100 > asked * 76);
  CHECK(inside * 100 < asked * 84);
  CHECK(below * 100 > asked * 45);
  CHECK(below * 100 < asked * 55);
}

TEST_CASE("history: a bad record is refused with its member, and changes nothing") {
  history past;
  auto const refusal = [&](auto change) {
    training_record job{on(2, 1, 8), duration{1000}};
    change(job);
    return past.record(job).error().where;
  };
  CHECK(refusal([](training_record& j) { j.what.gpus = 0; }) == field::gpus);
  CHECK(refusal([](training_record& j) { j.what.nodes = 3; }) == field::node);
  CHECK(refusal([](training_record& j) { j.what.batch_size = -1; }) == field::batch_size);
  CHECK(refusal([](training_record& j) { j.what.epochs = -1; }) == field::epochs);
  CHECK(refusal([](training_record& j) { j.what.samples = -1; }) == field::samples);
  CHECK(refusal([](training_record& j) { j.took = duration{0}; }) == field::work);
  CHECK(refusal([](training_record& j) { j.took = forever; }) == field::work);
  CHECK(past.predict(on(2, 1, 8)) == estimate{});
}

TEST_CASE("history: extremes stay in range") {
  history past;
  training_query huge = on(1 << 20, 1 << 20, 1 << 24);
  huge.epochs = 1 << 20;
  huge.samples = std::int64_t{1} << 40;
  for (std::int32_t const batch : {1, 3, 1 << 12, 1 << 24}) {
    huge.batch_size = batch;
    REQUIRE(past.record({huge, max_duration}));
    training_query tiny = on(1, 1, batch);
    tiny.epochs = 1;
    tiny.samples = 1;
    REQUIRE(past.record({tiny, duration{1}}));
    for (training_query const& job : {huge, tiny, on(5, 2, 7)}) {
      estimate const said = past.predict(job);
      CHECK(said.p10 >= duration{1});
      CHECK(said.p10 <= said.p50);
      CHECK(said.p50 <= said.p90);
      CHECK(said.p90 <= max_duration);
    }
  }
}

TEST_CASE("history: as a component it learns from jobs that end, at speed 1") {
  history past;
  job_spec spec{.gang = 2};
  spec.user = user_id{4};
  spec.speed[0] = 2.0;
  sample_job job{spec};
  history::job_data data;
  job.run(start, 2);
  past.learn(job.view(at(duration{3000})), data, duration{3000});
  CHECK(past.predict({.user = user_id{4}}).p50 == duration{6000});
  sample_job const next{spec};
  CHECK(past.remaining(next.view(start), data, tick_at(start)).p50 == duration{3000});
}

TEST_CASE("history: a gang that some members left early teaches nothing") {
  history past;
  sample_job job{job_spec{.gang = 2}};
  history::job_data data;
  job.run(start, 1);
  past.learn(job.view(at(duration{3000})), data, duration{3000});
  CHECK(past.predict({}) == estimate{});
}

TEST_CASE("history: who is unknown is believed what he declares") {
  history past;
  REQUIRE(past.record({{.gpus = 1}, duration{123}}));
  history::job_data const data;
  sample_job const declared_job{job_spec{.work = duration{9000}}};
  CHECK(past.remaining(declared_job.view(start), data, tick_at(start)).p50 == duration{9000});
  sample_job const silent{job_spec{}};
  CHECK(past.remaining(silent.view(start), data, tick_at(start)).p50 == duration{123});
}

TEST_CASE("history: after one epoch half of the answer is the job's own speed, after two all") {
  history past;
  job_spec spec{.work = duration{10'000}};
  spec.user = user_id{4};
  spec.epochs = 10;
  REQUIRE(past.record({{.user = user_id{4}}, duration{10'000}}));
  sample_job job{spec};
  job.run(start, 1);
  history::job_data data;
  auto const total_after = [&](duration ran, duration done) {
    past.observe(job.view(at(ran)), data, progress{.done = done});
    // Asked at the start of the run, so that nothing is counted down.
    return past.remaining(job.view(start), data, tick_at(start)).p50;
  };
  CHECK(is_close(total_after(duration{2000}, duration{1000}), duration{15'000}, 1e-3));
  CHECK(data.trust == doctest::Approx(500).epsilon(0.01));
  CHECK(is_close(total_after(duration{4000}, duration{2000}), duration{20'000}, 1e-3));
  CHECK(is_close(total_after(duration{9000}, duration{3000}), duration{30'000}, 1e-3));
  CHECK(data.trust == 1000);
}

TEST_CASE("history: what it learned is saved and loaded, whole or the newest of it") {
  history past{100};
  random_source random{5};
  for (int i = 0; i < 300; ++i) {
    training_query job = on(static_cast<std::int32_t>(1u << random.below(4)), 1,
                            static_cast<std::int32_t>(random.between(8, 64)));
    job.model = static_cast<model_id>(random.below(5));
    job.user = static_cast<user_id>(random.below(5));
    job.name = random.next();
    REQUIRE(past.record({job, truth(job) * random.between(1, 3)}));
  }
  std::vector<std::byte> bytes(past.save_size());
  REQUIRE(past.save(bytes).value() == bytes.size());
  auto const same_answers = [&](history const& a, history const& b) {
    for (int i = 0; i < 200; ++i) {
      training_query job = on(static_cast<std::int32_t>(1 + random.below(20)), 1,
                              static_cast<std::int32_t>(random.between(1, 99)));
      job.model = static_cast<model_id>(random.below(6));
      job.user = static_cast<user_id>(random.below(6));
      CHECK(a.predict(job) == b.predict(job));
    }
  };
  history same{100};
  REQUIRE(same.load(bytes));
  same_answers(past, same);
  std::vector<std::byte> again(same.save_size());
  REQUIRE(same.save(again));
  CHECK(again == bytes);
  for (int i = 0; i < 50; ++i) {  // and they go on alike
    REQUIRE(past.record({on(2, 1, 8 + i), duration{70'000 + i}}));
    REQUIRE(same.record({on(2, 1, 8 + i), duration{70'000 + i}}));
  }
  same_answers(past, same);

  history smaller{10};
  REQUIRE(smaller.load(bytes));
  std::vector<std::byte> fewer(smaller.save_size());
  CHECK(fewer.size() < bytes.size());
}

TEST_CASE("history: bad bytes are refused, say where, and change nothing") {
  history past;
  teach_four(past);
  std::vector<std::byte> const bytes = [&] {
    std::vector<std::byte> written(past.save_size());
    REQUIRE(past.save(written));
    return written;
  }();
  error const not_ours{errc::bad_data, field::message};
  history other;
  REQUIRE(other.record({on(1, 1, 8), duration{77}}));
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    CHECK(other.load(std::span{bytes}.first(length)).error() == not_ours);
  }
  for (std::size_t i = 0; i < bytes.size(); i += 5) {
    auto changed = bytes;
    changed[i] ^= std::byte{0x10};
    CHECK(other.load(changed).error() == not_ours);
  }
  CHECK(other.predict(on(1, 1, 8)).p50 == duration{77});
  std::vector<std::byte> small(bytes.size() - 1);
  CHECK(past.save(small).error() == error{errc::capacity_exceeded, field::message});

  // The checksum is right, and a record is impossible.
  auto forged = bytes;
  std::size_t const line = 10 * sizeof(std::uint64_t);
  std::size_t const gpus_at = forged.size() - line + 16;
  REQUIRE(forged[gpus_at] == std::byte{16});
  forged[gpus_at] = std::byte{0};
  detail::byte_writer sum{std::span{forged}.subspan(16)};
  sum(detail::checksum(std::span{forged}.subspan(24)));
  CHECK(other.load(forged).error() == error{errc::bad_data, field::gpus});
}

}  // namespace history_test
