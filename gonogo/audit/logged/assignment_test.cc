// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/assignment.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

TEST(AssignmentTest, TriesEveryActionAsOftenAsItsProbabilitySaysInEveryBlock) {
  const std::vector<double> share = {0.5, 0.25, 0.25};
  const std::vector<ActionIndex> tries = AssignTries(share, 48, 8, RngStream(1));
  ASSERT_EQ(tries.size(), 48U);
  for (std::size_t begin = 0; begin < 48; begin += 8) {
    const auto count = [&](ActionIndex action) {
      return std::count(tries.begin() + static_cast<long>(begin),
                        tries.begin() + static_cast<long>(begin) + 8, action);
    };
    EXPECT_EQ(count(0), 4);
    EXPECT_EQ(count(1), 2);
    EXPECT_EQ(count(2), 2);
  }
  EXPECT_NE(tries, AssignTries(share, 48, 8, RngStream(2)));
  EXPECT_EQ(tries, AssignTries(share, 48, 8, RngStream(1)));
}

TEST(AssignmentTest, GivesEachQueryItsProbabilitiesAlsoInAShortLastBlock) {
  const std::vector<double> share = {0.7, 0.1, 0.2};  // no whole numbers in a block of 4
  constexpr std::size_t kQueries = 6;
  constexpr int kDraws = 20000;
  std::vector<std::vector<int>> count(kQueries, std::vector<int>(3, 0));
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto stream = RngStream(3).Child(static_cast<std::uint64_t>(draw));
    const std::vector<ActionIndex> tries = AssignTries(share, kQueries, 4, stream);
    for (std::size_t query = 0; query < kQueries; ++query) ++count[query][tries[query]];
  }
  for (const std::vector<int>& at_query : count) {  // standard error 0.0032; false alarm 1e-6 each
    for (std::size_t action = 0; action < 3; ++action) {
      EXPECT_NEAR(static_cast<double>(at_query[action]) / kDraws, share[action], 0.016);
    }
  }
}

TEST(AssignmentTest, PutsTheReferenceFirstAndNeedsActions) {
  Protocol protocol;
  EXPECT_FALSE(PlanTries(protocol).ok());
  protocol.actions = {"slow", "direct", "fast"};
  protocol.reference = "direct";
  const TryPlan even = PlanTries(protocol).value();
  EXPECT_THAT(even.actions, testing::ElementsAre("direct", "slow", "fast"));
  EXPECT_EQ(even.probability[2], 1.0 / 3.0);
  protocol.logging.propensity = {{"direct", 0.5}, {"fast", 0.2}, {"slow", 0.3}};
  EXPECT_THAT(PlanTries(protocol).value().probability, testing::ElementsAre(0.5, 0.3, 0.2));
  protocol.logging.propensity.pop_back();
  EXPECT_FALSE(PlanTries(protocol).ok());
}

}  // namespace
}  // namespace gonogo::audit
