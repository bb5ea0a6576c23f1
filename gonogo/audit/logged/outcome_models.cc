// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/outcome_models.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"

namespace gonogo::audit {
namespace {

/// A regression put as a table that every learner can learn from: two actions, of which the first
/// costs nothing and the second the outcome; not even a mean of the outcomes is taken over
/// clusters that a fold leaves out. The queries of a cluster at which the outcome was
/// seen are one cluster of it, the others another one, which nobody trains on.
class Regression {
 public:
  Regression(const OutcomeTable& contexts, std::span<const std::uint8_t> seen,
             std::span<const double> outcome) {
    table_.actions = {"mean", "outcome"};
    table_.cluster_begin = {0};
    for (std::size_t k = 0; k < contexts.num_clusters(); ++k) {
      const QueryRange range = contexts.queries_of(k);
      for (const bool wanted : {true, false}) {
        const std::size_t before = order_.size();
        for (std::size_t query = range.begin; query < range.end; ++query) {
          if ((seen[query] != 0) == wanted) order_.push_back(query);
        }
        if (order_.size() == before) continue;
        table_.clusters.push_back(fmt::format("{}{}", k, wanted ? "+" : "-"));
        table_.cluster_begin.push_back(order_.size());
        owner_.push_back(k);
        trains_.push_back(wanted);
      }
    }
    for (const std::size_t query : order_) {
      table_.cost.push_back(0.0);
      table_.cost.push_back(seen[query] != 0 ? outcome[query] : 0.0);
    }
    for (const FeatureGroup& group : contexts.features) {
      FeatureMatrix values(group.values.rows(), group.values.cols());
      for (std::size_t i = 0; i < order_.size(); ++i) {
        values.row(static_cast<Eigen::Index>(i)) =
            group.values.row(static_cast<Eigen::Index>(order_[i]));
      }
      table_.features.push_back({group.name, group.columns, std::move(values), group.levels});
    }
    outcomes_ = DeriveOutcomes(table_, 1.0);
  }
  Regression(const Regression&) = delete;
  Regression& operator=(const Regression&) = delete;

  [[nodiscard]] const PotentialOutcomes& outcomes() const { return outcomes_; }

  [[nodiscard]] stats::ClusterSplit Without(std::span<const std::size_t> fold_of_cluster,
                                            std::size_t fold) const {
    stats::ClusterSplit split{std::vector<std::uint32_t>(owner_.size(), 0)};
    for (std::size_t part = 0; part < owner_.size(); ++part) {
      const bool outside = fold_of_cluster[owner_[part]] != fold;
      split.multiplicity[part] = trains_[part] && outside ? 1 : 0;
    }
    return split;
  }

  /// Writes the predictions of the fold's queries to their places.
  void Predict(const FittedLearner& fitted, std::span<const std::size_t> fold_of_cluster,
               std::size_t fold, std::vector<double>& predicted) const {
    MemberPredictions predictions;
    for (std::size_t part = 0; part < owner_.size(); ++part) {
      if (fold_of_cluster[owner_[part]] != fold) continue;
      const QueryRange range = table_.queries_of(part);
      fitted.Predict(range, predictions);
      for (std::size_t i = 0; i < range.size(); ++i) {
        predicted[order_[range.begin + i]] = MeanWork(predictions, i, 0);
      }
    }
  }

 private:
  OutcomeTable table_;
  PotentialOutcomes outcomes_ = {};
  std::vector<std::size_t> order_;  ///< where each query was
  std::vector<std::size_t> owner_;  ///< cluster that each cluster here is a part of
  std::vector<bool> trains_;        ///< whether its outcomes were seen
};

}  // namespace

std::vector<std::size_t> DealClusters(std::size_t clusters, std::size_t folds,
                                      const RngStream& stream) {
  std::vector<std::size_t> order(clusters);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(order));
  std::vector<std::size_t> fold_of(clusters);
  for (std::size_t i = 0; i < clusters; ++i) fold_of[order[i]] = i % std::min(folds, clusters);
  return fold_of;
}

LearnerConfig ModelLearner(LearnerConfig learner) {
  if (learner.kind == LearnerKind::kPolicy) learner.kind = LearnerKind::kRidge;
  learner.target = LearnerTarget::kDifference;
  return learner;
}

Result<std::vector<double>> CrossFitPredictions(
    const OutcomeTable& contexts, std::span<const std::uint8_t> seen,
    std::span<const double> outcome, std::span<const std::size_t> fold_of_cluster,
    const LearnerConfig& learner, const RngStream& stream, const Execution& execution) {
  GONOGO_CHECK(seen.size() == contexts.num_queries() && outcome.size() == seen.size());
  const Regression regression(contexts, seen, outcome);
  const LearnerConfig config = ModelLearner(learner);
  const LearningProblem problem = GONOGO_TRY(MakeProblem(regression.outcomes(), config));
  const std::unique_ptr<Learner> model = GONOGO_TRY(MakeLearner(config, problem));
  const std::size_t folds = 1 + *std::max_element(fold_of_cluster.begin(), fold_of_cluster.end());
  std::vector<double> predicted(contexts.num_queries());
  std::atomic<std::size_t> done = 0;
  ParallelFor(execution.jobs, folds, [&](std::size_t fold) {
    const std::unique_ptr<FittedLearner> fitted =
        model->Fit(regression.Without(fold_of_cluster, fold), stream.Child(fold), execution.stop);
    if (fitted == nullptr) return;
    regression.Predict(*fitted, fold_of_cluster, fold, predicted);
    ++done;
  });
  if (done < folds) {
    return Error{ErrorKind::kInterrupted, "stopped while outcomes that were not tried were fitted"};
  }
  return predicted;
}

}  // namespace gonogo::audit
