// SPDX-License-Identifier: BSL-1.0
#include <berth/core/error.hpp>
#include <berth/core/ids.hpp>
#include <berth/core/time.hpp>
#include <berth/model/cluster.hpp>
#include <berth/model/event.hpp>
#include <berth/model/job.hpp>
#include <berth/model/job_state.hpp>
#include <berth/policies/fifo.hpp>
#include <berth/policies/least_attained_service.hpp>
#include <berth/policies/priority_class.hpp>
#include <berth/preemption/lost_work.hpp>
#include <berth/presets/make_scheduler.hpp>
#include <berth/scheduler/snapshot.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace snapshot_test {

namespace {

using namespace std::chrono_literals;
using berth::errc;
using berth::field;
using berth::detail::byte_reader;
using berth::detail::byte_writer;

static_assert(sizeof(berth::job_spec) == 392 && sizeof(berth::job_record) == 848,
              "a new member belongs into detail/snapshot_fields.hpp, and is a new format version");
static_assert(sizeof(berth::node_spec) == 40 && sizeof(berth::detail::stop_order) == 32,
              "a new member belongs into detail/snapshot_fields.hpp, and is a new format version");

berth::time_point at(std::int64_t seconds) {
  return berth::time_point{berth::duration{seconds * 1000}};
}

berth::scheduler_config config() {
  berth::scheduler_config limits;
  limits.max_jobs = 12;
  limits.max_nodes = 5;
  limits.max_gpus = 24;
  limits.max_tenants = 3;
  return limits;
}

berth::cluster nodes() {
  berth::cluster made{{"old", "new"}};
  for (int n = 0; n < 4; ++n) {
    berth::node_spec node;
    node.gpus = 4;
    node.type = static_cast<berth::gpu_type>(n / 3);
    node.rack = static_cast<berth::rack_id>(n / 2);
    node.cpu_milli = 16000;
    node.tag = 100u + static_cast<unsigned>(n);
    static_cast<void>(made.add(node).value());
  }
  return made;
}

auto make(berth::scheduler_config const& limits = config(), berth::cluster const& where = nodes()) {
  berth::priority_class const policy{};
  return berth::make_scheduler(where, limits, policy, berth::lost_work{}).value();
}
using scheduler = decltype(make());

std::vector<std::byte> saved(scheduler const& s) {
  std::vector<std::byte> bytes(s.snapshot_size());
  CHECK(s.snapshot(bytes).value() == bytes.size());
  return bytes;
}

/// A job in every state, a group that is not complete, back-off, a lost GPU, a node that is gone.
struct busy {
  scheduler made = make();
  berth::job_id whole, stopping, first, waits, ended;

  busy() {
    auto const submit = [&](int gang, int priority, int second) {
      berth::job_spec job;
      job.gang = gang;
      job.priority = priority;
      job.work = 1h;
      job.tenant = berth::tenant_id{1};
      job.allowed_types = 1;
      return made.submit(job, at(second)).value();
    };
    auto const tick = [&](int second) { CHECK_FALSE(made.tick(at(second)).is_refused()); };
    auto const gone = made.add_node({.gpus = 4, .tag = 7}, at(1)).value();
    CHECK(made.remove_node(gone, at(1)));
    ended = submit(1, 0, 1);
    whole = submit(8, 5, 1);
    stopping = submit(4, 0, 1);
    CHECK(made.complete(ended, at(2)));
    tick(3);
    CHECK(made.report(whole, berth::started{}, at(4)));
    CHECK(made.report(stopping, berth::started{}, at(5)));
    first = submit(4, 3, 6);
    tick(7);  // `stopping` makes way for `first`
    CHECK(made.view(stopping)->state() == berth::job_state::draining);
    CHECK(made.view(first)->state() == berth::job_state::reserving);
    waits = submit(3, 1, 8);
    berth::job_spec alone;
    alone.group = berth::group_id{9};
    alone.group_size = 2;
    CHECK(made.submit(alone, at(8)).has_value());
    berth::job_spec other;
    other.allowed_types = 2;
    auto const refused = made.submit(other, at(8)).value();
    tick(9);
    CHECK(made.report(refused, berth::launch_failed{}, at(10)));
    tick(11);
    CHECK(made.set_lost_gpus(berth::node_id{3, 0}, 2, at(12)));
    CHECK(made.cancel(whole, at(12)));
    CHECK(made.submit({}, at(13)).has_value());
    CHECK(made.check_invariants() == nullptr);
  }
};

/// Puts the right checksum on changed bytes.
void seal(std::vector<std::byte>& bytes) {
  std::size_t const front = berth::detail::bytes_of<berth::detail::head_line>();
  byte_reader in{bytes};
  auto head = berth::detail::read_line<berth::detail::head_line>(in);
  head.checksum = berth::detail::checksum(std::span{bytes}.subspan(front));
  byte_writer out{bytes};
  berth::detail::fields(out, std::as_const(head));
}
/// Changes the line at `offset`.
template <class Line, class Change>
void edit(std::vector<std::byte>& bytes, std::size_t offset, Change&& change) {
  byte_reader in{std::span{bytes}.subspan(offset)};
  auto line = berth::detail::read_line<Line>(in);
  change(line);
  byte_writer out{std::span{bytes}.subspan(offset)};
  berth::detail::fields(out, std::as_const(line));
  seal(bytes);
}

/// Where the lines are.
struct offsets {
  std::size_t totals, nodes, slots, jobs;
  berth::detail::totals_line counts;

