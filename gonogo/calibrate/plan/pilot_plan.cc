// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/rules/calibrated/terms.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/calibrate/plan/assumed_plan.h"

namespace gonogo::calibrate {
namespace {

using audit::GainTerm;

/// A gain as the pilot's folds see it: one term per cluster, and the factor by which refitting the
/// learner widens the plain cluster standard error.
struct PilotGain {
  std::vector<GainTerm> cluster;
  double inflation = 1.0;
};

PilotGain Collect(const audit::GainTerms& folds, double calibrated_se) {
  PilotGain gain;
  for (const std::vector<GainTerm>& fold : folds.terms) {
    gain.cluster.insert(gain.cluster.end(), fold.begin(), fold.end());
  }
  GainTerm sum;
  for (const GainTerm& term : gain.cluster) {
    sum.chosen += term.chosen;
    sum.reference += term.reference;
  }
  const auto count = static_cast<double>(gain.cluster.size());
  double squares = 0.0;
  for (const GainTerm& term : gain.cluster) {
    const double score = term.chosen_score - sum.chosen / sum.reference * term.reference_score;
    squares += score * score;
  }
  const double plain = std::sqrt(squares * count / (count - 1.0)) / sum.reference;
  if (plain > 0.0) gain.inflation = std::max(1.0, calibrated_se / plain);
  return gain;
}

audit::ChannelBounds BoundDraw(const PilotGain& gain, std::span<const std::size_t> drawn,
                               const audit::BoundWidths& widths) {
  double chosen = 0.0;
  double reference = 0.0;
  for (const std::size_t k : drawn) {
    chosen += gain.cluster[k].chosen;
    reference += gain.cluster[k].reference;
  }
  const double rho = chosen / reference;
  const auto count = static_cast<double>(drawn.size());
  double sum = 0.0;
  double squares = 0.0;
  for (const std::size_t k : drawn) {
    const double score = gain.cluster[k].chosen_score - rho * gain.cluster[k].reference_score;
    sum += score;
    squares += score * score;
  }
  const double variance = (squares - sum * sum / count) * count / (count - 1.0);
  const double se = gain.inflation * std::sqrt(std::max(0.0, variance)) / reference;
  const double point = 1.0 - rho;
  return {.point = point,
          .interval = {point - widths.go * se, point + widths.go * se},
          .refuting = point + widths.refute * se};
}

/// What the pilot knows, ready to be resampled.
struct Pilot {
  PilotGain total;
  PilotGain allocation;
  PilotGain deployment;
  std::vector<audit::ClusterEvents> events;
};

audit::Verdict JudgeDraw(const Pilot& pilot, std::span<const std::size_t> drawn,
                         const audit::Thresholds& thresholds,
                         const audit::CalibratedOptions& options) {
  const audit::BoundWidths widths = audit::StudentWidths(drawn.size(), options.level);
  std::vector<audit::ClusterEvents> events;
  for (const std::size_t k : drawn) events.push_back(pilot.events[k]);
  const double alpha = audit::SatisfyingAlpha(options.level);
  const double icc = options.clustering.icc;
  const audit::RateEstimate rate = audit::EstimateRate(events, alpha, icc);
  const audit::UpperRate upper = audit::BoundRate(events, alpha, options.clustering);
  const audit::RateEstimate refuted =
      audit::EstimateRate(events, audit::RefutingAlpha(options.level), icc);
  const audit::RuleBounds bounds{.deployment = BoundDraw(pilot.deployment, drawn, widths),
                                 .allocation = BoundDraw(pilot.allocation, drawn, widths),
                                 .violation = {.point = rate.point,
                                               .interval = {rate.interval.lower, upper.bound},
                                               .refuting = refuted.interval.lower},
                                 .total = BoundDraw(pilot.total, drawn, widths),
                                 .total_must_gain = true};
  return audit::Decide(bounds, thresholds).verdict;
}

std::array<Proportion, 3> Shares(const std::array<std::size_t, 3>& answers, std::size_t draws) {
  std::array<Proportion, 3> shares;
  for (std::size_t i = 0; i < answers.size(); ++i) shares[i] = MakeProportion(answers[i], draws);
  return shares;
}

/// Clusters are drawn until a declared look decides, at the level that look may spend.
SequentialPlan PlanLooks(const Pilot& pilot, const audit::Protocol& protocol,
                         audit::CalibratedOptions options, std::size_t draws) {
  SequentialPlan plan{.looks_at = protocol.rule.looks_at};
  std::vector<std::size_t> ends(plan.looks_at.size(), 0);
  std::array<std::size_t, 3> answers = {};
  std::array<std::size_t, 3> at_once = {};
  for (std::size_t draw = 0; draw < draws; ++draw) {
    Rng rng = RngStream(protocol.bootstrap.seed).Child("looks").Child(draw).Generator();
    std::vector<std::size_t> drawn(plan.looks_at.back());
    for (std::size_t& k : drawn) k = rng.Below(pilot.events.size());
    audit::Verdict verdict = audit::Verdict::kAbstain;
    std::size_t look = 0;
    for (;; ++look) {
      const std::size_t clusters = plan.looks_at[look];
      options.level = audit::LookLevel(protocol.bootstrap.level, protocol.rule, look + 1, clusters);
      if (clusters >= protocol.min_clusters) {
        verdict = JudgeDraw(pilot, std::span(drawn).first(clusters), protocol.thresholds, options);
      }
      if (verdict != audit::Verdict::kAbstain || look + 1 == plan.looks_at.size()) break;
    }
    ++ends[look];
    ++answers[static_cast<std::size_t>(verdict)];
    plan.mean_clusters += static_cast<double>(plan.looks_at[look]) / static_cast<double>(draws);
    options.level = protocol.bootstrap.level;
    ++at_once[static_cast<std::size_t>(JudgeDraw(pilot, drawn, protocol.thresholds, options))];
  }
  for (const std::size_t count : ends) plan.ends.push_back(MakeProportion(count, draws));
  plan.answer = Shares(answers, draws);
  plan.one_look = Shares(at_once, draws);
  return plan;
}

}  // namespace

Result<Plan> PlanFromPilot(const audit::OutcomeTable& table, const audit::AuditResult& result,
                           const PilotPlanOptions& options) {
  const audit::Protocol& protocol = result.protocol;
  const audit::Thresholds& thresholds = protocol.thresholds;
  const audit::CalibratedOptions calibrated{
      .level = protocol.bootstrap.level,
      .clustering = {protocol.rule.icc, protocol.rule.least_icc},
      .adapter_cost = protocol.rule.adapter_cost};
  const RngStream seed(protocol.bootstrap.seed);
  const std::unique_ptr<const audit::AskedOutcomes> asked =
      GONOGO_TRY(audit::AskedOutcomes::Open(table, protocol, {}));
  const audit::PotentialOutcomes& outcomes = asked->outcomes();
  if (asked->log().has_value() && outcomes.totals.counts_net_success) {
    return InputError(
        "the pilot is a log with a constraint, for which no plan can be made: violations are drawn "
        "as events, and a log has scores; plan with --set protocol.constraint=none");
  }
  if (outcomes.totals.counts_net_success) {
    return InputError(
        "protocol.constraint is \"net success\", for which no plan can be made: violations are "
        "drawn as events, and net losses are none");
  }
  const audit::OutcomeTotals& totals = outcomes.totals;
  const std::size_t clusters = totals.queries.size();
  const audit::CalibratedAudit pilot_audit = audit::AuditCalibrated(
      totals, result.cross_fit, result.bootstrap, thresholds, calibrated, seed);
  if (!pilot_audit.h_dep || !pilot_audit.h_alloc || !pilot_audit.h_total) {
    return InputError(
        "a pilot of {} clusters and {} refits has no intervals to plan from: "
        "at least 3 clusters, each held out by some refit, are needed",
        clusters, result.bootstrap.size());
  }
  const std::vector<audit::Refit> all = audit::JoinFolds(result.cross_fit, clusters);
  const double cost = calibrated.adapter_cost;
  const std::vector<audit::ActionIndex> direct(1, audit::kDirect);
  const std::vector<audit::ActionIndex> modal(1, pilot_audit.reference.shipped);
  Pilot pilot{.total = Collect(audit::FixedActionTerms(totals, all, direct, cost),
                               pilot_audit.h_total->shipped_se),
              .allocation = Collect(audit::MixtureTerms(totals, all, cost).total,
                                    pilot_audit.h_alloc->shipped_se),
              .deployment = Collect(audit::FixedActionTerms(totals, all, modal, cost),
                                    pilot_audit.h_dep->shipped_se)};
  for (const audit::ChoiceTotals& choices : all[0].held_out) {
    pilot.events.push_back({totals.queries[choices.cluster], choices.violations});
  }
  const auto evaluate = [&](std::size_t count) -> Result<PlanPoint> {
    if (count < 2) return UsageError("a plan needs at least 2 clusters, not {}", count);
    std::array<std::size_t, 3> answers = {};
    for (std::size_t draw = 0; draw < options.draws; ++draw) {
      Rng rng = seed.Child("pilot").Child(count).Child(draw).Generator();
      std::vector<std::size_t> drawn(count);
      for (std::size_t& k : drawn) k = rng.Below(clusters);
      ++answers[static_cast<std::size_t>(JudgeDraw(pilot, drawn, thresholds, calibrated))];
    }
    PlanPoint point{.clusters = count};
    point.answer[static_cast<std::size_t>(RuleUnderTest::kCalibrated)] =
        Shares(answers, options.draws);
    return point;
  };
  Plan plan = GONOGO_TRY(BuildPlan(
      {options.clusters, protocol.min_clusters, options.largest, RuleUnderTest::kCalibrated},
      evaluate));
  if (!protocol.rule.looks_at.empty()) {
    plan.sequential = PlanLooks(pilot, protocol, calibrated, options.draws);
  }
  return plan;
}

}  // namespace gonogo::calibrate
