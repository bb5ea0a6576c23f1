// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/audit_text.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/audit/rules/looks.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

using audit::AuditResult;
using audit::Channel;
using audit::Verdict;

/// Rounds to hundredths of a percent without printing "-0.00".
double Rounded(double share) {
  const double hundredths = std::round(share * 1e4) / 100.0;
  return hundredths == 0.0 ? 0.0 : hundredths;
}

Style StyleOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGo:
      return Style::kGo;
    case Verdict::kNoGo:
      return Style::kNoGo;
    case Verdict::kAbstain:
      break;
  }
  return Style::kAbstain;
}

std::string Mark(Channel channel, const Terminal& terminal) {
  switch (channel) {
    case Channel::kSatisfied:
      return terminal.Paint(Style::kGo, "satisfied");
    case Channel::kRefuted:
      return terminal.Paint(Style::kNoGo, "refuted");
    case Channel::kUnresolved:
      break;
  }
  return terminal.Paint(Style::kAbstain, "unresolved");
}

/// One channel as the rule that decides sees it.
struct ChannelView {
  double point = 0.0;
  std::optional<stats::Interval> interval;
  double refuting = 0.0;  ///< the bound that a NO-GO needs beyond the threshold
};

bool CalibratedDecides(const AuditResult& result) {
  return result.protocol.rule.kind == audit::DecisionRule::kCalibrated &&
         result.calibrated.has_value();
}

ChannelView ViewOf(const audit::Estimate& estimate, bool gain) {
  ChannelView view{estimate.point, estimate.interval};
  if (estimate.interval) view.refuting = gain ? estimate.interval->upper : estimate.interval->lower;
  return view;
}

/// A gain as the deciding rule sees it; without a calibrated estimate only the plain point is
/// known.
ChannelView ViewOf(const AuditResult& result, const audit::Estimate& estimate,
                   const std::optional<audit::CalibratedGain>& calibrated) {
  if (!CalibratedDecides(result)) return ViewOf(estimate, true);
  if (!calibrated.has_value()) return {estimate.point, std::nullopt};
  return {calibrated->point, calibrated->interval, calibrated->refuting_upper};
}

ChannelView ViolationView(const AuditResult& result) {
  if (!CalibratedDecides(result)) return ViewOf(result.q, false);
  const audit::CalibratedRate& q = result.calibrated->q;
  return {q.point, q.interval, q.refuting_lower};
}

/// Which bound stands where, relative to the threshold.
std::string Bound(const ChannelView& view, Channel channel, bool gain) {
  if (!view.interval.has_value()) return "";
  const bool lower = gain == (channel != Channel::kRefuted);
  const double bound = channel == Channel::kRefuted ? view.refuting
                       : gain                       ? view.interval->lower
                                                    : view.interval->upper;
  return fmt::format("{} {}", lower ? "lower" : "upper", Percent(bound));
}

bool AreGivenChoices(const AuditResult& result) {
  return result.interval_kind == audit::IntervalKind::kFixedChoices;
}

const char* IntervalName(const AuditResult& result) {
  if (CalibratedDecides(result)) {
    return AreGivenChoices(result) ? "calibrated, for the adapter that made the choices"
                                   : "calibrated, for the adapter that would ship";
  }
  switch (result.interval_kind) {
    case audit::IntervalKind::kRefit:
      return "cluster bootstrap with complete refits";
    case audit::IntervalKind::kFolds:
      return "fitted folds resampled, without learner uncertainty";
    case audit::IntervalKind::kFixedChoices:
      break;
  }
  return "clusters resampled, choices as given";
}

std::string Headline(const AuditResult& result, const Terminal& terminal) {
  return fmt::format("{}  {}: {} clusters ({}), {} queries, {} actions\n",
                     VerdictText(result, terminal),
                     terminal.Paint(Style::kBold, result.protocol.name), result.clusters.size(),
                     result.protocol.cluster, result.table.queries, result.actions.size());
}