  explicit offsets(std::vector<std::byte> const& bytes) {
    using namespace berth::detail;
    totals = bytes_of<head_line>();
    byte_reader in{std::span{bytes}.subspan(totals)};
    counts = read_line<totals_line>(in);
    nodes = totals + bytes_of<totals_line>();
    byte_reader lines{std::span{bytes}.subspan(nodes)};
    for (std::uint32_t n = 0; n < counts.nodes; ++n) {
      static_cast<void>(read_line<node_line>(lines));
    }
    slots = nodes + lines.position() + counts.unused_nodes * 4;
    jobs = slots + counts.slots * bytes_of<slot_line>() + counts.unused_slots * 4;
  }
  /// The line of the n-th living job.
  [[nodiscard]] std::size_t job(std::vector<std::byte> const& bytes, std::size_t n) const {
    using namespace berth::detail;
    std::size_t offset = jobs;
    for (; n > 0; --n) {
      byte_reader in{std::span{bytes}.subspan(offset)};
      auto const line = read_line<job_line>(in);
      offset += in.position() + (line.holds + line.earmarks) * bytes_of<booking_line>() +
                counts.job_data_bytes;
    }
    return offset;
  }
};

/// The first booking of the job at `offset`.
std::size_t booking_behind(std::vector<std::byte> const& bytes, std::size_t offset) {
  byte_reader in{std::span{bytes}.subspan(offset)};
  static_cast<void>(berth::detail::read_line<berth::detail::job_line>(in));
  return offset + in.position();
}

void check_refused(scheduler& s, std::vector<std::byte> const& bytes, berth::error why) {
  auto const before = s.state_digest();
  auto const done = s.restore(bytes);
  REQUIRE_FALSE(done.has_value());
  CHECK(to_string(done.error().code) == doctest::String{to_string(why.code)});
  CHECK(to_string(done.error().where) == doctest::String{to_string(why.where)});
  CHECK(s.state_digest() == before);
  CHECK(s.check_invariants() == nullptr);
}

TEST_CASE("a restored scheduler is the one that was saved") {
  busy const original;
  auto const bytes = saved(original.made);
  scheduler other = make();
  REQUIRE(other.restore(bytes));
  CHECK(other.state_digest() == original.made.state_digest());
  CHECK(other.next_wakeup() == original.made.next_wakeup());
  CHECK(other.check_invariants() == nullptr);
  CHECK(saved(other) == bytes);
}

TEST_CASE("restoring twice is restoring once") {
  busy original;
  auto const bytes = saved(original.made);
  REQUIRE(original.made.restore(bytes));
  REQUIRE(original.made.restore(bytes));
  CHECK(saved(original.made) == bytes);
}

TEST_CASE("the limits of a restored scheduler are its own") {
  busy const original;
  auto limits = config();
  limits.max_jobs = 100;
  limits.max_nodes = 50;
  limits.max_gpus = 1000;
  scheduler larger = make(limits);
  REQUIRE(larger.restore(saved(original.made)));
  CHECK(larger.state_digest() == original.made.state_digest());
  for (int i = 0; i < 50; ++i) {
    CHECK(larger.submit({}, at(20)).has_value());
  }
  CHECK(larger.check_invariants() == nullptr);
}

TEST_CASE("ids that were stale stay stale, and the next ids are the same") {
  busy original;
  scheduler other = make();
  REQUIRE(other.restore(saved(original.made)));
  CHECK(other.complete(original.ended, at(14)).error() ==
        berth::error{errc::stale_job, field::job});
  CHECK(other.remove_node(berth::node_id{4, 0}, at(14)).error() ==
        berth::error{errc::stale_node, field::node});
  for (int i = 0; i < 4; ++i) {
    CHECK(other.submit({}, at(15)).value() == original.made.submit({}, at(15)).value());
  }
  CHECK(other.add_node({.gpus = 1}, at(15)).value() ==
        original.made.add_node({.gpus = 1}, at(15)).value());
}

TEST_CASE("what a gang has given back stays given back") {
  scheduler s = make();
  auto const job = s.submit({.gang = 2, .gpus_per_member = 4}, at(0)).value();
  auto const plan = s.tick(at(0));
  REQUIRE(plan.size() == 1);
  auto const given = plan[0].gpus[0];
  CHECK(s.report(job, berth::started{}, at(1)));
  CHECK(s.report(job, berth::member_finished{given.node, given.gpus}, at(2)));
  scheduler other = make();
  REQUIRE(other.restore(saved(s)));
  CHECK(other.view(job)->gpus_held() == 4);
  CHECK(other.books().node(given.node.slot()).in(berth::gpu_state::free) == given.gpus);
  CHECK(other.state_digest() == s.state_digest());
}

TEST_CASE("a scheduler that knows nothing can be saved and restored") {
  scheduler const empty = make();
  scheduler other = make();
  CHECK(other.submit({}, at(5)).has_value());
  REQUIRE(other.restore(saved(empty)));
  CHECK(other.state_digest() == empty.state_digest());
  CHECK(other.submit({}, at(-100)).has_value());
}

TEST_CASE("room that is too small is refused and left alone") {
  busy const original;
  std::vector<std::byte> bytes(original.made.snapshot_size() - 1, std::byte{0x55});
  auto const done = original.made.snapshot(bytes);
  REQUIRE_FALSE(done.has_value());
  CHECK(done.error() == berth::error{errc::capacity_exceeded, field::message});
  CHECK(bytes == std::vector<std::byte>(bytes.size(), std::byte{0x55}));
}

TEST_CASE("every truncation and every extension is refused") {
  busy original;
  auto const bytes = saved(original.made);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    check_refused(original.made, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)},
                  {errc::bad_data, field::message});
  }
  auto longer = bytes;
  longer.push_back(std::byte{0});
  check_refused(original.made, longer, {errc::bad_data, field::message});
}

