// SPDX-License-Identifier: BSL-1.0
// Who holds which GPU: every transition, every refusal, and every corruption that the audit must
// find.
#include <berth/core/config.hpp>
#include <berth/core/random.hpp>
#include <berth/model/ledger.hpp>

#include <tests/support/violation.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace ledger_test {

using namespace berth;

namespace {
constexpr std::uint32_t a = 0;  // jobs
constexpr std::uint32_t b = 1;
constexpr std::uint32_t c = 2;
constexpr auto training = pool::training;

// Two nodes with 4 GPUs, room for a third; three jobs of tenants 0, 1, 1; job c needs CPU and
// memory.
struct fixture {
  ledger books{2, 3, 16, 4, 2};
  fixture() {
    REQUIRE(books.add_node({.gpus = 4, .cpu_milli = 8000, .memory_mib = 100}) == 0);
    REQUIRE(books.add_node({.gpus = 4, .rack = rack_id{1}, .cpu_milli = 8000, .memory_mib = 100}) ==
            1);
    books.open(a, tenant_id{0}, 0, 0);
    books.open(b, tenant_id{1}, 0, 0);
    books.open(c, tenant_id{1}, 2000, 10);
  }
  [[nodiscard]] std::string broken() const {
    char const* const what = books.check_invariants();
    return what == nullptr ? "" : what;
  }
  [[nodiscard]] gpu_mask in(std::uint32_t node, gpu_state state) const {
    return books.node(node).in(state);
  }
};

// The books are no constants: what a const accessor returns may be written to, to plant a fault.
template <class T>
T& writable(T const& seen) {
  return const_cast<T&>(seen);
}
booking& first_hold(ledger const& books, std::uint32_t job) {
  booking const* found = nullptr;
  books.for_each_hold(job, [&](booking const& line) { found = found == nullptr ? &line : found; });
  REQUIRE(found != nullptr);
  return writable(*found);
}
}  // namespace

TEST_CASE("ledger: nodes enter with their GPUs free, or down") {
  fixture f;
  CHECK(f.books.add_node({.gpus = 8, .health = node_health::down}) == 2);
  CHECK(f.books.gpu_total() == 16);
  CHECK(f.books.offered() == 8);
  CHECK(f.books.total(gpu_state::free) == 8);
  CHECK(f.books.total(gpu_state::down) == 8);
  CHECK(f.books.full(0));
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: full says when slots or GPUs run out") {
  fixture f;
  CHECK_FALSE(f.books.full(8));
  CHECK(f.books.full(9));
  f.books.add_node({.gpus = 0});
  CHECK(f.books.full(0));
}

TEST_CASE("ledger: hold and release move every counter, and only those") {
  fixture f;
  f.books.hold(a, 0, 0b0110);
  f.books.hold(a, 1, 0b0001);
  CHECK(f.broken() == "");
  CHECK(f.in(0, gpu_state::held) == 0b0110u);
  CHECK(f.in(0, gpu_state::free) == 0b1001u);
  CHECK(f.books.job(a).gpus_held == 3);
  CHECK(f.books.job(a).nodes_held == 2);
  CHECK(f.books.held_by(tenant_id{0}) == 3);
  CHECK(f.books.held_by(tenant_id{1}) == 0);
  CHECK(f.books.total(gpu_state::held) == 3);
  CHECK(f.books.offered() == 5);
  CHECK(f.books.free_nodes().count(training, gpu_type{0}, 2) == 1);
  CHECK(f.books.free_nodes().count(training, gpu_type{0}, 3) == 1);
  CHECK(f.books.free_nodes().count(training, gpu_type{0}, 4) == 0);

  f.books.release(a, 0, 0b0010);
  CHECK(f.broken() == "");
  CHECK(f.books.job(a).gpus_held == 2);
  CHECK(f.books.job(a).nodes_held == 2);
  f.books.release(a, 0, 0b0100);
  CHECK(f.books.job(a).nodes_held == 1);
  f.books.release_all(a);
  CHECK(f.broken() == "");
  CHECK(f.books.job(a).gpus_held == 0);
  CHECK(f.books.held_by(tenant_id{0}) == 0);
  CHECK(f.books.offered() == 8);
  CHECK(f.books.free_nodes().count(training, gpu_type{0}, 4) == 2);
}

