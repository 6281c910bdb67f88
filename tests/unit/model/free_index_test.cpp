// SPDX-License-Identifier: BSL-1.0
// Nodes by what they have free, against a plain list.
#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/model/free_index.hpp>

#include <tests/support/violation.hpp>

#include <cstdint>
#include <set>
#include <tuple>

#include <doctest/doctest.h>

namespace free_index_test {

using namespace berth;

TEST_CASE("free_index: next is the lowest node from a given one on, across words") {
  free_index index{1, 200};
  CHECK(index.next(pool::training, gpu_type{0}, 4, 0) == free_index::no_node);
  for (std::uint32_t const node : {63u, 64u, 199u}) {
    index.insert(node, pool::training, gpu_type{0}, 4);
  }
  CHECK(index.count(pool::training, gpu_type{0}, 4) == 3);
  CHECK(index.next(pool::training, gpu_type{0}, 4, 0) == 63);
  CHECK(index.next(pool::training, gpu_type{0}, 4, 63) == 63);
  CHECK(index.next(pool::training, gpu_type{0}, 4, 64) == 64);
  CHECK(index.next(pool::training, gpu_type{0}, 4, 65) == 199);
  CHECK(index.next(pool::training, gpu_type{0}, 4, 200) == free_index::no_node);
  CHECK(index.next(pool::training, gpu_type{0}, 4, 100'000) == free_index::no_node);
}

TEST_CASE("free_index: pools, types and counts are apart, at their ends as well") {
  free_index index{16, 10};
  index.insert(1, pool::training, gpu_type{0}, 0);
  index.insert(2, pool::inference, gpu_type{0}, 0);
  index.insert(3, pool::inference, gpu_type{15}, max_gpus_per_node);
  CHECK(index.next(pool::training, gpu_type{0}, 0, 0) == 1);
  CHECK(index.next(pool::inference, gpu_type{0}, 0, 0) == 2);
  CHECK(index.next(pool::inference, gpu_type{15}, max_gpus_per_node, 0) == 3);
  CHECK(index.count(pool::training, gpu_type{15}, max_gpus_per_node) == 0);
  CHECK(index.count(pool::training, gpu_type{1}, 0) == 0);
}

TEST_CASE("free_index: agrees with a set over random moves") {
  constexpr std::uint64_t seed = 41;
  CAPTURE(seed);
  random_source random{seed};
  constexpr std::uint32_t nodes = 130;
  using key = std::tuple<int, int, int, std::uint32_t>;
  free_index index{3, nodes};
  std::set<key> reference;
  std::set<std::uint32_t> in;
  for (int step = 0; step < 4000; ++step) {
    auto const node = static_cast<std::uint32_t>(random.below(nodes));
    int const owner = static_cast<int>(random.below(2));
    int const type = static_cast<int>(random.below(3));
    int const count = static_cast<int>(random.below(5)) * 16;
    if (in.count(node) == 0) {
      index.insert(node, static_cast<pool>(owner), static_cast<gpu_type>(type), count);
      reference.insert({owner, type, count, node});
      in.insert(node);
    } else {
      for (key const& k : reference) {
        if (std::get<3>(k) == node) {
          index.erase(node, static_cast<pool>(std::get<0>(k)),
                      static_cast<gpu_type>(std::get<1>(k)), std::get<2>(k));
          reference.erase(k);
          break;
        }
      }
      in.erase(node);
    }
    auto const from = static_cast<std::uint32_t>(random.below(nodes + 70));
    auto const found = reference.lower_bound({owner, type, count, from});
    bool const there = found != reference.end() && std::get<0>(*found) == owner &&
                       std::get<1>(*found) == type && std::get<2>(*found) == count;
    REQUIRE(index.next(static_cast<pool>(owner), static_cast<gpu_type>(type), count, from) ==
            (there ? std::get<3>(*found) : free_index::no_node));
  }
}

#if BERTH_HARDENED
TEST_CASE("free_index: a node is in a bucket once, and is erased from where it is") {
  free_index index{1, 4};
  index.insert(1, pool::training, gpu_type{0}, 4);
  CHECK(berth_test::is_violation([&] { index.insert(1, pool::training, gpu_type{0}, 4); }));
  CHECK(berth_test::is_violation([&] { index.erase(1, pool::training, gpu_type{0}, 3); }));
}
#endif

}  // namespace free_index_test
