// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/parallel.h"

#include <atomic>
#include <functional>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo {
namespace {

/// Both kinds of threads have to keep the promises of ParallelFor.
using Loop = void (*)(int, std::size_t, const std::function<void(std::size_t)>&);

class ParallelForTest : public testing::TestWithParam<Loop> {};

TEST_P(ParallelForTest, VisitsEveryIndexOnce) {
  for (const int jobs : {0, 1, 4}) {
    for (const std::size_t count : {0, 1, 3, 1000}) {
      std::vector<std::atomic<int>> visits(count);
      GetParam()(jobs, visits.size(), [&](std::size_t i) { ++visits[i]; });
      for (const std::atomic<int>& visited : visits) EXPECT_EQ(visited.load(), 1);
    }
  }
}

TEST_P(ParallelForTest, PassesExceptionsOn) {
  const auto throw_at_five = [](std::size_t i) {
    if (i == 5) throw std::runtime_error("five");
  };
  EXPECT_THROW(GetParam()(4, 100, throw_at_five), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Loops, ParallelForTest, testing::Values(&ParallelFor, &ForOnPlainThreads));

}  // namespace
}  // namespace gonogo
