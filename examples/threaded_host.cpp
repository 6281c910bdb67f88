// SPDX-License-Identifier: BSL-1.0
// A host with threads. One agent a node launches gangs and reports from its own thread; what it
// says goes through an inbox to the one thread that owns the scheduler. One launch in five fails,
// and one agent repeats itself, as networks do.
#include <berth/berth.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

enum class word : std::uint8_t { started, launch_failed, ended };

struct message {
  word said{};
  berth::job_id job;
  berth::run_number run{};
};

struct launch_order {
  berth::job_id job;
  berth::run_number run{};
};

constexpr std::size_t node_count = 4;
constexpr int job_count = 60;

// What runs on a node: takes orders, launches, reports. It never touches the scheduler.
void run_agent(std::size_t node, berth::inbox<launch_order>& orders, berth::inbox<message>& reports,
               std::atomic<bool> const& stop) {
  auto const say = [&](message const& said) {
    while (!reports.push(said)) {  // full: the owner is behind, so wait
      std::this_thread::sleep_for(1ms);
    }
  };
  while (!stop) {
    launch_order order;
    if (!orders.pop(order)) {
      std::this_thread::sleep_for(200us);
      continue;
    }
    bool const fails = order.job.slot() % 5 == 0 && static_cast<unsigned>(order.run) == 1;
    if (fails) {
      say({word::launch_failed, order.job, order.run});
      continue;
    }
    say({word::started, order.job, order.run});
    if (node == 0) {
      say({word::started, order.job, order.run});
    }
    std::this_thread::sleep_for(1ms);  // the job's work
    say({word::ended, order.job, order.run});
  }
}

template <class Scheduler>
berth::result<void> pass_on(Scheduler& scheduler, message const& said, berth::time_point now) {
  switch (said.said) {
    case word::started: return scheduler.report(said.job, berth::started{said.run}, now);
    case word::launch_failed:
      return scheduler.report(said.job, berth::launch_failed{said.run}, now);
    case word::ended: return scheduler.complete(said.job, now);
  }
  return {};
}

}  // namespace

int main() {
  berth::scheduler_config config;
  config.max_jobs = job_count;
  config.retry = {.base = 1ms, .factor = 2, .cap = 10ms};
  auto const nodes = berth::cluster::uniform(static_cast<std::int32_t>(node_count), 8);
  auto made = berth::make_scheduler(nodes.value(), config, berth::fifo{});
  auto& scheduler = made.value();

  auto const begin = std::chrono::steady_clock::now();
  auto const now = [&] {
    return berth::time_point{
        std::chrono::floor<berth::duration>(std::chrono::steady_clock::now() - begin)};
  };
  for (int i = 0; i < job_count; ++i) {
    if (!scheduler.submit({.gang = 1 + i % 4, .layout = berth::spread::same_node}, now())) {
      return 1;
    }
  }

  berth::inbox<message> reports{256};
  std::array<std::unique_ptr<berth::inbox<launch_order>>, node_count> orders;
  std::atomic<bool> stop{false};
  std::vector<std::thread> agents;
  for (std::size_t n = 0; n < node_count; ++n) {
    orders[n] = std::make_unique<berth::inbox<launch_order>>(job_count);
    agents.emplace_back([&, n] { run_agent(n, *orders[n], reports, stop); });
  }

  int repeated = 0;
  int failed_launches = 0;
  bool ok = true;
  while (ok && scheduler.job_count() > 0) {
    message said;
    while (reports.pop(said)) {
      auto const taken = pass_on(scheduler, said, now());
      failed_launches += said.said == word::launch_failed ? 1 : 0;
      if (!taken && said.said == word::started) {
        ++repeated;  // recognised, and nothing has changed
      } else {
        ok = ok && taken.has_value();
      }
    }
    for (berth::action const& order : scheduler.tick(now())) {
      ok = ok && orders[order.gpus.front().node.slot()]->push({order.job, order.run}).has_value();
    }
    std::this_thread::sleep_for(500us);
  }
  stop = true;
  for (std::thread& agent : agents) {
    agent.join();
  }
  std::printf(
      "%d jobs done, %d launches failed and were tried again, %d repeated reports refused\n",
      job_count - static_cast<int>(scheduler.job_count()), failed_launches, repeated);
  bool const books_in_order = scheduler.check_invariants() == nullptr;
  return ok && books_in_order && failed_launches == job_count / 5 && repeated > 0 ? 0 : 1;
}
