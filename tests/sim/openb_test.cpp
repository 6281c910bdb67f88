// SPDX-License-Identifier: BSL-1.0
// The reader of openb node lists.
#include <berth_sim/traces/openb.hpp>

#include <string>

#include "read_text.hpp"
#include <doctest/doctest.h>

namespace openb_test {

using namespace berth::sim;

namespace {

std::string const header = "sn,cpu_milli,memory_mib,gpu,model\n";
constexpr auto strict = [](std::istream& in, std::string const& file) {
  return read_openb_nodes(in, file);
};

}  // namespace

TEST_CASE("nodes without a GPU are left out and counted") {
  auto const list = sample::read_text(
      header + "n0,32000,262144,0,\nn1,64000,2,2,P100\nn2,96000,3,8,V100M32\nn3,1,1,1,P100\n",
      strict);
  REQUIRE(list.has_value());
  REQUIRE(list->nodes.size() == 3);
  CHECK(list->without_gpu == 1);
  CHECK(total_gpus(*list) == 11);
  CHECK(list->models.size() == 2);
  CHECK(list->names[list->nodes[0].name] == "n1");
  CHECK(list->nodes[0].cpu_milli == 64000);
  CHECK(list->nodes[0].memory_bytes == 2097152);
  CHECK(list->nodes[0].model == list->nodes[2].model);
  CHECK(list->models[list->nodes[1].model] == "V100M32");
}

TEST_CASE("a malformed line is refused with its place") {
  using sample::refusal;
  for (refusal const& each :
       {refusal{header + ",1,1,1,T4\n", 2, 1, "sn", "empty"},
        refusal{header + "a,1,1,1,T4\na,1,1,1,T4\n", 3, 1, "sn", "twice"},
        refusal{header + "a,1,1,0,\na,1,1,1,T4\n", 3, 1, "sn", "twice"},
        refusal{header + "a,x,1,1,T4\n", 2, 3, "cpu_milli", "not a number"},
        refusal{header + "a,1,9000000000000000000,1,T4\n", 2, 5, "memory_mib", "range"},
        refusal{header + "a,1,1,-1,T4\n", 2, 7, "gpu", "negative"},
        refusal{header + "a,1,1,1,\n", 2, 9, "model", "empty"},
        refusal{"sn,cpu,memory_mib,gpu,model\n", 1, 4, "cpu_milli", "'cpu'"}}) {
    sample::check_refused(each, strict);
  }
}

TEST_CASE("lenient reading counts the malformed") {
  auto const list = sample::read_text(header + "a,1,1,1,T4\na,1,1,1,T4\n",
                                      [](std::istream& in, std::string const& file) {
                                        return read_openb_nodes(in, file, {.lenient = true});
                                      });
  REQUIRE(list.has_value());
  CHECK(list->nodes.size() == 1);
  CHECK(list->malformed == 1);
}

}  // namespace openb_test
