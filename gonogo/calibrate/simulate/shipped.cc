// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/truth.h"

#include <algorithm>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/estimands/fixed_reference.h"
#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

using audit::ActionIndex;
using audit::kDirect;

constexpr std::size_t kQueriesAtOnce = 512;

/// The data set with the fresh queries as one more cluster, which nobody trains on: every learner
/// predicts there through its usual interface. Its outcomes, all one, enter neither training nor
/// truth.
audit::OutcomeTable AppendFresh(const audit::OutcomeTable& table, const FreshQueries& fresh) {
  audit::OutcomeTable both = table;
  const Eigen::Index before = table.features[0].values.rows();
  const Eigen::Index added = fresh.context.rows();
  both.clusters.emplace_back("fresh");
  both.cluster_begin.push_back(static_cast<std::size_t>(before + added));
  both.cost.resize(both.num_queries() * both.num_actions(), 1.0);
  const std::size_t cells = both.num_queries() * both.num_actions();
  if (!both.eligible.empty()) both.eligible.resize(cells, 1);
  if (!both.time.empty()) both.time.resize(cells, 1.0);
  if (!both.success.empty()) both.success.resize(cells, 1);
  if (both.scored.has_value()) {
    both.scored->violation.resize(cells, 0.0);
    both.scored->predicted.resize(cells, 1.0);
    both.scored->weight.resize(cells, 1.0);
    both.scored->seen.resize(cells, 1.0);
  }
  both.features[0].values.conservativeResize(before + added, Eigen::NoChange);
  both.features[0].values.bottomRows(added) = fresh.context;
  return both;
}

double FixedCost(const FreshQueries& fresh, std::size_t actions, ActionIndex action) {
  double sum = 0.0;
  for (std::size_t i = action; i < fresh.cost.size(); i += actions) sum += fresh.cost[i];
  return sum;
}

}  // namespace

bool DeservesGo(const Truth& truth, double h_dep, const audit::Thresholds& thresholds) {
  return h_dep > thresholds.delta_dep && truth.h_alloc > thresholds.delta_alloc &&
         truth.q <= thresholds.kappa && truth.h_total > 0.0;
}

Truth EvaluateChoices(const World& world, const FreshQueries& fresh,
                      std::span<const ActionIndex> choices, ActionIndex stable, ActionIndex argmin,
                      double kappa) {
  GONOGO_CHECK(choices.size() == fresh.violation.size());
  const auto queries = static_cast<double>(choices.size());
  std::vector<double> fixed(world.actions);
  for (ActionIndex a = 0; a < world.actions; ++a) fixed[a] = FixedCost(fresh, world.actions, a);
  std::vector<double> share(world.actions, 0.0);
  double policy = 0.0;
  double violations = 0.0;
  double candidate_violations = 0.0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    share[choices[i]] += 1.0 / queries;
    policy += fresh.cost[i * world.actions + choices[i]];
    candidate_violations += fresh.violation[i];
    if (choices[i] != kDirect) violations += fresh.violation[i];
  }
  double mixture = 0.0;
  for (std::size_t a = 0; a < world.actions; ++a) mixture += share[a] * fixed[a];
  const bool candidates_admissible = candidate_violations / queries <= kappa;
  const double best =
      candidates_admissible ? *std::min_element(fixed.begin(), fixed.end()) : fixed[kDirect];
  return {.h_total = audit::RelativeGain(policy, fixed[kDirect]),
          .h_alloc = audit::RelativeGain(policy, mixture),
          .h_dep = audit::RelativeGain(policy, fixed[stable]),
          .h_dep_argmin = audit::RelativeGain(policy, fixed[argmin]),
          .h_dep_best = audit::RelativeGain(policy, best),
          .q = violations / queries};
}

Result<Truth> ShippedTruth(const World& world, const FreshQueries& fresh,
                           const audit::OutcomeTable& table, const LearnerFactory& factory,
                           double kappa, const RngStream& stream) {
  const audit::OutcomeTable both = AppendFresh(table, fresh);
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(both, 1.0);
  const audit::LearningProblem problem = GONOGO_TRY(audit::SelectFeatures(outcomes, {}));
  const std::unique_ptr<audit::Learner> learner = GONOGO_TRY(factory(problem));
  std::vector<std::uint32_t> trained(both.num_clusters(), 1);
  trained.back() = 0;
  const std::unique_ptr<audit::FittedLearner> fitted =
      learner->Fit({trained}, stream.Child("learner"), {});
  std::vector<ActionIndex> choices(fresh.violation.size());
  audit::MemberPredictions predictions;
  for (std::size_t begin = 0; begin < choices.size(); begin += kQueriesAtOnce) {
    const std::size_t size = std::min(kQueriesAtOnce, choices.size() - begin);
    const std::size_t first = table.num_queries() + begin;
    fitted->Predict({first, first + size}, predictions);
    audit::SelectActions(predictions, problem.time_limit(), {},
                         std::span(choices).subspan(begin, size));
  }
  return EvaluateChoices(world, fresh, choices,
                         audit::SelectStableAction(outcomes.totals, trained, kappa),
                         audit::SelectFixedAction(outcomes.totals, trained, kappa), kappa);
}

}  // namespace gonogo::calibrate
