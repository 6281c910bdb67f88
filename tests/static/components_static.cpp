// SPDX-License-Identifier: BSL-1.0
// Each component models its own seam and no other; what is shipped costs no space; user components
// in their smallest form are accepted (the twins of the files in compile_fail).
#include <berth/berth.hpp>

#include <cstdint>
#include <type_traits>

namespace {

template <class C>
constexpr int seams =
    (berth::scheduling_policy<C> ? 1 : 0) + (berth::placement_policy<C> ? 2 : 0) +
    (berth::preemption_cost<C> ? 4 : 0) + (berth::gang_allocator<C> ? 8 : 0) +
    (berth::throughput_predictor<C> ? 16 : 0) + (berth::admission_policy<C> ? 32 : 0) +
    (berth::decision_observer<C> ? 64 : 0);

static_assert(seams<berth::fifo> == 1);
static_assert(seams<berth::priority_class> == 1);
static_assert(seams<berth::shortest_job> == 1);
static_assert(seams<berth::shortest_remaining> == 1);
static_assert(seams<berth::least_attained_service> == 1);
static_assert(seams<berth::then<berth::fifo, berth::least_attained_service>> == 1);
static_assert(seams<berth::any_policy> == 1);
static_assert(seams<berth::first_fit> == 2);
static_assert(seams<berth::consolidated> == 2);
static_assert(seams<berth::fragmentation_aware> == 2);
static_assert(seams<berth::never_preempt> == 4);
static_assert(seams<berth::free_of_charge> == 4);
static_assert(seams<berth::lost_work> == 4);
static_assert(seams<berth::rigid> == 8);
static_assert(seams<berth::easy_backfill> == 8);
static_assert(seams<berth::declared> == 16);
static_assert(seams<berth::observed_rate> == 16);
static_assert(seams<berth::calibrated<>> == 16);
static_assert(seams<berth::history> == 16);
static_assert(seams<berth::accept_all> == 32);
static_assert(seams<berth::null_observer> == 64);
static_assert(seams<berth::digest_observer> == 64);
static_assert(seams<int> == 0);
static_assert(seams<berth::job_spec> == 0);

// Refinements: who changes by itself, who learns, who sees single nodes, who keeps data.
static_assert(berth::timed_policy<berth::least_attained_service>);
static_assert(berth::timed_policy<berth::any_policy>);
static_assert(!berth::timed_policy<berth::fifo>);
static_assert(!berth::timed_policy<berth::shortest_remaining>);
static_assert(berth::observing_predictor<berth::observed_rate>);
static_assert(!berth::observing_predictor<berth::declared>);
static_assert(!berth::learning_predictor<berth::observed_rate>);
static_assert(berth::distinguishes_nodes<berth::first_fit>);
static_assert(!berth::distinguishes_nodes<berth::consolidated>);
static_assert(!berth::allows_preemption<berth::never_preempt>);
static_assert(berth::allows_preemption<berth::lost_work>);
static_assert(berth::has_job_data<berth::least_attained_service>);
static_assert(!berth::has_job_data<berth::fifo>);

// The smallest components of a user.
struct own_policy {
  using component_role = berth::policy_role;
  [[nodiscard]] berth::priority_key priority(berth::job_view const&,
                                             berth::tick_context const&) const noexcept {
    return {};
  }
};
struct own_placement {
  using component_role = berth::placement_role;
  [[nodiscard]] berth::gpu_time score(berth::job_view const&, berth::berth_view const&,
                                      berth::tick_context const&) const noexcept {
    return {};
  }
};
struct own_preemption_cost {
  using component_role = berth::preemption_role;
  [[nodiscard]] berth::suspension suspend(berth::job_view const&,
                                          berth::tick_context const&) const noexcept {
    return {};
  }
  [[nodiscard]] berth::duration resume(berth::job_view const&,
                                       berth::tick_context const&) const noexcept {
    return berth::duration{0};
  }
};
struct own_allocator {
  using component_role = berth::allocator_role;
  [[nodiscard]] berth::grant allocate(berth::job_view const&, berth::queue_state const&,
                                      berth::tick_context const&) const noexcept {
    return {};
  }
  [[nodiscard]] bool reserves_for_head() const noexcept { return false; }
};
struct own_predictor {
  using component_role = berth::predictor_role;
  [[nodiscard]] berth::estimate remaining(berth::job_view const&,
                                          berth::tick_context const&) const noexcept {
    return {};
  }
};
struct own_admission {
  using component_role = berth::admission_role;
  [[nodiscard]] bool admit(berth::job_view const&, berth::tick_context const&) const noexcept {
    return true;
  }
};
struct own_observer {
  using component_role = berth::observer_role;
  void on_action(berth::action const&, berth::tick_context const&) noexcept {}
};
struct own_policy_with_data {
  using component_role = berth::policy_role;
  struct job_data {
    std::int64_t seen = 0;
  };
  [[nodiscard]] berth::priority_key priority(berth::job_view const&, job_data&,
                                             berth::tick_context const&) const noexcept {
    return {};
  }
};
static_assert(seams<own_policy> == 1 && seams<own_placement> == 2 &&
              seams<own_preemption_cost> == 4);
static_assert(seams<own_allocator> == 8 && seams<own_predictor> == 16 &&
              seams<own_admission> == 32);
static_assert(seams<own_observer> == 64);

// Any order; what is not given is the default.
template <class... Cs>
using parts_of = typename berth::scheduler_of<Cs...>::components_type;
static_assert(std::is_same_v<berth::scheduler_of<own_policy, own_placement>,
                             berth::scheduler_of<own_placement, own_policy>>);
static_assert(std::is_same_v<decltype(parts_of<own_placement>::policy), berth::fifo>);
static_assert(std::is_same_v<decltype(parts_of<own_policy>::placement), berth::consolidated>);
static_assert(std::is_same_v<decltype(parts_of<>::preemption), berth::lost_work>);
static_assert(std::is_same_v<decltype(parts_of<>::allocator), berth::rigid>);
static_assert(std::is_same_v<decltype(parts_of<>::predictor), berth::declared>);
static_assert(std::is_same_v<decltype(parts_of<>::admission), berth::accept_all>);
static_assert(std::is_same_v<decltype(parts_of<>::observer), berth::null_observer>);
static_assert(std::is_same_v<decltype(parts_of<own_observer>::observer), own_observer>);

// Components without state take no room: neither beside each other nor per job.
using empty_parts = parts_of<own_policy, own_placement, own_preemption_cost, own_allocator,
                             own_predictor, own_admission, own_observer>;
static_assert(std::is_empty_v<empty_parts>);
static_assert(std::is_same_v<decltype(parts_of<own_policy_with_data>::job_data::policy),
                             own_policy_with_data::job_data>);
static_assert(sizeof(berth::then<berth::fifo, own_policy>) == 1);
static_assert(sizeof(parts_of<berth::least_attained_service>::job_data) ==
              sizeof(berth::least_attained_service::job_data));

// Equal job data of what is shipped are equal bytes: no padding, alone or joined.
template <class C>
constexpr bool is_all_bytes = std::has_unique_object_representations_v<berth::job_data_of<C>>;
static_assert(is_all_bytes<berth::least_attained_service>);
static_assert(is_all_bytes<berth::any_policy>);
static_assert(is_all_bytes<berth::observed_rate>);
static_assert(is_all_bytes<berth::then<berth::fifo, berth::least_attained_service>>);
static_assert(is_all_bytes<berth::then<berth::least_attained_service, berth::priority_class>>);
static_assert(is_all_bytes<berth::then<berth::then<berth::fifo, berth::priority_class>,
                                       berth::least_attained_service>>);
static_assert(is_all_bytes<berth::then<berth::least_attained_service, own_policy_with_data>>);
static_assert(std::is_empty_v<berth::job_data_of<berth::then<berth::fifo, own_policy>>>);
static_assert(sizeof(berth::any_policy) <= berth::any_policy::policy_bytes + 2 * sizeof(void*));

}  // namespace
