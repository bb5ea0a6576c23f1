// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit {
namespace {

/// One query, two candidates, two members that agree.
MemberPredictions Agreeing(const std::vector<double>& work, const std::vector<double>& time,
                           const std::vector<double>& eligible) {
  const auto twice = [](const std::vector<double>& values) {
    std::vector<double> doubled = values;
    doubled.insert(doubled.end(), values.begin(), values.end());
    return doubled;
  };
  return {.members = 2,
          .queries = 1,
          .candidates = 2,
          .work = twice(work),
          .time = twice(time),
          .eligible = twice(eligible)};
}

ActionIndex Choose(const MemberPredictions& predictions, const SelectorOptions& options = {}) {
  std::vector<ActionIndex> choices(predictions.queries);
  SelectActions(predictions, 1.1 - 1.0, options, choices);
  return choices[0];
}

TEST(SelectorTest, TakesTheLowestAcceptedWorkBound) {
  EXPECT_EQ(Choose(Agreeing({-0.1, -0.2}, {0.0, 0.0}, {0.9, 0.9})), 2U);
  EXPECT_EQ(Choose(Agreeing({-0.1, -0.2}, {0.0, 0.2}, {0.9, 0.9})), 1U);
  EXPECT_EQ(Choose(Agreeing({-0.1, -0.2}, {0.0, 0.0}, {0.9, 0.4})), 1U);
}

TEST(SelectorTest, StaysDirectWithoutAPredictedSaving) {
  EXPECT_EQ(Choose(Agreeing({0.0, 0.1}, {0.0, 0.0}, {1.0, 1.0})), kDirect);
}

TEST(SelectorTest, BreaksTiesByTheLowestIndex) {
  EXPECT_EQ(Choose(Agreeing({-0.1, -0.1}, {0.0, 0.0}, {1.0, 1.0})), 1U);
}

TEST(SelectorTest, DisagreementBetweenMembersMakesItCautious) {
  MemberPredictions predictions = Agreeing({-0.1, 0.1}, {0.0, 0.0}, {1.0, 1.0});
  predictions.work = {-0.3, 0.1, 0.1, 0.1};  // mean -0.1, sd 0.28 (ddof 1)
  EXPECT_EQ(Choose(predictions), kDirect);
  EXPECT_EQ(Choose(predictions, {.z = 0.0}), 1U);
}

TEST(SelectorTest, AMissingPredictionMeansNoGate) {
  MemberPredictions predictions = Agreeing({-0.1, -0.2}, {9.0, 9.0}, {0.0, 0.0});
  EXPECT_EQ(Choose(predictions), kDirect);
  predictions.time.clear();
  predictions.eligible.clear();
  EXPECT_EQ(Choose(predictions), 2U);
}

TEST(SelectorTest, NeverChoosesANotANumber) {
  MemberPredictions predictions = Agreeing({-0.1, -0.2}, {0.0, 0.0}, {1.0, 1.0});
  predictions.work.assign(4, std::nan(""));
  EXPECT_EQ(Choose(predictions), kDirect);
}

}  // namespace
}  // namespace gonogo::audit
