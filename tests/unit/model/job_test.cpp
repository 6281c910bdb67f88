// SPDX-License-Identifier: BSL-1.0
// What components see of a job.
#include <berth/core/time.hpp>
#include <berth/model/job.hpp>

#include <tests/support/sample_job.hpp>

#include <doctest/doctest.h>

namespace job_test {

using namespace berth;
using berth_test::at;
using berth_test::sample_job;

TEST_CASE("job_view: run time, service and waiting are counted by state") {
  sample_job job{job_spec{.gang = 4}};
  CHECK(job.view(at(duration{70})).waiting() == duration{70});
  CHECK(job.view(at(duration{70})).waited() == duration{70});
  CHECK(job.view(at(duration{70})).run_time() == duration{0});
  CHECK(job.view(at(duration{70})).attained_service() == gpu_time::zero());
  CHECK(job.view(at(duration{70})).first_start() == never);
  CHECK_FALSE(job.view(at(duration{70})).is_running());

  job.run(at(duration{100}), 4);
  job_view const running = job.view(at(duration{130}));
  CHECK(running.is_running());
  CHECK(running.waiting() == duration{0});
  CHECK(running.waited() == duration{100});
  CHECK(running.run_time() == duration{30});
  CHECK(running.executed() == duration{30});
  CHECK(running.attained_service() == gpu_time{120});

  job.stop(at(duration{150}));
  job_view const stopped = job.view(at(duration{160}));
  CHECK(stopped.waiting() == duration{10});
  CHECK(stopped.waited() == duration{110});
  CHECK(stopped.run_time() == duration{0});
  CHECK(stopped.executed() == duration{50});
  CHECK(stopped.attained_service() == gpu_time{200});
  CHECK(stopped.first_start() == at(duration{100}));

  job.run(at(duration{200}), 4);
  CHECK(job.view(at(duration{210})).executed() == duration{60});
  CHECK(job.view(at(duration{210})).run_time() == duration{10});
  CHECK(job.view(at(duration{210})).attained_service() == gpu_time{240});
}

TEST_CASE("job_view: speed is that of the GPUs it holds, or the fastest it allows while it waits") {
  job_spec spec;
  spec.speed[0] = 0.5;
  spec.speed[1] = 2.0;
  sample_job job{spec};
  CHECK(job.view(at(duration{0})).speed() == 2000);
  job.run(at(duration{0}), 1, gpu_type{0});
  CHECK(job.view(at(duration{0})).speed() == 500);
  job.stop(at(duration{5}));
  CHECK(job.view(at(duration{5})).speed() == 2000);
  spec.allowed_types = 1;
  CHECK(sample_job{spec}.view(at(duration{0})).speed() == 500);
}

TEST_CASE("job_view: done is extrapolated at the speed of the GPUs, and never above the work") {
  job_spec spec;
  spec.work = duration{100};
  spec.speed[1] = 2.0;
  sample_job job{spec};
  job.record.done = duration{10};
  CHECK(job.view(at(duration{500})).done() == duration{10});
  job.run(at(duration{0}), 1, gpu_type{1});
  CHECK(job.view(at(duration{20})).done() == duration{50});
  CHECK(job.view(at(duration{1000})).done() == duration{100});
}

TEST_CASE("job_view: without checkpoints, nothing since the start of the run is safe") {
  sample_job job{job_spec{.work = duration{1000}}};
  job.record.done = job.record.safe = duration{40};
  CHECK(job.view(at(duration{5})).safe() == duration{40});
  job.run(at(duration{100}), 1);
  CHECK(job.view(at(duration{170})).safe_since() == at(duration{100}));
  CHECK(job.view(at(duration{170})).done() == duration{110});
  CHECK(job.view(at(duration{170})).safe() == duration{40});
}

TEST_CASE("job_view: a reported checkpoint is where a stop falls back to") {
  sample_job job{job_spec{.work = duration{1000}}};
  job.run(at(duration{100}), 1);
  job.record.safe_at = at(duration{150});
  job.record.safe = duration{50};
  CHECK(job.view(at(duration{170})).safe_since() == at(duration{150}));
  CHECK(job.view(at(duration{170})).safe() == duration{50});
}

TEST_CASE(
    "job_view: a declared period implies checkpoints; the later of implied and reported counts") {
  job_spec spec{.work = duration{1000}};
  spec.checkpoints.period = duration{30};
  sample_job job{spec};
  job.run(at(duration{100}), 1);
  CHECK(job.view(at(duration{129})).safe_since() == at(duration{100}));
  CHECK(job.view(at(duration{130})).safe_since() == at(duration{130}));
  CHECK(job.view(at(duration{170})).safe_since() == at(duration{160}));
  CHECK(job.view(at(duration{170})).safe() == duration{60});
  job.record.safe_at = at(duration{165});
  job.record.safe = duration{65};
  CHECK(job.view(at(duration{170})).safe_since() == at(duration{165}));
  CHECK(job.view(at(duration{191})).safe_since() == at(duration{190}));
}

TEST_CASE("job_view: phase is the age of the last checkpoint when the run starts") {
  job_spec spec{.work = duration{1000}};
  spec.checkpoints.period = duration{30};
  spec.checkpoints.phase = duration{20};
  sample_job job{spec};
  job.run(at(duration{100}), 1);
  CHECK(job.view(at(duration{105})).safe_since() == at(duration{100}));
  CHECK(job.view(at(duration{110})).safe_since() == at(duration{110}));
  CHECK(job.view(at(duration{145})).safe_since() == at(duration{140}));
}

TEST_CASE("job_view: epochs stand in for checkpoints whose period is unknown: zero or forever") {
  for (duration const unknown : {duration{0}, forever}) {
    job_spec spec{.work = duration{1000}};
    spec.checkpoints.period = unknown;
    spec.checkpoints.epoch_period = duration{40};
    sample_job job{spec};
    job.run(at(duration{100}), 1);
    CHECK(job.view(at(duration{150})).safe_since() == at(duration{140}));
  }
}

TEST_CASE("job_view: an unknown phase counts as none, an unknown period as no checkpoints") {
  job_spec spec{.work = duration{1000}};
  spec.checkpoints.period = duration{30};
  spec.checkpoints.phase = forever;
  sample_job job{spec};
  job.run(at(duration{100}), 1);
  CHECK(job.view(at(duration{131})).safe_since() == at(duration{130}));
  spec.checkpoints.period = forever;
  spec.checkpoints.epoch_period = forever;
  sample_job other{spec};
  other.run(at(duration{100}), 1);
  CHECK(other.view(at(duration{131})).safe_since() == at(duration{100}));
}

TEST_CASE("job_view: an estimate is counted down while the job runs, and ends at 1 ms") {
  sample_job job{job_spec{}};
  job.predict(duration{50}, at(duration{0}));
  CHECK(job.view(at(duration{40})).remaining().p50 == duration{50});
  job.run(at(duration{100}), 1);
  CHECK(job.view(at(duration{120})).remaining() == estimate::exactly(duration{30}));
  CHECK(job.view(at(duration{120})).forecast_end() == at(duration{150}));
  CHECK(job.view(at(duration{900})).remaining() == estimate::exactly(duration{1}));
  job.predict(duration{500}, at(duration{900}));
  CHECK(job.view(at(duration{910})).remaining().p90 == duration{490});
}

TEST_CASE("job_view: an unknown length stays unknown") {
  sample_job job{job_spec{}};
  job.run(at(duration{100}), 1);
  CHECK(job.view(at(duration{120})).remaining() == estimate{});
  CHECK(job.view(at(duration{120})).forecast_end() == never);
}

}  // namespace job_test
