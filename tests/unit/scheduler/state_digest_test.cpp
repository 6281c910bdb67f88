// SPDX-License-Identifier: BSL-1.0
// The digest of a state sees whatever later decisions depend on: all that a snapshot writes.
#include <berth/berth.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include <doctest/doctest.h>

namespace state_digest_test {

namespace {

using namespace std::chrono_literals;
using berth::job_spec;
constexpr berth::time_point start{std::chrono::hours{1}};

auto with_job(job_spec const& job) {
  auto s = berth::make_scheduler(berth::cluster::uniform(2, 4).value(), {}).value();
  REQUIRE(s.submit(job, start).has_value());
  REQUIRE(s.tick(start).size() == 1);
  return s;
}

struct remembers {
  using component_role = berth::policy_role;
  struct job_data {
    std::int64_t what = 0;
  };
  std::int64_t what = 0;
  [[nodiscard]] berth::priority_key priority(berth::job_view const&, job_data& data,
                                             berth::tick_context const&) const noexcept {
    data.what = what;
    return {};
  }
};

struct foretells {
  using component_role = berth::predictor_role;
  berth::estimate said;
  [[nodiscard]] berth::estimate remaining(berth::job_view const&,
                                          berth::tick_context const&) const noexcept {
    return said;
  }
};

template <class... Components>
std::uint64_t digest_with(Components... parts) {
  auto s = berth::make_scheduler(berth::cluster::uniform(1, 4).value(), {}, parts...).value();
  REQUIRE(s.submit({}, start).has_value());
  REQUIRE(s.tick(start).size() == 1);
  return s.state_digest();
}

std::uint64_t digest_of(berth::node_spec const& node) {
  berth::cluster made{{"old", "new"}};
  REQUIRE(made.add(node).has_value());
  return berth::make_scheduler(made, {}).value().state_digest();
}

}  // namespace

TEST_CASE("state_digest: equal calls give equal digests") {
  CHECK(with_job({}).state_digest() == with_job({}).state_digest());
  CHECK(digest_with(remembers{3}) == digest_with(remembers{3}));
  CHECK(digest_of({.gpus = 4}) == digest_of({.gpus = 4}));
}

TEST_CASE("state_digest: every member of job_spec is in it") {
  std::uint64_t const plain = with_job({}).state_digest();
  auto const differs = [&](char const* member, auto change) {
    CAPTURE(std::string{member});
    job_spec job;
    change(job);
    CHECK(with_job(job).state_digest() != plain);
  };
  differs("min_gang", [](job_spec& j) { j.min_gang = 1; });
  differs("speed", [](job_spec& j) { j.speed[3] = 2.0; });
  differs("layout", [](job_spec& j) { j.layout = berth::spread::same_node; });
  differs("spread_loss", [](job_spec& j) { j.spread_loss = 0; });
  differs("model", [](job_spec& j) { j.model = berth::model_id{1}; });
  differs("user", [](job_spec& j) { j.user = berth::user_id{1}; });
  differs("name", [](job_spec& j) { j.name = 1; });
  differs("batch_size", [](job_spec& j) { j.batch_size = 1; });
  differs("epochs", [](job_spec& j) { j.epochs = 1; });
  differs("samples", [](job_spec& j) { j.samples = 1; });
  differs("priority", [](job_spec& j) { j.priority = 1; });
  differs("tenant", [](job_spec& j) { j.tenant = berth::tenant_id{1}; });
  differs("work", [](job_spec& j) { j.work = 1h; });
  differs("estimate", [](job_spec& j) { j.estimate = 1h; });
  differs("deadline", [](job_spec& j) { j.deadline = start + 5h; });
  differs("preemptible", [](job_spec& j) { j.preemptible = false; });
  differs("epoch_period", [](job_spec& j) { j.checkpoints.epoch_period = 1h; });
  differs("period", [](job_spec& j) { j.checkpoints.period = 1h; });
  differs("phase", [](job_spec& j) { j.checkpoints.phase = 1h; });
  differs("checkpoint_bytes", [](job_spec& j) { j.checkpoints.checkpoint_bytes = 1; });
  differs("dataset_bytes", [](job_spec& j) { j.checkpoints.dataset_bytes = 1; });
  differs("startup", [](job_spec& j) { j.checkpoints.startup = 1s; });
  differs("resize", [](job_spec& j) { j.checkpoints.resize = 1s; });
  differs("borrows", [](job_spec& j) { j.borrows = berth::borrowing::all; });
  differs("iteration", [](job_spec& j) { j.checkpoints.iteration = 1s; });
  differs("save", [](job_spec& j) { j.checkpoints.save = 1s; });
  differs("cached_bytes", [](job_spec& j) { j.checkpoints.cached_bytes = 1; });
  differs("modes", [](job_spec& j) { j.checkpoints.modes = 1; });
  differs("tag", [](job_spec& j) { j.tag = 1; });
}

TEST_CASE("state_digest: what components keep per job and every bound of an estimate are in it") {
  CHECK(digest_with(remembers{1}) != digest_with(remembers{2}));
  berth::estimate const said{.p10 = 1h, .p50 = 2h, .p90 = 3h};
  std::uint64_t const plain = digest_with(foretells{said});
  auto other = said;
  other.p10 = 30min;
  CHECK(digest_with(foretells{other}) != plain);
  other = said;
  other.p90 = 4h;
  CHECK(digest_with(foretells{other}) != plain);
}

TEST_CASE("state_digest: every member of a node is in it") {
  std::uint64_t const plain = digest_of({.gpus = 4});
  CHECK(digest_of({.gpus = 5}) != plain);
  CHECK(digest_of({.gpus = 4, .type = berth::gpu_type{1}}) != plain);
  CHECK(digest_of({.gpus = 4, .rack = berth::rack_id{1}}) != plain);
  CHECK(digest_of({.gpus = 4, .owner = berth::pool::inference}) != plain);
  CHECK(digest_of({.gpus = 4, .health = berth::node_health::draining}) != plain);
  CHECK(digest_of({.gpus = 4, .cpu_milli = 1}) != plain);
  CHECK(digest_of({.gpus = 4, .memory_mib = 1}) != plain);
  CHECK(digest_of({.gpus = 4, .tag = 1}) != plain);
}

TEST_CASE("state_digest: which jobs have arrived, and which are to stop for whom, is in it") {
  // In the two runs, the same number of jobs arrives and stops, but not the same ones.
  auto const run = [](int ended) {
    auto s = berth::make_scheduler(berth::cluster::uniform(1, 4).value(), {}).value();
    berth::job_id const jobs[] = {s.submit({}, start).value(), s.submit({}, start).value()};
    REQUIRE(s.cancel(jobs[ended], start));
    return s.state_digest();
  };
  CHECK(run(0) == run(0));
  CHECK(run(0) != run(1));
  auto const stopping = [](int ended) {
    auto s = berth::make_scheduler(berth::cluster::uniform(1, 4).value(), {}).value();
    berth::job_id const jobs[] = {s.submit({}, start).value(), s.submit({}, start).value()};
    REQUIRE(s.tick(start).size() == 2);
    REQUIRE(s.cancel(jobs[ended], start));
    return s.state_digest();
  };
  CHECK(stopping(0) != stopping(1));
}

}  // namespace state_digest_test
