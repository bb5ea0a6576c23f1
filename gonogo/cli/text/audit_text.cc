// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/audit_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

using audit::AuditResult;
using audit::Channel;
using audit::ChannelReading;
using audit::RuleReading;
using audit::Verdict;

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

bool AreGivenChoices(const AuditResult& result) {
  return result.interval_kind == audit::IntervalKind::kFixedChoices;
}

/// Whom the estimates of a rule speak of.
std::string Whose(const RuleReading& rule, bool given) {
  if (rule.rule != audit::DecisionRule::kPaper) {
    return fmt::format("{}, for the adapter that {}", Name(rule.rule),
                       given ? "made the choices" : "would ship");
  }
  return given ? "paper's, for the choices as they are"
               : "paper's, for adapters trained on fewer clusters";
}

std::string IntervalName(const AuditResult& result, const RuleReading& deciding) {
  if (deciding.rule != audit::DecisionRule::kPaper) {
    return Whose(deciding, AreGivenChoices(result));
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

/// Which bound stands where, relative to the threshold.
std::string BoundText(const ChannelReading& reading) {
  if (!reading.decided_by.has_value()) return "";
  return fmt::format("{} {}", Name(reading.decided_by->end), Percent(reading.decided_by->value));
}

std::string Channels(const AuditResult& result, const RuleReading& deciding,
                     const Terminal& terminal) {
  report::TextTable table(
      {"channel", "<question", "point", "interval", "needed", "<decided by", "<"});
  bool total_is_a_channel = false;
  for (const ChannelReading& reading : deciding.channels) {
    total_is_a_channel = total_is_a_channel || reading.key == "H_total";
    table.AddRow({std::string(reading.key), std::string(reading.question), Percent(reading.point),
                  PercentInterval(reading.interval), Needed(reading), BoundText(reading),
                  reading.state.has_value() ? Mark(*reading.state, terminal) : ""});
  }
  const auto plain = [&](const char* name, const audit::Estimate& estimate) {
    table.AddRow({name, std::string(audit::QuestionOf(name)), Percent(estimate.point),
                  PercentInterval(estimate.interval)});
  };
  if (!total_is_a_channel) plain("H_total", result.h_total);
  plain("H_global", result.h_global);
  plain("H_avail", result.h_avail);
  return table.Render();
}

/// The words of the table for somebody who meets them here first.
std::string Glossary(const AuditResult& result, const Terminal& terminal) {
  const std::string text = fmt::format(
      "  H_dep: share of the cost saved against the best fixed action; H_alloc: against its own "
      "actions dealt at random;\n"
      "  q: share of choices that break a constraint; query: one choice to make; action: what can "
      "be chosen;\n"
      "  reference: the action without an adapter ({}); cluster: queries that are resampled "
      "together ({})\n",
      result.actions.empty() ? result.protocol.reference : result.actions.front().name,
      result.protocol.cluster);
  return terminal.Paint(Style::kDim, text);
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

/// "H_dep 1.20 % [0.80, 1.60] %, …" for every channel of a rule.
std::string EstimatesText(const RuleReading& rule) {
  std::string text;
  for (const ChannelReading& reading : rule.channels) {
    text += fmt::format("{}{} ", text.empty() ? "" : ", ", reading.key);
    if (reading.interval.has_value()) text += Percent(reading.point) + " ";
    text += PercentInterval(reading.interval);
  }
  return text;
}

/// The condition under which the upper bound of q holds, and what the data say about it.
std::string ClusteringText(const AuditResult& result) {
  const double seen =
      result.pairs.has_value() ? result.pairs->q.seen_icc : result.calibrated->q.seen_icc;
  const audit::RuleConfig& rule = result.protocol.rule;
  return fmt::format(
      "  violations within a cluster: correlation {} seen, at least {} assumed ({} without a "
      "violation)\n",
      Decimal(seen, 3), Decimal(rule.least_icc, 3), Decimal(rule.icc, 3));
}

/// The rules side by side: they have different targets, and a reader should see where they
/// disagree.
std::string Rules(const AuditResult& result, const std::vector<RuleReading>& rules) {
  if (rules.size() < 2 || !rules[0].verdict.has_value()) return "";
  std::vector<const RuleReading*> in_order;
  for (const RuleReading& rule : rules) in_order.push_back(&rule);
  std::sort(in_order.begin(), in_order.end(),
            [](const RuleReading* a, const RuleReading* b) { return a->rule < b->rule; });
  std::string answers;
  bool disagree = false;
  for (const RuleReading* rule : in_order) {
    answers +=
        fmt::format("{}{} {}", answers.empty() ? "" : ", ", Name(rule->rule), Name(*rule->verdict));
    disagree = disagree || rule->verdict != rules[0].verdict;
  }
  std::string text = fmt::format("  rules: {}{} (decides: {})\n", answers,
                                 disagree ? ": they disagree" : "", Name(rules[0].rule));
  for (std::size_t i = 1; i < rules.size(); ++i) {
    text += fmt::format("  {}: {}\n", Whose(rules[i], AreGivenChoices(result)),
                        EstimatesText(rules[i]));
  }
  if (result.look > 1 || result.protocol.rule.looks > 1) {
    text += fmt::format(
        "  look {}{} {} declared: the {} rule spends {} of its one-sided error here\n", result.look,
        result.look > result.protocol.rule.looks ? ", beyond the" : " of",
        result.protocol.rule.looks, result.pairs.has_value() ? "leave-pair-out" : "calibrated",
        Percent(audit::LookAlpha((1.0 - result.protocol.bootstrap.level) / 2.0, result.look,
                                 result.protocol.rule.looks)));
  }
  text += ClusteringText(result);
  return text + fmt::format("  another bootstrap seed would decide otherwise in {} of cases{}\n\n",
                            Percent(result.calibrated->flip_rate),
                            result.pairs.has_value() ? " by the calibrated rule" : "");
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

std::string ObstacleText(const audit::Obstacle& obstacle, const Terminal& terminal) {
  std::string text =
      fmt::format("  {} {}\n", terminal.Paint(Style::kWarning, "no decision:"), obstacle.reason);
  for (const std::string& item : obstacle.check) text += "    check: " + item + "\n";
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
  if (result.obstacle.has_value()) text += ObstacleText(*result.obstacle, terminal);
  for (const std::string& reason : result.reasons) {
    if (result.obstacle.has_value() && reason == result.obstacle->reason) continue;
    text += "  descriptive: " + reason + "\n";
  }
  for (const std::string& warning : result.warnings) {
    text += "  " + terminal.Paint(Style::kWarning, "warning:") + " " + warning + "\n";
  }
  return text;
}

}  // namespace

std::string PercentInterval(const std::optional<stats::Interval>& interval) {
  if (!interval.has_value()) return kNoNumber;
  return gonogo::PercentInterval(interval->lower, interval->upper);
}

std::string VerdictText(const AuditResult& result, const Terminal& terminal) {
  if (result.obstacle.has_value()) return terminal.Paint(Style::kWarning, "NO DECISION");
  if (result.decision.has_value()) {
    return terminal.Paint(StyleOf(*result.decision), Name(*result.decision));
  }
  const std::string label = terminal.Paint(Style::kBold, "DESCRIPTIVE");
  if (!result.reading.has_value()) return label + " (no decision)";
  return label +
         fmt::format(" (no decision; the intervals would read {})", Name(result.reading->verdict));
}

std::string AuditText(const AuditResult& result, const Terminal& terminal) {
  const std::vector<RuleReading> rules = audit::ReadRules(result);
  const std::string how =
      fmt::format("{} · {} · {} · {:g} % intervals: {}\n",
                  result.confirmatory ? "confirmatory" : "descriptive", result.source,
                  result.interval_kind == audit::IntervalKind::kRefit
                      ? fmt::format("{} refits", result.replicates.size())
                      : "no refits",
                  100.0 * result.protocol.bootstrap.level, IntervalName(result, rules[0]));
  return Headline(result, terminal) + terminal.Paint(Style::kDim, how) + "\n" +
         Channels(result, rules[0], terminal) + Glossary(result, terminal) + "\n" +
         Actions(result) + "\n" + Rules(result, rules) + Diagnostics(result) +
         Notes(result, terminal);
}

}  // namespace gonogo::cli
