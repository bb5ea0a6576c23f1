// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/oracle.h"

#include <gtest/gtest.h>

#include "gonogo/audit/learners/learner_factory.h"

namespace gonogo::calibrate {
namespace {

Result<std::unique_ptr<audit::Learner>> RidgeLearner(const audit::LearningProblem& problem) {
  return audit::MakeLearner({.kind = audit::LearnerKind::kRidge}, problem);
}

RuleOutcome Ask(const World& world, std::uint64_t seed) {
  const RngStream stream(seed);
  return AskOracle(DrawTable(world, stream.Child("table")), DrawTable(world, stream.Child("fresh")),
                   RidgeLearner, {}, 0.95, stream.Child("ship"))
      .value();
}

TEST(OracleTest, SaysGoWhereTheGainIsLargeAndNotWhereThereIsNone) {
  World world{.actions = 3, .features = 4, .signal = 0.3, .violation_logit = kNeverViolates};
  EXPECT_EQ(Ask(world, 1).verdict, audit::Verdict::kGo);
  world.signal = 0.0;
  EXPECT_NE(Ask(world, 1).verdict, audit::Verdict::kGo);
}

TEST(OracleTest, ItsIntervalsCoverTheTruthOfTheAdapterItTested) {
  const World world{.actions = 3, .features = 4, .signal = 0.1, .violation_logit = -3.0};
  const FreshQueries fresh = DrawFreshQueries(world, 4000, RngStream(9));
  std::size_t covered = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RngStream stream(seed);
    const Truth truth = ShippedTruth(world, fresh, DrawTable(world, stream.Child("table")),
                                     RidgeLearner, 0.05, stream.Child("ship"))
                            .value();
    const stats::Interval interval = Ask(world, seed).interval[1];
    if (interval.lower <= truth.h_alloc && truth.h_alloc <= interval.upper) ++covered;
  }
  EXPECT_GE(covered, 17U);  // 19 expected
}

}  // namespace
}  // namespace gonogo::calibrate
