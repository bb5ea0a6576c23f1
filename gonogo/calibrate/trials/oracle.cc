// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/oracle.h"

#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/audit/rules/calibrated/terms.h"
#include "gonogo/audit/rules/calibrated/widths.h"
#include "gonogo/calibrate/trials/join_tables.h"

namespace gonogo::calibrate {
namespace {

/// Choices that were given, not fitted: one replicate that was trained on nothing, which leaves the
/// plain cluster standard error.
audit::ChannelBounds Plain(const audit::GainTerms& terms, double width, double refute) {
  const std::vector<std::size_t> once = {0};
  const auto gain = audit::EstimateGain(terms, once);
  if (!gain.has_value()) return {};
  return {
      .point = gain->point,
      .interval = {gain->point - width * gain->shipped_se, gain->point + width * gain->shipped_se},
      .refuting = gain->point + refute * gain->shipped_se};
}

}  // namespace

Result<RuleOutcome> AskOracle(const audit::OutcomeTable& table,
                              const audit::OutcomeTable& fresh_clusters,
                              const LearnerFactory& factory, const audit::Thresholds& thresholds,
                              double level, const RngStream& ship) {
  const audit::OutcomeTable both = JoinTables(table, fresh_clusters);
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(both, 1.0);
  const audit::LearningProblem problem = GONOGO_TRY(audit::SelectFeatures(outcomes, {}));
  const std::unique_ptr<audit::Learner> learner = GONOGO_TRY(factory(problem));
  const std::size_t clusters = table.num_clusters();
  audit::RefitTask task{{std::vector<std::uint32_t>(both.num_clusters(), 0)}, ship};
  std::fill_n(task.split.multiplicity.begin(), clusters, 1U);
  const std::optional<audit::Refit> tested = audit::RunRefit(problem, *learner, {}, task);

  const audit::PotentialOutcomes fresh = audit::DeriveOutcomes(fresh_clusters, 1.0);
  audit::Refit given{.split = {std::vector<std::uint32_t>(fresh_clusters.num_clusters(), 0)},
                     .held_out = tested->held_out};
  for (audit::ChoiceTotals& choices : given.held_out) {
    choices.cluster -= static_cast<std::uint32_t>(clusters);
  }
  const std::vector<audit::Refit> evidence = {given};
  const audit::BoundWidths widths = audit::StudentWidths(fresh_clusters.num_clusters(), level);
  const auto against = [&](audit::ActionIndex action) {
    const std::vector<audit::ActionIndex> fixed = {action};
    return Plain(audit::FixedActionTerms(fresh.totals, evidence, fixed, 0.0), widths.go,
                 widths.refute);
  };
  audit::RuleBounds bounds{
      .deployment = against(
          audit::SelectStableAction(outcomes.totals, task.split.multiplicity, thresholds.kappa)),
      .allocation =
          Plain(audit::MixtureTerms(fresh.totals, evidence, 0.0).total, widths.go, widths.refute),
      .total = against(audit::kDirect),
      .total_must_gain = true};
  // The terms of a rate are violations over queries: one minus a gain.
  const audit::ChannelBounds kept =
      Plain(audit::ViolationTerms(fresh.totals, evidence), widths.go, widths.refute);
  bounds.violation = {.point = 1.0 - kept.point,
                      .interval = {1.0 - kept.interval.upper, 1.0 - kept.interval.lower},
                      .refuting = 1.0 - kept.refuting};
  audit::RuleAnswer answer{.bounds = bounds};
  answer.decision = audit::Decide(bounds, thresholds);
  return Summarise(answer);
}

}  // namespace gonogo::calibrate
