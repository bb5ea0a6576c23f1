// SPDX-License-Identifier: Apache-2.0
// A learner of numbers, for tables whose features are more than numbers.
#include "gonogo/audit/learners/encoding.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

template <typename Group>
std::vector<const Group*> PointersTo(const std::vector<Group>& groups) {
  std::vector<const Group*> pointers;
  for (const Group& group : groups) pointers.push_back(&group);
  return pointers;
}

/// A problem of numbers and what made it of the table's own columns.
struct EncodedProblem {
  std::vector<nn::ColumnEncoding> feature_encodings;
  std::vector<nn::ColumnEncoding> action_feature_encodings;
  std::vector<FeatureGroup> features;
  std::vector<ActionFeatureGroup> action_features;
  LearningProblem problem;
};

class EncodedFit : public FittedLearner {
 public:
  EncodedFit(std::unique_ptr<const EncodedProblem> encoded, std::unique_ptr<const Learner> learner,
             std::unique_ptr<const FittedLearner> fitted)
      : encoded_(std::move(encoded)), learner_(std::move(learner)), fitted_(std::move(fitted)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    fitted_->Predict(range, predictions);
  }
  [[nodiscard]] nn::EffectModel Describe() const override {
    nn::EffectModel model = fitted_->Describe();
    model.feature_encodings = encoded_->feature_encodings;
    model.action_feature_encodings = encoded_->action_feature_encodings;
    return model;
  }
  [[nodiscard]] std::vector<std::string> Rules() const override { return fitted_->Rules(); }

 private:
  std::unique_ptr<const EncodedProblem> encoded_;  // read by the learner
  std::unique_ptr<const Learner> learner_;         // read by what it fitted
  std::unique_ptr<const FittedLearner> fitted_;
};

class EncodedLearner : public Learner {
 public:
  EncodedLearner(LearnerConfig config, const LearningProblem& problem)
      : config_(std::move(config)),
        problem_(problem),
        features_(problem_.features, problem.table(), config_.levels),
        action_features_(problem_.action_features, problem.table(), config_.levels) {}

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override {
    std::unique_ptr<const EncodedProblem> encoded = Encode(split);
    Result<std::unique_ptr<Learner>> learner = MakeLearner(config_, encoded->problem);
    GONOGO_CHECK(learner.ok());  // the widest problem, that of all clusters, was taken
    std::unique_ptr<FittedLearner> fitted = learner.value()->Fit(split, stream, stop);
    if (fitted == nullptr) return nullptr;
    return std::make_unique<EncodedFit>(std::move(encoded), std::move(learner).value(),
                                        std::move(fitted));
  }

  [[nodiscard]] std::unique_ptr<const EncodedProblem> Encode(
      const stats::ClusterSplit& split) const {
    auto encoded = std::make_unique<EncodedProblem>(
        EncodedProblem{.feature_encodings = features_.Learn(split),
                       .action_feature_encodings = action_features_.Learn(split),
                       .features = {},
                       .action_features = {},
                       .problem = problem_});
    encoded->features = features_.Apply(encoded->feature_encodings);
    encoded->action_features = action_features_.Apply(encoded->action_feature_encodings);
    encoded->problem.features = PointersTo(encoded->features);
    encoded->problem.action_features = PointersTo(encoded->action_features);
    return encoded;
  }

 private:
  LearnerConfig config_;
  LearningProblem problem_;
  Encoder<FeatureGroup> features_;
  Encoder<ActionFeatureGroup> action_features_;
};

}  // namespace

Result<std::unique_ptr<Learner>> MakeEncodedLearner(const LearnerConfig& config,
                                                    const LearningProblem& problem) {
  auto learner = std::make_unique<EncodedLearner>(config, problem);
  const std::vector<std::uint32_t> once(problem.table().num_clusters(), 1);
  GONOGO_TRY(MakeLearner(config, learner->Encode({once})->problem));
  return std::unique_ptr<Learner>(std::move(learner));
}

}  // namespace gonogo::audit
