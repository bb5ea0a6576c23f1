// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/simulated_audit.h"

#include <ctime>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/result/log_result.h"
#include "gonogo/audit/result/status.h"
#include "gonogo/audit/rules/rule.h"

namespace gonogo::calibrate {
namespace {

double ThreadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Whether an audit of this table reads its intervals at all.
bool CanDecide(const audit::AskedProblem& asked, const audit::Protocol& protocol) {
  audit::AuditResult result{.protocol = protocol, .log = asked.log()};
  for (const std::string& name : asked.table().actions) result.actions.push_back({.name = name});
  const audit::OutcomeTotals& totals = asked.outcomes().totals;
  if (totals.successes.rows() > 0) {
    result.point.success_direct = totals.successes.col(audit::kDirect).sum() /
                                  static_cast<double>(asked.table().num_queries());
  }
  return !audit::FindLogObstacle(result).has_value() && !audit::FindObstacle(result).has_value();
}

Result<SimulatedFits> SimulateOnce(const SyntheticWorld& world, const FreshQueries& fresh,
                                   const SimulationOptions& options, const RngStream& stream,
                                   std::size_t attempt) {
  const audit::Protocol protocol = ProtocolFor(options.protocol, world, options.pairs, stream);
  const DataSet data = GONOGO_TRY(DrawDataSet(world, protocol, stream, attempt));
  const double begin = ThreadCpuSeconds();
  const auto asked = GONOGO_TRY(audit::AskedProblem::Open(data.table, protocol, {.jobs = 1}));
  const double prepared = ThreadCpuSeconds() - begin;
  SimulatedFits made = GONOGO_TRY(FitSimulated(*asked, protocol));
  made.fit_seconds += prepared;
  if (fresh.violation.empty()) return made;
  made.revealed = GONOGO_TRY(Reveal(world, fresh, data, asked->table(), protocol));
  return made;
}

}  // namespace

Result<SimulatedFits> FitSimulated(const audit::AskedProblem& asked,
                                   const audit::Protocol& protocol) {
  const double begin = ThreadCpuSeconds();
  SimulatedFits made;
  const std::size_t before_pairs = asked.table().num_clusters() + protocol.bootstrap.refits;
  const auto time_parts = [&](std::size_t done, std::size_t /*total*/) {
    if (done == before_pairs) made.fit_seconds = ThreadCpuSeconds() - begin;
  };
  made.fits = GONOGO_TRY(audit::FitAudit(asked, protocol, {}, {.jobs = 1, .progress = time_parts}));
  made.pair_seconds = ThreadCpuSeconds() - begin - made.fit_seconds;
  made.decides = CanDecide(asked, protocol);
  made.totals = asked.outcomes().totals;
  return made;
}

Result<SimulatedFits> Simulate(const SyntheticWorld& world, const FreshQueries& fresh,
                               const SimulationOptions& options, const RngStream& data) {
  return UntilAccepted(world, [&](std::size_t attempt) {
    return SimulateOnce(world, fresh, options, data, attempt);
  });
}

audit::RuleAnswer Answer(RuleUnderTest rule, const SimulatedFits& fits,
                         const audit::Protocol& protocol, std::size_t halves) {
  const audit::RuleEvidence evidence{fits.totals, fits.fits.folds, fits.fits.replicates,
                                     audit::SplitPairFits(fits.fits.pairs)};
  // Without its fits the calibrated rule stands in for leave-pair-out, as in an audit.
  const bool stands_in = rule == RuleUnderTest::kLeavePairOut && evidence.pairs.empty();
  const audit::DecisionRule kind = stands_in ? audit::DecisionRule::kCalibrated : KindOf(rule);
  audit::RuleOptions declared =
      audit::DeclaredOptions(kind, protocol, 1, fits.totals.queries.size());
  declared.every_contender = rule == RuleUnderTest::kContenders;
  declared.halves = halves;
  audit::RuleAnswer answer = audit::ApplyRule(kind, evidence, protocol.thresholds, declared,
                                              audit::HalvesStream(protocol));
  if (!fits.decides) answer.decision.verdict = audit::Verdict::kAbstain;
  return answer;
}

SimulatedAudit Judge(const SimulatedFits& fits, const audit::Protocol& protocol,
                     std::size_t halves) {
  SimulatedAudit judged{.truth = fits.revealed.truth,
                        .fit_seconds = fits.fit_seconds,
                        .pair_seconds = fits.pair_seconds,
                        .oracle = fits.revealed.oracle};
  for (const RuleUnderTest rule : kRules) {
    const bool declares_pairs = protocol.rule.kind == audit::DecisionRule::kLeavePairOut;
    if (rule == RuleUnderTest::kLeavePairOut && !declares_pairs) continue;
    const audit::RuleAnswer answer = Answer(rule, fits, protocol, halves);
    judged.outcome[static_cast<std::size_t>(rule)] = OutcomeOf(answer);
    if (rule != RuleUnderTest::kCalibrated) continue;
    judged.modal_share = answer.calibrated->reference.modal_share;
  }
  return judged;
}

}  // namespace gonogo::calibrate
