// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/standardiser.h"

#include <cmath>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gonogo::nn
