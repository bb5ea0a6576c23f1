// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "gonogo/audit/learners/internal/xgboost_model.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

using internal::BoostedTrees;
using internal::BoostingRows;
using internal::BoostingTarget;

/// What the trees see and learn of a table, row (query, candidate) by row.
struct TreeData {
  std::size_t columns = 0;
  std::vector<float> features;              ///< rows x columns
  std::vector<BoostingTarget> kinds;        ///< of every output
  std::vector<std::vector<float>> targets;  ///< of every output, one per row
};

TreeData Encode(const LearningProblem& problem) {
  const std::size_t queries = problem.table().num_queries();
  const std::size_t candidates = problem.table().num_candidates();
  const std::size_t shared = problem.num_features();
  TreeData data{.columns = shared + candidates + problem.num_action_features()};
  data.features.resize(queries * candidates * data.columns);
  std::vector<float> work;
  std::vector<float> time;
  std::vector<float> eligible;
  for (std::size_t query = 0; query < queries; ++query) {
    for (std::size_t c = 0; c < candidates; ++c) {
      const std::span<float> row =
          std::span(data.features).subspan((query * candidates + c) * data.columns, data.columns);
      problem.CopyFeatures(query, row.first(shared));
      row[shared + c] = 1.0F;
      problem.CopyActionFeatures(query, c, row.subspan(shared + candidates));
      work.push_back(static_cast<float>(problem.work_target(query, c)));
      if (problem.predicts_time()) {
        time.push_back(static_cast<float>(problem.time_target(query, c)));
      }
      eligible.push_back(static_cast<float>(problem.eligible(query, c)));
    }
  }
  const auto add = [&](BoostingTarget kind, std::vector<float> values) {
    data.kinds.push_back(kind);
    data.targets.push_back(std::move(values));
  };
  add(BoostingTarget::kNumber, std::move(work));
  if (problem.predicts_time()) add(BoostingTarget::kNumber, std::move(time));
  if (problem.predicts_eligibility()) add(BoostingTarget::kProbability, std::move(eligible));
  return data;
}

/// One model per output.
using Member = std::vector<BoostedTrees>;

class FittedTrees final : public FittedLearner {
 public:
  FittedTrees(const LearningProblem& problem, const TreeData& data, std::vector<Member> members)
      : problem_(problem), data_(data), members_(std::move(members)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    ResizePredictions(problem_, members_.size(), range.size(), predictions);
    const std::size_t candidates = predictions.candidates;
    const std::size_t rows = range.size() * candidates;
    if (rows == 0) return;
    const auto features =
        std::span(data_.features)
            .subspan(range.begin * candidates * data_.columns, rows * data_.columns);
    std::vector<float> values(rows);
    for (std::size_t m = 0; m < members_.size(); ++m) {
      for (std::size_t output = 0; output < members_[m].size(); ++output) {
        GONOGO_CHECK(members_[m][output].Predict(features, values).ok());
        std::ranges::copy(values, Output(predictions, output).begin() + m * rows);
      }
    }
  }

  [[nodiscard]] nn::EffectModel Describe() const override {
    nn::EffectModel model = StartEffectModel(problem_, members_.size(), nn::EffectLink::kLogistic);
    nn::TreeEffects effects{.per_candidate = true};
    for (const Member& member : members_) {
      for (const BoostedTrees& boosted : member) {
        const auto target = static_cast<std::uint32_t>(effects.base.size());
        internal::BoostedSum sum = boosted.Describe();
        effects.base.push_back(sum.base);
        for (nn::EffectTree& tree : sum.trees) {
          for (nn::EffectTree::Node& node : tree.nodes) {
            if (node.feature >= 0) node.feature = EncodedColumn(node.feature);
          }
          tree.targets = {target};
          effects.trees.push_back(std::move(tree));
        }
      }
    }
    model.body = std::move(effects);
    return model;
  }

 private:
  /// Where a column of ours stands in the encoding of a network, which has the one-hot code last.
  [[nodiscard]] std::int32_t EncodedColumn(std::int32_t column) const {
    const auto shared = static_cast<std::int32_t>(problem_.num_features());
    const auto candidates = static_cast<std::int32_t>(problem_.table().num_candidates());
    if (column < shared) return column;
    if (column >= shared + candidates) return column - candidates;
    return column + static_cast<std::int32_t>(problem_.num_action_features());
  }

