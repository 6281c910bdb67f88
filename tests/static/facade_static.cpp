// SPDX-License-Identifier: BSL-1.0
// What the scheduler object promises by its type: noexcept calls, moves, no copies; records are
// plain data; what is constexpr.
#include <berth/berth.hpp>

#include <type_traits>
#include <utility>

namespace facade_static {

using tested = berth::scheduler_of<>;

static_assert(std::is_nothrow_move_constructible_v<tested>);
static_assert(std::is_nothrow_destructible_v<tested>);
static_assert(!std::is_copy_constructible_v<tested>);
static_assert(!std::is_copy_assignable_v<tested>);
static_assert(!std::is_default_constructible_v<tested>);

extern tested host;
extern tested const seen;
constexpr berth::job_id job{};
constexpr berth::node_id node{};
constexpr berth::time_point now{};

static_assert(noexcept(host.submit(std::declval<berth::job_spec const&>(), now)));
static_assert(noexcept(host.complete(job, now)));
static_assert(noexcept(host.cancel(job, now)));
static_assert(noexcept(host.report(job, std::declval<berth::started const&>(), now)));
static_assert(noexcept(host.report(job, std::declval<berth::launch_failed const&>(), now)));
static_assert(noexcept(host.report(job, std::declval<berth::progress const&>(), now)));
static_assert(noexcept(host.report(job, std::declval<berth::checkpointed const&>(), now)));
static_assert(noexcept(host.report(job, std::declval<berth::stopped const&>(), now)));
static_assert(noexcept(host.report(job, std::declval<berth::member_finished const&>(), now)));
static_assert(noexcept(host.report(job, std::declval<berth::run_failed const&>(), now)));
static_assert(noexcept(host.add_node(std::declval<berth::node_spec const&>(), now)));
static_assert(noexcept(host.remove_node(node, now)));
static_assert(noexcept(host.set_node(node, berth::node_health::up, now)));
static_assert(noexcept(host.set_lost_gpus(node, berth::gpu_mask{}, now)));
static_assert(noexcept(host.set_capacity(node, 1, now)));
static_assert(noexcept(host.tick(now)));

static_assert(noexcept(seen.next_wakeup()));
static_assert(noexcept(seen.now()));
static_assert(noexcept(seen.config()));
static_assert(noexcept(seen.job_count()));
static_assert(noexcept(seen.view(job)));
static_assert(noexcept(seen.why_waiting(job)));
static_assert(noexcept(seen.forecast_end(job)));
static_assert(noexcept(seen.books()));
static_assert(noexcept(seen.observer()));
static_assert(noexcept(seen.predictor()));
static_assert(noexcept(seen.check_invariants()));
static_assert(noexcept(seen.state_digest()));

// Records are plain data: they can be copied as bytes and kept by a host.
template <class... Ts>
inline constexpr bool all_trivial = (std::is_trivially_copyable_v<Ts> && ...);
static_assert(all_trivial<berth::job_spec, berth::job_record, berth::shape, berth::node_spec,
                          berth::gpu_range, berth::action, berth::plan, berth::booking,
                          berth::job_view, berth::scheduler_config, berth::error, berth::estimate>);
static_assert(
    all_trivial<berth::started, berth::launch_failed, berth::progress, berth::checkpointed,
                berth::stopped, berth::member_finished, berth::run_failed>);
static_assert(all_trivial<berth::gpu_time, berth::rank_cost, berth::priority_key, berth::job_id>);
static_assert(sizeof(berth::gpu_time) == 8 && sizeof(berth::rank_cost) == 16);
static_assert(sizeof(berth::error) == 2);

// Decided at compile time.
constexpr auto three = berth::check(berth::job_spec{.gang = 3}, 1);
static_assert(three.has_value() && three.value().gpus() == 3);
constexpr auto refused = berth::check(berth::job_spec{.gang = 0}, 1);
static_assert(!refused.has_value() && refused.error().where == berth::field::gang);
static_assert(berth::check(berth::node_spec{.gpus = 8}, 1).has_value());
static_assert(berth::scheduler_config{}.validate().has_value());
static_assert(berth::backoff{}.delay(0xffffffffu) == berth::backoff{}.cap);
static_assert(berth::next(berth::job_state::pending, berth::job_event::launch) ==
              berth::job_state::launching);
static_assert(!berth::is_legal(berth::gpu_state::down, berth::gpu_event::hold));
static_assert(berth::gpu_time{2, berth::forever} == berth::gpu_time::max());
static_assert(berth::ascending(1).displacing().then(berth::ascending(2)).level(1) == 2);
static_assert(berth::random_source{0}.next() == 0xe220a8397b1dcdafu);
static_assert(berth::detail::pick_gpus(0xff, 4) == 0xf);
}  // namespace facade_static
