// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/ppo_loss.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace gonogo::train {
namespace {

Rollout ThreeSteps() {
  Rollout rollout(1, 3, 1, 1);
  rollout.values = {1.0F, 2.0F, 3.0F};
  rollout.last_values = {4.0F};
  for (int t = 0; t < 3; ++t) rollout.outcomes[t].reward = static_cast<float>(t + 1);
  return rollout;
}

TEST(AdvantageTest, MatchesAHandWorkedExample) {
  const Advantages got = EstimateAdvantages(ThreeSteps(), 0.5, 0.5);
  // delta = (1 + 1 - 1, 2 + 1.5 - 2, 3 + 2 - 3) = (1, 1.5, 2); A = delta + 0.25 A_next.
  const double a2 = 2.0;
  const double a1 = 1.5 + 0.25 * a2;
  const double a0 = 1.0 + 0.25 * a1;
  EXPECT_NEAR(got.returns[2], a2 + 3.0, 1e-6);
  EXPECT_NEAR(got.returns[1], a1 + 2.0, 1e-6);
  EXPECT_NEAR(got.returns[0], a0 + 1.0, 1e-6);
}

TEST(AdvantageTest, ReturnsAreDiscountedSumsWhenLambdaIsOne) {
  const Advantages got = EstimateAdvantages(ThreeSteps(), 0.9, 1.0);
  EXPECT_NEAR(got.returns[0], 1.0 + 0.9 * (2.0 + 0.9 * (3.0 + 0.9 * 4.0)), 1e-5);
}

TEST(AdvantageTest, AFailureEndsTheSumAndAClockGoesOnWithTheValueBefore) {
  Rollout rollout = ThreeSteps();
  rollout.outcomes[1].terminated = true;
  EXPECT_NEAR(EstimateAdvantages(rollout, 0.9, 1.0).returns[0], 1.0 + 0.9 * 2.0, 1e-5);
  rollout.outcomes[1].terminated = false;
  rollout.outcomes[1].timed_out = true;
  EXPECT_NEAR(EstimateAdvantages(rollout, 0.9, 1.0).returns[0], 1.0 + 0.9 * (2.0 + 0.9 * 2.0),
              1e-5);
}

// What the next command happens to be is not the doing of the actions before it.
TEST(AdvantageTest, AnotherTaskCutsTheSumAsAClockDoes) {
  Rollout clock = ThreeSteps();
  clock.outcomes[1].timed_out = true;
  Rollout task = ThreeSteps();
  task.outcomes[1].task_ended = true;
  EXPECT_EQ(EstimateAdvantages(task, 0.9, 0.95).returns,
            EstimateAdvantages(clock, 0.9, 0.95).returns);
  task.last_values = {400.0F};  // of another task
  task.values[2] = 300.0F;
  EXPECT_EQ(EstimateAdvantages(task, 0.9, 0.95).returns[0],
            EstimateAdvantages(clock, 0.9, 0.95).returns[0]);
  task.outcomes[1].terminated = true;  // a fall stays a fall
  EXPECT_NEAR(EstimateAdvantages(task, 0.9, 1.0).returns[0], 1.0 + 0.9 * 2.0, 1e-5);
}

TEST(AdvantageTest, AreNormalisedOverTheRollout) {
  const Advantages got = EstimateAdvantages(ThreeSteps(), 0.9, 0.95);
  double mean = 0.0;
  double squares = 0.0;
  for (const float a : got.advantage) mean += a / 3.0;
  for (const float a : got.advantage) squares += (a - mean) * (a - mean) / 2.0;
  EXPECT_NEAR(mean, 0.0, 1e-6);
  EXPECT_NEAR(std::sqrt(squares), 1.0, 1e-5);
}

// Environments 0 and 2 stand on quiet ground, 1 and 3 where rewards are ten times as large.
TEST(AdvantageTest, AreNormalisedGroupByGroup) {
  constexpr std::size_t kSteps = 5;
  Rollout rollout(4, kSteps, 1, 1);
  for (std::size_t row = 0; row < rollout.size(); ++row) {
    const std::size_t e = row / kSteps;
    rollout.outcomes[row].reward = (e % 2 == 0 ? 1.0F : 10.0F) * static_cast<float>((7 * row) % 5);
  }
  const Advantages got = EstimateAdvantages(rollout, 0.9, 0.95, 2);
  double weights = 0.0;
  for (const std::size_t group : {0, 1}) {
    double mean = 0.0;
    double squares = 0.0;
    for (const std::size_t e : {group, group + 2}) {
      for (std::size_t t = 0; t < kSteps; ++t) {
        const float a = got.advantage[e * kSteps + t];
        mean += a / 10.0;
        squares += a * a / 9.0;
        weights += got.value_weight[e * kSteps + t] / 20.0;
      }
    }
    EXPECT_NEAR(mean, 0.0, 1e-6);
    EXPECT_NEAR(squares, 1.0, 1e-5);
  }
  EXPECT_NEAR(weights, 1.0, 1e-6);
  EXPECT_NEAR(got.value_weight[0] / got.value_weight[kSteps], 100.0, 1e-2);
}

constexpr int kRows = 40;
constexpr int kActions = 3;

// Random samples around a policy, spread so widely that every branch of the clipping is met.
struct Fixture {
  PpoLossConfig config{.clip = 0.2, .value_weight = 0.7, .entropy_weight = 0.03};
  PpoSamples samples;
  Batch means{kRows, kActions};
  Batch values{kRows, 1};
  std::vector<float> log_std{-1.0F, -0.5F, 0.2F};

