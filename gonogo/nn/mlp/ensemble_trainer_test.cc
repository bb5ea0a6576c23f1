// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble_trainer.h"

#include <cmath>
#include <mutex>

#include "tests/support/allocation_count.h"
#include <gtest/gtest.h>

namespace gonogo::nn {
namespace {

/// y0 = 300 sin(x0 / 5) + 1000 in large units, y1 = whether x1 is positive; ten rows per unit.
EnsembleData Wave(int rows, const RngStream& stream) {
  Rng rng = stream.Generator();
  EnsembleData data{Batch<float>(rows, 2), Batch<float>(rows, 2)};
  for (int i = 0; i < rows; ++i) {
    data.inputs(i, 0) = static_cast<float>(rng.Uniform(-10.0, 10.0));
    data.inputs(i, 1) = static_cast<float>(rng.Normal());
    data.targets(i, 0) = 300.0F * std::sin(data.inputs(i, 0) / 5.0F) + 1000.0F;
    data.targets(i, 1) = data.inputs(i, 1) > 0.0F ? 1.0F : 0.0F;
    data.units.push_back(i / 10);
  }
  return data;
}

EnsembleConfig SmallConfig() {
  return {.hidden = {16, 16},
          .activation = Activation::kElu,
          .losses = {Loss::kSquaredError, Loss::kBinaryCrossEntropy},
          .members = 3,
          .epochs = 60,
          .batch_rows = 32,
          .optimiser = {.learning_rate = 5e-3}};
}

double RootMeanSquareError(const Ensemble& ensemble, int member, const EnsembleData& data) {
  std::vector<float> predicted(data.targets.size());
  Ensemble::Scratch scratch;
  ensemble.Predict(member, data.inputs, predicted, scratch);
  double sum = 0.0;
  for (Eigen::Index i = 0; i < data.targets.rows(); ++i) {
    sum += std::pow(predicted[2 * i] - data.targets(i, 0), 2);
    EXPECT_GE(predicted[2 * i + 1], 0.0F);
    EXPECT_LE(predicted[2 * i + 1], 1.0F);
  }
  return std::sqrt(sum / static_cast<double>(data.targets.rows()));
}

TEST(TrainEnsembleTest, EveryMemberLearnsTheTaskInRawUnits) {
  const EnsembleData train = Wave(500, RngStream(1));
  const EnsembleData test = Wave(200, RngStream(2));
  const TrainedEnsemble trained = TrainEnsemble(train, SmallConfig(), RngStream(3)).value();
  for (int member = 0; member < 3; ++member) {
    EXPECT_LT(RootMeanSquareError(trained.ensemble, member, test), 30.0);  // deviation of y0: 195
    const std::vector<double>& loss = trained.histories[member].training_loss;
    ASSERT_EQ(loss.size(), 60U);
    EXPECT_LT(loss.back(), 0.3 * loss.front());
  }
}

TEST(TrainEnsembleTest, GivesTheSameBitsOnOneThreadAndOnThree) {
  const EnsembleData data = Wave(100, RngStream(1));
  EnsembleConfig config = SmallConfig();
  config.epochs = 4;
  config.dropout = 0.1;
  config.bootstrap_units = true;
  const Ensemble one = TrainEnsemble(data, config, RngStream(3), {.jobs = 1}).value().ensemble;
  const Ensemble three = TrainEnsemble(data, config, RngStream(3), {.jobs = 3}).value().ensemble;
  for (int m = 0; m < 3; ++m) {
    EXPECT_TRUE(std::ranges::equal(one.members[m].parameters(), three.members[m].parameters()));
  }
}

TEST(TrainEnsembleTest, KeepsTheEpochWithTheBestHeldOutLoss) {
  EnsembleData data = Wave(60, RngStream(1));
  Rng rng = RngStream(5).Generator();
  for (float& y : std::span(data.targets.data(), data.targets.size())) {
    y = static_cast<float>(rng.Uniform());  // nothing to learn: training longer only overfits
  }
  data.held_out_units = {1, 4};
  EnsembleConfig config = SmallConfig();
  config.epochs = 200;
  const TrainedEnsemble trained = TrainEnsemble(data, config, RngStream(3)).value();
  for (const MemberHistory& history : trained.histories) {
    ASSERT_EQ(history.held_out_loss.size(), 200U);
    const auto best = std::ranges::min_element(history.held_out_loss);
    EXPECT_EQ(history.kept_epoch, best - history.held_out_loss.begin());
    EXPECT_LT(*best, 0.8 * history.held_out_loss.back());
  }
}

TEST(TrainEnsembleTest, HeldOutRowsInfluenceNeitherStatisticsNorWeights) {
  EnsembleData data = Wave(40, RngStream(1));
  data.held_out_units = {2};
  EnsembleConfig config = SmallConfig();
  config.epochs = 1;
  const Ensemble before = TrainEnsemble(data, config, RngStream(3)).value().ensemble;
  data.inputs.middleRows(20, 10).setConstant(1e6F);
  const Ensemble after = TrainEnsemble(data, config, RngStream(3)).value().ensemble;
  EXPECT_EQ(before.input, after.input);
  EXPECT_TRUE(std::ranges::equal(before.members[0].parameters(), after.members[0].parameters()));
}

TEST(TrainEnsembleTest, BootstrapGivesMembersDifferentUnits) {
  const EnsembleData data = Wave(40, RngStream(1));
  EnsembleConfig config = SmallConfig();
  config.epochs = 1;
  const Ensemble plain = TrainEnsemble(data, config, RngStream(3)).value().ensemble;
  config.bootstrap_units = true;
  const Ensemble drawn = TrainEnsemble(data, config, RngStream(3)).value().ensemble;
  EXPECT_EQ(plain.input, drawn.input);  // statistics are shared by all members
  EXPECT_FALSE(std::ranges::equal(plain.members[0].parameters(), drawn.members[0].parameters()));
}

TEST(TrainEnsembleTest, CountsEveryEpochAndStopsWhenAskedTo) {
  const EnsembleData data = Wave(40, RngStream(1));
  EnsembleConfig config = SmallConfig();
  config.epochs = 5;
  std::stop_source stop;
  std::mutex mutex;
  std::size_t calls = 0;
  RunControl control{.jobs = 1, .stop = stop.get_token()};
  control.progress = [&](std::size_t done, std::size_t total) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(total, 15U);
    EXPECT_EQ(done, ++calls);
    if (done == 7) stop.request_stop();
  };
  const Result<TrainedEnsemble> result = TrainEnsemble(data, config, RngStream(3), control);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(calls, 7U);
}

TEST(EnsembleTest, PredictAllocatesNothingOnceWarm) {
  const EnsembleData data = Wave(70, RngStream(1));
  EnsembleConfig config = SmallConfig();
  config.epochs = 1;
  config.hidden = {256, 256};
  const Ensemble ensemble = TrainEnsemble(data, config, RngStream(3)).value().ensemble;
  std::vector<float> out(140);
  Ensemble::Scratch scratch;
  ensemble.Predict(0, data.inputs, out, scratch);
  const std::size_t before = testing_support::AllocationCount();
  ensemble.Predict(1, data.inputs, out, scratch);
  ensemble.Predict(2, data.inputs.topRows(1), std::span(out).first(2), scratch);
  EXPECT_EQ(testing_support::AllocationCount(), before);
}

TEST(DrawHeldOutUnitsTest, DrawsTheAskedShareWithoutRepetition) {
  const std::vector<int> units = DrawHeldOutUnits(50, 0.2, RngStream(1));
  EXPECT_EQ(units.size(), 10U);
  EXPECT_TRUE(std::ranges::adjacent_find(units) == units.end());
  EXPECT_NE(units, DrawHeldOutUnits(50, 0.2, RngStream(2)));
  EXPECT_EQ(DrawHeldOutUnits(2, 0.0, RngStream(1)).size(), 1U);
}

}  // namespace
}  // namespace gonogo::nn
