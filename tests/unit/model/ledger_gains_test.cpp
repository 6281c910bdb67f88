// SPDX-License-Identifier: BSL-1.0
// What the ledger remembers for those who wait: the largest node there is, and on what nodes GPUs,
// or CPU and memory beside them, have become free.
#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/model/ledger.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace ledger_gains_test {

using namespace berth;

namespace {

constexpr std::uint32_t a = 0;  // jobs
constexpr std::uint32_t b = 1;
constexpr auto training = pool::training;
constexpr gpu_type old_type{0};
constexpr gpu_type new_type{1};

/// Two nodes of 4 GPUs of one type, one of 8 of another; job b asks for CPU. No gains.
struct fixture {
  ledger books{2, 4, 64, 4, 2};
  fixture() {
    REQUIRE(books.add_node({.gpus = 4, .type = old_type, .cpu_milli = 8000}) == 0);
    REQUIRE(books.add_node({.gpus = 4, .type = old_type, .cpu_milli = 8000}) == 1);
    REQUIRE(books.add_node({.gpus = 8, .type = new_type, .cpu_milli = 8000}) == 2);
    books.open(a, tenant_id{0}, 0, 0);
    books.open(b, tenant_id{1}, 2000, 0);
    books.forget_gains();
  }
  [[nodiscard]] int gain(gpu_type type = old_type) const { return books.gain(training, type); }
};

}  // namespace

TEST_CASE("ledger: the largest node counts whatever its health, and no longer when it is gone") {
  ledger books{1, 3, 200, 1, 1};
  CHECK(books.largest_node() == 0);
  auto const small = books.add_node({.gpus = 4});
  auto const large = books.add_node({.gpus = 64, .health = node_health::down});
  CHECK(books.largest_node() == 64);
  auto const twin = books.add_node({.gpus = 64});
  books.remove_node(large);
  CHECK(books.largest_node() == 64);
  books.remove_node(twin);
  CHECK(books.largest_node() == 4);
  books.remove_node(small);
  CHECK(books.largest_node() == 0);
  CHECK(books.check_invariants() == nullptr);
}

TEST_CASE("ledger: the largest node is the maximum, over random nodes that come and go") {
  constexpr std::uint64_t seed = 11;
  CAPTURE(seed);
  random_source random{seed};
  ledger books{1, 12, 12 * 64, 1, 1};
  std::vector<std::uint32_t> slots;
  for (int step = 0; step < 2000; ++step) {
    if (slots.size() < 12 && random.below(2) == 0) {
      slots.push_back(books.add_node({.gpus = static_cast<std::int32_t>(random.below(65))}));
    } else if (!slots.empty()) {
      auto const at = static_cast<std::ptrdiff_t>(random.below(slots.size()));
      books.remove_node(slots[static_cast<std::size_t>(at)]);
      slots.erase(slots.begin() + at);
    }
    int most = 0;
    for (std::uint32_t const slot : slots) {
      most = std::max(most, books.node(slot).spec.gpus);
    }
    REQUIRE(books.largest_node() == most);
  }
}

TEST_CASE(
    "ledger: a gain is what the node has free then, by pool and type, until it is forgotten") {
  fixture f;
  f.books.hold(a, 0, 0b1111);
  f.books.hold(a, 2, 0b1);
  CHECK(f.gain() == 0);  // GPUs that are taken are no gain
  f.books.release(a, 0, 0b0001);
  CHECK(f.gain() == 1);
  f.books.release(a, 0, 0b0110);
  CHECK(f.gain() == 3);
  f.books.hold(a, 0, 0b0111);
  CHECK(f.gain() == 3);  // the most since it was forgotten, though they are taken again
  CHECK(f.gain(new_type) == 0);
  CHECK(f.books.gain(pool::inference, old_type) == 0);
  f.books.forget_gains();
  CHECK(f.gain() == 0);
  f.books.release_all(a);
  CHECK(f.gain() == 4);
  CHECK(f.gain(new_type) == 8);
}

TEST_CASE("ledger: CPU that becomes free is a gain of all that is free beside it") {
  fixture f;
  f.books.hold(b, 0, 0b0011);
  f.books.drain(b);
  CHECK(f.gain() == 0);
  f.books.set_lost(0, 0b0011);
  f.books.release_all(b);  // its GPUs are withdrawn: only the CPU comes back
  CHECK(f.books.node(0).offered() == 0b1100u);
  CHECK(f.gain() == 2);
}

TEST_CASE("ledger: an earmark that is dropped is a gain where its GPUs were empty") {
  fixture f;
  f.books.earmark(a, 1, 0b0111);
  CHECK(f.gain() == 0);
  f.books.drop_earmark(a);
  CHECK(f.gain() == 4);
}

TEST_CASE("ledger: nodes that are new or up again are gains, those that go are none") {
  fixture f;
  f.books.set_health(0, node_health::draining);
  f.books.set_lost(1, 0b0111);
  f.books.set_health(2, node_health::down);
  CHECK(f.gain() == 0);  // nothing has become free
  CHECK(f.gain(new_type) == 0);
  f.books.forget_gains();
  f.books.set_health(0, node_health::up);
  CHECK(f.gain() == 4);
  f.books.forget_gains();
  f.books.set_lost(1, 0b0001);
  CHECK(f.gain() == 3);
  f.books.set_health(2, node_health::up);
  CHECK(f.gain(new_type) == 8);
  f.books.forget_gains();
  f.books.add_node({.gpus = 2, .owner = pool::inference});
  CHECK(f.books.gain(pool::inference, old_type) == 2);
  CHECK(f.gain() == 0);
}

}  // namespace ledger_gains_test
