// SPDX-License-Identifier: BSL-1.0
// The packing by counts, against every packing there is.
#include <berth/core/random.hpp>
#include <berth/scheduler/detail/packer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace packer_test {

using namespace berth;
using namespace berth::detail;

namespace {
struct small_node {
  int type;
  int free_gpus;
};

// Can the rest of the parts be placed? Tries every node for every member.
bool fits_somehow(std::vector<small_node>& nodes, std::vector<gang_part> const& parts,
                  std::size_t part, int member, std::size_t first_node, int type) {
  if (part == parts.size()) {
    return true;
  }
  gang_part const& p = parts[part];
  bool const whole = p.layout == spread::same_node;
  int const need = whole ? p.total() : p.gpus;
  int const members = whole ? 1 : p.members;
  if (member == members) {
    return fits_somehow(nodes, parts, part + 1, 0, 0, -1);
  }
  for (std::size_t n = first_node; n < nodes.size(); ++n) {
    bool const same_type = type < 0 || nodes[n].type == type;
    if (!same_type || !contains(p.types, static_cast<gpu_type>(nodes[n].type)) ||
        nodes[n].free_gpus < need) {
      continue;
    }
    nodes[n].free_gpus -= need;
    bool const found = fits_somehow(nodes, parts, part, member + 1,
                                    p.layout == spread::one_per_node ? n + 1 : n, nodes[n].type);
    nodes[n].free_gpus += need;
    if (found) {
      return true;
    }
  }
  return false;
}

free_counts counts_of(std::vector<small_node> const& nodes) {
  free_counts counts;
  counts.clear(2, berth::max_gpus_per_node);
  for (small_node const& node : nodes) {
    counts.add(pool::training, static_cast<gpu_type>(node.type), node.free_gpus, 1);
  }
  return counts;
}
gang_part part_of(std::int32_t members, std::int32_t gpus, spread layout = spread::prefer_together,
                  type_mask types = any_type) {
  gang_part part;
  part.members = members;
  part.gpus = gpus;
  part.layout = layout;
  part.types = types;
  return part;
}
bool fits(std::vector<small_node> const& nodes, std::vector<gang_part> const& parts) {
  packer pack;
  pack.begin(counts_of(nodes));
  std::vector<std::uint32_t> scratch(parts.size());
  return pack.fits(parts, 0, scratch);
}
}  // namespace

TEST_CASE("packer: one part fits exactly when some placement of it exists") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::vector<small_node> nodes(1 + random.below(4));
    for (small_node& node : nodes) {
      node = {static_cast<int>(random.below(2)), static_cast<int>(random.below(9))};
    }
    std::vector<gang_part> const parts{part_of(static_cast<std::int32_t>(1 + random.below(5)),
                                               static_cast<std::int32_t>(1 + random.below(4)),
                                               static_cast<spread>(random.below(3)),
                                               static_cast<type_mask>(1 + random.below(3)))};
    std::vector<small_node> scratch = nodes;
    REQUIRE(fits(nodes, parts) == fits_somehow(scratch, parts, 0, 0, 0, -1));
  }
}

TEST_CASE("packer: a batch that it accepts has a placement, and few that have one are refused") {
  int accepted = 0;
  int missed = 0;
  int possible = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    random_source random{seed};
    std::vector<small_node> nodes(2 + random.below(2));
    for (small_node& node : nodes) {
      node = {static_cast<int>(random.below(2)), static_cast<int>(random.below(9))};
    }
    std::vector<gang_part> parts;
    for (std::uint64_t left = 2 + random.below(3); left > 0; --left) {
      parts.push_back(part_of(static_cast<std::int32_t>(1 + random.below(3)),
                              static_cast<std::int32_t>(1 + random.below(4)),
                              static_cast<spread>(random.below(3)),
                              static_cast<type_mask>(1 + random.below(3))));
    }
    std::vector<small_node> scratch = nodes;
    bool const exists = fits_somehow(scratch, parts, 0, 0, 0, -1);
    bool const found = fits(nodes, parts);
    REQUIRE((!found || exists));
    accepted += found ? 1 : 0;
    possible += exists ? 1 : 0;
    missed += exists && !found ? 1 : 0;
  }
  CHECK(accepted > 200);
  CHECK(missed * 10 <= possible);
}

TEST_CASE("packer: a refused candidate leaves the batch as it was") {
  packer pack;
  pack.begin(counts_of({{0, 4}, {0, 2}}));
  std::vector<gang_part> parts{part_of(1, 3)};
  std::vector<std::uint32_t> scratch(4);
  REQUIRE(pack.fits(parts, 0, scratch));
  parts.push_back(part_of(1, 4));
  CHECK_FALSE(pack.fits(parts, 1, scratch));
  parts.back() = part_of(1, 2);
  CHECK(pack.fits(parts, 1, scratch));
  parts.push_back(part_of(1, 1));
  CHECK(pack.fits(parts, 2, scratch));
  parts.push_back(part_of(1, 1));
  CHECK_FALSE(pack.fits(parts, 3, scratch));
}

TEST_CASE("packer: what does not fit one after the other is packed anew, the largest first") {
  // Tightest fit puts the first pair on the node of 3, the second on that of 4: no room for 4.
  packer pack;
  pack.begin(counts_of({{0, 4}, {0, 5}}));
  std::vector<std::uint32_t> scratch(4);
  std::vector<gang_part> parts{part_of(1, 2)};
  REQUIRE(pack.fits(parts, 0, scratch));
  parts.push_back(part_of(1, 3));
  REQUIRE(pack.fits(parts, 1, scratch));
  parts.push_back(part_of(1, 4));
  CHECK(pack.fits(parts, 2, scratch));
}

TEST_CASE("packer: pools and types are apart") {
  gang_part other = part_of(1, 1);
  other.where = pool::inference;
  CHECK_FALSE(fits({{0, 8}}, {other}));
  CHECK_FALSE(fits({{0, 8}}, {part_of(1, 1, spread::prefer_together, 2)}));
  CHECK_FALSE(fits({{0, 4}, {1, 4}}, {part_of(8, 1)}));
}

}  // namespace packer_test
