// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/learner.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/base/nearest.h"

namespace gonogo::audit {

adapter::Gate GateOf(const SelectorOptions& options, double time_limit) {
  return {.z = options.z,
          .ddof = options.ddof,
          .min_eligibility = options.min_eligibility,
          .time_limit = time_limit};
}

adapter::EffectView<double> EffectsAt(const MemberPredictions& predictions, std::size_t query) {
  const std::size_t first = predictions.index(0, query, 0);
  const auto from = [&](const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data() + first;
  };
  return {.work = from(predictions.work),
          .time = from(predictions.time),
          .eligible = from(predictions.eligible),
          .stride = predictions.queries * predictions.candidates,
          .members = predictions.members,
          .candidates = predictions.candidates};
}

double MeanWork(const MemberPredictions& predictions, std::size_t query, std::size_t candidate) {
  const std::size_t stride = predictions.queries * predictions.candidates;
  const std::size_t first = predictions.index(0, query, candidate);
  return adapter::OverMembers(predictions.work.data() + first, stride, predictions.members, 0).mean;
}

void SelectActions(const MemberPredictions& predictions, double time_limit,
                   const SelectorOptions& options, std::span<ActionIndex> choices) {
  GONOGO_CHECK(choices.size() == predictions.queries);
  GONOGO_CHECK(predictions.members > 0);
  const adapter::Gate gate = GateOf(options, time_limit);
  for (std::size_t query = 0; query < predictions.queries; ++query) {
    choices[query] =
        static_cast<ActionIndex>(adapter::SelectAction(EffectsAt(predictions, query), gate));
  }
}

namespace {

template <typename Group>
std::size_t CountColumns(const std::vector<const Group*>& groups) {
  std::size_t columns = 0;
  for (const Group* group : groups) columns += static_cast<std::size_t>(group->values.cols());
  return columns;
}

template <typename Group>
void CopyRow(const std::vector<const Group*>& groups, std::size_t row, std::span<float> out) {
  float* slot = out.data();
  for (const Group* group : groups) {
    const auto width = group->values.cols();
    const float* values = group->values.data() + static_cast<Eigen::Index>(row) * width;
    slot = std::copy(values, values + width, slot);
  }
  GONOGO_CHECK(slot == out.data() + out.size());
}

template <typename Group>
bool Take(const std::vector<Group>& groups, const std::string& name,
          std::vector<const Group*>& taken) {
  for (const Group& group : groups) {
    if (group.name != name) continue;
    taken.push_back(&group);
    return true;
  }
  return false;
}

Error NoGroup(const std::string& name, const std::vector<std::string>& known) {
  return InputError("no feature group '{}'{}", name, DidYouMean(name, known));
}

std::vector<std::string> GroupNames(const OutcomeTable& table) {
  std::vector<std::string> names;
  for (const FeatureGroup& group : table.features) names.push_back(group.name);
  for (const ActionFeatureGroup& group : table.action_features) names.push_back(group.name);
  return names;
}

/// Mean of the reference's outcomes; 1 where all of them are zero.
double MeanReference(const OutcomeTable& table, const std::vector<double>& outcome) {
  double sum = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    sum += outcome[table.cell(query, kDirect)];
  }
  if (table.of_rewards && &outcome == &table.cost) sum = -sum;
  return sum > 0.0 ? sum / static_cast<double>(table.num_queries()) : 1.0;
}

Status CheckLogarithms(const OutcomeTable& table, const std::vector<double>& outcome,
                       std::string_view what) {
  for (std::size_t cell = 0; cell < outcome.size(); ++cell) {
    if (outcome[cell] > 0.0) continue;
    const std::size_t query = cell / table.num_actions();
    return InputError(
        "query {}: the {} of action '{}' is {}, which has no logarithm: use learner.target = "
        "\"ratio\" or \"difference\"",
        table.queries.empty() ? fmt::format("{}", query) : table.queries[query], what,
        table.actions[cell % table.num_actions()], outcome[cell]);
  }
  return {};
}

}  // namespace

std::size_t LearningProblem::num_features() const { return CountColumns(features); }
std::size_t LearningProblem::num_action_features() const { return CountColumns(action_features); }

bool LearningProblem::predicts_time() const {
  return !table().time.empty() && table().eligible.empty();
}

bool LearningProblem::predicts_eligibility() const {
  if (table().prices_success) return false;  // the price of a success keeps the budget
  return !table().time.empty() || !table().success.empty() || !table().eligible.empty();
}

