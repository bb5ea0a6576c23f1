// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/result_json.h"

#include <algorithm>

#include "gonogo/audit/result/log_result.h"
#include "gonogo/audit/result/price_curve_json.h"
#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/rules/calibrated/json.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/pairs/json.h"
#include "gonogo/io/build_info.h"

namespace gonogo::audit {
namespace {

using Json = nlohmann::json;

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

Json EstimateJson(const Estimate& estimate) {
  const bool has = estimate.interval.has_value();
  return {{"point", estimate.point},
          {"lower", has ? Json(estimate.interval->lower) : Json(nullptr)},
          {"upper", has ? Json(estimate.interval->upper) : Json(nullptr)},
          {"bootstrap_mean", OrNull(estimate.bootstrap_mean)}};
}

Json EstimatesJson(const AuditResult& result) {
  Json estimates = {{"H_global", EstimateJson(result.h_global)},
                    {result.log ? "H_model" : "H_avail", EstimateJson(result.h_avail)},
                    {"H_total", EstimateJson(result.h_total)},
                    {"H_alloc", EstimateJson(result.h_alloc)},
                    {"H_dep", EstimateJson(result.h_dep)}};
  if (KnowsViolations(result)) estimates["q"] = EstimateJson(result.q);
  return estimates;
}

Json VerdictJson(const std::optional<Verdict>& verdict) {
  return verdict.has_value() ? Json(Name(*verdict)) : Json(nullptr);
}

std::optional<Verdict> VerdictOf(const std::optional<Decision>& reading) {
  if (!reading.has_value()) return std::nullopt;
  return reading->verdict;
}

std::string_view IntervalName(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::kRefit:
      return "refit";
    case IntervalKind::kFolds:
      return "folds";
    case IntervalKind::kFixedChoices:
      break;
  }
  return "choices";
}

std::string_view PaperTarget(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::kRefit:
      return "adapters trained on the distinct clusters of a bootstrap draw";
    case IntervalKind::kFolds:
      return "these fitted selectors, one for each held-out cluster";
    case IntervalKind::kFixedChoices:
      break;
  }
  return "the choices as they are";
}

/// Name, threshold and state of a channel, as every list of channels writes them.
void AddReading(const ChannelReading& reading, Json& json) {
  json["name"] = reading.key;
  json["threshold"] = reading.threshold;
  json["direction"] = reading.above ? "above" : "below";
  json["state"] = reading.state.has_value() ? Json(Name(*reading.state)) : Json();
}

/// The paper's rule with its three channels, in the form in which any rule is written.
Json PaperRule(const AuditResult& result, const RuleReading& paper) {
  const Json estimates = EstimatesJson(result);
  Json channels = Json::array();
  for (const ChannelReading& reading : paper.channels) {
    channels.push_back(estimates[std::string(reading.key)]);
    AddReading(reading, channels.back());
  }
  return {{"name", "paper"},
          {"decision", VerdictJson(paper.verdict)},
          {"target", PaperTarget(result.interval_kind)},
          {"channels", std::move(channels)}};
}

Json ChannelJson(const RuleReading& rule, const ChannelReading& reading) {
  const auto bound = [&](double stats::Interval::*end) {
    return reading.interval.has_value() ? Json((*reading.interval).*end) : Json();
  };
  Json json{{"rule", Name(rule.rule)},
            {"decides", rule.decides},
            {"question", reading.question},
            {"point", reading.point},
            {"lower", bound(&stats::Interval::lower)},
            {"upper", bound(&stats::Interval::upper)},
            {"needed", Needed(reading)},
            {"decided_by", nullptr}};
  AddReading(reading, json);
  if (reading.decided_by.has_value()) {
    json["decided_by"] = {{"end", Name(reading.decided_by->end)},
                          {"value", reading.decided_by->value}};
  }
  return json;
}

/// Every channel of every rule, those of the rule that decides first.
Json ChannelsJson(const std::vector<RuleReading>& rules) {
  Json list = Json::array();
  for (const RuleReading& rule : rules) {
    for (const ChannelReading& reading : rule.channels) list.push_back(ChannelJson(rule, reading));
  }
  return list;
}

/// A rule whose intervals are not to be read: no states, and no words about their reading.
void Unread(Json& rule) {
  for (Json& channel : rule["channels"]) channel["state"] = nullptr;
  rule.erase("flip_rate");
  rule.erase("trust");
}

