// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gonogo/audit/learners/internal/ridge_data.h"
#include "gonogo/audit/learners/internal/ridge_sums.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::FeatureUnits;
using internal::RidgeData;
using internal::RowMatrix;

constexpr double kMostMemory = 2e9;  // bytes of sums, or of rows and one system of equations

enum Output : std::size_t { kWork = 0, kTime = 1, kEligible = 2 };

/// Candidates that share one design matrix, and their targets. Without action features all
/// candidates share it; with them each has its own.
struct Design {
  FeatureUnits units;
  std::vector<std::size_t> candidates;
};

class RidgeLearner final : public Learner {
 public:
  RidgeLearner(const LearningProblem& problem, const RidgeOptions& options, bool keep_rows)
      : problem_(problem), options_(options) {
    outputs_ = {kWork};
    if (problem.predicts_time()) outputs_.push_back(kTime);
    if (problem.predicts_eligibility()) outputs_.push_back(kEligible);
    BuildDesigns();
    for (const Design& design : designs_) {
      const auto fill = [&](QueryRange range, RowMatrix& rows, RowMatrix& targets) {
        design.units.Fill(problem_, range, rows);
        FillTargets(design, range, targets);
      };
      data_.push_back(keep_rows ? internal::KeepRows(problem_.table(), fill)
                                : internal::SumClusters(problem_.table(), fill));
    }
  }

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

  [[nodiscard]] const LearningProblem& problem() const { return problem_; }
  [[nodiscard]] const std::vector<Design>& designs() const { return designs_; }
  [[nodiscard]] const std::vector<std::size_t>& outputs() const { return outputs_; }
  [[nodiscard]] std::size_t members() const { return options_.members; }

 private:
  void BuildDesigns();
  [[nodiscard]] double Target(std::size_t output, std::size_t query, std::size_t candidate) const;
  void FillTargets(const Design& design, QueryRange range, RowMatrix& targets) const;
  [[nodiscard]] std::vector<double> ChoosePenalties(const stats::ClusterSplit& split,
                                                    const std::stop_token& stop) const;
  void AddValidationError(std::span<const std::uint32_t> train,
                          std::span<const std::uint32_t> validate,
                          std::vector<std::vector<double>>& error) const;
  [[nodiscard]] std::vector<double> PerTarget(const Design& design,
                                              std::span<const double> per_output) const;

  LearningProblem problem_;
  RidgeOptions options_;
  std::vector<std::size_t> outputs_;
  std::vector<Design> designs_;
  std::vector<std::unique_ptr<RidgeData>> data_;  // [design]
};

/// Targets of a design are output-major: output * candidates + candidate.
class FittedRidge final : public FittedLearner {
 public:
  FittedRidge(const RidgeLearner& learner, std::vector<Eigen::MatrixXd> coefficients)
      : learner_(learner), coefficients_(std::move(coefficients)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    ResizePredictions(learner_.problem(), learner_.members(), range.size(), predictions);
    RowMatrix rows;
    RowMatrix values;
    for (std::size_t d = 0; d < coefficients_.size(); ++d) {
      learner_.designs()[d].units.Fill(learner_.problem(), range, rows);
      values.noalias() = rows * coefficients_[d];
      Scatter(learner_.designs()[d], values, predictions);
    }
  }

  [[nodiscard]] nn::EffectModel Describe() const override;

 private:
  void Scatter(const Design& design, const RowMatrix& values,
               MemberPredictions& predictions) const {
    const std::vector<std::size_t>& outputs = learner_.outputs();
    Eigen::Index column = 0;
    for (std::size_t member = 0; member < learner_.members(); ++member) {
      for (const std::size_t output : outputs) {
        std::vector<double>& target = output == kWork   ? predictions.work
                                      : output == kTime ? predictions.time
                                                        : predictions.eligible;
        for (const std::size_t candidate : design.candidates) {
          for (std::size_t i = 0; i < predictions.queries; ++i) {
            const double value = values(static_cast<Eigen::Index>(i), column);
            target[predictions.index(member, i, candidate)] =
                output == kEligible ? std::clamp(value, 0.0, 1.0) : value;
          }
          ++column;
        }
      }
    }
  }

