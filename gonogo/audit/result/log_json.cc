// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/log_json.h"

#include <cmath>

#include "gonogo/audit/result/log_reading.h"

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

Json ValuesJson(const ValueEstimates& values) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  return {{"doubly_robust", number(values.doubly_robust)},
          {"self_normalised", number(values.self_normalised)},
          {"direct_method", number(values.direct_method)}};
}

}  // namespace

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
                       {"mean_cost", ValuesJson(log.fixed[action])}});
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
                {"adapter_mean_cost", ValuesJson(*log.adapter)}};
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
