// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/metrics.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::response {
namespace {

TEST(MetricsTest, MatchHandWorkedNumbers) {
  const std::array measured{1.0, 2.0, 3.0, 6.0};
  const std::array predicted{1.0, 3.0, 3.0, 4.0};
  const RegressionScore score = ScoreRegression(predicted, measured);
  EXPECT_DOUBLE_EQ(score.mae, 0.75);
  EXPECT_DOUBLE_EQ(score.rmse, std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(score.r2, 1.0 - 5.0 / 14.0);
}

TEST(MetricsTest, PredictingTheMeanExplainsNothing) {
  const std::array measured{1.0, 2.0, 6.0};
  const std::array predicted{3.0, 3.0, 3.0};
  EXPECT_DOUBLE_EQ(ScoreRegression(predicted, measured).r2, 0.0);
}

TEST(MetricsTest, AreaUnderCurveCountsOrderedPairs) {
  const std::array labels{0.0, 1.0, 0.0, 1.0, 1.0};
  const std::array scores{0.1, 0.4, 0.4, 0.3, 0.9};  // 4 pairs right, one tied, one wrong
  EXPECT_DOUBLE_EQ(AreaUnderCurve(scores, labels), 4.5 / 6.0);
}

TEST(MetricsTest, AreaUnderCurveOfOneKindIsOneHalf) {
  const std::array labels{1.0, 1.0};
  const std::array scores{0.1, 0.4};
  EXPECT_DOUBLE_EQ(AreaUnderCurve(scores, labels), 0.5);
}

}  // namespace
}  // namespace gonogo::response
