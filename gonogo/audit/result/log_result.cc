// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/log_result.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

using Json = nlohmann::json;

const char* NameOf(LogConstraint constraint) {
  switch (constraint) {
    case LogConstraint::kNothing:
      return "none";
    case LogConstraint::kAbsolute:
      return "absolute";
    case LogConstraint::kNet:
      return "net success";
    case LogConstraint::kNotIdentified:
      break;
  }
  return "not identified";
}

Json ValuesJson(const ValueEstimates& values, bool of_rewards) {
  const auto number = [&](double value) {
    return std::isfinite(value) ? Json(of_rewards ? -value : value) : Json();
  };
  return {{"doubly_robust", number(values.doubly_robust)},
          {"self_normalised", number(values.self_normalised)},
          {"direct_method", number(values.direct_method)}};
}

/// Fréchet bounds of Pr[S(a0) = 1, S(pi) = 0] from the two rates of success.
stats::Interval LostBetween(double reference, double adapter) {
  return {std::clamp(reference - adapter, 0.0, 1.0),
          std::clamp(std::min(reference, 1.0 - adapter), 0.0, 1.0)};
}

std::string SourceInWords(const AuditResult& result) {
  switch (result.log->source) {
    case PropensitySource::kColumn:
      return fmt::format("with the probabilities of column '{}'", result.protocol.table.propensity);
    case PropensitySource::kDeclared:
      return "with the declared probabilities";
    case PropensitySource::kEstimated:
      break;
  }
  return "with probabilities that were estimated";
}

std::string ConstraintInWords(const AuditResult& result) {
  switch (result.log->constraint) {
    case LogConstraint::kNothing:
      return "";
    case LogConstraint::kAbsolute:
      return fmt::format(
          " q is the share of the adapter's choices that break the constraint by themselves, as "
          "column '{}' judges the action that was tried.",
          result.protocol.table.eligible);
    case LogConstraint::kNet:
      return "";  // the question says it
    case LogConstraint::kNotIdentified:
      break;
  }
  return " How often the declared constraint is broken is not known.";
}

}  // namespace

void AddLogEstimates(AuditResult& result) {
  if (!result.log.has_value()) return;
  std::vector<const ChoiceTotals*> clusters;
  for (const Refit& fold : result.cross_fit) clusters.push_back(&fold.held_out.front());
  result.log->adapter = ValueOfChoices(clusters, static_cast<double>(result.table.queries));
  if (result.point.success.has_value() && result.point.success_direct.has_value()) {
    result.log->lost_success = LostBetween(*result.point.success_direct, *result.point.success);
  }
}

bool KnowsViolations(const AuditResult& result) {
  return !result.log.has_value() || result.log->constraint != LogConstraint::kNotIdentified;
}

std::optional<Obstacle> FindLogObstacle(const AuditResult& result) {
  if (!result.log.has_value()) return std::nullopt;
  if (!KnowsViolations(result)) {
    Obstacle obstacle{.reason = result.log->not_identified};
    obstacle.check = {
        "Is it enough that the adapter does not succeed less often on average? Declare "
        "protocol.constraint = \"net success\".",
        fmt::format("Can each try be judged by itself, such as \"failed\" or \"took more than 10 "
                    "s\"? Add a column '{}' with 1 where it was good enough: then q is the share "
                    "of choices that are not.",
                    result.protocol.table.eligible),
        "Does the cost already say what a failure is worth? Declare protocol.constraint = "
        "\"none\", with protocol.failure_price if failures should cost more."};
    return obstacle;
  }
  for (std::size_t action = 0; action < result.actions.size(); ++action) {
    const std::size_t clusters = result.log->overlap.actions[action].clusters;
    const std::size_t fewest = std::min(kFewestClustersTried, result.protocol.min_clusters);
    if (clusters >= fewest) continue;
    return Obstacle{
        .reason = fmt::format("'{}' was tried in {} clusters, and {} are needed for an interval",
                              result.actions[action].name, clusters, fewest),
        .check = {"Try every action in every cluster: 'gonogo randomise' writes such a plan.",
                  "Or leave the action out of the table and of protocol.actions."}};
  }
  return std::nullopt;
}

