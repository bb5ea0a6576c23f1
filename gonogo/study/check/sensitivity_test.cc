// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/sensitivity.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

/// One output: a sum of inputs with smooth weights over a grid of 5 x 4 points, x fast.
class SmoothPolicy final : public robot::Policy {
 public:
  [[nodiscard]] int observation_size() const override { return 21; }
  [[nodiscard]] int action_size() const override { return 1; }
  [[nodiscard]] static float Weight(std::size_t i) {
    if (i == 0) return 3.0F;
    const double x = static_cast<double>((i - 1) % 5) - 2.0;
    const double y = static_cast<double>((i - 1) / 5) - 1.5;
    return static_cast<float>(std::exp(-0.4 * (x * x + y * y)));
  }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    action[0] = 0.0F;
    for (std::size_t i = 0; i < observation.size(); ++i) action[0] += Weight(i) * observation[i];
  }
};

TEST(SensitivityTest, SlopesOfALinearPolicyAreItsWeights) {
  const SmoothPolicy policy;
  const Sensitivity sensitivity = MeasureSensitivity(policy, {std::vector<float>(21, 0.5F)});
  ASSERT_EQ(sensitivity.slopes.size(), 1);
  for (std::size_t i = 0; i < 21; ++i) {
    EXPECT_NEAR(sensitivity.slopes[0][i], SmoothPolicy::Weight(i), 1e-3);
    EXPECT_NEAR(sensitivity.Strength()[i], SmoothPolicy::Weight(i), 1e-3);
  }
}

TEST(SensitivityTest, NeighboursAreAlikeOnlyIfTheRowsOfTheScanHaveTheRightLength) {
  const SmoothPolicy policy;
  const Sensitivity sensitivity = MeasureSensitivity(policy, {std::vector<float>(21, 0.0F)});
  const double right = NeighbourCorrelation(sensitivity, 1, 20, 5);
  const double wrong = NeighbourCorrelation(sensitivity, 1, 20, 4);
  EXPECT_GT(right, 0.4);
  EXPECT_GT(right, wrong + 0.15);
}

}  // namespace
}  // namespace gonogo::study