std::string Channels(const AuditResult& result, const Terminal& terminal) {
  report::TextTable table(
      {"channel", "<question", "point", "interval", "needed", "<decided by", "<"});
  const audit::Thresholds& thresholds = result.protocol.thresholds;
  const audit::Decision reading = result.reading.value_or(audit::Decision{});
  const bool read = result.reading.has_value();
  const auto add = [&](const char* name, const char* question, const ChannelView& view,
                       const std::string& needed, Channel channel, bool gain) {
    table.AddRow({name, question, Percent(view.point), PercentInterval(view.interval), needed,
                  read ? Bound(view, channel, gain) : "", read ? Mark(channel, terminal) : ""});
  };
  const auto plain = [&](const char* name, const char* question, const audit::Estimate& estimate) {
    table.AddRow({name, question, Percent(estimate.point), PercentInterval(estimate.interval)});
  };
  using Gain = std::optional<audit::CalibratedGain>;
  const bool calibrated = result.calibrated.has_value();
  add("H_dep", "gain over the best fixed action",
      ViewOf(result, result.h_dep, calibrated ? result.calibrated->h_dep : Gain()),
      "> " + Percent(thresholds.delta_dep), reading.deployment, true);
  add("H_alloc", "gain over its own action mix",
      ViewOf(result, result.h_alloc, calibrated ? result.calibrated->h_alloc : Gain()),
      "> " + Percent(thresholds.delta_alloc), reading.allocation, true);
  add("q", "choices that break a constraint", ViolationView(result),
      "<= " + Percent(thresholds.kappa), reading.violation, false);
  if (CalibratedDecides(result)) {
    add("H_total", "gain over the reference action",
        ViewOf(result, result.h_total, result.calibrated->h_total), "> " + Percent(0.0),
        result.calibrated->improvement, true);
  } else {
    plain("H_total", "gain over the reference action", result.h_total);
  }
  plain("H_global", "gain of one fixed action", result.h_global);
  plain("H_avail", "gain of an oracle at the same state", result.h_avail);
  return table.Render();
}

std::string Actions(const AuditResult& result) {
  report::TextTable table({"action", "chosen", "oracle", "gain where chosen", "gain if fixed",
                           "violations if fixed", "reference in"});
  for (const audit::ActionSummary& action : result.actions) {
    table.AddRow(
        {action.name, Percent(action.chosen), Percent(action.oracle),
         action.chosen > 0.0 ? Percent(action.gain) : "–", Percent(action.fixed_gain),
         Percent(action.fixed_violations),
         action.reference_folds > 0 ? fmt::format("{} folds", action.reference_folds) : ""});
  }
  return table.Render();
}

std::string GainText(const std::optional<audit::CalibratedGain>& gain) {
  if (!gain.has_value()) return "–";
  return Percent(gain->point) + " " + PercentInterval(gain->interval);
}

/// The two rules side by side: they have different targets, and a reader should see where they
/// disagree.
std::string Rules(const AuditResult& result) {
  if (!result.calibrated.has_value() || !result.paper_reading.has_value()) return "";
  const audit::CalibratedAudit& calibrated = *result.calibrated;
  std::string text =
      fmt::format("  rules: paper {}, calibrated {}{} (decides: {})\n",
                  Name(result.paper_reading->verdict), Name(calibrated.verdict),
                  result.paper_reading->verdict == calibrated.verdict ? "" : ": they disagree",
                  Name(result.protocol.rule.kind));
  const auto plain = [](const audit::Estimate& estimate) {
    return Percent(estimate.point) + " " + PercentInterval(estimate.interval);
  };
  const bool given = AreGivenChoices(result);
  text +=
      CalibratedDecides(result)
          ? fmt::format("  paper's, for {}: H_dep {}, H_alloc {}, q {}\n",
                        given ? "the choices as they are" : "adapters trained on fewer clusters",
                        plain(result.h_dep), plain(result.h_alloc), plain(result.q))
          : fmt::format(
                "  calibrated, for the adapter that {}: H_dep {}, H_alloc {}, H_total {}, q {} "
                "{}\n",
                given ? "made the choices" : "would ship", GainText(calibrated.h_dep),
                GainText(calibrated.h_alloc), GainText(calibrated.h_total),
                Percent(calibrated.q.point), PercentInterval(calibrated.q.interval));
  if (result.look > 1 || result.protocol.rule.looks > 1) {
    text += fmt::format(
        "  look {}{} {} declared: the calibrated rule spends {} of its one-sided error here\n",
        result.look, result.look > result.protocol.rule.looks ? ", beyond the" : " of",
        result.protocol.rule.looks,
        Percent(audit::LookAlpha((1.0 - result.protocol.bootstrap.level) / 2.0, result.look,
                                 result.protocol.rule.looks)));
  }
  return text + fmt::format("  another bootstrap seed would decide otherwise in {} of cases\n\n",
                            Percent(calibrated.flip_rate));
}