  /// Where output number `output` belongs.
  [[nodiscard]] std::vector<double>& Output(MemberPredictions& predictions,
                                            std::size_t output) const {
    if (output == 0) return predictions.work;
    return data_.kinds[output] == BoostingTarget::kNumber ? predictions.time : predictions.eligible;
  }

  const LearningProblem& problem_;
  const TreeData& data_;
  std::vector<Member> members_;
};

class TreesLearner final : public Learner {
 public:
  TreesLearner(const LearningProblem& problem, const TreesOptions& options, TreeData data)
      : problem_(problem), members_(options.members), data_(std::move(data)) {
    boosting_.rounds = static_cast<int>(options.rounds);
    boosting_.depth = static_cast<int>(options.depth);
    boosting_.learning_rate = options.learning_rate;
  }

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override {
    Rng rng = stream.Child("draws").Generator();
    std::vector<Member> members;
    for (std::size_t m = 0; m < members_; ++m) {
      if (stop.stop_requested()) return nullptr;
      members.push_back(FitMember(stats::ResampleUnits(split.multiplicity, rng)));
    }
    return std::make_unique<FittedTrees>(problem_, data_, std::move(members));
  }

 private:
  /// Fits all outputs to the clusters drawn, each counted as often as it was.
  [[nodiscard]] Member FitMember(const std::vector<std::uint32_t>& draws) const;

  LearningProblem problem_;
  std::size_t members_;
  TreeData data_;
  internal::BoostingOptions boosting_;
};

Member TreesLearner::FitMember(const std::vector<std::uint32_t>& draws) const {
  const std::size_t candidates = problem_.table().num_candidates();
  std::vector<float> features;
  std::vector<float> weights;
  std::vector<std::vector<float>> targets(data_.targets.size());
  const auto append = [](const std::vector<float>& from, std::size_t begin, std::size_t end,
                         std::vector<float>& to) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (std::size_t cluster = 0; cluster < draws.size(); ++cluster) {
    if (draws[cluster] == 0) continue;
    const QueryRange range = problem_.table().queries_of(cluster);
    const std::size_t begin = range.begin * candidates;
    const std::size_t end = range.end * candidates;
    append(data_.features, begin * data_.columns, end * data_.columns, features);
    weights.insert(weights.end(), end - begin, static_cast<float>(draws[cluster]));
    for (std::size_t output = 0; output < targets.size(); ++output) {
      append(data_.targets[output], begin, end, targets[output]);
    }
  }
  // Features and targets are finite; what XGBoost could still refuse would be our mistake.
  Result<BoostingRows> rows = BoostingRows::Create(features, weights);
  GONOGO_CHECK(rows.ok());
  Member member;
  for (std::size_t output = 0; output < targets.size(); ++output) {
    Result<BoostedTrees> trees =
        BoostedTrees::Train(rows.value(), targets[output], data_.kinds[output], boosting_);
    GONOGO_CHECK(trees.ok());
    member.push_back(std::move(trees).value());
  }
  return member;
}

/// Costs may differ by more than a float can hold.
Status RequireFiniteTargets(const LearningProblem& problem, const TreeData& data) {
  const OutcomeTable& table = problem.table();
  for (const std::vector<float>& targets : data.targets) {
    for (std::size_t row = 0; row < targets.size(); ++row) {
      if (std::isfinite(targets[row])) continue;
      return InputError(
          "query {}: outcomes of action '{}' are too large beside those of '{}' to learn from",
          row / table.num_candidates(), table.actions[row % table.num_candidates() + 1],
          table.actions[kDirect]);
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Learner>> MakeTreesLearner(const LearningProblem& problem,
                                                  const TreesOptions& options) {
  TreeData data = Encode(problem);
  GONOGO_TRY(RequireFiniteTargets(problem, data));
  return std::unique_ptr<Learner>(
      std::make_unique<TreesLearner>(problem, options, std::move(data)));
}

}  // namespace gonogo::audit
