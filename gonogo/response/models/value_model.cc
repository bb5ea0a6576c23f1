// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/value_model.h"

#include <algorithm>
#include <set>

#include "gonogo/base/check.h"
#include "gonogo/response/data/episode_split.h"

namespace gonogo::response {
namespace {

constexpr int kOutputs = 3;

struct ValueScratch final : ValuePredictor::Scratch {
  std::vector<float> inputs;
  std::vector<float> outputs;
  nn::Ensemble::Scratch ensemble;
};

/// Observation and goal side by side, row by row.
void FillInputs(std::span<const float> observations, std::span<const robot::Point2> goals_B,
                std::span<float> inputs) {
  const std::size_t width = observations.size() / goals_B.size();
  for (std::size_t i = 0; i < goals_B.size(); ++i) {
    float* row = inputs.data() + i * (width + 2);
    std::copy_n(observations.data() + i * width, width, row);
    row[width] = static_cast<float>(goals_B[i].x);
    row[width + 1] = static_cast<float>(goals_B[i].y);
  }
}

struct Pairs {
  std::vector<double> predicted;
  std::vector<double> measured;
};

Pairs PairsOf(const nn::Batch<float>& predicted, const nn::Batch<float>& targets,
              std::span<const int> rows, Eigen::Index column) {
  Pairs columns;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    columns.predicted.push_back(predicted(static_cast<Eigen::Index>(i), column));
    columns.measured.push_back(targets(rows[i], column));
  }
  return columns;
}

}  // namespace

ValueModel::ValueModel(ModelIdentity identity, nn::Ensemble ensemble)
    : identity_(std::move(identity)), ensemble_(std::move(ensemble)) {
  GONOGO_CHECK(ensemble_.outputs() == kOutputs && !ensemble_.members.empty());
}

std::unique_ptr<ValuePredictor::Scratch> ValueModel::MakeScratch(std::size_t rows) const {
  auto scratch = std::make_unique<ValueScratch>();
  const auto width = static_cast<std::size_t>(ensemble_.inputs()) - 2;
  std::vector<TaskValue> values(rows);
  Predict(std::vector<float>(rows * width), std::vector<robot::Point2>(rows), values, *scratch);
  return scratch;
}

void ValueModel::Predict(std::span<const float> observations,
                         std::span<const robot::Point2> goals_B, std::span<TaskValue> values,
                         Scratch& scratch) const {
  auto& own = static_cast<ValueScratch&>(scratch);
  const auto width = static_cast<std::size_t>(ensemble_.inputs());
  GONOGO_CHECK(observations.size() == goals_B.size() * (width - 2));
  own.inputs.resize(std::max(own.inputs.size(), goals_B.size() * width));
  own.outputs.resize(std::max(own.outputs.size(), goals_B.size() * kOutputs));
  FillInputs(observations, goals_B, own.inputs);
  std::fill_n(values.begin(), goals_B.size(), TaskValue{});
  const Eigen::Map<const nn::Batch<float>> inputs(own.inputs.data(),
                                                  static_cast<Eigen::Index>(goals_B.size()),
                                                  static_cast<Eigen::Index>(width));
  const auto share = 1.0F / static_cast<float>(ensemble_.members.size());
  const std::span<float> outputs = std::span(own.outputs).first(goals_B.size() * kOutputs);
  for (int m = 0; m < static_cast<int>(ensemble_.members.size()); ++m) {
    ensemble_.Predict(m, inputs, outputs, own.ensemble);
    for (std::size_t i = 0; i < goals_B.size(); ++i) {
      values[i].work_j += share * outputs[i * kOutputs];
      values[i].time_s += share * outputs[i * kOutputs + 1];
      values[i].success += share * outputs[i * kOutputs + 2];
    }
  }
}

Result<IdentifiedValue> IdentifyValue(const ValueLog& log, ModelIdentity identity,
                                      const ValueOptions& options, const RngStream& stream,
                                      const Execution& execution) {
  const std::set<std::int32_t> episodes(log.episode.begin(), log.episode.end());
  if (episodes.size() < 3) {
    return InputError("the value data of {} come from {} episodes; at least three are needed",
                      identity.robot, episodes.size());
  }
  const auto count = static_cast<Eigen::Index>(log.size());
  nn::Batch<float> inputs(count, log.observation_size + 2);
  FillInputs(log.observations, log.goals_B,
             {inputs.data(), static_cast<std::size_t>(inputs.size())});
  nn::Batch<float> targets(count, kOutputs);
  for (Eigen::Index i = 0; i < count; ++i) {
    const TaskValue& value = log.remaining[static_cast<std::size_t>(i)];
    targets.row(i) << value.work_j, value.time_s, value.success;
  }
  const EpisodeSplit split = SplitEpisodes(log.episode, options.validation_share,
                                           options.test_share, stream.Child("split"));
  Fit fit = GONOGO_TRY(FitEnsemble(
      {.inputs = inputs,
       .targets = targets,
       .losses = {nn::Loss::kSquaredError, nn::Loss::kSquaredError, nn::Loss::kBinaryCrossEntropy},
       .training = split.training,
       .validation = split.validation},
      options.fit, stream.Child("fit"), execution));
  const nn::Batch<float> predicted = PredictRows(fit.ensemble, inputs, split.test);
  const Pairs work = PairsOf(predicted, targets, split.test, 0);
  const Pairs time = PairsOf(predicted, targets, split.test, 1);
  const Pairs success = PairsOf(predicted, targets, split.test, 2);
  return IdentifiedValue{.model = ValueModel(std::move(identity), std::move(fit.ensemble)),
                         .work = ScoreRegression(work.predicted, work.measured),
                         .time = ScoreRegression(time.predicted, time.measured),
                         .success_auc = AreaUnderCurve(success.predicted, success.measured),
                         .training_samples = split.training.size(),
                         .test_samples = split.test.size()};
}

}  // namespace gonogo::response
