// SPDX-License-Identifier: BSL-1.0
// examples/quickstart.cpp in C: the whole loop of a host that needs no more. docs/c_api.md shows
// it.
#include <berth/c/berth.h>

#include <inttypes.h>
#include <stdio.h>

enum { minute = 60 * 1000, hour = 60 * minute };

static void fail_on(berth_status status, char const* call) {
  char text[128];
  if (status != BERTH_OK && berth_status_text(status, text, sizeof text, NULL) == BERTH_OK) {
    fprintf(stderr, "%s: %s\n", call, text);
  }
}

static int gpu_count(uint64_t gpus) {
  int count = 0;
  for (; gpus != 0; gpus &= gpus - 1) {
    ++count;
  }
  return count;
}

static void apply_plan(berth_scheduler* scheduler, int64_t now) {
  berth_action actions[16];
  berth_gpu_range ranges[64];
  berth_plan plan;
  berth_plan_init(&plan, sizeof plan);
  plan.actions = actions;
  plan.action_capacity = 16;
  plan.ranges = ranges;
  plan.range_capacity = 64;
  berth_status const status = berth_tick(scheduler, now, &plan);
  if (status != BERTH_OK) {
    fail_on(status, "tick");
    return;
  }
  for (uint32_t i = 0; i < plan.action_count; ++i) {
    berth_action const* order = &actions[i];
    printf("%s job %d on", order->kind == BERTH_START ? "start" : "stop ", (int)order->tag);
    for (uint32_t k = 0; k < order->range_count; ++k) {
      berth_gpu_range const* part = &ranges[order->first_range + k];
      printf(" node %" PRIu64 " (%d GPUs)", part->node & UINT32_MAX, gpu_count(part->gpus));
    }
    puts("");
  }
}

static uint64_t submit(berth_scheduler* scheduler, int32_t gang, int64_t work, uint64_t tag,
                       int64_t now) {
  uint64_t id = BERTH_NULL_ID;
  berth_job job;
  berth_job_init(&job, sizeof job);
  job.gang = gang;
  job.work = work;
  job.tag = tag;
  fail_on(berth_submit(scheduler, &job, now, &id), "submit");
  return id;
}

int main(void) {
  berth_node nodes[2];  // two nodes with eight GPUs each
  for (int i = 0; i < 2; ++i) {
    berth_node_init(&nodes[i], sizeof nodes[i]);
    nodes[i].gpus = 8;
  }
  berth_config config;
  berth_config_init(&config, sizeof config);
  config.preset = "shortest_remaining";
  config.nodes = nodes;
  config.node_count = 2;
  config.acknowledge = BERTH_IMPLICIT;  // an order counts as done
  berth_scheduler* scheduler = NULL;
  berth_status const made = berth_create(&config, &scheduler);
  if (made != BERTH_OK) {
    fail_on(made, "create");
    return 1;
  }

  int64_t now = 0;  // your clock, in milliseconds; berth never reads one
  uint64_t const large = submit(scheduler, 16, 5 * hour, 1, now);
  apply_plan(scheduler, now);  // it gets the whole cluster
  now += hour;
  uint64_t const small = submit(scheduler, 4, 10 * minute, 2, now);
  apply_plan(scheduler, now);  // less is left of it than of the large one, which gives way

  char why[128];
  if (berth_explain(scheduler, large, NULL, why, sizeof why, NULL) == BERTH_OK) {
    printf("wait  job 1: %s\n", why);
  }
  now += 10 * minute;
  fail_on(berth_complete(scheduler, small, BERTH_FINISHED, now), "complete");
  apply_plan(scheduler, now);  // the large one runs again

  berth_job_info info;
  berth_job_info_init(&info, sizeof info);
  fail_on(berth_view(scheduler, large, &info), "view");
  fail_on(berth_destroy(scheduler), "destroy");
  return info.state == BERTH_JOB_RUNNING ? 0 : 1;
}
