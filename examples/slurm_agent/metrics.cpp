// SPDX-License-Identifier: BSL-1.0
#include "metrics.hpp"

#if BERTH_SLURM_METRICS
#include <string>

#include <prometheus/counter.h>
#include <prometheus/exposer.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

namespace slurm_agent {
namespace {

double seconds(std::chrono::nanoseconds span) {
  return std::chrono::duration<double>(span).count();
}

void set(prometheus::Counter& counter, double total) {
  counter.Increment(total - counter.Value());
}

class exporter final : public figures_sink {
 public:
  explicit exporter(std::uint16_t port) : exposer_{"127.0.0.1:" + std::to_string(port), 1} {
    exposer_.RegisterCollectable(registry_);
  }

  void take(figures const& now) override {
    if (now.decisions > seen_decisions_) {
      decision_.Observe(seconds(now.last.decide));
      seen_decisions_ = now.decisions;
    }
    cycle_.Observe(seconds(now.last.load + now.last.settle + now.last.decide + now.last.act));
    waiting_.Set(static_cast<double>(now.waiting));
    running_.Set(static_cast<double>(now.running));
    stopping_.Set(static_cast<double>(now.stopping));
    static constexpr char const* states[berth::gpu_state_count] = {
        "free", "held", "draining", "promised", "reserved", "down"};
    for (std::size_t s = 0; s < now.gpus.size(); ++s) {
      gpus_.Add({{"state", states[s]}}).Set(static_cast<double>(now.gpus[s]));
    }
    set(starts_, static_cast<double>(now.starts));
    set(preemptions_, static_cast<double>(now.preemptions));
    set(resizes_, static_cast<double>(now.resizes));
    set(refusals_, static_cast<double>(now.refusals));
    set(rebuilds_, static_cast<double>(now.rebuilds));
    set(unreachable_, static_cast<double>(now.unreachable));
    set(lost_, static_cast<double>(now.gpu_milliseconds_lost) / 1000.0);
  }

 private:
  prometheus::Counter& counter(char const* name, char const* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(*registry_).Add({});
  }
  prometheus::Histogram& histogram(char const* name, char const* help) {
    return prometheus::BuildHistogram()
        .Name(name)
        .Help(help)
        .Register(*registry_)
        .Add({}, prometheus::Histogram::BucketBoundaries{1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0});
  }
  prometheus::Gauge& jobs(char const* state) { return job_family_.Add({{"state", state}}); }

  std::shared_ptr<prometheus::Registry> registry_ = std::make_shared<prometheus::Registry>();
  prometheus::Family<prometheus::Gauge>& job_family_ =
      prometheus::BuildGauge().Name("berth_jobs").Help("Jobs by state.").Register(*registry_);
  prometheus::Family<prometheus::Gauge>& gpus_ =
      prometheus::BuildGauge().Name("berth_gpus").Help("GPUs by state.").Register(*registry_);
  prometheus::Gauge& waiting_ = jobs("waiting");
  prometheus::Gauge& running_ = jobs("running");
  prometheus::Gauge& stopping_ = jobs("stopping");
  prometheus::Histogram& decision_ =
      histogram("berth_decision_seconds", "What berth took to decide, per cycle that decided.");
  prometheus::Histogram& cycle_ =
      histogram("berth_cycle_seconds", "What a cycle took, requests to Slurm included.");
  prometheus::Counter& starts_ = counter("berth_starts_total", "Orders to start.");
  prometheus::Counter& preemptions_ = counter("berth_preemptions_total", "Orders to stop.");
  prometheus::Counter& resizes_ =
      counter("berth_resizes_total", "Orders to go on with another size.");
  prometheus::Counter& refusals_ =
      counter("berth_refusals_total", "Requests that Slurm refused or took back.");
  prometheus::Counter& rebuilds_ =
      counter("berth_rebuilds_total", "How often berth was told everything anew.");
  prometheus::Counter& unreachable_ =
      counter("berth_unreachable_total", "Cycles without an answer of slurmctld.");
  prometheus::Counter& lost_ = counter("berth_gpu_seconds_lost_total",
                                       "GPU time that preemption has destroyed, saving included.");
  std::uint64_t seen_decisions_ = 0;
  prometheus::Exposer exposer_;
};

}  // namespace

std::unique_ptr<figures_sink> serve_figures(std::uint16_t port) {
  return std::make_unique<exporter>(port);
}

}  // namespace slurm_agent
#else
namespace slurm_agent {

std::unique_ptr<figures_sink> serve_figures(std::uint16_t) {
  return nullptr;
}

}  // namespace slurm_agent
#endif