  const RidgeLearner& learner_;
  std::vector<Eigen::MatrixXd> coefficients_;
};

nn::EffectModel FittedRidge::Describe() const {
  nn::EffectModel model =
      StartEffectModel(learner_.problem(), learner_.members(), nn::EffectLink::kUnitInterval);
  const std::size_t outputs = model.outputs.size();
  const std::size_t columns = outputs * model.members * model.candidates;
  nn::LinearEffects linear{.input = nn::Standardiser::Identity(model.inputs()),
                           .weight = std::vector<float>(model.inputs() * columns, 0.0F),
                           .bias = std::vector<float>(columns)};
  for (std::size_t d = 0; d < coefficients_.size(); ++d) {
    const Design& design = learner_.designs()[d];
    // Where the slopes of a design stand among the inputs: those of the query, then the
    // candidate's own.
    const auto place = [&](std::size_t slope) {
      return slope < model.features ? slope : slope + d * model.action_features;
    };
    for (std::size_t j = 0; j + 1 < static_cast<std::size_t>(design.units.width()); ++j) {
      linear.input.mean[place(j)] = design.units.mean()[static_cast<Eigen::Index>(j)];
      linear.input.scale[place(j)] = design.units.scale()[static_cast<Eigen::Index>(j)];
    }
    Eigen::Index from = 0;
    for (std::size_t member = 0; member < model.members; ++member) {
      for (std::size_t output = 0; output < outputs; ++output) {
        for (const std::size_t c : design.candidates) {
          const std::size_t to = (output * model.members + member) * model.candidates + c;
          linear.bias[to] = static_cast<float>(coefficients_[d](0, from));
          for (Eigen::Index j = 1; j < design.units.width(); ++j) {
            linear.weight[place(static_cast<std::size_t>(j - 1)) * columns + to] =
                static_cast<float>(coefficients_[d](j, from));
          }
          ++from;
        }
      }
    }
  }
  model.body = std::move(linear);
  return model;
}

void RidgeLearner::BuildDesigns() {
  const std::size_t candidates = problem_.table().num_candidates();
  if (problem_.num_action_features() == 0) {
    Design shared{FeatureUnits(problem_, 0), {}};
    for (std::size_t c = 0; c < candidates; ++c) shared.candidates.push_back(c);
    designs_.push_back(std::move(shared));
    return;
  }
  for (std::size_t c = 0; c < candidates; ++c) designs_.push_back({FeatureUnits(problem_, c), {c}});
}

double RidgeLearner::Target(std::size_t output, std::size_t query, std::size_t candidate) const {
  if (output == kWork) return problem_.work_target(query, candidate);
  if (output == kTime) return problem_.time_target(query, candidate);
  return problem_.eligible(query, candidate);
}

void RidgeLearner::FillTargets(const Design& design, QueryRange range, RowMatrix& targets) const {
  targets.resize(static_cast<Eigen::Index>(range.size()),
                 static_cast<Eigen::Index>(outputs_.size() * design.candidates.size()));
  for (std::size_t i = 0; i < range.size(); ++i) {
    Eigen::Index column = 0;
    for (const std::size_t output : outputs_) {
      for (const std::size_t candidate : design.candidates) {
        targets(static_cast<Eigen::Index>(i), column++) =
            Target(output, range.begin + i, candidate);
      }
    }
  }
}

std::vector<double> RidgeLearner::PerTarget(const Design& design,
                                            std::span<const double> per_output) const {
  std::vector<double> per_target;
  for (const double value : per_output) {
    per_target.insert(per_target.end(), design.candidates.size(), value);
  }
  return per_target;
}

void RidgeLearner::AddValidationError(std::span<const std::uint32_t> train,
                                      std::span<const std::uint32_t> validate,
                                      std::vector<std::vector<double>>& error) const {
  for (std::size_t d = 0; d < designs_.size(); ++d) {
    const auto candidates = static_cast<Eigen::Index>(designs_[d].candidates.size());
    const std::vector<Eigen::VectorXd> squares =
        data_[d]->ValidationErrors(train, validate, options_.penalties);
    for (std::size_t l = 0; l < squares.size(); ++l) {
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        error[o][l] +=
            squares[l].segment(static_cast<Eigen::Index>(o) * candidates, candidates).sum();
      }
    }
  }
}

