// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

TEST(ParallelForTest, VisitsEveryIndexOnce) {
  for (const int jobs : {0, 1, 4}) {
    std::vector<std::atomic<int>> visits(1000);
    ParallelFor(jobs, visits.size(), [&](std::size_t i) { ++visits[i]; });
    for (const std::atomic<int>& count : visits) EXPECT_EQ(count.load(), 1);
  }
}

TEST(ParallelForTest, PassesExceptionsOn) {
  const auto throw_at_five = [](std::size_t i) {
    if (i == 5) throw std::runtime_error("five");
  };
  EXPECT_THROW(ParallelFor(4, 100, throw_at_five), std::runtime_error);
}

}  // namespace
}  // namespace gonogo