/// Every rule that was computed. With too few clusters none of them decides.
Json RulesJson(const AuditResult& result, const std::vector<RuleReading>& readings) {
  const auto paper = std::find_if(readings.begin(), readings.end(), [](const RuleReading& rule) {
    return rule.rule == DecisionRule::kPaper;
  });
  Json rules = Json::array({PaperRule(result, *paper)});
  if (!result.calibrated.has_value()) return rules;
  std::vector<std::string> actions;
  for (const ActionSummary& action : result.actions) actions.push_back(action.name);
  const bool given = result.interval_kind == IntervalKind::kFixedChoices;
  const Thresholds& thresholds = result.protocol.thresholds;
  const ViolationClustering clustering{result.protocol.rule.icc, result.protocol.rule.least_icc};
  rules.push_back(CalibratedRuleJson(*result.calibrated, thresholds, clustering, actions,
                                     given ? "the adapter that made these choices"
                                           : "the adapter that would ship, trained on every "
                                             "cluster"));
  if (result.pairs.has_value()) {
    rules.push_back(PairRuleJson(*result.pairs, thresholds, clustering, actions));
  }
  for (Json& rule : rules) {
    for (Json& channel : rule["channels"]) {
      if (!channel.contains("seen_icc")) continue;
      channel["assumed_icc"] = {{"least", clustering.least_icc},
                                {"without_violations", clustering.icc}};
    }
    if (!KnowsViolations(result)) DropViolations(rule);
    if (!result.paper_reading.has_value()) rule["decision"] = nullptr;
    if (result.obstacle.has_value()) Unread(rule);
  }
  return rules;
}

Json ProtocolJson(const Protocol& protocol) {
  Json json = {{"name", protocol.name},
               {"reference", protocol.reference},
               {"actions", protocol.actions},
               {"cluster", protocol.cluster},
               {"min_clusters", protocol.min_clusters},
               {"time_budget", protocol.time_budget}};
  Json declared = Json::object();
  for (const auto& [key, value] : Entries(protocol)) declared[key] = value;
  json["declared"] = std::move(declared);
  return json;
}

Json DiagnosticsJson(const AuditResult& result) {
  const Estimands& point = result.point;
  return {{"work_mae", result.source == "choices" ? Json() : Json(point.work_mae)},
          {"activation", point.activation},
          {"oracle_agreement", point.oracle_agreement},
          {"folds_beating_mixture", point.folds_beating_mixture},
          {"folds", result.folds.size()},
          {"H_global_unconstrained", point.h_global_unconstrained},
          {"H_alloc_pooled", point.h_alloc_pooled},
          {"mixture_total", point.mixture_total},
          {"covariance_gain", point.covariance_gain},
          {"q_mixture", point.q_mix},
          {"q_reference", point.q_ref},
          {"global_action", result.actions[point.global_action].name},
          {"global_action_unconstrained", result.actions[point.global_action_unconstrained].name},
          {"success",
           {{"direct", OrNull(point.success_direct)},
            {"selector", OrNull(point.success)},
            {"oracle", OrNull(point.success_oracle)}}}};
}

Json ActionsJson(const AuditResult& result) {
  Json list = Json::array();
  for (const ActionSummary& action : result.actions) {
    list.push_back({{"name", action.name},
                    {"selector_frequency", action.chosen},
                    {"oracle_frequency", action.oracle},
                    {"gain_where_chosen", action.gain},
                    {"gain", action.fixed_gain},
                    {"violation_rate", action.fixed_violations},
                    {"reference_folds", action.reference_folds}});
  }
  return list;
}

Json FoldsJson(const AuditResult& result) {
  Json list = Json::array();
  for (const FoldResult& fold : result.folds) {
    const double sign = fold.sums.of_rewards ? -1.0 : 1.0;
    list.push_back({{"cluster", fold.cluster},
                    {"queries", fold.sums.queries},
                    {"reference", result.actions[fold.reference].name},
                    {"activation", fold.activation},
                    {"H_total", fold.sums.h_total()},
                    {"H_alloc", fold.sums.h_alloc()},
                    {"H_dep", fold.sums.h_dep()},
                    {"q", fold.sums.q()},
                    {fold.sums.of_rewards ? "reward" : "cost",
                     {{"policy", sign * fold.sums.policy},
                      {"direct", sign * fold.sums.direct},
                      {"mixture", sign * fold.sums.mixture},
                      {"reference", sign * fold.sums.reference}}}});
  }
  return list;
}

/// One array per quantity: a table of replicates by columns.
Json ReplicatesJson(const AuditResult& result) {
  Json columns = Json::object();
  for (const ReplicateResult& replicate : result.replicates) {
    const Estimands& e = replicate.estimands;
    columns["H_global"].push_back(e.h_global);
    columns["H_avail"].push_back(e.h_avail);
    columns["H_total"].push_back(e.h_total);
    columns["H_alloc"].push_back(e.h_alloc);
    columns["H_dep"].push_back(e.h_dep);
    columns["q"].push_back(e.q);
    columns["activation"].push_back(e.activation);
    columns["queries"].push_back(e.queries);
    columns["reference"].push_back(result.actions[replicate.reference].name);
  }
  return columns;
}

Json SensitivityJson(const AuditResult& result) {
  Json list = Json::array();
  for (const SensitivityCell& cell : result.sensitivity) {
    list.push_back(
        {{"delta", cell.delta}, {"kappa", cell.kappa}, {"decision", Name(cell.verdict)}});
  }
  return list;
}

Json ResolutionJson(const ChannelResolutions& resolution) {
  const auto item = [](const char* channel, const Resolution& r) {
    return Json{{"channel", channel}, {"clusters", OrNull(r.clusters)}, {"status", Name(r.status)}};
  };
  return {item("H_dep", resolution.deployment), item("H_alloc", resolution.allocation),
          item("q", resolution.violation)};
}

