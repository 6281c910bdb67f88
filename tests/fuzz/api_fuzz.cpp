// SPDX-License-Identifier: BSL-1.0
// The random host of the property tests with bytes that a fuzzer chooses: the first byte picks the
// composition and the host's habits.
#include <berth/core/assert.hpp>

#include <tests/support/compositions.hpp>
#include <tests/support/random_host.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace {

/// In the order that the committed inputs know.
constexpr std::array compositions{&tests::strict_fifo,   &tests::backfill,
                                  &tests::tiresias_like, &tests::shortest_first,
                                  &tests::classes,       &tests::classes_with_promise};

void live(tests::composition const& of, tests::byte_source& in, berth::acknowledgement how,
          bool breaks_contract) {
  tests::host_habits habits;
  habits.breaks_contract = breaks_contract;
  auto const nodes = tests::small_cluster(habits);
  auto const made = of.make(nodes, tests::small_config(how));
  tests::random_host host{*made, nodes, habits};
  host.live(in);
  host.run_out();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size > 4096) {
    return 0;
  }
  tests::byte_source in{std::span{data, size}};
  std::uint32_t const choice = in.byte();
  auto const how = (choice & 1u) != 0 ? berth::acknowledgement::implicit
                                      : berth::acknowledgement::explicit_reports;
  bool const breaks = (choice & 2u) != 0;
  try {
    live(*compositions[(choice >> 2) % compositions.size()], in, how, breaks);
  } catch (tests::broken const& why) {
    std::fprintf(stderr, "%s\n", why.what());
    std::abort();
  }
  return 0;
}
