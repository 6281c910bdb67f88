// SPDX-License-Identifier: BSL-1.0
#include <berth/core/time.hpp>
#include <berth/model/job_spec.hpp>
#include <berth/model/transfer.hpp>

#include <chrono>
#include <cstdint>

#include <doctest/doctest.h>

namespace transfer_test {

using namespace berth;
using namespace std::chrono_literals;

namespace {
constexpr std::int64_t mega = 1'000'000;
constexpr checkpointing reads(std::int64_t bytes, std::int64_t cached = 0) {
  checkpointing saving;
  saving.dataset_bytes = bytes;
  saving.cached_bytes = cached;
  return saving;
}
}  // namespace

TEST_CASE("transfer_time: bytes over the rate, rounded up to whole milliseconds") {
  CHECK(transfer_time(100 * mega, 100 * mega) == 1s);
  CHECK(transfer_time(1, 1000) == 1ms);
  CHECK(transfer_time(1, 1'000'000) == 1ms);
  CHECK(transfer_time(1'400 * mega, 100 * mega) == 14s);
  CHECK(transfer_time(2'500, 1'000) == 2'500ms);
  CHECK(transfer_time(2'501, 2'000) == 1'251ms);
}

TEST_CASE("transfer_time: nothing takes no time, a rate of 0 is so fast that it does not matter") {
  CHECK(transfer_time(0, 5) == 0ms);
  CHECK(transfer_time(5, 0) == 0ms);
}

TEST_CASE("transfer_time: the largest sizes do not wrap") {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  CHECK(transfer_time(most, 1) == max_duration);
  CHECK(transfer_time(most, most) == duration{1'024'000});  // taken as 2^50 bytes a second
  CHECK(transfer_time(most, std::int64_t{1} << 50) == duration{1'024'000});
}

TEST_CASE("unhidden_reading: all of it where the epoch is unknown") {
  CHECK(unhidden_reading(reads(100 * mega), 100 * mega, 0s, mega) == 100s);
}

TEST_CASE("unhidden_reading: only what storage is slower than training counts") {
  // 100 MB at 1 MB a second take 100 s; the job consumes them in the time of an epoch
  CHECK(unhidden_reading(reads(100 * mega), 100 * mega, 30s, mega) == 70s);
  CHECK(unhidden_reading(reads(100 * mega), 100 * mega, 100s, mega) == 0s);
  CHECK(unhidden_reading(reads(100 * mega), 100 * mega, 400s, mega) == 0s);
  duration const half = unhidden_reading(reads(100 * mega), 50 * mega, 30s, mega);
  CHECK(half >= 35s);
  CHECK(half <= 35s + 1ms);  // the share is a fraction of 2^20
}

TEST_CASE(
    "unhidden_reading: data sets from one byte to an exbibyte do not wrap or divide by zero") {
  for (int bits = 0; bits <= 60; ++bits) {
    std::int64_t const bytes = std::int64_t{1} << bits;
    for (duration const epoch : {duration{1}, duration{1000}, max_duration}) {
      duration const all = unhidden_reading(reads(bytes), bytes, epoch, 1 << 20);
      CHECK(all >= 0ms);
      CHECK(all <= transfer_time(bytes, 1 << 20));
      if (transfer_time(bytes, 1 << 20) < max_duration) {
        CHECK(unhidden_reading(reads(bytes), bytes / 2, epoch, 1 << 20) <= all + 1ms);
      }
      CHECK(spared_reading(reads(bytes, bytes / 2), epoch, 1 << 20) >= 0ms);
    }
  }
}

TEST_CASE("spared_reading: what is cached, and no more than there is") {
  CHECK(spared_reading(reads(100 * mega), 0s, mega) == 0s);
  CHECK(spared_reading(reads(100 * mega, 40 * mega), 0s, mega) == 40s);
  CHECK(spared_reading(reads(100 * mega, 400 * mega), 0s, mega) == 100s);
  CHECK(spared_reading(reads(100 * mega, 100 * mega), 30s, mega) == 70s);
}

}  // namespace transfer_test