std::string Diagnostics(const AuditResult& result) {
  const audit::Estimands& point = result.point;
  std::string text = fmt::format(
      "  departs from the reference action on {} of queries, agrees with the oracle on {}, beats "
      "its mix in {} "
      "of {} folds\n",
      Percent(point.activation), Percent(point.oracle_agreement), point.folds_beating_mixture,
      result.folds.size());
  if (!AreGivenChoices(result)) {
    text += fmt::format("  relative-work error of the learner {}\n", Percent(point.work_mae));
  }
  if (point.success.has_value()) {
    text += fmt::format("  success: reference {}, selector {}, oracle {}\n",
                        Percent(point.success_direct.value_or(0.0)), Percent(*point.success),
                        Percent(point.success_oracle.value_or(0.0)));
  }
  return text;
}

std::string Notes(const AuditResult& result, const Terminal& terminal) {
  std::string text;
  if (!result.table.has_time && !result.table.eligible_given) {
    text += "  no time was recorded: the time half of eligibility is void\n";
  }
  if (!result.table.has_success && !result.table.eligible_given) {
    text += "  no success was recorded: the success half of eligibility is void\n";
  }
  if (result.table.eligible_given) text += "  eligibility was given with the table\n";
  for (const std::string& reason : result.reasons) text += "  descriptive: " + reason + "\n";
  for (const std::string& warning : result.warnings) {
    text += "  " + terminal.Paint(Style::kWarning, "warning:") + " " + warning + "\n";
  }
  return text;
}

}  // namespace

std::string Percent(double share) { return fmt::format("{:.2f} %", Rounded(share)); }

std::string PercentInterval(const std::optional<stats::Interval>& interval) {
  if (!interval.has_value()) return "–";
  return fmt::format("[{:.2f}, {:.2f}] %", Rounded(interval->lower), Rounded(interval->upper));
}

std::string VerdictText(const AuditResult& result, const Terminal& terminal) {
  if (result.decision.has_value()) {
    return terminal.Paint(StyleOf(*result.decision), Name(*result.decision));
  }
  const std::string label = terminal.Paint(Style::kBold, "DESCRIPTIVE");
  if (!result.reading.has_value()) return label + " (no decision)";
  return label +
         fmt::format(" (no decision; the intervals would read {})", Name(result.reading->verdict));
}

std::string AuditText(const AuditResult& result, const Terminal& terminal) {
  const std::string how =
      fmt::format("{} · {} · {} · {:g} % intervals: {}\n",
                  result.confirmatory ? "confirmatory" : "descriptive", result.source,
                  result.interval_kind == audit::IntervalKind::kRefit
                      ? fmt::format("{} refits", result.replicates.size())
                      : "no refits",
                  100.0 * result.protocol.bootstrap.level, IntervalName(result));
  return Headline(result, terminal) + terminal.Paint(Style::kDim, how) + "\n" +
         Channels(result, terminal) + "\n" + Actions(result) + "\n" + Rules(result) +
         Diagnostics(result) + Notes(result, terminal);
}

}  // namespace gonogo::cli
