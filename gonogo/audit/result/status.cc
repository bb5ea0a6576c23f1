// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/status.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/protocol/foreign_section.h"
#include "gonogo/audit/result/decided.h"
#include "gonogo/audit/result/log_result.h"
#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/base/number_text.h"
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

constexpr double kHeavyCluster = 0.25;  // of the reference's cost
constexpr double kHeavyQuery = 0.05;
constexpr double kHugeRatio = 1000.0;

bool IsLearned(const AuditResult& result) {
  return result.interval_kind != IntervalKind::kFixedChoices;
}

std::string OtherTargets(const LearnerConfig& learner, bool is_log) {
  return is_log || TargetOf(learner) == LearnerTarget::kDifference
             ? "--learner all"
             : "--target difference, or --learner all --target all";
}

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

/// By the bounds of the rule that decides.
void AddResolution(std::size_t clusters, AuditResult& result) {
  ChannelResolutions resolution;
  const std::vector<RuleReading> rules = ReadRules(result);
  for (const ChannelReading& channel : rules.front().channels) {
    if (!channel.interval.has_value()) continue;
    if (channel.key == "q") {
      resolution.violation =
          ResolveRate(channel.point, channel.interval->upper, channel.threshold, clusters);
    } else if (channel.key == "H_dep" || channel.key == "H_alloc") {
      (channel.key == "H_dep" ? resolution.deployment : resolution.allocation) =
          ResolveGain(channel.point, channel.interval->lower, channel.threshold, clusters);
    }
  }
  result.resolution = resolution;
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

/// What forbids a GO that the intervals would read.
std::optional<Obstacle> DoubtAbout(const AuditResult& result) {
  if (result.reading->verdict != Verdict::kGo) return std::nullopt;
  std::optional<Obstacle> obstacle;
  for (const Doubt& doubt : result.doubts) {
    if (!doubt.forbids_go) continue;
    if (!obstacle.has_value()) obstacle = Obstacle{.reason = doubt.what};
    obstacle->check.push_back(doubt.check + ".");
    obstacle->check.push_back(fmt::format(
        "If there is another cause and it is harmless, declare rule.explained = [\"{}\"].",
        doubt.kind));
  }
  return obstacle;
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
  result.obstacle = FindLogObstacle(result);
  if (!result.obstacle.has_value()) result.obstacle = FindObstacle(result);
  if (!result.obstacle.has_value()) result.obstacle = FindEmptyChannel(result);
  if (enough && !result.obstacle.has_value()) {
    result.paper_reading = Decide(EvidenceOf(result), result.protocol.thresholds);
    result.reading = DeclaredReading(result);
    result.obstacle = DoubtAbout(result);
  }
  if (result.obstacle.has_value()) {
    result.paper_reading.reset();
    result.reading.reset();
    result.reasons.push_back(result.obstacle->reason);
    result.sensitivity.clear();  // a list of verdicts
  } else {
    AddResolution(clusters, result);
  }
  result.confirmatory = result.reasons.empty();
  if (result.confirmatory) result.decision = result.reading->verdict;
}

std::optional<Obstacle> FindEmptyChannel(const AuditResult& result) {
  if (!result.table.costs_only_shift) return std::nullopt;
  Obstacle obstacle{
      .reason = fmt::format(
          "H_alloc is zero by construction: every action costs the same amount more or less than "
          "the reference '{}' at every query, so the cost does not depend on where it is chosen, "
          "and no adapter could ever be a GO",
          result.actions.front().name)};
  if (!result.table.has_success) {
    obstacle.check = {
        "At such costs the cheapest action is the cheapest everywhere: is a column "
        "missing that says how well an action did?"};
    return obstacle;
  }
  obstacle.check = {
      "Is it about saving as much as possible with at most so much less success on average? "
      "Declare "
      "protocol.constraint = \"mean success\", with protocol.kappa as what may be lost.",
      "Does a failure cost something? Declare protocol.failure_cost in units of the cost, with "
      "protocol.constraint = \"none\"."};
  return obstacle;
}

std::optional<Obstacle> FindObstacle(const AuditResult& result) {
  const double needed = result.protocol.rule.min_reference_success;
  if (!result.point.success_direct.has_value()) return std::nullopt;
  const double success = *result.point.success_direct;
  if (success >= needed) return std::nullopt;
  const std::string& reference =
      result.actions.empty() ? result.protocol.reference : result.actions.front().name;
  Obstacle obstacle{
      .reason = fmt::format("the reference action '{}' succeeds at {} of the queries, and {} are "
                            "needed (rule.min_reference_success). Where the reference fails every "
                            "other action counts as eligible, so the table compares failures with "
                            "failures and says nothing about an adapter",
                            reference, Percent(success, 1), Percent(needed, 1))};
  const double best = result.log ? needed : result.point.success_oracle.value_or(0.0);
  obstacle.check = {
      fmt::format("Is 1 a success in the column '{}', and 0 a failure?",
                  result.protocol.table.success),
      fmt::format("Is '{}' the action that is taken without an adapter (protocol.reference)?",
                  reference),
      "If a robot or a program made the outcomes: does it work at all without an adapter? A wrong "
      "description, unit or controller makes everything fail at once."};
  if (best < needed) {
    obstacle.check.push_back(
        fmt::format("Even the best eligible action succeeds at {} of the queries only: look at the "
                    "task before the adapter.",
                    Percent(best, 1)));
  }
  obstacle.check.emplace_back(
      "If a reference that mostly fails is what you want to improve on, declare a lower "
      "rule.min_reference_success before collecting.");
  return obstacle;
}

CostConcentration ConcentrationOf(const OutcomeTable& table) {
  CostConcentration found;
  double total = 0.0;
  double largest_cluster = 0.0;
  double largest_query = 0.0;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    double cluster = 0.0;
    for (std::size_t query = range.begin; query < range.end; ++query) {
      const auto costs = table.cost.begin() + static_cast<long>(table.cell(query, kDirect));
      const double reference = *costs;
      cluster += reference;
      largest_query = std::max(largest_query, reference);
      const double dearest =
          *std::max_element(costs, costs + static_cast<long>(table.num_actions()));
      found.largest_ratio = std::max(found.largest_ratio, dearest / reference);
    }
    total += cluster;
    largest_cluster = std::max(largest_cluster, cluster);
  }
  found.largest_cluster = largest_cluster / total;
  found.largest_query = largest_query / total;
  return found;
}

