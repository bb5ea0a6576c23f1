// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/status.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/result/log_reading.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/io/sha256.h"

namespace gonogo::audit {

std::vector<std::string> DeclarationReasons(const OutcomeTable& table, const Protocol& used) {
  if (table.declaration_sha256.empty()) {
    return {
        "the table carries no declaration: nothing shows that the protocol was fixed before "
        "the outcomes were written"};
  }
  if (table.declaration.empty()) {
    if (table.declaration_sha256 == Fingerprint(used)) return {};
    return {
        fmt::format("the protocol's fingerprint {} is not the one the table was collected "
                    "under, {}",
                    Fingerprint(used), table.declaration_sha256)};
  }
  if (io::Sha256Hex(table.declaration) != table.declaration_sha256) {
    return {"the declaration in the table was changed after it was fingerprinted"};
  }
  const Result<Protocol> declared = ParseProtocol(table.declaration, "declaration");
  if (!declared.ok()) {
    return {
        fmt::format("the declaration in the table cannot be read: {}", declared.error().message)};
  }
  return Differences(declared.value(), used);
}

std::vector<std::string> CollectionReasons(const OutcomeTable& table, const Protocol& used) {
  if (!used.collect) return {};
  PromisedTable promised = PromisedBy(*used.collect);
  // A look before the last one is at the first of the declared clusters, and only at those.
  const std::size_t clusters = table.num_clusters();
  if (IsDeclaredLook(used.rule, clusters) && clusters < promised.clusters.size()) {
    promised.clusters.resize(clusters);
  }
  std::vector<std::string> missing;
  std::vector<std::string> reasons;
  for (const std::string& name : promised.clusters) {
    const auto found = std::find(table.clusters.begin(), table.clusters.end(), name);
    if (found == table.clusters.end()) {
      missing.push_back(name);
      continue;
    }
    const auto cluster = static_cast<std::size_t>(found - table.clusters.begin());
    const std::size_t queries = table.queries_of(cluster).size();
    if (queries == promised.queries_per_cluster.value_or(queries)) continue;
    reasons.push_back(fmt::format("cluster {} has {} queries, declared were {}", name, queries,
                                  *promised.queries_per_cluster));
  }
  if (!missing.empty()) {
    reasons.insert(reasons.begin(), fmt::format("declared clusters are not in the table: {}",
                                                fmt::join(missing, ", ")));
  }
  return reasons;
}

namespace {

std::string IntervalReason(IntervalKind kind) {
  switch (kind) {
    case IntervalKind::kFolds:
      return "the intervals resample fitted folds and leave learner-refit uncertainty out";
    case IntervalKind::kFixedChoices:
      return "the choices were supplied: whether they were made without these outcomes is not "
             "known here";
    case IntervalKind::kRefit:
      break;
  }
  return "";
}

Evidence EvidenceOf(const AuditResult& result) {
  return {.deployment = *result.h_dep.interval,
          .allocation = *result.h_alloc.interval,
          .violation = *result.q.interval};
}

void AddResolution(std::size_t clusters, AuditResult& result) {
  const Thresholds& thresholds = result.protocol.thresholds;
  const Evidence evidence = EvidenceOf(result);
  result.resolution = {.deployment = ResolveGain(result.h_dep.point, evidence.deployment.lower,
                                                 thresholds.delta_dep, clusters),
                       .allocation = ResolveGain(result.h_alloc.point, evidence.allocation.lower,
                                                 thresholds.delta_alloc, clusters),
                       .violation = ResolveRate(result.q.point, evidence.violation.upper,
                                                thresholds.kappa, clusters)};
}

template <typename Audit>
Decision DecisionOf(const Audit& audit) {
  return {.verdict = audit.verdict,
          .deployment = audit.deployment,
          .allocation = audit.allocation,
          .violation = audit.violation};
}

std::optional<Decision> DeclaredReading(const AuditResult& result) {
  const bool paper = result.protocol.rule.kind == DecisionRule::kPaper;
  if (paper || !result.calibrated.has_value()) return result.paper_reading;
  return result.pairs.has_value() ? DecisionOf(*result.pairs) : DecisionOf(*result.calibrated);
}

/// Why the declared rule cannot be relied on with the declared learner; empty where nothing is
/// known against it.
std::string RuleReason(const AuditResult& result) {
  const bool pairs = result.protocol.rule.kind == DecisionRule::kLeavePairOut;
  if (!pairs || !result.pairs || result.protocol.learner.kind != LearnerKind::kForest) return "";
  return "the leave-pair-out rule does not hold with a forest: in simulations it covered H_alloc "
         "in "
         "8 to 33 % of the data sets instead of 95 % (docs/calibration.md). Declare rule.kind = "
         "\"calibrated\"";
}

}  // namespace

void Conclude(const OutcomeTable& table, AuditResult& result) {
  result.reasons = DeclarationReasons(table, result.protocol);
  const std::vector<std::string> incomplete = CollectionReasons(table, result.protocol);
  result.reasons.insert(result.reasons.end(), incomplete.begin(), incomplete.end());
  for (std::string& reason : LogReasons(result)) result.reasons.push_back(std::move(reason));
  const std::string interval_reason = IntervalReason(result.interval_kind);
  if (!interval_reason.empty()) result.reasons.push_back(interval_reason);
  const std::size_t clusters = result.clusters.size();  // blocks, for known clusters
  const bool enough = clusters >= result.protocol.min_clusters;
  if (!enough) {
    result.reasons.push_back(fmt::format("{} clusters, fewer than the {} declared", clusters,
                                         result.protocol.min_clusters));
  }
  for (std::string& reason :
       LookReasons(result.look, clusters, table.earlier_looks.which, result.protocol.rule)) {
    result.reasons.push_back(std::move(reason));
  }
  if (std::string reason = RuleReason(result); !reason.empty()) {
    result.reasons.push_back(std::move(reason));
  }
  result.obstacle = FindLogObstacle(result);
  if (!result.obstacle.has_value()) result.obstacle = FindObstacle(result);
  if (result.obstacle.has_value()) {
    result.reasons.push_back(result.obstacle->reason);
    result.sensitivity.clear();  // a list of verdicts
  } else {
    AddResolution(clusters, result);
  }
  if (enough && !result.obstacle.has_value()) {
    result.paper_reading = Decide(EvidenceOf(result), result.protocol.thresholds);
    result.reading = DeclaredReading(result);
  }
  result.confirmatory = result.reasons.empty();
  if (result.confirmatory) result.decision = result.reading->verdict;
}

}  // namespace gonogo::audit