// Copies of one cluster stay in one fold: otherwise the validation would see its training data.
std::vector<double> RidgeLearner::ChoosePenalties(const stats::ClusterSplit& split,
                                                  const std::stop_token& stop) const {
  std::vector<std::size_t> distinct;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    if (!split.is_held_out(k)) distinct.push_back(k);
  }
  const std::size_t middle = options_.penalties.size() / 2;
  std::vector<double> chosen(outputs_.size(), options_.penalties[middle]);
  const std::size_t folds = std::min(options_.inner_folds, distinct.size());
  if (folds < 2 || options_.penalties.size() == 1) return chosen;
  std::vector<std::vector<double>> error(outputs_.size(),
                                         std::vector<double>(options_.penalties.size(), 0.0));
  for (std::size_t fold = 0; fold < folds && !stop.stop_requested(); ++fold) {
    std::vector<std::uint32_t> train = split.multiplicity;
    std::vector<std::uint32_t> validate(split.num_clusters(), 0);
    for (std::size_t i = fold; i < distinct.size(); i += folds) {
      std::swap(train[distinct[i]], validate[distinct[i]]);
    }
    AddValidationError(train, validate, error);
  }
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const auto best = std::min_element(error[o].begin(), error[o].end()) - error[o].begin();
    chosen[o] = options_.penalties[static_cast<std::size_t>(best)];
  }
  return chosen;
}

std::unique_ptr<FittedLearner> RidgeLearner::Fit(const stats::ClusterSplit& split,
                                                 const RngStream& stream,
                                                 const std::stop_token& stop) const {
  const std::vector<double> penalties = ChoosePenalties(split, stop);
  std::vector<Eigen::MatrixXd> coefficients;
  for (const Design& design : designs_) {
    const std::size_t targets = outputs_.size() * design.candidates.size();
    coefficients.emplace_back(design.units.width(),
                              static_cast<Eigen::Index>(targets * options_.members));
  }
  for (std::size_t member = 0; member < options_.members; ++member) {
    if (stop.stop_requested()) return nullptr;
    Rng rng = stream.Child("member").Child(member).Generator();
    const std::vector<std::uint32_t> weight = stats::ResampleUnits(split.multiplicity, rng);
    for (std::size_t d = 0; d < designs_.size(); ++d) {
      const Eigen::MatrixXd fitted = data_[d]->Fit(weight, PerTarget(designs_[d], penalties));
      coefficients[d].middleCols(static_cast<Eigen::Index>(member) * fitted.cols(), fitted.cols()) =
          fitted;
    }
  }
  return std::make_unique<FittedRidge>(*this, std::move(coefficients));
}

}  // namespace

Result<std::unique_ptr<Learner>> MakeRidgeLearner(const LearningProblem& problem,
                                                  const RidgeOptions& options) {
  GONOGO_CHECK(options.members > 0 && !options.penalties.empty());
  const double width =
      static_cast<double>(problem.num_features() + problem.num_action_features()) + 1.0;
  const double designs = problem.num_action_features() == 0
                             ? 1.0
                             : static_cast<double>(problem.table().num_candidates());
  const auto queries = static_cast<double>(problem.table().num_queries());
  const auto clusters = static_cast<double>(problem.table().num_clusters());
  const bool keep_rows = 8.0 * width * width * designs * clusters > kMostMemory;
  const double smaller = std::min(width, queries);
  const double rows = 8.0 * (queries * width * designs + smaller * smaller);
  if (keep_rows && rows > kMostMemory) {
    return InputError(
        "ridge would need {:.1f} GB for {} queries and {} features (limit {:.0f} GB): use fewer "
        "feature groups or another learner",
        1e-9 * rows, problem.table().num_queries(), width - 1.0, kMostMemory * 1e-9);
  }
  return std::unique_ptr<Learner>(std::make_unique<RidgeLearner>(problem, options, keep_rows));
}

}  // namespace gonogo::audit