namespace {

std::string WhyItHardlyDeparts(const OutcomeTable& table, const AuditResult& result) {
  const ConstraintShares shares = SharesOf(table, result.protocol);
  if (ConstraintsDecide(shares)) {
    return fmt::format(
        "a constraint makes this answer, not the learner: {}. Some alternative saves cost at {} of "
        "the queries, and an allowed one at {}. If that is not what you forbid, declare another "
        "protocol.constraint (\"success\" leaves times out)",
        ConstraintsInWords(table, result.protocol, shares), Percent(shares.cheaper, 1),
        Percent(shares.cheaper_free, 1));
  }
  const double activation = result.point.activation;
  return fmt::format(
      "the selector departs from the reference on {} % of queries: this reading is about this "
      "learner, not about the domain; for other readings, which decide nothing, try {}",
      activation == 0.0 ? "0" : Decimal(100.0 * activation, 2),
      OtherTargets(result.protocol.learner, table.scored.has_value()));
}

}  // namespace

std::vector<std::string> Advice(const OutcomeTable& table, const AuditResult& result) {
  std::vector<std::string> advice;
  for (const Doubt& doubt : result.doubts) {
    advice.push_back(fmt::format("{}. {}. (rule.explained = [\"{}\"] acknowledges it)", doubt.what,
                                 doubt.check, doubt.kind));
  }
  const double activation = result.point.activation;
  if (IsLearned(result) &&
      (activation == 0.0 || activation < result.protocol.selector.min_departures)) {
    advice.push_back(WhyItHardlyDeparts(table, result));
  }
  // Scores of single queries are no costs, and neither are rewards.
  if (table.scored.has_value() || table.of_rewards) return advice;
  const CostConcentration cost = ConcentrationOf(table);
  if (cost.largest_cluster > kHeavyCluster || cost.largest_query > kHeavyQuery) {
    advice.push_back(fmt::format(
        "heavy tail: one cluster holds {} of the reference's cost and one query {}: a few of them "
        "decide every share of the cost",
        Percent(cost.largest_cluster), Percent(cost.largest_query)));
  }
  if (IsLearned(result) && TargetOf(result.protocol.learner) == LearnerTarget::kRatio &&
      cost.largest_ratio > kHugeRatio) {
    advice.push_back(fmt::format(
        "an action costs up to {:.3g} times the reference: a learner of ratios is governed by "
        "queries at which the reference costs next to nothing; learner.target = \"difference\" "
        "weighs queries as the sums do",
        cost.largest_ratio));
  }
  return advice;
}

}  // namespace gonogo::audit
