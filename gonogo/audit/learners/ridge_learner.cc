// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/ridge_learner.h"

#include <algorithm>
#include <limits>

#include "gonogo/audit/learners/internal/ridge_sums.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::FeatureUnits;
using internal::RidgeSums;
using internal::RidgeSystem;
using internal::RowMatrix;

constexpr double kLargestSums = 2e9;       // bytes of sufficient statistics
constexpr std::size_t kRowsAtOnce = 4096;  // bounds the memory of design rows

enum Output : std::size_t { kWork = 0, kTime = 1, kEligible = 2 };

/// Candidates that share one design matrix, and their targets. Without action features all
/// candidates share it; with them each has its own.
struct Design {
  FeatureUnits units;
  std::vector<std::size_t> candidates;
};

class RidgeLearner final : public Learner {
 public:
  RidgeLearner(const LearningProblem& problem, const RidgeOptions& options)
      : problem_(problem), options_(options) {
    outputs_ = {kWork};
    if (problem.predicts_time()) outputs_.push_back(kTime);
    if (problem.predicts_eligibility()) outputs_.push_back(kEligible);
    BuildDesigns();
    for (const Design& design : designs_) sums_.push_back(SumClusters(design));
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
  [[nodiscard]] std::vector<RidgeSums> SumClusters(const Design& design) const;
  [[nodiscard]] RidgeSums Total(std::size_t design, std::span<const std::uint32_t> weight) const;
  [[nodiscard]] std::vector<double> ChoosePenalties(const stats::ClusterSplit& split) const;
  void AddValidationError(std::span<const std::uint32_t> train,
                          std::span<const std::uint32_t> validate,
                          std::vector<std::vector<double>>& error) const;
  [[nodiscard]] std::vector<double> PerTarget(const Design& design,
                                              std::span<const double> per_output) const;

  LearningProblem problem_;
  RidgeOptions options_;
  std::vector<std::size_t> outputs_;
  std::vector<Design> designs_;
  std::vector<std::vector<RidgeSums>> sums_;  // [design][cluster]
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

std::vector<RidgeSums> RidgeLearner::SumClusters(const Design& design) const {
  const OutcomeTable& table = problem_.table();
  const auto targets = static_cast<Eigen::Index>(outputs_.size() * design.candidates.size());
  std::vector<RidgeSums> sums(table.num_clusters(), RidgeSums::Zero(design.units.width(), targets));
  RowMatrix rows;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange cluster = table.queries_of(k);
    for (std::size_t begin = cluster.begin; begin < cluster.end; begin += kRowsAtOnce) {
      const QueryRange range{begin, std::min(begin + kRowsAtOnce, cluster.end)};
      design.units.Fill(problem_, range, rows);
      RowMatrix y(rows.rows(), targets);
      for (std::size_t i = 0; i < range.size(); ++i) {
        Eigen::Index column = 0;
        for (const std::size_t output : outputs_) {
          for (const std::size_t candidate : design.candidates) {
            y(static_cast<Eigen::Index>(i), column++) = Target(output, begin + i, candidate);
          }
        }
      }
      sums[k].gram.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
      sums[k].cross.noalias() += rows.transpose() * y;
      sums[k].squares += y.colwise().squaredNorm().transpose();
    }
  }
  return sums;
}

RidgeSums RidgeLearner::Total(std::size_t design, std::span<const std::uint32_t> weight) const {
  const RidgeSums& first = sums_[design].front();
  RidgeSums total = RidgeSums::Zero(first.gram.rows(), first.cross.cols());
  for (std::size_t k = 0; k < weight.size(); ++k) {
    if (weight[k] > 0) total.Add(sums_[design][k], weight[k]);
  }
  return total;
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
    const RidgeSystem training(Total(d, train));
    const RidgeSums validation = Total(d, validate);
    const auto candidates = static_cast<Eigen::Index>(designs_[d].candidates.size());
    for (std::size_t l = 0; l < options_.penalties.size(); ++l) {
      const std::vector<double> penalty(static_cast<std::size_t>(validation.cross.cols()),
                                        options_.penalties[l]);
      const Eigen::VectorXd squares = SquaredError(validation, training.Solve(penalty));
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        error[o][l] += squares.segment(static_cast<Eigen::Index>(o) * candidates, candidates).sum();
      }
    }
  }
}

// Copies of one cluster stay in one fold: otherwise the validation would see its training data.
std::vector<double> RidgeLearner::ChoosePenalties(const stats::ClusterSplit& split) const {
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
  for (std::size_t fold = 0; fold < folds; ++fold) {
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
  const std::vector<double> penalties = ChoosePenalties(split);
  std::vector<Eigen::MatrixXd> coefficients;
  for (std::size_t d = 0; d < designs_.size(); ++d) {
    const RidgeSums& first = sums_[d].front();
    coefficients.emplace_back(first.gram.rows(),
                              first.cross.cols() * static_cast<Eigen::Index>(options_.members));
  }
  for (std::size_t member = 0; member < options_.members; ++member) {
    if (stop.stop_requested()) return nullptr;
    Rng rng = stream.Child("member").Child(member).Generator();
    const std::vector<std::uint32_t> weight = stats::ResampleUnits(split.multiplicity, rng);
    for (std::size_t d = 0; d < designs_.size(); ++d) {
      const Eigen::MatrixXd fitted =
          SolveRidge(Total(d, weight), PerTarget(designs_[d], penalties));
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
  const double clusters = static_cast<double>(problem.table().num_clusters());
  if (8.0 * width * width * designs * clusters > kLargestSums) {
    return InputError(
        "ridge would need {:.1f} GB of sums for {} clusters and {} features (limit {:.0f} GB): use "
        "fewer feature groups or another learner",
        8e-9 * width * width * designs * clusters, problem.table().num_clusters(), width - 1.0,
        kLargestSums * 1e-9);
  }
  return std::unique_ptr<Learner>(std::make_unique<RidgeLearner>(problem, options));
}

}  // namespace gonogo::audit