TEST_CASE("ledger: more GPUs on a node join the hold that is there; holds keep their order") {
  fixture f;
  f.books.hold(a, 1, 0b0001);
  f.books.hold(a, 0, 0b0001);
  f.books.hold(a, 1, 0b0010);
  std::vector<gpu_range> seen;
  f.books.for_each_hold(a, [&](booking const& line) {
    seen.push_back({f.books.id_of(line.node), line.gpus});
  });
  CHECK(seen == std::vector<gpu_range>{{node_id{1, 0}, 0b0011}, {node_id{0, 0}, 0b0001}});
  CHECK(f.books.job(a).nodes_held == 2);
}

TEST_CASE("ledger: CPU and memory are booked with the GPUs") {
  fixture f;
  CHECK(f.books.has_cpu_and_memory(0, 4, 2000, 25));
  CHECK_FALSE(f.books.has_cpu_and_memory(0, 4, 2001, 0));
  CHECK_FALSE(f.books.has_cpu_and_memory(0, 4, 0, 26));
  f.books.hold(c, 0, 0b0011);
  CHECK(f.books.node(0).cpu_booked == 4000);
  CHECK(f.books.node(0).memory_booked == 20);
  CHECK(f.books.has_cpu_and_memory(0, 2, 2000, 40));
  CHECK_FALSE(f.books.has_cpu_and_memory(0, 3, 2000, 0));
  CHECK(f.books.has_cpu_and_memory(0, 100, 0, 0));
  f.books.release(c, 0, 0b0001);
  CHECK(f.books.node(0).cpu_booked == 2000);
  f.books.release_all(c);
  CHECK(f.books.node(0).memory_booked == 0);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: drain, promise, release, claim: a victim's GPUs reach the beneficiary") {
  fixture f;
  f.books.hold(a, 0, 0b0111);
  f.books.drain(a);
  CHECK(f.in(0, gpu_state::draining) == 0b0111u);
  CHECK(f.books.job(a).gpus_held == 3);
  f.books.earmark(b, 0, 0b0011);
  f.books.earmark(b, 1, 0b0001);
  CHECK(f.broken() == "");
  CHECK(f.in(0, gpu_state::promised) == 0b0011u);
  CHECK(f.in(1, gpu_state::reserved) == 0b0001u);
  CHECK(f.books.job(b).gpus_earmarked == 3);
  CHECK(f.books.job(b).gpus_promised == 2);
  CHECK(f.books.held_by(tenant_id{1}) == 0);

  f.books.release(a, 0, 0b0001);
  CHECK(f.books.job(b).gpus_promised == 1);
  CHECK(f.in(0, gpu_state::reserved) == 0b0001u);
  f.books.release_all(a);
  CHECK(f.broken() == "");
  CHECK(f.books.job(b).gpus_promised == 0);
  CHECK(f.in(0, gpu_state::reserved) == 0b0011u);
  CHECK(f.in(0, gpu_state::free) == 0b1100u);

  f.books.claim_earmark(b);
  CHECK(f.broken() == "");
  CHECK(f.books.job(b).gpus_held == 3);
  CHECK(f.books.job(b).gpus_earmarked == 0);
  CHECK(f.books.held_by(tenant_id{1}) == 3);
  CHECK(f.in(0, gpu_state::held) == 0b0011u);
}