TEST_CASE("every changed byte is found") {
  busy original;
  auto bytes = saved(original.made);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned const pattern : {0x01u, 0x80u, 0xffu}) {
      CAPTURE(i);
      CAPTURE(pattern);
      bytes[i] ^= static_cast<std::byte>(pattern);
      check_refused(original.made, bytes, {errc::bad_data, field::message});
      bytes[i] ^= static_cast<std::byte>(pattern);
    }
  }
}

TEST_CASE("a changed byte with a right checksum is refused whole, or gives a sound state") {
  busy original;
  auto const bytes = saved(original.made);
  scheduler other = make();
  std::size_t accepted = 0;
  for (std::size_t i = offsets{bytes}.totals; i < bytes.size(); ++i) {
    for (unsigned const pattern : {0x01u, 0x04u, 0x80u, 0xffu}) {
      CAPTURE(i);
      CAPTURE(pattern);
      auto changed = bytes;
      changed[i] ^= static_cast<std::byte>(pattern);
      seal(changed);
      REQUIRE(other.restore(bytes));
      auto const before = other.state_digest();
      if (!other.restore(changed)) {
        REQUIRE(other.state_digest() == before);
        continue;
      }
      ++accepted;
      REQUIRE(other.check_invariants() == nullptr);
      REQUIRE(saved(other) == changed);
      REQUIRE(other.state_digest() != before);
      auto const now = other.now() + 1h;
      for (int round = 0; round < 3; ++round) {
        REQUIRE_FALSE(other.tick(now).is_refused());
        REQUIRE(other.check_invariants() == nullptr);
      }
    }
  }
  MESSAGE("accepted: ", accepted);
}

TEST_CASE("another format is refused") {
  busy original;
  auto const bytes = saved(original.made);
  using head = berth::detail::head_line;
  auto changed = bytes;
  edit<head>(changed, 0, [](head& line) { line.version = berth::snapshot_format + 1; });
  check_refused(original.made, changed, {errc::bad_data, field::message});
  changed = bytes;
  edit<head>(changed, 0, [](head& line) { line.magic = 0; });
  check_refused(original.made, changed, {errc::bad_data, field::message});
  changed = bytes;
  edit<head>(changed, 0, [](head&) {});
  CHECK(original.made.restore(changed));
}

TEST_CASE("a configuration that is too small is named") {
  busy const original;
  auto const bytes = saved(original.made);
  auto const refused_with = [&](auto&& change, field why) {
    auto limits = config();
    change(limits);
    scheduler small = make(limits, berth::cluster{{"old", "new"}});
    check_refused(small, bytes, {errc::capacity_exceeded, why});
  };
  refused_with([](auto& c) { c.max_jobs = 4; }, field::max_jobs);
  refused_with([](auto& c) { c.max_nodes = 4; }, field::max_nodes);
  refused_with([](auto& c) { c.max_gpus = 15; }, field::max_gpus);
  refused_with([](auto& c) { c.max_tenants = 1; }, field::max_tenants);
}

