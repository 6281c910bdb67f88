// SPDX-License-Identifier: BSL-1.0
// A cluster before there is a scheduler, and the door for nodes.
#include <berth/core/error.hpp>
#include <berth/model/cluster.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace cluster_test {

using namespace berth;

TEST_CASE("cluster: uniform makes equal nodes of one type") {
  cluster const made = cluster::uniform(3, 8).value();
  CHECK(made.nodes().size() == 3);
  CHECK(made.gpu_total() == 24);
  CHECK(made.type_count() == 1);
  CHECK(made.type_name(gpu_type{0}) == "gpu");
  CHECK(cluster::uniform(0, 8).value().nodes().empty());
}

TEST_CASE("cluster: uniform refuses what a node may not have") {
  CHECK(cluster::uniform(1, 65).error() == error{errc::bad_number, field::gpus});
  CHECK(cluster::uniform(1, -1).error() == error{errc::bad_number, field::gpus});
}

TEST_CASE("cluster: types have names, at least one and at most 16") {
  cluster const made{{"v100", "a100"}};
  CHECK(made.type_count() == 2);
  CHECK(made.type_named("a100").value() == gpu_type{1});
  CHECK(made.type_name(gpu_type{1}) == "a100");
  CHECK(made.type_named("h100").error() == error{errc::unknown_gpu_type, field::type});
  CHECK(made.type_name(gpu_type{2}).empty());
  CHECK(cluster{std::vector<std::string>{}}.type_count() == 1);
  CHECK(cluster{std::vector<std::string>(20, "x")}.type_count() == 16);
}

TEST_CASE("cluster: nodes are numbered as they come; a tag is taken once; 0 is no tag") {
  cluster made;
  CHECK(made.add({.gpus = 8, .tag = 5}).value() == node_id{0, 0});
  CHECK(made.add({.gpus = 8, .tag = 5}).error() == error{errc::duplicate_node, field::tag});
  CHECK(made.add({.gpus = 8}).value() == node_id{1, 0});
  CHECK(made.add({.gpus = 8}).value() == node_id{2, 0});
  CHECK(made.nodes().size() == 3);
}

TEST_CASE("check(node): every number in its range, each refused with its name") {
  constexpr std::int64_t limit = std::int64_t{1} << 40;
  auto const error_of = [](node_spec const& node) { return check(node, 2).error(); };
  CHECK(check(node_spec{}, 1).has_value());
  CHECK(
      check(node_spec{.gpus = 64, .type = gpu_type{1}, .cpu_milli = limit, .memory_mib = limit}, 2)
          .has_value());
  CHECK(error_of({.gpus = -1}) == error{errc::bad_number, field::gpus});
  CHECK(error_of({.gpus = 65}) == error{errc::bad_number, field::gpus});
  CHECK(error_of({.gpus = std::numeric_limits<std::int32_t>::min()}) ==
        error{errc::bad_number, field::gpus});
  CHECK(error_of({.type = gpu_type{2}}) == error{errc::unknown_gpu_type, field::type});
  CHECK(error_of({.type = gpu_type{255}}) == error{errc::unknown_gpu_type, field::type});
  CHECK(error_of({.cpu_milli = -1}) == error{errc::bad_number, field::cpu_milli});
  CHECK(error_of({.cpu_milli = limit + 1}) == error{errc::bad_number, field::cpu_milli});
  CHECK(error_of({.memory_mib = -1}) == error{errc::bad_number, field::memory_mib});
  CHECK(error_of({.memory_mib = limit + 1}) == error{errc::bad_number, field::memory_mib});
  CHECK(error_of({.owner = static_cast<pool>(2)}) == error{errc::bad_number, field::pool});
  CHECK(error_of({.health = static_cast<node_health>(3)}) ==
        error{errc::bad_number, field::health});
}

}  // namespace cluster_test