TEST_CASE("ledger: revive takes a drain back, after its promises are dropped") {
  fixture f;
  f.books.hold(a, 0, 0b0011);
  f.books.drain(a);
  f.books.earmark(b, 0, 0b0101);
  f.books.drop_earmark(b);
  CHECK(f.books.job(b).gpus_earmarked == 0);
  CHECK(f.books.job(b).gpus_promised == 0);
  CHECK(f.in(0, gpu_state::draining) == 0b0011u);
  CHECK(f.in(0, gpu_state::free) == 0b1100u);
  f.books.revive(a);
  CHECK(f.in(0, gpu_state::held) == 0b0011u);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: a node that goes down takes holds and earmarks with it") {
  fixture f;
  f.books.hold(a, 0, 0b0001);
  f.books.hold(a, 1, 0b0001);
  f.books.hold(c, 0, 0b0010);
  f.books.drain(c);
  f.books.earmark(b, 0, 0b0110);
  f.books.set_health(0, node_health::down);
  CHECK(f.broken() == "");
  CHECK(f.in(0, gpu_state::down) == 0b1111u);
  CHECK(f.books.job(a).gpus_held == 1);
  CHECK(f.books.job(a).nodes_held == 1);
  CHECK(f.books.job(c).gpus_held == 0);
  CHECK(f.books.job(b).earmark_broken);
  CHECK(f.books.job(b).gpus_earmarked == 0);
  CHECK(f.books.job(b).gpus_promised == 0);
  CHECK(f.books.node(0).cpu_booked == 0);
  CHECK(f.books.held_by(tenant_id{1}) == 0);
  CHECK(f.books.offered() == 3);
  f.books.drop_earmark(b);
  CHECK_FALSE(f.books.job(b).earmark_broken);
  f.books.set_health(0, node_health::up);
  CHECK(f.in(0, gpu_state::free) == 0b1111u);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: a draining node offers nothing, and what runs there goes on") {
  fixture f;
  f.books.hold(a, 0, 0b0001);
  f.books.set_health(0, node_health::draining);
  CHECK(f.books.offered() == 4);
  CHECK(f.books.node(0).offered() == 0);
  CHECK(f.books.free_nodes().count(training, gpu_type{0}, 3) == 0);
  CHECK(f.books.job(a).gpus_held == 1);
  CHECK(f.broken() == "");
  f.books.release_all(a);
  CHECK(f.books.offered() == 4);
  f.books.set_health(0, node_health::up);
  CHECK(f.books.offered() == 8);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: a withdrawn GPU goes down at once if free, else when its job has left it") {
  fixture f;
  f.books.hold(a, 0, 0b0001);
  f.books.set_lost(0, 0b0011);
  CHECK(f.in(0, gpu_state::down) == 0b0010u);
  CHECK(f.in(0, gpu_state::held) == 0b0001u);
  CHECK(f.broken() == "");
  f.books.release_all(a);
  CHECK(f.in(0, gpu_state::down) == 0b0011u);
  CHECK(f.broken() == "");
  f.books.set_lost(0, 0b0100);
  CHECK(f.in(0, gpu_state::down) == 0b0100u);
  CHECK(f.in(0, gpu_state::free) == 0b1011u);
  f.books.set_lost(0, 0);
  CHECK(f.books.offered() == 8);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: a withdrawn GPU breaks the earmark on it, now or when it is left") {
  fixture f;
  f.books.hold(a, 0, 0b0001);
  f.books.drain(a);
  f.books.earmark(b, 0, 0b0011);
  SUBCASE("reserved: now") {
    f.books.set_lost(0, 0b0010);
    CHECK(f.books.job(b).earmark_broken);
    CHECK(f.books.job(b).gpus_earmarked == 1);
    CHECK(f.books.job(b).gpus_promised == 1);
    CHECK(f.in(0, gpu_state::down) == 0b0010u);
  }
  SUBCASE("promised: when its job has left it") {
    f.books.set_lost(0, 0b0001);
    CHECK_FALSE(f.books.job(b).earmark_broken);
    f.books.release_all(a);
    CHECK(f.books.job(b).earmark_broken);
    CHECK(f.books.job(b).gpus_earmarked == 1);
    CHECK(f.books.job(b).gpus_promised == 0);
    CHECK(f.in(0, gpu_state::down) == 0b0001u);
  }
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: GPUs withdrawn while their node is down stay down when it comes back") {
  fixture f;
  f.books.set_health(0, node_health::down);
  f.books.set_lost(0, 0b1000);
  f.books.set_health(0, node_health::up);
  CHECK(f.in(0, gpu_state::free) == 0b0111u);
  CHECK(f.in(0, gpu_state::down) == 0b1000u);
  f.books.set_health(0, node_health::down);
  f.books.set_lost(0, 0);
  CHECK(f.in(0, gpu_state::down) == 0b1111u);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: a removed node's slot is used again, under another generation") {
  fixture f;
  f.books.remove_node(0);
  CHECK(f.books.gpu_total() == 4);
  CHECK(f.books.offered() == 4);
  CHECK(f.broken() == "");
  f.books.remove_node(1);
  CHECK(f.books.add_node({.gpus = 2}) == 1);
  CHECK(f.books.add_node({.gpus = 2}) == 0);
  CHECK(f.books.id_of(0) == node_id{0, 1});
  CHECK(f.books.add_node({.gpus = 2}) == 2);
  CHECK(f.books.id_of(2) == node_id{2, 0});
  CHECK(f.books.gpu_total() == 6);
  CHECK(f.broken() == "");
}