std::vector<std::string> LogReasons(const AuditResult& result) {
  if (!result.log.has_value() || result.log->source != PropensitySource::kEstimated) return {};
  return {
      "the probabilities with which actions were tried were estimated from the log: whatever "
      "decided about them and is not among the features distorts every comparison, and no interval "
      "contains that"};
}

std::string LogInWords(const AuditResult& result) {
  if (!result.log.has_value()) return "";
  const LogReport& log = *result.log;
  return fmt::format(
      "The table is a log: one action was tried at every query. What the others would have cost is "
      "estimated, doubly robust, {}; {} models, which explain {} of the variance of the costs "
      "seen, "
      "never saw the cluster they are used in. The tries are worth {} of {} queries.{}",
      SourceInWords(result), log.models, Percent(log.explained, 1),
      Decimal(log.overlap.effective_queries, 0), result.table.queries, ConstraintInWords(result));
}

void DropViolations(nlohmann::json& rule) {
  Json kept = Json::array();
  for (Json& channel : rule["channels"]) {
    if (channel["name"] != "q") kept.push_back(std::move(channel));
  }
  rule["channels"] = std::move(kept);
}

void AddLogJson(const AuditResult& result, nlohmann::json& out) {
  const LogReport& log = *result.log;
  Json actions = Json::array();
  for (std::size_t action = 0; action < result.actions.size(); ++action) {
    const ActionOverlap& overlap = log.overlap.actions[action];
    actions.push_back({{"name", result.actions[action].name},
                       {"tries", overlap.tries},
                       {"clusters", overlap.clusters},
                       {"effective_tries", overlap.effective_tries},
                       {"least_propensity", overlap.least_propensity},
                       {"largest_weight_share", overlap.largest_weight},
                       {"mean_weight", overlap.mean_weight},
                       {"mean_weight_se", overlap.mean_weight_error},
                       {"balance",
                        {{"feature", log.balance[action].feature},
                         {"difference", log.balance[action].difference},
                         {"standard_errors", log.balance[action].standard_errors}}},
                       {"mean_cost", ValuesJson(log.fixed[action], result.table.of_rewards)}});
  }
  Json clusters = Json::array();
  for (std::size_t k = 0; k < result.clusters.size(); ++k) {
    clusters.push_back(
        {{"name", result.clusters[k]}, {"effective_queries", log.overlap.cluster_effective[k]}});
  }
  out["log"] = {{"words", LogInWords(result)},
                {"propensities", Name(log.source)},
                {"constraint", NameOf(log.constraint)},
                {"models", log.models},
                {"folds", log.folds},
                {"explained", log.explained},
                {"effective_queries", log.overlap.effective_queries},
                {"actions", std::move(actions)},
                {"clusters", std::move(clusters)},
                {"adapter_mean_cost", ValuesJson(*log.adapter, result.table.of_rewards)}};
  if (log.lost_success.has_value()) {
    out["log"]["lost_success"] = {{"lower", log.lost_success->lower},
                                  {"upper", log.lost_success->upper}};
  }
  out["table"]["kind"] = "logged";
  out["diagnostics"]["work_mae"] = nullptr;
  out["diagnostics"].erase("oracle_agreement");
  out["diagnostics"]["success"].erase("oracle");
  out["replicates"].erase("H_avail");
  for (Json& action : out["actions"]) {
    action.erase("oracle_frequency");
    if (!KnowsViolations(result)) action.erase("violation_rate");
  }
  if (KnowsViolations(result)) return;
  for (const char* key : {"q_mixture", "q_reference"}) out["diagnostics"].erase(key);
  for (Json& fold : out["folds"]) fold.erase("q");
  out["replicates"].erase("q");
}

}  // namespace gonogo::audit
