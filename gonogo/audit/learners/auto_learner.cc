// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/audit/learners/internal/action_rewards.h"
#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/audit/protocol/protocol_keys.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

/// Of the declared z: no caution, as much as declared, twice as much.
constexpr std::array kCaution{0.0, 1.0, 2.0};
constexpr std::size_t kDeclared = 1;
constexpr double kClearly = 1.0;  // standard errors

/// A learner and target that may be chosen.
struct Contestant {
  LearnerConfig config;
  LearningProblem problem;
  std::unique_ptr<Learner> learner;
};

class FittedAuto final : public FittedLearner {
 public:
  FittedAuto(std::unique_ptr<FittedLearner> chosen, OwnGate gate)
      : chosen_(std::move(chosen)), gate_(std::move(gate)) {}

  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    chosen_->Predict(range, predictions);
  }
  [[nodiscard]] nn::EffectModel Describe() const override { return chosen_->Describe(); }
  [[nodiscard]] std::vector<std::string> Rules() const override { return chosen_->Rules(); }
  [[nodiscard]] const OwnGate* own_gate() const override { return &gate_; }

 private:
  std::unique_ptr<FittedLearner> chosen_;
  OwnGate gate_;
};

class AutoLearner final : public Learner {
 public:
  AutoLearner(LearningProblem problem, const AutoOptions& options, const SelectorOptions& selector,
              std::vector<Contestant> contestants)
      : problem_(std::move(problem)),
        options_(options),
        selector_(selector),
        contestants_(std::move(contestants)),
        rewards_(internal::RewardsOf(problem_, options.violation_price)) {}

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

 private:
  /// What a contestant gained in the training clusters that were left out so far.
  struct Trial {
    std::size_t contestant = 0;
    std::array<std::vector<double>, kCaution.size()> gain = {};  ///< by caution, in their order

    [[nodiscard]] double total(std::size_t caution) const {
      return std::accumulate(gain.at(caution).begin(), gain.at(caution).end(), 0.0);
    }
    [[nodiscard]] std::size_t BestCaution() const;
  };
  struct Choice {
    const Trial* trial;
    std::size_t caution;
  };

  [[nodiscard]] adapter::Gate GateWith(const Contestant& contestant, double z) const {
    adapter::Gate gate = GateOf(selector_, contestant.problem.time_limit());
    gate.z = z;
    return gate;
  }
  /// The first contestant as cautious as declared, unless another choice is clearly better.
  [[nodiscard]] static Choice Decide(std::span<const Trial> trials);
  void Score(const FittedLearner& fitted, std::span<const std::size_t> clusters,
             const stats::ClusterSplit& split, Trial& trial) const;

  LearningProblem problem_;
  AutoOptions options_;
  SelectorOptions selector_;
  std::vector<Contestant> contestants_;
  internal::ActionRewards rewards_;
};

std::size_t AutoLearner::Trial::BestCaution() const {
  std::size_t best = kDeclared;
  for (std::size_t i = 0; i < kCaution.size(); ++i) {
    if (total(i) > total(best)) best = i;
  }
  return best;
}

/// Whether gains exceed others in the same clusters by more than a standard error of the
/// difference: the best of many noisy sums would be taken for its noise otherwise.
bool IsClearlyBetter(std::span<const double> gains, std::span<const double> others) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const double difference = gains[i] - others[i];
    sum += difference;
    squares += difference * difference;
  }
  const auto clusters = static_cast<double>(gains.size());
  const double spread = std::max(0.0, squares - sum * sum / clusters);
  return sum > kClearly * std::sqrt(spread * clusters / (clusters - 1.0));
}

AutoLearner::Choice AutoLearner::Decide(std::span<const Trial> trials) {
  const Choice usual{&trials.front(), kDeclared};
  Choice best = usual;
  for (const Trial& trial : trials) {
    const std::size_t caution = trial.BestCaution();
    if (trial.total(caution) > best.trial->total(best.caution)) best = {&trial, caution};
  }
  const bool clearly =
      IsClearlyBetter(best.trial->gain.at(best.caution), usual.trial->gain.at(usual.caution));
  return clearly ? best : usual;
}