Json TableJson(const AuditResult& result) {
  const TableSummary& table = result.table;
  return {{"queries", table.queries},
          {"clusters", result.clusters.size()},
          {"actions", result.actions.size()},
          {"smallest_cluster", table.smallest_cluster},
          {"largest_cluster", table.largest_cluster},
          {"features", table.features},
          {"action_features", table.action_features},
          {"time", table.has_time},
          {"success", table.has_success},
          {"eligible_given", table.eligible_given}};
}

}  // namespace

nlohmann::json SummaryJson(const AuditResult& result) {
  Json summary = EstimatesJson(result);
  summary["status"] = result.confirmatory ? "confirmatory" : "descriptive";
  summary["decision"] = VerdictJson(result.decision);
  summary["reading"] = VerdictJson(VerdictOf(result.reading));
  summary["activation"] = result.point.activation;
  summary["work_mae"] = result.point.work_mae;
  summary["folds"] = result.folds.size();
  if (result.obstacle.has_value()) summary["no_decision"] = {{"reason", result.obstacle->reason}};
  const RuleReading deciding = ReadRules(result).front();
  summary["rule"] = Name(deciding.rule);
  summary["channels"] = Json::array();
  for (const ChannelReading& reading : deciding.channels) {
    summary["channels"].push_back(ChannelJson(deciding, reading));
  }
  return summary;
}

namespace {

std::size_t LooksDeclared(const RuleConfig& rule) {
  return rule.looks_at.empty() ? rule.looks : rule.looks_at.size();
}

/// What a look at growing data may spend; nothing where there is only one.
void AddLookShare(const AuditResult& result, Json& out) {
  const RuleConfig& rule = result.protocol.rule;
  const double level = result.protocol.bootstrap.level;
  const std::size_t clusters = result.clusters.size();
  const LookShare share = ShareOfLook((1.0 - level) / 2.0, rule, result.look, clusters);
  if (result.look == 1 && share.looks == 1) return;
  out["look_share"] = {{"look", share.look},
                       {"looks", share.looks},
                       {"alpha", share.alpha},
                       {"level", LookLevel(level, rule, result.look, clusters)}};
}

}  // namespace

nlohmann::json ToJson(const AuditResult& result) {
  const Thresholds& thresholds = result.protocol.thresholds;
  const std::vector<RuleReading> readings = ReadRules(result);
  Json out = {{"schema", "gonogo.audit-result/1"},
              {"version", io::CurrentBuild().version},
              {"complete", true},
              {"protocol", ProtocolJson(result.protocol)},
              {"fingerprint", result.fingerprint},
              {"source", result.source},
              {"status", result.confirmatory ? "confirmatory" : "descriptive"},
              {"reasons", result.reasons},
              {"decision", VerdictJson(result.decision)},
              {"reading", VerdictJson(VerdictOf(result.reading))},
              {"rule", Name(readings.front().rule)},
              {"rules", RulesJson(result, readings)},
              {"channels", ChannelsJson(readings)},
              {"look", result.look},
              {"looks_declared", LooksDeclared(result.protocol.rule)},
              {"intervals", IntervalName(result.interval_kind)},
              {"level", result.protocol.bootstrap.level},
              {"thresholds",
               {{"delta_dep", thresholds.delta_dep},
                {"delta_alloc", thresholds.delta_alloc},
                {"kappa", thresholds.kappa}}},
              {"estimates", EstimatesJson(result)},
              {"diagnostics", DiagnosticsJson(result)},
              {"table", TableJson(result)},
              {"actions", ActionsJson(result)},
              {"folds", FoldsJson(result)},
              {"replicates", ReplicatesJson(result)},
              {"sensitivity", SensitivityJson(result)},
              {"warnings", result.warnings}};
  if (result.curve.has_value()) out["price_curve"] = PriceCurveJson(*result.curve);
  if (result.interval_kind != IntervalKind::kFixedChoices && !result.curve.has_value()) {
    out["target"] = Name(result.table.of_rewards ? LearnerTarget::kDifference
                                                 : TargetOf(result.protocol.learner));
  }
  if (result.table.of_rewards) out["scale"] = "lift";
  AddLookShare(result, out);
  if (!result.why_this_rule.empty()) out["why_this_rule"] = result.why_this_rule;
  if (!result.path.empty()) out["path"] = result.path;
  if (!result.question.empty()) out["question"] = result.question;
  if (result.log.has_value()) AddLogJson(result, out);
  if (!result.adapter_rules.empty()) out["adapter_rules"] = result.adapter_rules;
  if (result.obstacle.has_value()) {
    out["no_decision"] = {{"reason", result.obstacle->reason}, {"check", result.obstacle->check}};
  }
  if (result.resolution.has_value()) out["resolution"] = ResolutionJson(*result.resolution);
  // What the table settled where the protocol left it open.
  out["protocol"]["reference"] = result.actions.front().name;
  out["protocol"]["actions"] = Json::array();
  for (const ActionSummary& action : result.actions) {
    out["protocol"]["actions"].push_back(action.name);
  }
  return out;
}

}  // namespace gonogo::audit
