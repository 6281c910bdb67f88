// SPDX-License-Identifier: BSL-1.0
// Ids: the size of a machine word, and no way from one kind to another.
#include <berth/core/ids.hpp>

#include <concepts>
#include <type_traits>

static_assert(sizeof(berth::job_id) == 8);
static_assert(std::is_trivially_copyable_v<berth::job_id>);
static_assert(std::totally_ordered<berth::job_id>);
static_assert(!std::convertible_to<berth::node_id, berth::job_id>);
static_assert(!std::equality_comparable_with<berth::node_id, berth::job_id>);
static_assert(!std::convertible_to<berth::tenant_id, berth::rack_id>);
static_assert(berth::job_id{}.is_null() && !berth::job_id{0, 0}.is_null());
static_assert(berth::job_id::from_value(berth::job_id{3, 9}.value()) == berth::job_id{3, 9});
