// SPDX-License-Identifier: BSL-1.0
// Learning, predicting, saving and loading allocate nothing.
#include <berth/core/random.hpp>
#include <berth/predictors/calibrated.hpp>
#include <berth/predictors/history.hpp>

#include <tests/support/counting_new.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

namespace learning_alloc_test {

TEST_CASE("a history allocates when it is made, and never again") {
  berth::history past{100};
  berth::history other{50};
  berth::calibrated<berth::history> calibrated{berth::history{10}};
  std::vector<std::byte> room(100'000);
  berth::random_source random{23};
  auto const before = tests::allocations();
  bool fine = true;
  std::int64_t sum = 0;
  for (int i = 0; i < 1000; ++i) {
    berth::training_query const job{.model = static_cast<berth::model_id>(random.below(5)),
                                    .user = static_cast<berth::user_id>(random.below(5)),
                                    .name = random.next(),
                                    .gpus = static_cast<std::int32_t>(random.between(1, 9)),
                                    .batch_size = static_cast<std::int32_t>(random.between(0, 9)),
                                    .epochs = static_cast<std::int32_t>(random.between(0, 9)),
                                    .samples = random.between(0, 1000)};
    sum += past.predict(job).p50.count() & 1;
    fine = fine && past.record({job, berth::duration{random.between(1, 100'000)}}).has_value();
    if (i % 50 == 49) {
      auto const written = past.save(room);
      fine = fine && written.has_value() && other.load(std::span{room}.first(*written)).has_value();
      auto const errors = calibrated.save(room);
      fine =
          fine && errors.has_value() && calibrated.load(std::span{room}.first(*errors)).has_value();
    }
  }
  auto const after = tests::allocations();
  CHECK(fine);
  CHECK(sum > 0);
  CHECK(after == before);
}

}  // namespace learning_alloc_test