TEST_CASE("ledger: the audit finds a planted fault in every count") {
  fixture f;
  f.books.hold(a, 0, 0b0001);
  f.books.hold(c, 1, 0b0001);
  f.books.drain(c);
  f.books.earmark(b, 1, 0b0011);
  REQUIRE(f.broken() == "");
  node_book& node0 = writable(f.books.node(0));
  node_book& node1 = writable(f.books.node(1));
  auto const mask = [](node_book& node, gpu_state state) -> gpu_mask& {
    return node.gpus[static_cast<std::size_t>(state)];
  };
  SUBCASE("a GPU in two states") {
    mask(node0, gpu_state::free) |= 1;
    CHECK(f.broken() == "a GPU is in two states");
  }
  SUBCASE("a GPU in no state") {
    mask(node0, gpu_state::free) &= ~gpu_mask{8};
    CHECK(f.broken() == "a GPU is in no state");
  }
  SUBCASE("a GPU beyond the node") {
    mask(node0, gpu_state::free) |= gpu_mask{1} << 4;
    CHECK(f.broken() == "a GPU is in no state");
  }
  SUBCASE("a held GPU without a hold") {
    mask(node0, gpu_state::free) &= ~gpu_mask{8};
    mask(node0, gpu_state::held) |= 8;
    CHECK(f.broken() == "the held GPUs of a node and its holds differ");
  }
  SUBCASE("a reserved GPU without an earmark") {
    mask(node1, gpu_state::free) &= ~gpu_mask{8};
    mask(node1, gpu_state::reserved) |= 8;
    CHECK(f.broken() == "the promised GPUs of a node and its earmarks differ");
  }
  SUBCASE("a free GPU that the totals count as free is down") {
    mask(node0, gpu_state::free) &= ~gpu_mask{8};
    mask(node0, gpu_state::down) |= 8;
    CHECK(f.broken() != "");
  }
  SUBCASE("booked CPU") {
    node1.cpu_booked += 1;
    CHECK(f.broken() == "booked CPU or memory of a node is wrong");
  }
  SUBCASE("booked memory") {
    node1.memory_booked -= 1;
    CHECK(f.broken() == "booked CPU or memory of a node is wrong");
  }
  SUBCASE("a node that is down and in use") {
    node0.spec.health = node_health::down;
    CHECK(f.broken() == "a GPU of a node that is down is in use");
  }
  SUBCASE("a node that no longer offers what the index says") {
    node0.spec.health = node_health::draining;
    CHECK(f.broken() == "the free index has lost a node");
  }
  SUBCASE("a withdrawn GPU that is free") {
    node0.lost = 8;
    CHECK(f.broken() == "a withdrawn GPU is free");
  }
  SUBCASE("a booking in the wrong node's chain") {
    first_hold(f.books, a).node = 1;
    CHECK(f.broken() == "a booking is in the wrong chain, or empty");
  }
  SUBCASE("an empty booking") {
    first_hold(f.books, a).gpus = 0;
    CHECK(f.broken() == "a booking is in the wrong chain, or empty");
  }
  SUBCASE("a booking of another job") {
    first_hold(f.books, a).job = b;
    CHECK(f.broken() == "a hold is in the wrong chain");
  }
  SUBCASE("a hold that calls itself an earmark") {
    first_hold(f.books, a).kind = booking_kind::earmark;
    CHECK(f.broken() != "");
  }
  SUBCASE("an earmark of another job") {
    booking const* line = nullptr;
    f.books.for_each_earmark(b, [&](booking const& seen) { line = &seen; });
    REQUIRE(line != nullptr);
    writable(*line).job = a;
    CHECK(f.broken() == "an earmark is in the wrong chain");
  }
  SUBCASE("GPUs held by a job") {
    writable(f.books.job(a)).gpus_held += 1;
    CHECK(f.broken() == "a job's count of held GPUs is wrong");
  }
  SUBCASE("nodes held by a job") {
    writable(f.books.job(a)).nodes_held += 1;
    CHECK(f.broken() == "a job's count of held GPUs is wrong");
  }
  SUBCASE("GPUs earmarked for a job") {
    writable(f.books.job(b)).gpus_earmarked -= 1;
    CHECK(f.broken() == "a job's count of earmarked GPUs is wrong");
  }
  SUBCASE("GPUs promised to a job") {
    writable(f.books.job(b)).gpus_promised = 0;
    CHECK(f.broken() == "a job's count of earmarked GPUs is wrong");
  }
  SUBCASE("a job without a book") {
    writable(f.books.job(a)).open = false;
    CHECK(f.broken() == "a booking of a job without a book");
  }
  SUBCASE("a tenant's account, although the sum over tenants is right") {
    writable(f.books.job(a)).tenant = tenant_id{1};
    CHECK(f.broken() == "nodes, jobs and tenants disagree on the GPUs in use");
  }
  SUBCASE("a tenant's account below zero") {
    writable(f.books.job(c)).tenant = tenant_id{0};
    f.books.release_all(c);
    f.books.release_all(a);
    CHECK(f.broken() == "a tenant holds a negative number of GPUs");
  }
  SUBCASE("a node that has vanished") {
    node0.exists = false;
    CHECK(f.broken() == "totals differ from the sum over nodes");
  }
  SUBCASE("a GPU booked twice") {
    f.books.hold(b, 0, 0b0010);
    first_hold(f.books, b).gpus = 0b0001;
    CHECK(f.broken() == "a GPU is booked twice");
  }
}