TEST_CASE("a scheduler of another make refuses it") {
  busy const original;
  auto const bytes = saved(original.made);
  scheduler one_type = make(config(), berth::cluster{});
  check_refused(one_type, bytes, {errc::bad_data, field::type});
  auto with_data =
      berth::make_scheduler(nodes(), config(), berth::least_attained_service{}).value();
  auto const before = with_data.state_digest();
  CHECK(with_data.restore(bytes).error() == berth::error{errc::bad_data, field::message});
  CHECK(with_data.state_digest() == before);
}

TEST_CASE("what cannot be is refused by name") {
  using namespace berth::detail;
  busy original;
  auto const bytes = saved(original.made);
  offsets const where{bytes};
  int number = 0;
  auto const with = [&](auto line_kind, std::size_t offset, field why, auto&& change) {
    auto changed = bytes;
    ++number;
    CAPTURE(number);
    edit<decltype(line_kind)>(changed, offset, change);
    check_refused(original.made, changed, {errc::bad_data, why});
  };
  std::size_t const first_job = where.job(bytes, 0);
  auto const job = [&](field why, auto&& change) { with(job_line{}, first_job, why, change); };
  REQUIRE(where.counts.jobs > 3);

  job(field::state, [](job_line& l) { l.record.state = berth::job_state::finished; });
  job(field::state, [](job_line& l) { l.record.state = static_cast<berth::job_state>(77); });
  job(field::done, [](job_line& l) { l.record.done = berth::duration{-1}; });
  job(field::done, [](job_line& l) { l.record.waited = berth::duration{-1}; });
  job(field::done, [](job_line& l) { l.record.served = berth::gpu_time{-1}; });
  job(field::now, [](job_line& l) { l.record.submitted = at(1000); });
  job(field::gang, [](job_line& l) { l.record.spec.gang = 0; });
  job(field::roles, [](job_line& l) { l.record.form.roles[0].members = 9; });
  job(field::speed, [](job_line& l) { l.record.spec.speed[3] = -1.0; });
  job(field::job, [](job_line& l) { l.slot = 5000; });
  job(field::job, [](job_line& l) { l.record.sequence = 5000; });
  job(field::group, [](job_line& l) { l.group_next = 3; });
  job(field::type, [](job_line& l) { l.record.type = berth::gpu_type{2}; });

  with(node_line{}, where.nodes, field::gpus, [](node_line& l) { l.spec.gpus = -1; });
  with(node_line{}, where.nodes, field::tag, [](node_line& l) { l.spec.tag = 101; });
  with(node_line{}, where.nodes, field::mask, [](node_line& l) { l.lost = 1u << 4; });

  std::size_t holder = first_job;
  job_line found;
  for (std::size_t n = 0; n < where.counts.jobs && found.holds < 2; ++n) {
    holder = where.job(bytes, n);
    byte_reader in{std::span{bytes}.subspan(holder)};
    found = read_line<job_line>(in);
  }
  REQUIRE(found.holds == 2);
  std::size_t const line = booking_behind(bytes, holder);
  with(booking_line{}, line, field::node, [](booking_line& l) { l.node = 400; });
  with(booking_line{}, line, field::mask, [](booking_line& l) { l.gpus = 0; });
  with(booking_line{}, line, field::mask, [](booking_line& l) { l.gpus = 0x10; });
  byte_reader in{std::span{bytes}.subspan(line + bytes_of<booking_line>())};
  auto const second = read_line<booking_line>(in);
  with(booking_line{}, line, field::node, [&](booking_line& l) { l = second; });
}

TEST_CASE("a GPU that two jobs hold is refused") {
  using namespace berth::detail;
  scheduler s = make();
  CHECK(s.submit({.gang = 1}, at(0)).has_value());
  CHECK(s.submit({.gang = 1}, at(0)).has_value());
  REQUIRE(s.tick(at(0)).size() == 2);
  auto bytes = saved(s);
  offsets const where{bytes};
  byte_reader in{std::span{bytes}.subspan(booking_behind(bytes, where.job(bytes, 0)))};
  auto const first = read_line<booking_line>(in);
  edit<booking_line>(bytes, booking_behind(bytes, where.job(bytes, 1)), [&](booking_line& line) {
    line.node = first.node;
    line.gpus = first.gpus;
  });
  check_refused(s, bytes, {errc::bad_data, field::mask});
  edit<booking_line>(bytes, booking_behind(bytes, where.job(bytes, 1)),
                     [](booking_line& line) { line.gpus = 0xc; });  // more than its gang
  check_refused(s, bytes, {errc::bad_data, field::gpus});
}

}  // namespace

}  // namespace snapshot_test
