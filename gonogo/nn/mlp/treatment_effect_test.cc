// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/treatment_effect.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "gonogo/nn/testing/row_wise_trainer.h"

namespace gonogo::nn {
namespace {

constexpr int kWork = 0;
constexpr int kTime = 1;
constexpr int kEligible = 2;

/// Two candidates: the sign of the first feature says which of them saves a fifth of the work; the
/// other saves nothing. Candidate 1 is slow, hence ineligible, where the second feature is high.
TreatmentData SignTable(int queries, const RngStream& stream) {
  Rng rng = stream.Generator();
  TreatmentData data{2, Batch<float>(queries, 4), Batch<float>(2 * queries, 0),
                     Batch<float>(2 * queries, 3)};
  for (int q = 0; q < queries; ++q) {
    for (int j = 0; j < 4; ++j) data.features(q, j) = static_cast<float>(rng.Normal());
    for (int c = 0; c < 2; ++c) {
      const bool helps = (data.features(q, 0) > 0.0F) == (c == 0);
      const bool slow = c == 1 && data.features(q, 1) > 0.0F;
      data.targets(2 * q + c, kWork) =
          (helps ? -0.2F : 0.0F) + 0.02F * static_cast<float>(rng.Normal());
      data.targets(2 * q + c, kTime) = slow ? 0.3F : 0.0F;
      data.targets(2 * q + c, kEligible) = slow ? 0.0F : 1.0F;
    }
  }
  return data;
}

TreatmentConfig Config() {
  return {.losses = {Loss::kSquaredError, Loss::kSquaredError, Loss::kBinaryCrossEntropy}};
}

std::vector<int> Once(const TreatmentData& data) { return std::vector<int>(data.queries(), 1); }

std::vector<std::vector<int>> Members(int count, const std::vector<int>& draws) {
  return std::vector<std::vector<int>>(count, draws);
}

Ensemble Train(const TreatmentData& data, const TreatmentConfig& config, int members = 1) {
  return TrainTreatmentEnsemble(data, Once(data), Members(members, Once(data)), config,
                                RngStream(1))
      .value();
}

TEST(TreatmentEffectTest, LearnsWhichActionHelpsWhereAndWhichIsEligible) {
  const TreatmentData train = SignTable(600, RngStream(3));
  const TreatmentData test = SignTable(200, RngStream(4));
  const std::vector<float> predicted = PredictTreatments(Train(train, Config()), test, 0, 200);
  int right_sign = 0;
  int right_eligibility = 0;
  for (int r = 0; r < 400; ++r) {
    right_sign += (predicted[3 * r + kWork] < -0.1F) == (test.targets(r, kWork) < -0.1F);
    right_eligibility +=
        (predicted[3 * r + kEligible] > 0.5F) == (test.targets(r, kEligible) > 0.5F);
  }
  EXPECT_GT(right_sign, 380);
  EXPECT_GT(right_eligibility, 380);
}

TEST(TreatmentEffectTest, SameStreamGivesTheSameBitsAndMembersDiffer) {
  const TreatmentData data = SignTable(80, RngStream(5));
  TreatmentConfig config = Config();
  config.epochs = 3;
  const Ensemble a = Train(data, config, 2);
  const Ensemble b = Train(data, config, 2);
  EXPECT_TRUE(std::ranges::equal(a.members[1].parameters(), b.members[1].parameters()));
  EXPECT_FALSE(std::ranges::equal(a.members[0].parameters(), a.members[1].parameters()));
}

TEST(TreatmentEffectTest, NeverLooksAtQueriesWithMultiplicityZero) {
  TreatmentData data = SignTable(40, RngStream(6));
  std::vector<int> multiplicity = Once(data);
  multiplicity[7] = 0;
  TreatmentConfig config = Config();
  config.epochs = 2;
  const auto train = [&] {
    return TrainTreatmentEnsemble(data, multiplicity, Members(1, multiplicity), config,
                                  RngStream(1))
        .value();
  };
  const Ensemble before = train();
  data.features.row(7).setConstant(std::numeric_limits<float>::quiet_NaN());
  data.targets.middleRows(14, 2).setConstant(0.5F);
  const Ensemble after = train();
  EXPECT_EQ(before.input, after.input);
  EXPECT_EQ(before.target, after.target);
  EXPECT_TRUE(std::ranges::equal(before.members[0].parameters(), after.members[0].parameters()));
}

TEST(TreatmentEffectTest, StatisticsAreThoseOfTheEncodedTrainingRowsWithMultiplicity) {
  TreatmentData data = SignTable(5, RngStream(7));
  data.action_features.resize(10, 3);
  for (int i = 0; i < 30; ++i) data.action_features(i / 3, i % 3) = std::sin(static_cast<float>(i));
  const std::vector<int> multiplicity = {0, 2, 1, 3, 0};
  TreatmentConfig config = Config();
  config.epochs = 0;
  const Ensemble ensemble =
      TrainTreatmentEnsemble(data, multiplicity, Members(1, multiplicity), config, RngStream(1))
          .value();

  const Batch<float> encoded = EncodeTreatments(data, 0, 5);
  const std::vector<int> per_row = {0, 0, 2, 2, 1, 1, 3, 3, 0, 0};
  const Standardiser expected = Standardiser::Fit<float>(encoded, per_row);
  ASSERT_EQ(ensemble.input.columns(), 4U + 2 + 3);
  for (int j = 0; j < 9; ++j) {
    EXPECT_NEAR(ensemble.input.mean[j], expected.mean[j], 1e-12) << j;
    EXPECT_NEAR(ensemble.input.scale[j], expected.scale[j], 1e-12) << j;
  }
  EXPECT_EQ(ensemble.target.mean[kEligible], 0.0);
  EXPECT_EQ(ensemble.target.scale[kEligible], 1.0);
}

TEST(TreatmentEffectTest, StopsWhenAskedTo) {
  const TreatmentData data = SignTable(10, RngStream(8));
  std::stop_source stop;
  stop.request_stop();
  const Result<Ensemble> result = TrainTreatmentEnsemble(data, Once(data), Members(1, Once(data)),
                                                         Config(), RngStream(1), stop.get_token());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kInterrupted);
}

/// Mean loss of one trained member on fresh queries of the same kind.
double HeldOutLoss(const Ensemble& ensemble, const TreatmentData& test) {
  Mlp<float>::Scratch scratch;
  const Batch<float> inputs =
      ensemble.input.Apply<float>(EncodeTreatments(test, 0, test.queries()));
  return EvaluateLoss<float>(ensemble.losses, ensemble.members[0].Forward(inputs, scratch),
                             ensemble.target.Apply<float>(test.targets), {});
}

TEST(TreatmentEffectTest, BatchesOfWholeQueriesLearnAsWellAsBatchesOfRows) {
  constexpr int kTables = 24;
  double sum = 0.0;
  double squares = 0.0;
  double row_wise_sum = 0.0;
  for (int table = 0; table < kTables; ++table) {
    const RngStream stream = RngStream(100).Child(table);
    const TreatmentData train = SignTable(150, stream.Child("train"));
    const TreatmentData test = SignTable(500, stream.Child("test"));
    TreatmentConfig config = Config();
    config.epochs = 60;
    config.batch_rows = 32;
    const Ensemble whole =
        TrainTreatmentEnsemble(train, Once(train), Members(1, Once(train)), config, stream).value();
    const Samples<float> rows{EncodeTreatments(train, 0, train.queries()), train.targets};
    const Ensemble row_wise = internal::TrainRowWise(
        rows, {.losses = config.losses, .epochs = 60, .batch_rows = 32}, stream);
    const double difference = HeldOutLoss(whole, test) - HeldOutLoss(row_wise, test);
    sum += difference;
    squares += difference * difference;
    row_wise_sum += HeldOutLoss(row_wise, test);
  }
  const double mean = sum / kTables;
  const double error = std::sqrt((squares / kTables - mean * mean) / (kTables - 1));
  // Four standard errors: a false alarm would be one choice of seeds in 2,000. The second claim
  // says that the comparison is sharp.
  EXPECT_LT(std::abs(mean), 4.0 * error);
  EXPECT_LT(error, 0.02 * row_wise_sum / kTables);
}

}  // namespace
}  // namespace gonogo::nn
