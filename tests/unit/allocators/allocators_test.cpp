// SPDX-License-Identifier: BSL-1.0
// rigid and easy_backfill; admission by accept_all.
#include <berth/admission/accept_all.hpp>
#include <berth/allocators/easy_backfill.hpp>
#include <berth/allocators/rigid.hpp>

#include <tests/support/sample_job.hpp>

#include <doctest/doctest.h>

namespace allocators_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;
using berth_test::tick_at;

namespace {
template <class Allocator>
grant ask(Allocator const& allocator, sample_job const& job, queue_state const& queue,
          time_point now = at(duration{0})) {
  return allocator.allocate(job.view(now), queue, tick_at(now));
}
}  // namespace

TEST_CASE("rigid: the whole gang") {
  CHECK(ask(rigid{}, sample_job{job_spec{.gang = 3, .gpus_per_member = 2}}, {}).gpus == 6);
  CHECK_FALSE(rigid{}.reserves_for_head());
}

TEST_CASE("rigid: who skips is not blocked by those before; who is strict is, on their types") {
  sample_job const both{job_spec{.allowed_types = 3}};
  sample_job const first{job_spec{.allowed_types = 1}};
  sample_job const second{job_spec{.allowed_types = 2}};
  queue_state const blocked{.blocked_types = 1};
  CHECK(ask(rigid{}, first, blocked).gpus == 1);
  CHECK(ask(rigid{}, first, blocked).types == any_type);
  rigid const strict{queue_order::strict};
  CHECK(ask(strict, first, blocked).gpus == 0);
  CHECK(ask(strict, second, blocked).gpus == 1);
  CHECK(ask(strict, both, blocked).gpus == 1);
  CHECK_FALSE(contains(ask(strict, both, blocked).types, gpu_type{0}));
  CHECK(contains(ask(strict, both, blocked).types, gpu_type{1}));
  CHECK(ask(strict, both, {.blocked_types = any_type}).gpus == 0);
}

TEST_CASE("easy_backfill: promised GPUs only for those that are gone by then, by their own bound") {
  sample_job job{job_spec{.gang = 2}};
  job.predict(duration{100}, at(duration{0}));
  job.record.remaining.p90 = duration{200};
  easy_backfill const easy;
  CHECK(easy.reserves_for_head());
  CHECK(ask(easy, job, {}).gpus == 2);
  CHECK(ask(easy, job, {}).may_use_promised_gpus);
  time_point const now = at(duration{1000});
  auto const may = [&](time_point promised) {
    queue_state const queue{.head_promised = true, .promised_start = promised};
    grant const answer = ask(easy, job, queue, now);
    CHECK(answer.gpus == 2);
    return answer.may_use_promised_gpus;
  };
  CHECK(may(at(duration{1200})));
  CHECK_FALSE(may(at(duration{1199})));
  job.record.remaining.p90 = forever;
  CHECK_FALSE(may(at(max_instant)));
}

TEST_CASE("accept_all: everybody may enter") {
  sample_job const job{job_spec{}};
  CHECK(accept_all{}.admit(job.view(at(duration{0})), tick_at(at(duration{0}))));
}

}  // namespace allocators_test
