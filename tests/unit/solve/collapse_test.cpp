// SPDX-License-Identifier: BSL-1.0
// Classes of records as events come in: who shares one, which are touched, what a full index does.
#include <berth/solve/collapse.hpp>
#include <berth/solve/collapse_expand.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace collapse_test {

namespace {

using namespace berth;

struct shape {
  std::int32_t gpus = 0;
  std::int32_t type = 0;
  friend constexpr bool operator==(shape const&, shape const&) noexcept = default;
};

using numbers = std::vector<std::uint32_t>;

template <class Index>
numbers touched(Index& index) {
  numbers const seen{index.touched().begin(), index.touched().end()};
  index.clear_touched();
  return seen;
}

TEST_CASE("collapse: records of equal keys are one class, numbered as they come") {
  class_index<shape> index(4, 4);
  CHECK(index.add(2, {8, 0}) == 0);
  CHECK(index.add(0, {4, 0}) == 1);
  CHECK(index.add(3, {8, 0}) == 0);
  CHECK(index.class_bound() == 2);
  CHECK(index.size(0) == 2);
  CHECK(index.size(1) == 1);
  CHECK(index.key(0) == shape{8, 0});
  CHECK(index.class_of(3) == 0);
  CHECK(index.class_of(1) == no_class);
  CHECK(numbers(index.classes_of_records().begin(), index.classes_of_records().end()) ==
        numbers{1, no_class, 0, 0});
}

TEST_CASE("collapse: an event touches the classes it changes, each once, and no other") {
  class_index<shape> index(6, 4);
  for (std::uint32_t record = 0; record < 6; ++record) {
    index.add(record, {static_cast<std::int32_t>(record % 3), 0});
  }
  CHECK(touched(index) == numbers{0, 1, 2});
  CHECK(index.change(4, {1, 0}) == 1);  // what it was
  CHECK(touched(index).empty());
  CHECK(index.change(4, {2, 0}) == 2);
  CHECK(index.change(5, {1, 0}) == 1);
  CHECK(touched(index) == numbers{1, 2});
  index.remove(0);
  index.remove(3);
  CHECK(touched(index) == numbers{0});
  CHECK(index.size(0) == 0);
}

TEST_CASE(
    "collapse: the number of an empty class goes to the next new one, the others keep theirs") {
  class_index<shape> index(4, 3);
  index.add(0, {1, 0});
  index.add(1, {2, 0});
  index.add(2, {3, 0});
  index.remove(1);
  CHECK(index.add(1, {4, 0}) == 1);
  CHECK(index.key(1) == shape{4, 0});
  CHECK(index.class_of(2) == 2);
  CHECK(index.change(1, {5, 0}) == 1);  // its only member: there is room, though all three are used
  CHECK(index.key(1) == shape{5, 0});
  CHECK(index.class_bound() == 3);
}

TEST_CASE("collapse: a class too many is refused, and nothing has changed") {
  class_index<shape> index(4, 1);
  index.add(0, {1, 0});
  index.add(1, {1, 0});
  index.clear_touched();
  CHECK(index.add(2, {2, 0}) == no_class);
  CHECK(index.change(1, {2, 0}) == no_class);
  CHECK(index.class_of(1) == 0);
  CHECK(index.class_of(2) == no_class);
  CHECK(index.size(0) == 2);
  CHECK(index.touched().empty());
  index.reserve(4, 2);
  CHECK(index.add(2, {2, 0}) == 1);
  CHECK(index.add(3, {1, 0}) == 0);  // found again after the table has grown
  class_index<shape> nothing;
  CHECK(nothing.class_bound() == 0);
  nothing.reserve(1, 0);
  CHECK(nothing.add(0, {}) == no_class);
}

struct collide {
  std::uint64_t operator()(shape const& key) const noexcept {
    return static_cast<std::uint64_t>(key.gpus % 3) << 62 | 7;  // one home for all, three hashes
  }
};

TEST_CASE("collapse: keys whose hashes collide stay apart, and are found after others are gone") {
  class_index<shape, collide> index(20, 20);
  for (std::uint32_t record = 0; record < 20; ++record) {
    CHECK(index.add(record, {static_cast<std::int32_t>(record), 0}) == record);
  }
  for (std::uint32_t record = 0; record < 20; record += 2) {
    index.remove(record);
  }
  for (std::uint32_t record = 1; record < 20; record += 2) {
    CHECK(index.change(record, {static_cast<std::int32_t>(record), 0}) == record);
    CHECK(index.add(record - 1, {static_cast<std::int32_t>(record), 0}) == record);
  }
  CHECK(index.class_bound() == 20);
}

TEST_CASE("expand: members are served in order of their number, one after the other") {
  // Class 0: jobs 0 and 2 of 4 GPUs, class 1: job 1 of 2. Nodes 0 and 1 have 5 each.
  numbers const jobs{0, 1, 0};
  std::vector<std::int32_t> const job_units{4, 2};
  numbers const nodes{0, 0};
  std::vector<std::int32_t> const node_units{5};
  std::vector<shipment> const flow{{0, 0, 8}, {1, 0, 2}};
  class_expansion expansion;
  expansion.reserve(3, 2, 2, 1, 2);
  REQUIRE(expansion.expand(flow, {jobs, job_units}, {nodes, node_units}) == solve_status::optimal);
  std::vector<shipment> const expected{{0, 0, 4}, {2, 0, 1}, {2, 1, 3}, {1, 1, 2}};
  CHECK(std::vector<shipment>(expansion.shipments().begin(), expansion.shipments().end()) ==
        expected);
}

TEST_CASE("expand: records without a class get nothing, and a class may ship less than it has") {
  numbers const jobs{no_class, 0, 0};
  std::vector<std::int32_t> const job_units{2};
  numbers const nodes{no_class, 0};
  std::vector<std::int32_t> const node_units{8};
  std::vector<shipment> const flow{{0, 0, 3}};
  class_expansion expansion;
  expansion.reserve(3, 1, 2, 1, 1);
  REQUIRE(expansion.expand(flow, {jobs, job_units}, {nodes, node_units}) == solve_status::optimal);
  std::vector<shipment> const expected{{1, 1, 2}, {2, 1, 1}};
  CHECK(std::vector<shipment>(expansion.shipments().begin(), expansion.shipments().end()) ==
        expected);
}

TEST_CASE("expand: what members do not have is malformed, what was not reserved too large") {
  numbers const jobs{0};
  std::vector<std::int32_t> const two{2};
  std::vector<std::int32_t> const eight{8};
  class_expansion expansion;
  auto const status = [&](std::vector<shipment> const& flow, numbers const& rows,
                          std::vector<std::int32_t> const& units) {
    solve_status const answer = expansion.expand(flow, {rows, units}, {jobs, eight});
    CHECK(expansion.shipments().empty() == (answer != solve_status::optimal));
    return answer;
  };
  CHECK(status({{0, 0, 2}}, jobs, two) == solve_status::too_large);
  expansion.reserve(1, 1, 1, 1, 1);
  CHECK(status({{0, 0, 2}}, jobs, two) == solve_status::optimal);
  CHECK(status({{0, 0, 3}}, jobs, two) == solve_status::malformed);
  CHECK(status({{1, 0, 1}}, jobs, two) == solve_status::malformed);
  CHECK(status({{0, 1, 1}}, jobs, two) == solve_status::malformed);
  CHECK(status({{0, 0, 1}}, {1}, two) == solve_status::malformed);
  CHECK(status({{0, 0, 1}}, jobs, {0}) == solve_status::malformed);
  CHECK(status({{0, 0, 1}}, {0, 0}, two) == solve_status::too_large);
}

}  // namespace

}  // namespace collapse_test
