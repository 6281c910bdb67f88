// SPDX-License-Identifier: BSL-1.0
// What users write, right or wrong, and how Slurm writes GPUs.
#include <string>

#include <doctest/doctest.h>
#include <examples/slurm_agent/admin_note.hpp>
#include <examples/slurm_agent/gpu_text.hpp>
#include <examples/slurm_agent/job_comment.hpp>

using namespace slurm_agent;

TEST_CASE("a comment is read in any order, between any separators") {
  job_comment const read = read_comment(
      "my run, epoch_seconds=600;checkpoint_seconds=5 checkpoint_bytes=1400000000\n"
      "elastic_min=2 deadline=1800000000 tenant=3\tpriority=-7 work_seconds=3600 "
      "startup_seconds=9");
  CHECK(read.problems.empty());
  CHECK(read.epoch_seconds == 600);
  CHECK(read.checkpoint_seconds == 5);
  CHECK(read.checkpoint_bytes == 1'400'000'000);
  CHECK(read.elastic_min == 2);
  CHECK(read.deadline == 1'800'000'000);
  CHECK(read.tenant == 3);
  CHECK(read.priority == -7);
  CHECK(read.work_seconds == 3600);
  CHECK(read.startup_seconds == 9);
}

TEST_CASE("the last of equal keys counts, and nothing has defaults") {
  CHECK(read_comment("tenant=1 tenant=2").tenant == 2);
  CHECK(read_comment("") == job_comment{});
  CHECK(read_comment(" ,; just words ") == job_comment{});
}

TEST_CASE("what is wrong is said by name and leaves its default") {
  struct row {
    char const* text;
    char const* problem;
  };
  for (row const& each :
       {row{"tenant=64", "tenant: out of range"}, row{"tenant=-1", "tenant: out of range"},
        row{"tenant=", "tenant: not a whole number"},
        row{"tenant=3x", "tenant: not a whole number"},
        row{"tenant=1.5", "tenant: not a whole number"},
        row{"tenant==3", "tenant: not a whole number"},
        row{"tenant=99999999999999999999", "tenant: out of range"},
        row{"elastic_min=0", "elastic_min: out of range"}, row{"Tenant=3", "Tenant: unknown"},
        row{"=3", ": unknown"}}) {
    CAPTURE(each.text);
    job_comment read = read_comment(each.text);
    CHECK(read.problems == each.problem);
    read.problems.clear();
    CHECK(read == job_comment{});
  }
  CHECK(read_comment("a=1 tenant=2 b=1").problems == "a: unknown; b: unknown");
  CHECK(read_comment("a=1 tenant=2 b=1").tenant == 2);
}

TEST_CASE("a comment over the limit is not read, one at the limit is") {
  std::string text = "tenant=2 ";
  text.resize(longest_comment, 'x');
  CHECK(read_comment(text).tenant == 2);
  text += 'x';
  CHECK(read_comment(text).tenant == 0);
  CHECK(read_comment(text).problems == "comment: too long, not read");
}

TEST_CASE("what is said of a comment holds nothing that could pass for something else") {
  std::string const said = read_comment("\x01|\xff=1").problems;
  CHECK(said == "???: unknown");
  CHECK(read_comment(std::string(200, 'k') + "=1").problems.size() < 50);
}

TEST_CASE("GPUs that are asked for") {
  CHECK(read_gpus("gres:gpu:8").count == 8);
  CHECK(read_gpus("gres:gpu").count == 1);
  CHECK(read_gpus("gpu:h100:8(S:0-1)").count == 8);
  CHECK(read_gpus("gpu:h100:8(S:0-1)").type == "h100");
  CHECK(read_gpus("gres:gpu:a100").count == 1);
  CHECK(read_gpus("gres:nic:2,gres:gpu:a100:3").count == 3);
  CHECK(read_gpus("gres:gpu:a100:3,gres:gpu:h100:2").count == 5);
  CHECK(read_gpus("craynetwork:4").count == 0);
  CHECK(read_gpus("").count == 0);
  CHECK(read_gpus("gres:gpu:h100:x").count == 0);
}

TEST_CASE("GPUs that are held") {
  CHECK(read_held_gpus("gpu:h100:4(IDX:4-7)") == 0xf0);
  CHECK(read_held_gpus("gpu:4(IDX:0-1,3,63)") == 0x800000000000000bu);
  CHECK(read_held_gpus("gpu:a:1(IDX:0),gpu:b:1(IDX:5)") == 0x21);
  CHECK(read_held_gpus("gpu:h100:0(IDX:N/A)") == 0);
  CHECK(read_held_gpus("gpu:h100:1(IDX:64)") == 0);
  CHECK(read_held_gpus("gpu:h100:4(IDX:4-7") == 0);
  CHECK(read_held_gpus("") == 0);
}

TEST_CASE("a note comes back as it was written") {
  for (admin_note const& note :
       {admin_note{"too few GPUs are free", 1'700'000'000, 0, 0},
        admin_note{"makes way for job 7 | really", 1'700'000'000, 4, 1'700'000'060},
        admin_note{}}) {
    CHECK(read_note(write_note(note)) == note);
  }
}

TEST_CASE("what is no note of ours is none") {
  for (char const* const text : {"", "berth: ", "berth: no bar", "someone | submitted=5", "|"}) {
    CAPTURE(text);
    CHECK(read_note(text) == admin_note{});
  }
}