/// Adds what a fit gains in clusters that it has not seen, each as often as it is trained on.
void AutoLearner::Score(const FittedLearner& fitted, std::span<const std::size_t> clusters,
                        const stats::ClusterSplit& split, Trial& trial) const {
  MemberPredictions predictions;
  for (const std::size_t cluster : clusters) {
    const QueryRange range = problem_.table().queries_of(cluster);
    fitted.Predict(range, predictions);
    std::vector<ActionIndex> choices(range.size());
    for (std::size_t i = 0; i < kCaution.size(); ++i) {
      SelectActions(predictions,
                    GateWith(contestants_[trial.contestant], kCaution.at(i) * selector_.z),
                    choices);
      double gain = 0.0;
      for (std::size_t q = 0; q < choices.size(); ++q) {
        gain += double{rewards_.row(range.begin + q)[choices[q]]};
      }
      trial.gain.at(i).push_back(split.multiplicity[cluster] * gain);
    }
  }
}

std::unique_ptr<FittedLearner> AutoLearner::Fit(const stats::ClusterSplit& split,
                                                const RngStream& stream,
                                                const std::stop_token& stop) const {
  std::vector<std::size_t> trained;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    if (!split.is_held_out(k)) trained.push_back(k);
  }
  Rng rng = stream.Child("folds").Generator();
  rng.Shuffle(std::span(trained));
  std::vector<Trial> trials(contestants_.size());
  for (std::size_t i = 0; i < trials.size(); ++i) trials[i].contestant = i;
  const std::size_t folds = std::min(options_.folds, trained.size());
  for (std::size_t fold = 0; fold < folds && folds > 1; ++fold) {
    stats::ClusterSplit inner = split;
    std::vector<std::size_t> left_out;
    for (std::size_t i = fold; i < trained.size(); i += folds) left_out.push_back(trained[i]);
    for (const std::size_t k : left_out) inner.multiplicity[k] = 0;
    for (Trial& trial : trials) {
      const std::unique_ptr<FittedLearner> fitted = contestants_[trial.contestant].learner->Fit(
          inner, stream.Child("fold").Child(fold).Child(trial.contestant), stop);
      if (fitted == nullptr) return nullptr;
      Score(*fitted, left_out, split, trial);
    }
    // The first one stays whatever happens: the others are compared with it.
    std::stable_sort(trials.begin() + 1, trials.end(), [](const Trial& x, const Trial& y) {
      return x.total(x.BestCaution()) > y.total(y.BestCaution());
    });
    if (fold + 1 < folds) trials.resize((trials.size() + 1) / 2);
  }
  const Choice choice = Decide(trials);
  const Contestant& contestant = contestants_[choice.trial->contestant];
  const bool departs = choice.trial->total(choice.caution) > 0.0;
  const double z =
      departs ? kCaution.at(choice.caution) * selector_.z : std::numeric_limits<double>::infinity();
  const std::string named = departs ? fmt::format("{} ({}), z = {}", Name(contestant.config.kind),
                                                  Name(contestant.problem.target), z)
                                    : "none: the reference everywhere";
  std::unique_ptr<FittedLearner> chosen =
      contestant.learner->Fit(split, stream.Child("chosen"), stop);
  if (chosen == nullptr) return nullptr;
  return std::make_unique<FittedAuto>(
      std::move(chosen), OwnGate{named, contestant.problem.target, GateWith(contestant, z)});
}

/// Where nobody declared a target, regressions are tried with sums as well as with ratios.
std::vector<LearnerTarget> TargetsOf(const LearnerConfig& config) {
  if (config.target.has_value()) return {*config.target};
  const LearnerTarget own = OwnTarget(config.kind);
  if (own == LearnerTarget::kDifference) return {own};
  return {LearnerTarget::kDifference, own};
}

}  // namespace

Result<std::unique_ptr<Learner>> MakeAutoLearner(const LearningProblem& problem,
                                                 const LearnerConfig& declared,
                                                 const SelectorOptions& selector) {
  if (declared.automatic.learners.empty()) {
    return InputError("learner.auto.learners is empty: name at least one learner to choose");
  }
  std::vector<Contestant> contestants;
  for (const std::string& name : declared.automatic.learners) {
    LearnerConfig config = declared;
    config.kind = *LearnerKindNamed(name);
    config.forest.splits = ForestSplits::kOutcomes;
    for (const LearnerTarget target : TargetsOf(config)) {
      Contestant contestant{config, GONOGO_TRY(WithTarget(problem, target)), nullptr};
      contestant.learner = GONOGO_TRY(MakeLearner(config, contestant.problem, selector));
      contestants.push_back(std::move(contestant));
    }
  }
  LearningProblem judged = GONOGO_TRY(WithTarget(problem, LearnerTarget::kDifference));
  return std::unique_ptr<Learner>(std::make_unique<AutoLearner>(
      std::move(judged), declared.automatic, selector, std::move(contestants)));
}

}  // namespace gonogo::audit
