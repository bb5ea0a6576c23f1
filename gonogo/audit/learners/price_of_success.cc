// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/price_of_success.h"

#include <algorithm>
#include <cmath>

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kFolds = 5;
// Sixteenths of an octave from the rate at which the fixed actions trade cost for success: from a
// sixteenth of it, where nearly everything goes to the cheap action, to 64 times. Fine around the
// rate, where a weak signal moves many choices at once.
constexpr int kLowest = -64;
constexpr int kFineFrom = -16;
constexpr int kFineTo = 32;
constexpr int kHighest = 96;
constexpr int kCoarse = 4;

std::vector<double> PricesAround(double rate) {
  std::vector<double> prices;
  for (int step = kLowest; step <= kHighest;
       step += step >= kFineFrom && step < kFineTo ? 1 : kCoarse) {
    prices.push_back(rate * std::pow(2.0, step / 16.0));
  }
  return prices;
}

/// Adds `price` times the predicted failures to the predicted cost, member by member: members of
/// both learners are fitted to the same resamples of the clusters.
MemberPredictions Priced(const MemberPredictions& cost, const MemberPredictions& failures,
                         double price) {
  MemberPredictions sum = cost;
  for (std::size_t i = 0; i < sum.work.size(); ++i) sum.work[i] += price * failures.work[i];
  return sum;
}

std::vector<std::size_t> TrainedInRandomOrder(const stats::ClusterSplit& split,
                                              const RngStream& stream) {
  std::vector<std::size_t> trained;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    if (!split.is_held_out(k)) trained.push_back(k);
  }
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(trained));
  return trained;
}

/// One learner for each price would be made of the same table; this one is made when it is known.
class BudgetLearner final : public Learner {
 public:
  BudgetLearner(const LearnerConfig& config, const LearningProblem& problem,
                const SuccessBudget& budget, std::unique_ptr<const PricedSuccess> priced)
      : config_(config), problem_(problem), budget_(budget), priced_(std::move(priced)) {}

  [[nodiscard]] std::unique_ptr<FittedLearner> Fit(const stats::ClusterSplit& split,
                                                   const RngStream& stream,
                                                   const std::stop_token& stop) const override;

 private:
  LearnerConfig config_;
  LearningProblem problem_;
  SuccessBudget budget_;
  std::unique_ptr<const PricedSuccess> priced_;
};

/// A fitted learner with the problem and the learner that it points into.
class FittedAtPrice final : public FittedLearner {
 public:
  static std::unique_ptr<FittedAtPrice> Make(const LearnerConfig& config,
                                             const LearningProblem& problem, double price) {
    auto made = std::make_unique<FittedAtPrice>();
    made->problem_ = problem;
    made->problem_->success_price = price;
    Result<std::unique_ptr<Learner>> learner = MakeLearner(config, *made->problem_);
    GONOGO_CHECK(learner.ok());  // the same was made of the same table before
    made->learner_ = std::move(learner).value();
    return made;
  }

  [[nodiscard]] bool FitTo(const stats::ClusterSplit& split, const RngStream& stream,
                           const std::stop_token& stop) {
    fitted_ = learner_->Fit(split, stream, stop);
    return fitted_ != nullptr;
  }
  void Predict(QueryRange range, MemberPredictions& predictions) const override {
    fitted_->Predict(range, predictions);
  }
  [[nodiscard]] nn::EffectModel Describe() const override { return fitted_->Describe(); }

 private:
  std::optional<LearningProblem> problem_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<FittedLearner> fitted_;
};

std::unique_ptr<FittedLearner> BudgetLearner::Fit(const stats::ClusterSplit& split,
                                                  const RngStream& stream,
                                                  const std::stop_token& stop) const {
  const auto outcomes = priced_->Try(split, budget_.selector, stream.Child("budget"), stop);
  if (outcomes.empty()) return nullptr;
  const std::size_t chosen = PricedSuccess::Cheapest(outcomes, budget_.loss);
  auto fitted = FittedAtPrice::Make(config_, problem_, priced_->prices()[chosen]);
  if (!fitted->FitTo(split, stream, stop)) return nullptr;
  return fitted;
}

}  // namespace

SuccessBudget BudgetOf(const Protocol& protocol) {
  const double declared = protocol.selector.violation_share;
  return {.loss = (declared > 0.0 ? declared : 0.5) * protocol.thresholds.kappa,
          .selector = protocol.selector};
}