  Fixture() {
    Rng rng = RngStream(5).Generator();
    samples.actions.resize(kRows, kActions);
    for (int row = 0; row < kRows; ++row) {
      for (int j = 0; j < kActions; ++j) {
        means(row, j) = static_cast<float>(rng.Normal());
        samples.actions(row, j) =
            means(row, j) + static_cast<float>(std::exp(log_std[j]) * rng.Normal());
      }
      values(row, 0) = static_cast<float>(rng.Normal());
      const double now = LogProbability({samples.actions.row(row).data(), kActions},
                                        {means.row(row).data(), kActions}, log_std);
      samples.log_probability.push_back(static_cast<float>(now + 0.5 * rng.Normal()));
      samples.values.push_back(static_cast<float>(values(row, 0) + 0.3 * rng.Normal()));
      samples.advantage.push_back(static_cast<float>(rng.Normal()));
      samples.returns.push_back(static_cast<float>(values(row, 0) + rng.Normal()));
      samples.value_weight.push_back(0.5F + 0.1F * static_cast<float>(row % 10));
    }
  }

  [[nodiscard]] PpoLoss Evaluate() const {
    return EvaluatePpoLoss(config, samples, means, log_std, values, kRows);
  }
  [[nodiscard]] double Total() const { return Evaluate().Total(config); }
};

// Central difference of the loss in one float.
double Slope(Fixture& fixture, float& parameter) {
  const float start = parameter;
  parameter = start + 1e-3F;
  const double up = fixture.Total();
  const float high = parameter;
  parameter = start - 1e-3F;
  const double down = fixture.Total();
  const double width = static_cast<double>(high) - parameter;
  parameter = start;
  return (up - down) / width;
}

TEST(PpoLossTest, GradientOfTheMeansMatchesFiniteDifferences) {
  Fixture fixture;
  const PpoLoss loss = fixture.Evaluate();
  int flat = 0;
  for (int row = 0; row < kRows; ++row) {
    for (int j = 0; j < kActions; ++j) {
      EXPECT_NEAR(loss.mean_gradient(row, j), Slope(fixture, fixture.means(row, j)), 2e-4);
    }
    flat += loss.mean_gradient.row(row).isZero() ? 1 : 0;
  }
  EXPECT_GT(flat, 0);  // the clipped branch was met
  EXPECT_LT(flat, kRows);
}

TEST(PpoLossTest, GradientOfTheSpreadMatchesFiniteDifferences) {
  Fixture fixture;
  const PpoLoss loss = fixture.Evaluate();
  for (int j = 0; j < kActions; ++j) {
    EXPECT_NEAR(loss.log_std_gradient[j], Slope(fixture, fixture.log_std[j]), 2e-3);
  }
}

TEST(PpoLossTest, GradientOfTheValuesMatchesFiniteDifferences) {
  Fixture fixture;
  const PpoLoss loss = fixture.Evaluate();
  for (int row = 0; row < kRows; ++row) {
    EXPECT_NEAR(loss.value_gradient(row, 0), Slope(fixture, fixture.values(row, 0)), 2e-4);
  }
}

TEST(PpoLossTest, WithoutClippingEveryValueFollowsItsReturn) {
  Fixture fixture;
  fixture.config.clip_values = false;
  const PpoLoss loss = fixture.Evaluate();
  for (int row = 0; row < kRows; ++row) {
    EXPECT_NEAR(loss.value_gradient(row, 0), Slope(fixture, fixture.values(row, 0)), 2e-4);
    EXPECT_NEAR(loss.value_gradient(row, 0),
                0.7 * 2.0 * fixture.samples.value_weight[row] *
                    (fixture.values(row, 0) - fixture.samples.returns[row]) / kRows,
                1e-6);
  }
}

TEST(PpoLossTest, PartsOfABatchAddUpToTheWhole) {
  const Fixture fixture;
  const PpoLoss whole = fixture.Evaluate();
  double total = 0.0;
  for (int part = 0; part < 2; ++part) {
    const int first = part * kRows / 2;
    PpoSamples half;
    half.actions = fixture.samples.actions.middleRows(first, kRows / 2);
    const auto cut = [first](const std::vector<float>& all) {
      return std::vector<float>(all.begin() + first, all.begin() + first + kRows / 2);
    };
    half.log_probability = cut(fixture.samples.log_probability);
    half.values = cut(fixture.samples.values);
    half.advantage = cut(fixture.samples.advantage);
    half.returns = cut(fixture.samples.returns);
    half.value_weight = cut(fixture.samples.value_weight);
    total += EvaluatePpoLoss(fixture.config, half, fixture.means.middleRows(first, kRows / 2),
                             fixture.log_std, fixture.values.middleRows(first, kRows / 2), kRows)
                 .Total(fixture.config);
  }
  EXPECT_NEAR(total, whole.Total(fixture.config), 1e-12);
}

TEST(PpoLossTest, LogProbabilityOfTheMeanIsThatOfTheDensityPeak) {
  const std::vector<float> action{0.3F};
  const std::vector<float> log_std{std::log(0.5F)};
  EXPECT_NEAR(LogProbability(action, action, log_std),
              -std::log(0.5 * std::sqrt(2.0 * std::numbers::pi)), 1e-7);
}

TEST(PpoLossTest, KlOfTwoGaussiansMatchesAHandWorkedNumber) {
  Batch old_mean(1, 1);
  Batch new_mean(1, 1);
  old_mean << 1.0F;
  new_mean << 3.0F;
  const std::vector<float> old_log_std{0.0F};
  const std::vector<float> new_log_std{std::log(2.0F)};
  // ln 2 + (1 + 4) / 8 - 1/2.
  EXPECT_NEAR(MeanKl(old_mean, old_log_std, new_mean, new_log_std), std::log(2.0) + 0.125, 1e-6);
  EXPECT_NEAR(MeanKl(old_mean, old_log_std, old_mean, old_log_std), 0.0, 1e-12);
}

}  // namespace

}  // namespace gonogo::train
