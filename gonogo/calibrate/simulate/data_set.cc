// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/data_set.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gonogo/audit/table/first_clusters.h"
#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

constexpr std::size_t kParts = 61;  // of known clusters: audited, the oracle's, and the rest

/// How strongly the log prefers an action by the feature that its effect depends on.
double Preference(Logging logging) {
  switch (logging) {
    case Logging::kWeak:
      return 1.5;
    case Logging::kEstimated:
      return 0.5;
    case Logging::kEven:
    case Logging::kFull:
      break;
  }
  return 0.0;
}

/// A softmax over actions, or direct with a probability of its own.
std::vector<double> Probabilities(const SyntheticWorld& world, const float* context) {
  if (world.exploration > 0.0) {
    const auto others = static_cast<double>(world.actions - 1);
    std::vector<double> share(world.actions, world.exploration / others);
    share[audit::kDirect] = 1.0 - world.exploration;
    return share;
  }
  std::vector<double> share(world.actions, 1.0);
  double sum = 1.0;
  for (std::size_t a = 1; a < world.actions; ++a) {
    share[a] = std::exp(Preference(world.logging) * context[(a - 1) % world.features]);
    sum += share[a];
  }
  for (double& p : share) p /= sum;
  return share;
}

/// Some parts of every cluster, the last of them with what is left over. Queries of a cluster are
/// exchangeable: the first ones are a random draw.
audit::OutcomeTable Slice(const audit::OutcomeTable& from, std::size_t first_part,
                          std::size_t end_part) {
  audit::OutcomeTable sliced = from;
  sliced.queries.clear();
  sliced.cluster_begin = {0};
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < from.num_clusters(); ++k) {
    const audit::QueryRange all = from.queries_of(k);
    const std::size_t part = std::max<std::size_t>(2, all.size() / kParts);
    const std::size_t end = end_part == kParts ? all.size() : end_part * part;
    for (std::size_t i = first_part * part; i < end; ++i) kept.push_back(all.begin + i);
    sliced.cluster_begin.push_back(kept.size());
  }
  audit::KeepQueries(kept, sliced);
  return sliced;
}

}  // namespace

Status CheckSimulable(const audit::Protocol& protocol) {
  const audit::QuestionConfig& question = protocol.question;
  if (protocol.rule.adapter_cost != 0.0) {
    return UsageError(
        "rule.adapter_cost is {} in units of your costs, which a simulated world does not have: "
        "set it to 0",
        protocol.rule.adapter_cost);
  }
  if (question.constraint == audit::Constraint::kNetSuccess ||
      question.constraint == audit::Constraint::kMeanSuccess || question.failure_price != 1.0 ||
      question.failure_cost != 0.0) {
    return UsageError(
        "protocol.constraint = \"net success\" or \"mean success\", protocol.failure_price and "
        "protocol.failure_cost are not simulated: what is true of a world is known for what each "
        "action breaks by itself, at the costs drawn");
  }
  if (protocol.bootstrap.method != audit::IntervalMethod::kRefit) {
    return UsageError(
        "bootstrap.method is \"folds\", which no rule decides by: expected "
        "\"refit\"");
  }
  return {};
}

audit::Protocol ProtocolFor(const audit::Protocol& declared, const SyntheticWorld& world,
                            bool with_pairs, const RngStream& data) {
  audit::Protocol protocol = declared;
  protocol.bootstrap.seed = data.Child("audit").Generator().NextU64() >> 1U;
  protocol.rule.kind =
      with_pairs ? audit::DecisionRule::kLeavePairOut : audit::DecisionRule::kCalibrated;
  protocol.min_clusters = std::min(protocol.min_clusters, world.clusters);
  protocol.logging.propensity.clear();
  protocol.logging.estimate = world.logging == Logging::kEstimated;
  protocol.reference.clear();
  protocol.actions.clear();
  protocol.table = {};
  protocol.learner.features.clear();
  protocol.feature_sets.clear();
  protocol.collect.reset();
  return protocol;
}

audit::OutcomeTable SampleLog(const SyntheticWorld& world, const audit::OutcomeTable& full,
                              const RngStream& stream) {
  GONOGO_CHECK(world.logging != Logging::kFull && world.constraint == ShownConstraint::kGiven);
  audit::OutcomeTable log = full;
  audit::LoggedOutcomes seen;
  Rng rng = stream.Generator();
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const std::vector<double> share =
        Probabilities(world, &full.features[0].values(static_cast<Eigen::Index>(query), 0));
    double left = rng.Uniform();
    audit::ActionIndex action = 0;
    while (action + 1 < world.actions && left >= share[action]) left -= share[action++];
    const std::size_t cell = full.cell(query, action);
    seen.action.push_back(action);
    seen.cost.push_back(full.cost[cell]);
    seen.eligible.push_back(full.eligible[cell]);
    if (world.logging != Logging::kEstimated) seen.propensity.push_back(share[action]);
  }
  log.cost.clear();
  log.eligible.clear();
  log.logged = std::move(seen);
  return log;
}

Result<DataSet> DrawDataSet(const SyntheticWorld& world, const audit::Protocol& protocol,
                            const RngStream& data, std::size_t attempt) {
  SyntheticWorld timed = world;
  timed.time_limit = protocol.time_budget + protocol.time_tolerance;
  const bool is_log = world.logging != Logging::kFull;
  if (protocol.question.deploy == audit::Deployment::kKnownClusters) {
    if (is_log) {
      return InputError("logs are simulated for new clusters only: without --known-blocks");
    }
    timed.queries *= kParts;
    const audit::OutcomeTable all = DrawTable(timed, data.Child("table"));
    return DataSet{
        .table = Slice(all, 0, 1), .oracle = Slice(all, 1, 2), .rest = Slice(all, 2, kParts)};
  }
  DataSet drawn{.table = DrawTable(timed, data.Child("table")),
                .oracle = DrawTable(timed, data.Child("oracle"))};
  if (is_log) drawn.table = SampleLog(world, drawn.table, data.Child("log").Child(attempt));
  return drawn;
}

}  // namespace gonogo::calibrate