#if BERTH_HARDENED
TEST_CASE("ledger: a transition that the table does not know is a violation") {
  fixture f;
  f.books.hold(a, 0, 0b0001);
  auto const refused = [&](auto call) { return berth_test::is_violation([&] { call(f.books); }); };
  CHECK(refused([](ledger& l) { l.hold(b, 0, 0b0001); }));           // held by another
  CHECK(refused([](ledger& l) { l.hold(b, 0, 0); }));                // nothing
  CHECK(refused([](ledger& l) { l.hold(b, 0, 0b10000); }));          // no such GPU
  CHECK(refused([](ledger& l) { l.release(b, 0, 0b0001); }));        // not its own
  CHECK(refused([](ledger& l) { l.release(a, 0, 0b0011); }));        // more than it holds
  CHECK(refused([](ledger& l) { l.release(a, 1, 0b0001); }));        // elsewhere
  CHECK(refused([](ledger& l) { l.earmark(b, 0, 0b0001); }));        // held, not draining
  CHECK(refused([](ledger& l) { l.revive(a); }));                    // was not drained
  CHECK(refused([](ledger& l) { l.close(a); }));                     // still holds
  CHECK(refused([](ledger& l) { l.open(a, tenant_id{0}, 0, 0); }));  // twice
  CHECK(refused([](ledger& l) { l.remove_node(0); }));               // in use
  CHECK(f.broken() == "");

  f.books.drain(a);
  auto const draining = f.books.total(berth::gpu_state::draining);
  f.books.drain(a);  // what it leaves already, it leaves
  CHECK(f.books.total(berth::gpu_state::draining) == draining);
  CHECK(f.broken() == "");
  f.books.earmark(b, 0, 0b0011);
  CHECK(refused([](ledger& l) { l.earmark(c, 0, 0b0001); }));  // promised to another
  CHECK(refused([](ledger& l) { l.claim_earmark(b); }));       // others have not left
  CHECK(refused([](ledger& l) { l.revive(a); }));              // promised
  CHECK(refused([](ledger& l) { l.hold(c, 0, 0b0010); }));     // reserved
  CHECK(refused([](ledger& l) { l.close(b); }));
  f.books.set_lost(0, 0b0010);
  f.books.release_all(a);
  CHECK(refused([](ledger& l) { l.claim_earmark(b); }));  // broken
  CHECK(f.broken() == "");
}
#endif

