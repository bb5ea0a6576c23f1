// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/json.h"

#include <fmt/format.h>

#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

constexpr double kManyFlips = 0.05;
constexpr double kLargeShare = 0.25;

nlohmann::json GainJson(std::string_view name, const std::optional<CalibratedGain>& gain) {
  nlohmann::json json = {
      {"name", name}, {"point", nullptr}, {"lower", nullptr}, {"upper", nullptr}};
  if (!gain.has_value()) return json;
  json["point"] = gain->point;
  json["se"] = gain->se;
  json["shipped_se"] = gain->shipped_se;
  json["advantage"] = gain->advantage;
  json["lower"] = gain->interval.lower;
  json["upper"] = gain->interval.upper;
  json["refuting_upper"] = gain->refuting_upper;
  json["lower_mc_error"] = gain->lower_mc_error;
  json["upper_mc_error"] = gain->upper_mc_error;
  json["drop_one"] = {gain->drop_one.lower, gain->drop_one.upper};
  return json;
}

nlohmann::json Channelled(nlohmann::json json, double threshold, std::string_view direction,
                          Channel state) {
  json["threshold"] = threshold;
  json["direction"] = direction;
  json["state"] = Name(state);
  return json;
}

nlohmann::json RateJson(const CalibratedRate& q) {
  return {{"name", "q"},
          {"point", q.point},
          {"se", q.se},
          {"lower", q.interval.lower},
          {"upper", q.interval.upper},
          {"refuting_lower", q.refuting_lower},
          {"effective_queries", q.effective_queries},
          {"seen_icc", q.seen_icc}};
}

nlohmann::json ReferenceJson(const ReferenceStability& reference,
                             std::span<const std::string> actions) {
  nlohmann::json contenders = nlohmann::json::array();
  for (const ActionIndex action : reference.contenders) {
    contenders.push_back({{"action", actions[action]}, {"share", reference.share[action]}});
  }
  return {{"shipped", actions[reference.shipped]},
          {"modal", actions[reference.modal]},
          {"modal_share", reference.modal_share},
          {"contenders", contenders}};
}

/// What the benchmark of the rule (docs/calibration.md) says about such an answer.
std::string MeasuredReliability(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGo:
      return "The calibrated rule reads GO. Of simulated audits with the truth at a threshold "
             "about 1 in 100 read GO wrongly; where nothing was to be gained, none did "
             "(docs/calibration.md).";
    case Verdict::kNoGo:
      return "The calibrated rule reads NO-GO. Of simulated audits near a threshold fewer than "
             "1 in 100 read NO-GO wrongly (docs/calibration.md).";
    case Verdict::kAbstain:
      break;
  }
  return "The calibrated rule abstains, which is not a NO-GO: so did most of the simulated audits "
         "of 20 clusters with twice the gain needed (docs/calibration.md). gonogo plan says how "
         "many clusters decide.";
}

}  // namespace

nlohmann::json CalibratedRuleJson(const CalibratedAudit& audit, const Thresholds& thresholds,
                                  const ViolationClustering& clustering,
                                  std::span<const std::string> actions,
                                  const std::string& adapter) {
  return {
      {"name", "calibrated"},
      {"decision", Name(audit.verdict)},
      {"target", adapter + ", at new clusters"},
      {"channels",
       {Channelled(GainJson("H_dep", audit.h_dep), thresholds.delta_dep, "above", audit.deployment),
        Channelled(GainJson("H_alloc", audit.h_alloc), thresholds.delta_alloc, "above",
                   audit.allocation),
        Channelled(RateJson(audit.q), thresholds.kappa, "below", audit.violation),
        Channelled(GainJson("H_total", audit.h_total), 0.0, "above", audit.improvement)}},
      {"allocation",
       {{"within", GainJson("H_alloc_within", audit.h_alloc_within)},
        {"between", GainJson("H_alloc_between", audit.h_alloc_between)}}},
      {"reference", ReferenceJson(audit.reference, actions)},
      {"largest_cluster_share", audit.largest_cluster_share},
      {"flip_rate", audit.flip_rate},
      {"trust", DescribeTrust(audit, clustering, actions, adapter)}};
}

std::vector<std::string> DescribeTrust(const CalibratedAudit& audit,
                                       const ViolationClustering& clustering,
                                       std::span<const std::string> actions,
                                       const std::string& adapter) {
  std::vector<std::string> sentences;
  sentences.push_back("It speaks for " + adapter +
                      ", at new clusters of the same kind of query, and for nothing else.");
  sentences.push_back(MeasuredReliability(audit.verdict));
  sentences.push_back(
      fmt::format("Another bootstrap seed would decide otherwise in {} of cases{}.",
                  Percent(audit.flip_rate, 0),
                  audit.flip_rate > kManyFlips ? ": use more refits before relying on this" : ""));
  const ReferenceStability& reference = audit.reference;
  if (reference.contenders.size() <= 1) {
    sentences.push_back(fmt::format("The fixed reference is {} in {} of the replicates.",
                                    actions[reference.modal], Percent(reference.modal_share, 0)));
  } else {
    std::string names;
    for (const ActionIndex action : reference.contenders) {
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", actions[action],
                           Percent(reference.share[action], 0));
    }
    sentences.push_back(fmt::format("The data do not settle on one fixed reference: {}.", names));
  }
  if (audit.largest_cluster_share > kLargeShare) {
    sentences.push_back(fmt::format("One cluster carries {} of the direct cost.",
                                    Percent(audit.largest_cluster_share, 0)));
  }
  if (audit.q.point == 0.0) {
    sentences.push_back(fmt::format("No violation was seen; up to {} cannot be excluded.",
                                    Percent(audit.q.interval.upper, 1)));
  }
  sentences.push_back(DescribeClustering(audit.q.seen_icc, clustering));
  if (!audit.h_alloc.has_value()) {
    sentences.emplace_back("There are too few clusters or replicates to judge allocation.");
  }
  return sentences;
}

}  // namespace gonogo::audit