Result<std::unique_ptr<const PricedSuccess>> PricedSuccess::Make(const LearnerConfig& config,
                                                                 const LearningProblem& problem) {
  GONOGO_CHECK(problem.target == LearnerTarget::kDifference && problem.table().has_success());
  std::unique_ptr<PricedSuccess> made(new PricedSuccess);
  made->cost_problem_ = problem;
  made->failure_problem_ = problem;
  made->failure_problem_.cost_weight = 0.0;
  made->failure_problem_.success_price = problem.work_unit;
  made->cost_ = GONOGO_TRY(MakeLearner(config, made->cost_problem_));
  made->failures_ = GONOGO_TRY(MakeLearner(config, made->failure_problem_));
  const double rate = problem.outcomes->totals.success_price;
  made->prices_ = PricesAround(rate > 0.0 ? rate : problem.work_unit);
  return std::unique_ptr<const PricedSuccess>(std::move(made));
}

PricedSuccess::Pair PricedSuccess::Fit(const stats::ClusterSplit& split, const RngStream& stream,
                                       const std::stop_token& stop) const {
  Pair pair{.cost = cost_->Fit(split, stream, stop), .failures = {}};
  if (pair.cost != nullptr) pair.failures = failures_->Fit(split, stream, stop);
  return pair;
}

std::vector<std::vector<ActionIndex>> PricedSuccess::ChoicesAt(
    const Pair& pair, std::size_t cluster, std::span<const double> prices,
    const SelectorOptions& selector) const {
  const QueryRange range = cost_problem_.table().queries_of(cluster);
  MemberPredictions cost;
  MemberPredictions failures;
  pair.cost->Predict(range, cost);
  pair.failures->Predict(range, failures);
  std::vector<std::vector<ActionIndex>> choices;
  for (const double price : prices) {
    choices.emplace_back(range.size());
    SelectActions(Priced(cost, failures, price / cost_problem_.work_unit), 0.0, selector,
                  choices.back());
  }
  return choices;
}

std::vector<PricedSuccess::Outcome> PricedSuccess::Try(const stats::ClusterSplit& split,
                                                       const SelectorOptions& selector,
                                                       const RngStream& stream,
                                                       const std::stop_token& stop) const {
  const PotentialOutcomes& outcomes = *cost_problem_.outcomes;
  const OutcomeTable& table = *outcomes.table;
  const std::vector<std::size_t> trained = TrainedInRandomOrder(split, stream.Child("order"));
  std::vector<Outcome> sums(prices_.size());
  double queries = 0.0;
  for (std::size_t fold = 0; fold < std::min(kFolds, trained.size()); ++fold) {
    stats::ClusterSplit inner = split;
    for (std::size_t i = fold; i < trained.size(); i += kFolds) inner.multiplicity[trained[i]] = 0;
    if (trained.size() < 2) inner = split;  // nothing to leave out
    const Pair pair = Fit(inner, stream.Child("fold").Child(fold), stop);
    if (pair.failures == nullptr) return {};
    for (std::size_t i = fold; i < trained.size(); i += kFolds) {
      const std::size_t begin = table.queries_of(trained[i]).begin;
      const double times = split.multiplicity[trained[i]];
      const auto choices = ChoicesAt(pair, trained[i], prices_, selector);
      queries += times * static_cast<double>(choices.front().size());
      for (std::size_t p = 0; p < prices_.size(); ++p) {
        for (std::size_t q = 0; q < choices[p].size(); ++q) {
          sums[p].cost += times * table.cost[table.cell(begin + q, choices[p][q])];
          sums[p].lost += times * outcomes.violation(begin + q, choices[p][q]);
        }
      }
    }
  }
  for (Outcome& sum : sums) sum.lost /= queries;
  return sums;
}

std::size_t PricedSuccess::Cheapest(const std::vector<Outcome>& outcomes, double loss) {
  std::size_t best = outcomes.size() - 1;
  for (std::size_t p = outcomes.size(); p-- > 0;) {
    const bool keeps = outcomes[p].lost <= loss;
    if (keeps && (outcomes[p].cost < outcomes[best].cost || outcomes[best].lost > loss)) best = p;
  }
  return best;
}

Result<std::unique_ptr<Learner>> MakeBudgetLearner(const LearnerConfig& config,
                                                   const LearningProblem& problem,
                                                   const SuccessBudget& budget) {
  if (config.kind == LearnerKind::kPolicy) {
    return InputError(
        "learner.kind is \"policy\", which predicts nothing that a price could be put on: with "
        "protocol.constraint = \"mean success\" use another learner, such as ridge or forest");
  }
  std::unique_ptr<const PricedSuccess> priced = GONOGO_TRY(PricedSuccess::Make(config, problem));
  return std::unique_ptr<Learner>(
      std::make_unique<BudgetLearner>(config, problem, budget, std::move(priced)));
}

}  // namespace gonogo::audit
