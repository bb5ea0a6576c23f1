// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble.h"

#include <cmath>

#include "tests/support/allocation_count.h"
#include <gtest/gtest.h>

#include "gonogo/nn/testing/row_wise_trainer.h"

namespace gonogo::nn {
namespace {

TEST(StandardiserTest, UsesThePopulationDeviation) {
  Batch<double> data(4, 2);
  data << 1, 5,  //
      3, 5,      //
      5, 5,      //
      7, 5;
  const Standardiser fitted = Standardiser::Fit<double>(data);
  EXPECT_EQ(fitted.mean, (std::vector<double>{4.0, 5.0}));
  EXPECT_EQ(fitted.scale, (std::vector<double>{std::sqrt(5.0), 1.0}));  // constant column: 1
}

TEST(StandardiserTest, MultiplicityCountsLikeRepeatedRows) {
  Batch<float> data(3, 1);
  data << 1.5F, -2.0F, 8.0F;
  Batch<float> repeated(4, 1);
  repeated << -2.0F, 8.0F, 8.0F, 8.0F;
  const std::vector<int> multiplicity = {0, 1, 3};
  const Standardiser a = Standardiser::Fit<float>(data, multiplicity);
  const Standardiser b = Standardiser::Fit<float>(repeated);
  EXPECT_DOUBLE_EQ(a.mean[0], b.mean[0]);
  EXPECT_DOUBLE_EQ(a.scale[0], b.scale[0]);
}

TEST(StandardiserTest, KeepsDigitsOfSmallVariationsOnLargeOffsets) {
  Batch<float> data(2, 1);
  data << 100000.0F, 100000.25F;
  EXPECT_DOUBLE_EQ(Standardiser::Fit<float>(data).scale[0], 0.125);
}

TEST(StandardiserTest, InvertUndoesApply) {
  Batch<double> data(3, 2);
  data << 1, -4,  //
      2, 9,       //
      5, 0.5;
  const Standardiser fitted = Standardiser::Fit<double>(data);
  std::vector<double> out(6);
  fitted.Apply<double>(data, out);
  EXPECT_NEAR(out[0] + out[2] + out[4], 0.0, 1e-15);
  EXPECT_NEAR(out[1] * out[1] + out[3] * out[3] + out[5] * out[5], 3.0, 1e-14);
  fitted.Invert<double>(out);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(out[i], data.data()[i], 1e-14);
}

/// y0 = 300 sin(x0 / 5) + 1000 in large units, y1 = whether x1 is positive.
Samples<float> Wave(int rows, const RngStream& stream) {
  Rng rng = stream.Generator();
  Samples<float> data{Batch<float>(rows, 2), Batch<float>(rows, 2)};
  for (int i = 0; i < rows; ++i) {
    data.inputs(i, 0) = static_cast<float>(rng.Uniform(-10.0, 10.0));
    data.inputs(i, 1) = static_cast<float>(rng.Normal());
    data.targets(i, 0) = 300.0F * std::sin(data.inputs(i, 0) / 5.0F) + 1000.0F;
    data.targets(i, 1) = data.inputs(i, 1) > 0.0F ? 1.0F : 0.0F;
  }
  return data;
}

Ensemble Trained(const Samples<float>& data, int epochs, std::vector<int> hidden) {
  return internal::TrainRowWise(data,
                                {.hidden = std::move(hidden),
                                 .losses = {Loss::kSquaredError, Loss::kBinaryCrossEntropy},
                                 .members = 3,
                                 .epochs = epochs,
                                 .batch_rows = 32},
                                RngStream(3));
}

TEST(EnsembleTest, PredictsInTheUnitsItWasTrainedOn) {
  const Samples<float> test = Wave(200, RngStream(2));
  const Ensemble ensemble = Trained(Wave(500, RngStream(1)), 100, {32, 32});
  std::vector<float> predicted(400);
  Ensemble::Scratch scratch;
  for (int member = 0; member < 3; ++member) {
    ensemble.Predict(member, test.inputs, predicted, scratch);
    double squares = 0.0;
    for (Eigen::Index i = 0; i < 200; ++i) {
      const auto row = static_cast<std::size_t>(2 * i);
      squares += std::pow(predicted[row] - test.targets(i, 0), 2);
      EXPECT_GE(predicted[row + 1], 0.0F);
      EXPECT_LE(predicted[row + 1], 1.0F);
    }
    EXPECT_LT(std::sqrt(squares / 200.0), 100.0);  // deviation of y0: 195, mean 1000
  }
}

TEST(EnsembleTest, PredictAllocatesNothingOnceWarm) {
  const Samples<float> data = Wave(70, RngStream(1));
  const Ensemble ensemble = Trained(data, 1, {256, 256});
  std::vector<float> out(140);
  Ensemble::Scratch scratch;
  ensemble.Predict(0, data.inputs, out, scratch);
  const std::size_t before = testing_support::AllocationCount();
  ensemble.Predict(1, data.inputs, out, scratch);
  ensemble.Predict(2, data.inputs.topRows(1), std::span(out).first(2), scratch);
  EXPECT_EQ(testing_support::AllocationCount(), before);
}

}  // namespace

}  // namespace gonogo::nn
