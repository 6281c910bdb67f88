// SPDX-License-Identifier: BSL-1.0
// Sketches of names.
#include <berth/model/name_sketch.hpp>

#include <doctest/doctest.h>

namespace name_sketch_test {

using berth::similarity;
using berth::sketch;

static_assert(sketch("") == 0);
static_assert(sketch("resnet50-lr0.1") != 0);

TEST_CASE("sketch: runs of one experiment differ by numbers and case, and have one sketch") {
  CHECK(sketch("resnet50_run17") == sketch("ResNet18_run42"));
}

TEST_CASE("sketch: the more two names share, the more bits they share") {
  auto const name = sketch("train-bert-large-squad");
  int const near = similarity(name, sketch("train-bert-large-squad-v2"));
  int const nearer = similarity(name, sketch("train-bert-large-squad2"));
  int const kin = similarity(name, sketch("train-bert-base-mnli"));
  int const stranger = similarity(name, sketch("yolo_voc_detector"));
  CHECK(similarity(name, name) == 64);
  CHECK(nearer >= 52);
  CHECK(near >= 48);
  CHECK(kin < near);
  CHECK(kin > stranger);
  CHECK(stranger < 42);
}

TEST_CASE("sketch: it is the same everywhere, since it is saved") {
  CHECK(sketch("train-bert-large-squad") == 11'785'395'162'937'746'573u);
}

}  // namespace name_sketch_test
