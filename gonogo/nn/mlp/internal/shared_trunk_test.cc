// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/internal/shared_trunk.h"

#include <gtest/gtest.h>

#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::nn::internal {
namespace {

const std::vector<Loss> kLosses = {Loss::kSquaredError, Loss::kSmoothL1, Loss::kBinaryCrossEntropy};

Batch<double> RandomMatrix(int rows, int columns, const RngStream& stream) {
  Rng rng = stream.Generator();
  Batch<double> matrix(rows, columns);
  for (double& value : std::span(matrix.data(), matrix.size())) value = rng.Normal();
  return matrix;
}

GroupedSamples<double> RandomSamples(int queries, int d, int candidates, int p) {
  const RngStream stream(candidates * 100 + p);
  GroupedSamples<double> samples;
  samples.features = RandomMatrix(queries, d, stream.Child("x"));
  samples.codes = RandomMatrix(candidates, candidates, stream.Child("codes"));
  samples.row_features = RandomMatrix(queries * candidates, p, stream.Child("phi"));
  samples.targets = RandomMatrix(queries * candidates, 3, stream.Child("y"));
  samples.targets.col(2) = (samples.targets.col(2).array() > 0.0).cast<double>();
  return samples;
}

/// The same rows, written out.
Samples<double> RowWise(const GroupedSamples<double>& grouped) {
  Samples<double> rows{Batch<double>(grouped.targets.rows(), grouped.inputs()), grouped.targets};
  for (int r = 0; r < rows.inputs.rows(); ++r) {
    rows.inputs.row(r) << grouped.features.row(r / grouped.candidates()),
        grouped.row_features.row(r), grouped.codes.row(r % grouped.candidates());
  }
  return rows;
}

void ExpectSameTraining(const GroupedSamples<double>& grouped, std::vector<int> hidden) {
  std::vector<int> sizes = {grouped.inputs()};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(3);
  Mlp<double> row_wise({.sizes = sizes});
  row_wise.Initialise(RngStream(9));
  SharedTrunkTrainer<double> shared(grouped, kLosses, {.weight_decay = 1e-2}, row_wise);
  Trainer<double> trainer({.losses = kLosses, .optimiser = {.weight_decay = 1e-2}}, RngStream(0),
                          row_wise);
  const Samples<double> samples = RowWise(grouped);
  const int candidates = grouped.candidates();
  Rng rng = RngStream(10).Generator();
  for (int step = 0; step < 30; ++step) {
    std::vector<int> queries(step % 2 == 0 ? 7 : 3);  // a short batch after a long one
    for (int& query : queries) query = static_cast<int>(rng.Below(grouped.features.rows()));
    std::vector<int> rows;
    for (const int query : queries) {
      for (int c = 0; c < candidates; ++c) rows.push_back(query * candidates + c);
    }
    shared.Step(queries);
    (void)trainer.Step(samples, rows);
  }
  Mlp<double> exported({.sizes = sizes});
  shared.Export(exported);
  for (std::size_t i = 0; i < exported.parameters().size(); ++i) {
    ASSERT_NEAR(exported.parameters()[i], row_wise.parameters()[i], 1e-11) << i;
  }
}

TEST(SharedTrunkTrainerTest, TrainsAsTheRowWiseTrainerDoesOnTheSameRows) {
  ExpectSameTraining(RandomSamples(20, 21, 6, 0), {16, 16});
  ExpectSameTraining(RandomSamples(20, 5, 2, 0), {64, 64});
}

TEST(SharedTrunkTrainerTest, AgreesWithRowFeaturesOddWidthsAndOtherDepths) {
  ExpectSameTraining(RandomSamples(20, 3, 7, 4), {13, 10});
  ExpectSameTraining(RandomSamples(20, 1, 1, 1), {5});
  ExpectSameTraining(RandomSamples(20, 30, 9, 2), {8, 24, 17});
}

TEST(SharedTrunkTrainerTest, AgreesOnBatchesOfManyRows) {
  ExpectSameTraining(RandomSamples(20, 4, 60, 2), {24, 11});
}

}  // namespace
}  // namespace gonogo::nn::internal
