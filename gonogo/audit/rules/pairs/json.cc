// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/pairs/json.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

nlohmann::json PairChannelJson(std::string_view name, const PairEstimate& estimate,
                               const stats::Interval& interval, double threshold, bool above,
                               Channel state) {
  return {{"name", name},
          {"point", estimate.shipped},
          {"lower", interval.lower},
          {"upper", interval.upper},
          {"se", estimate.se()},
          {"threshold", threshold},
          {"direction", above ? "above" : "below"},
          {"state", Name(state)},
          {"without_correction", estimate.point},
          {"variance",
           {{"testing", estimate.testing},
            {"instability", estimate.instability},
            {"correction", estimate.correction}}}};
}

nlohmann::json PairGainJson(std::string_view name, const PairGain& gain, double threshold,
                            Channel state) {
  nlohmann::json json = PairChannelJson(name, gain.estimate, gain.interval, threshold, true, state);
  json["refuting_upper"] = gain.refuting_upper;
  json["learning"] = gain.learning;
  json["credit"] = gain.credit;
  return json;
}

std::vector<std::string> PairTrust(const PairAudit& audit, const ViolationClustering& clustering,
                                   std::span<const std::string> actions) {
  const double more = -audit.departs_more;
  return {
      "It speaks for the adapter that would ship, trained on every cluster, at new clusters of "
      "the same kind of query, and for nothing else.",
      fmt::format("It rests on {} fits that each leave two clusters out, and on one fit to all "
                  "clusters. The latter departs from the reference at {} {} of the queries "
                  "than they do on average, and the estimates are corrected for that.",
                  audit.fits, Percent(std::abs(more), 2), more < 0.0 ? "less" : "more"),
      fmt::format("The fixed reference of H_dep is {}.", actions[audit.reference]),
      DescribeClustering(audit.q.seen_icc, clustering)};
}

}  // namespace

nlohmann::json PairRuleJson(const PairAudit& audit, const Thresholds& thresholds,
                            const ViolationClustering& clustering,
                            std::span<const std::string> actions) {
  nlohmann::json rate = PairChannelJson("q", audit.q.estimate, audit.q.interval, thresholds.kappa,
                                        false, audit.violation);
  rate["refuting_lower"] = audit.q.refuting_lower;
  rate["effective_queries"] = audit.q.effective_queries;
  rate["seen_icc"] = audit.q.seen_icc;
  return {{"name", "leave-pair-out"},
          {"decision", Name(audit.verdict)},
          {"target", "the adapter that would ship, trained on every cluster, at new clusters"},
          {"channels",
           {PairGainJson("H_dep", audit.h_dep, thresholds.delta_dep, audit.deployment),
            PairGainJson("H_alloc", audit.h_alloc, thresholds.delta_alloc, audit.allocation), rate,
            PairGainJson("H_total", audit.h_total, 0.0, audit.improvement)}},
          {"fits", audit.fits},
          {"departs_more", audit.departs_more},
          {"reference", {{"shipped", actions[audit.reference]}}},
          {"trust", PairTrust(audit, clustering, actions)}};
}

}  // namespace gonogo::audit