TEST_CASE("ledger: stays sound and ends empty over random legal transitions") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    ledger books{2, 4, 40, 6, 2};
    for (int n = 0; n < 4; ++n) {
      books.add_node({.gpus = 8, .type = gpu_type{static_cast<std::uint8_t>(n % 2)}});
    }
    enum class phase { idle, held, draining, earmarked };
    std::vector<phase> jobs(6, phase::idle);
    for (std::uint32_t j = 0; j < 6; ++j) {
      books.open(j, static_cast<tenant_id>(j % 2), j, 2 * j);
    }
    auto const some_of = [&](gpu_mask from) { return from & random.next(); };
    for (int step = 0; step < 400; ++step) {
      auto const j = static_cast<std::uint32_t>(random.below(6));
      auto const n = static_cast<std::uint32_t>(random.below(4));
      std::uint64_t const what = random.below(12);
      job_book const& book = books.job(j);
      node_book const& node = books.node(n);
      bool const can_take = jobs[j] == phase::idle || jobs[j] == phase::held;
      if (gpu_mask const gpus = some_of(node.offered()); what < 3 && gpus != 0 && can_take) {
        books.hold(j, n, gpus);
        jobs[j] = phase::held;
      } else if (what == 3 && jobs[j] == phase::held) {
        books.drain(j);
        jobs[j] = phase::draining;
      } else if (what < 6 && (jobs[j] == phase::idle || jobs[j] == phase::earmarked)) {
        gpu_mask const open = some_of(node.offered() | node.in(gpu_state::draining));
        if (open != 0) {
          books.earmark(j, n, open);
          jobs[j] = phase::earmarked;
        }
      } else if (what == 6 && jobs[j] == phase::earmarked) {
        if (book.gpus_promised == 0 && !book.earmark_broken) {
          books.claim_earmark(j);
          jobs[j] = phase::held;
        } else {
          books.drop_earmark(j);
          jobs[j] = phase::idle;
        }
      } else if (what < 9 && (jobs[j] == phase::held || jobs[j] == phase::draining)) {
        books.release_all(j);
        jobs[j] = phase::idle;
      } else if (what == 9) {
        books.set_lost(n, some_of(0xff) & some_of(0xff));
      } else if (what == 10) {
        books.set_health(n, static_cast<node_health>(random.below(3)));
      } else if (what == 11 && jobs[j] == phase::held) {
        gpu_mask held = 0;
        books.for_each_hold(j,
                            [&](booking const& line) { held |= line.node == n ? line.gpus : 0; });
        if (gpu_mask const some = some_of(held); some != 0) {
          books.release(j, n, some);
        }
      }
      for (std::uint32_t k = 0; k < 6; ++k) {  // a node may have taken everything
        if ((jobs[k] == phase::held || jobs[k] == phase::draining) && books.job(k).gpus_held == 0) {
          jobs[k] = phase::idle;
        }
      }
      char const* const broken = books.check_invariants();
      REQUIRE_MESSAGE(broken == nullptr, "seed " << seed << " step " << step);
    }
    for (std::uint32_t j = 0; j < 6; ++j) {
      books.drop_earmark(j);
      books.release_all(j);
      books.close(j);
    }
    for (std::uint32_t n = 0; n < 4; ++n) {
      books.set_health(n, node_health::up);
      books.set_lost(n, 0);
      books.remove_node(n);
    }
    CHECK(books.check_invariants() == nullptr);
    CHECK(books.gpu_total() == 0);
    CHECK(books.offered() == 0);
    for (int s = 0; s < gpu_state_count; ++s) {
      CHECK(books.total(static_cast<gpu_state>(s)) == 0);
    }
  }
}

}  // namespace ledger_test