double LearningProblem::work_target(std::size_t query, std::size_t candidate) const {
  const std::size_t direct = table().cell(query, kDirect);
  const double cost = table().cost[direct + 1 + candidate];
  const double reference = table().cost[direct];
  switch (target) {
    case LearnerTarget::kDifference:
      if (!table().prices_success) return (cost - reference) / work_unit;
      return (cost_weight * (cost - reference) +
              success_price *
                  (table().success_at(direct) - table().success_at(direct + 1 + candidate))) /
             work_unit;
    case LearnerTarget::kLog:
      return std::log(cost / reference);
    case LearnerTarget::kRatio:
      break;
  }
  return cost / reference - 1.0;
}

double LearningProblem::time_target(std::size_t query, std::size_t candidate) const {
  const std::size_t direct = table().cell(query, kDirect);
  const double time = table().time[direct + 1 + candidate];
  const double reference = table().time[direct];
  switch (target) {
    case LearnerTarget::kDifference:
      return (time - outcomes->rho * reference) / time_unit;
    case LearnerTarget::kLog:
      return std::log(time / reference);
    case LearnerTarget::kRatio:
      break;
  }
  return time / reference - 1.0;
}

double LearningProblem::time_limit() const {
  switch (target) {
    case LearnerTarget::kDifference:
      return 0.0;
    case LearnerTarget::kLog:
      return std::log(outcomes->rho);
    case LearnerTarget::kRatio:
      break;
  }
  return outcomes->rho - 1.0;
}

double LearningProblem::eligible(std::size_t query, std::size_t candidate) const {
  return outcomes->eligible[table().cell(query, kDirect) + 1 + candidate];
}

void LearningProblem::CopyFeatures(std::size_t query, std::span<float> out) const {
  CopyRow(features, query, out);
}

void LearningProblem::CopyActionFeatures(std::size_t query, std::size_t candidate,
                                         std::span<float> out) const {
  const auto action = static_cast<ActionIndex>(candidate + 1);
  CopyRow(action_features, table().cell(query, action), out);
}

Status CheckGroups(const OutcomeTable& table, std::span<const std::string> groups) {
  const std::vector<std::string> known = GroupNames(table);
  for (const std::string& name : groups) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return NoGroup(name, known);
  }
  return {};
}

Result<LearningProblem> SelectFeatures(const PotentialOutcomes& outcomes,
                                       std::span<const std::string> groups) {
  const OutcomeTable& table = *outcomes.table;
  const std::vector<std::string> known = GroupNames(table);
  LearningProblem problem{.outcomes = &outcomes};
  for (const std::string& name : groups.empty() ? std::span<const std::string>(known) : groups) {
    if (Take(table.features, name, problem.features)) continue;
    if (Take(table.action_features, name, problem.action_features)) continue;
    return NoGroup(name, known);
  }
  if (problem.num_features() + problem.num_action_features() == 0) {
    return InputError(
        "no features for a learner: none of the columns is obs_*, target_* or f_* (CSV) and "
        "nothing "
        "is below /features (HDF5); name yours under [table] features in the protocol, or audit "
        "existing choices with --choices");
  }
  return problem;
}

Result<LearningProblem> WithTarget(LearningProblem problem, LearnerTarget target) {
  const OutcomeTable& table = problem.table();
  problem.target = target;
  if (target == LearnerTarget::kDifference) {
    problem.work_unit = MeanReference(table, table.cost);
    if (problem.predicts_time()) problem.time_unit = MeanReference(table, table.time);
  }
  if (target == LearnerTarget::kLog) {
    GONOGO_TRY(CheckLogarithms(table, table.cost, "cost"));
    if (problem.predicts_time()) GONOGO_TRY(CheckLogarithms(table, table.time, "time"));
  }
  return problem;
}

Result<LearningProblem> MakeProblem(const PotentialOutcomes& outcomes,
                                    const LearnerConfig& learner) {
  LearningProblem problem = GONOGO_TRY(SelectFeatures(outcomes, learner.features));
  return WithTarget(std::move(problem), TargetOf(learner));
}

nn::EffectModel StartEffectModel(const LearningProblem& problem, std::size_t members,
                                 nn::EffectLink eligibility) {
  nn::EffectModel model{.features = problem.num_features(),
                        .action_features = problem.num_action_features(),
                        .candidates = problem.table().num_candidates(),
                        .members = members,
                        .outputs = {{"work"}}};
  if (problem.predicts_time()) model.outputs.push_back({"time"});
  if (problem.predicts_eligibility()) model.outputs.push_back({"eligible", eligibility});
  return model;
}

void ResizePredictions(const LearningProblem& problem, std::size_t members, std::size_t queries,
                       MemberPredictions& predictions) {
  predictions.members = members;
  predictions.queries = queries;
  predictions.candidates = problem.table().num_candidates();
  const std::size_t size = members * queries * predictions.candidates;
  predictions.work.resize(size);
  predictions.time.resize(problem.predicts_time() ? size : 0);
  predictions.eligible.resize(problem.predicts_eligibility() ? size : 0);
}

}  // namespace gonogo::audit
