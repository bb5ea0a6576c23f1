// SPDX-License-Identifier: Apache-2.0

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"
#include "gonogo/nn/mlp/treatment_effect.h"

namespace gonogo::audit {
namespace {

/// Copies what the networks see and learn into the trainer's layout, once for all refits.
nn::TreatmentData MakeData(const LearningProblem& problem) {
  const OutcomeTable& table = problem.table();
  const auto queries = static_cast<Eigen::Index>(table.num_queries());
  const std::size_t candidates = table.num_candidates();
  const Eigen::Index rows = queries * static_cast<Eigen::Index>(candidates);
  const int outputs =
      1 + (problem.predicts_time() ? 1 : 0) + (problem.predicts_eligibility() ? 1 : 0);
  nn::TreatmentData data;
  data.candidates = static_cast<int>(candidates);
  data.features.resize(queries, static_cast<Eigen::Index>(problem.num_features()));
  data.action_features.resize(rows, static_cast<Eigen::Index>(problem.num_action_features()));
  data.targets.resize(rows, outputs);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const auto q = static_cast<Eigen::Index>(query);
    problem.CopyFeatures(query, {data.features.row(q).data(), problem.num_features()});
    for (std::size_t c = 0; c < candidates; ++c) {
      const auto row = static_cast<Eigen::Index>(query * candidates + c);
      problem.CopyActionFeatures(
          query, c, {data.action_features.row(row).data(), problem.num_action_features()});
      Eigen::Index output = 0;
      data.targets(row, output++) = static_cast<float>(problem.work_target(query, c));
      if (problem.predicts_time()) {
        data.targets(row, output++) = static_cast<float>(problem.time_target(query, c));
      }
      if (problem.predicts_eligibility()) {
        data.targets(row, output++) = static_cast<float>(problem.eligible(query, c));
      }
    }
  }
  return data;
}

class MlpLearner final : public Learner {
 public:
  MlpLearner(const LearningProblem& problem, const MlpOptions& options)
      : problem_(problem), options_(options), data_(MakeData(problem)) {
    config_.hidden = options.hidden;
    const bool squared = options.loss == RegressionLoss::kSquaredError;
    config_.losses.assign(problem.predicts_time() ? 2 : 1,
                          squared ? nn::Loss::kSquaredError : nn::Loss::kSmoothL1);
    if (problem.predicts_eligibility()) config_.losses.push_back(nn::Loss::kBinaryCrossEntropy);
    config_.standardise_targets = options.standardise_targets;
    config_.epochs = static_cast<int>(options.epochs);
    config_.batch_rows = static_cast<int>(options.batch_rows);
    config_.optimiser.learning_rate = options.learning_rate;
    config_.optimiser.weight_decay = options.weight_decay;
  }

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

  [[nodiscard]] const LearningProblem& problem() const { return problem_; }
  [[nodiscard]] const nn::TreatmentData& data() const { return data_; }
  [[nodiscard]] std::size_t members() const { return options_.members; }

 private:
  /// The clusters' multiplicities, given to each of their queries.
  [[nodiscard]] std::vector<int> PerQuery(std::span<const std::uint32_t> per_cluster) const;
  /// How often each query is in the sample of one member.
  [[nodiscard]] std::vector<int> Draw(const stats::ClusterSplit& split, Rng& rng) const;

  LearningProblem problem_;
  MlpOptions options_;
  nn::TreatmentData data_;
  nn::TreatmentConfig config_;
};

class FittedMlp final : public FittedLearner {
 public:
  FittedMlp(const MlpLearner& learner, nn::Ensemble ensemble)
      : learner_(learner), ensemble_(std::move(ensemble)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    const LearningProblem& problem = learner_.problem();
    ResizePredictions(problem, learner_.members(), range.size(), predictions);
    const std::vector<float> values = nn::PredictTreatments(
        ensemble_, learner_.data(), static_cast<int>(range.begin), static_cast<int>(range.size()));
    const std::size_t outputs = values.size() / predictions.work.size();
    for (std::size_t row = 0; row < predictions.work.size(); ++row) {
      const float* value = values.data() + row * outputs;
      predictions.work[row] = *value++;
      if (problem.predicts_time()) predictions.time[row] = *value++;
      if (problem.predicts_eligibility()) predictions.eligible[row] = *value;
    }
  }

  [[nodiscard]] nn::EffectModel Describe() const override {
    // The ensemble itself makes probabilities of its logits.
    nn::EffectModel model =
        StartEffectModel(learner_.problem(), learner_.members(), nn::EffectLink::kIdentity);
    model.body = ensemble_;
    return model;
  }

 private:
  const MlpLearner& learner_;
  nn::Ensemble ensemble_;
};

std::vector<int> MlpLearner::PerQuery(std::span<const std::uint32_t> per_cluster) const {
  std::vector<int> per_query(problem_.table().num_queries(), 0);
  for (std::size_t k = 0; k < per_cluster.size(); ++k) {
    const QueryRange range = problem_.table().queries_of(k);
    std::fill(per_query.begin() + static_cast<long>(range.begin),
              per_query.begin() + static_cast<long>(range.end), static_cast<int>(per_cluster[k]));
  }
  return per_query;
}

std::vector<int> MlpLearner::Draw(const stats::ClusterSplit& split, Rng& rng) const {
  switch (options_.resample) {
    case MemberResampling::kNone:
      return PerQuery(split.multiplicity);
    case MemberResampling::kClusters:
      return PerQuery(stats::ResampleUnits(split.multiplicity, rng));
    case MemberResampling::kQueries:
      break;
  }
  const std::vector<int> present = PerQuery(split.multiplicity);
  const std::vector<std::uint32_t> drawn =
      stats::ResampleUnits({present.begin(), present.end()}, rng);
  return {drawn.begin(), drawn.end()};
}

std::unique_ptr<FittedLearner> MlpLearner::Fit(const stats::ClusterSplit& split,
                                               const RngStream& stream,
                                               const std::stop_token& stop) const {
  Rng rng = stream.Child("draws").Generator();
  std::vector<std::vector<int>> draws;
  for (std::size_t m = 0; m < options_.members; ++m) draws.push_back(Draw(split, rng));
  Result<nn::Ensemble> ensemble = nn::TrainTreatmentEnsemble(
      data_, PerQuery(split.multiplicity), draws, config_, stream.Child("train"), stop);
  if (!ensemble.ok()) return nullptr;  // it fails only when asked to stop
  return std::make_unique<FittedMlp>(*this, std::move(ensemble).value());
}

}  // namespace

std::unique_ptr<Learner> MakeMlpLearner(const LearningProblem& problem, const MlpOptions& options) {
  return std::make_unique<MlpLearner>(problem, options);
}

}  // namespace gonogo::audit
