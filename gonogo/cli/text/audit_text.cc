// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/audit_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/audit/result/log_reading.h"
#include "gonogo/audit/result/readings.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/cli/text/log_text.h"
#include "gonogo/cli/text/path_text.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/report/text/words.h"
#include "gonogo/report/text/wrap.h"

namespace gonogo::cli {
namespace {

using audit::AuditResult;
using audit::Channel;
using audit::ChannelReading;
using audit::RuleReading;
using audit::Verdict;
using report::Counted;

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
    return given ? "about the adapter that made the choices"
                 : "about the adapter that would be shipped, trained on all clusters";
  }
  return given ? "about the choices as they are"
               : "about adapters that are trained on some of the clusters and judged on the others";
}

/// "the calibrated rule" or "the paper's rule".
std::string RuleName(const RuleReading& rule) {
  if (rule.rule == audit::DecisionRule::kPaper) return "the paper's rule";
  return fmt::format("the {} rule", Name(rule.rule));
}

std::string HowIntervalsWereMade(const AuditResult& result) {
  switch (result.interval_kind) {
    case audit::IntervalKind::kRefit:
      return fmt::format("from {} complete refits on resampled clusters", result.replicates.size());
    case audit::IntervalKind::kFolds:
      return "from resampled folds, without the uncertainty of the learner";
    case audit::IntervalKind::kFixedChoices:
      break;
  }
  return "from resampled clusters";
}

/// The level of the intervals: less error where it is spent over looks.
double LevelOf(const AuditResult& result, const RuleReading& deciding) {
  const double level = result.protocol.bootstrap.level;
  if (deciding.rule == audit::DecisionRule::kPaper) return level;
  return audit::LookLevel(level, result.protocol.rule, result.look, result.clusters.size());
}

/// What the numbers of the table are, in a sentence.
std::string HowItWasMade(const AuditResult& result, const RuleReading& deciding) {
  return fmt::format("A {} result of {}. Points and {:.4g} % intervals are those of {}, {}, {}.",
                     result.confirmatory ? "confirmatory" : "descriptive",
                     AreGivenChoices(result) ? "the given choices" : "the learner " + result.source,
                     100.0 * LevelOf(result, deciding), RuleName(deciding),
                     Whose(deciding, AreGivenChoices(result)), HowIntervalsWereMade(result));
}

std::string Headline(const AuditResult& result, const Terminal& terminal) {
  const std::string about = fmt::format(
      "{}: {} ({}), {}, {}", terminal.Paint(Style::kBold, result.protocol.name),
      Counted(result.clusters.size(), "cluster"), result.protocol.cluster,
      Counted(result.table.queries, "query", "queries"), Counted(result.actions.size(), "action"));
  const std::string verdict = VerdictText(result, terminal);
  const std::string line = verdict + "  " + about;
  if (report::DisplayWidth(line) <= terminal.width()) return line + "\n";
  return report::Wrap(verdict, terminal.width()) + report::Wrap(about, terminal.width());
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
  plain(result.log ? "H_model" : "H_avail", result.h_avail);
  table.WhenNarrow({5}, 1);  // "decided by" repeats an end of the interval
  return table.Render(terminal.width());
}

/// The words of the table for somebody who meets them here first.
std::string Glossary(const AuditResult& result, const Terminal& terminal) {
  const std::string text = fmt::format(
      "H_dep: share of the {0} saved against the best fixed action; H_alloc: share saved against "
      "the same actions, chosen as often but at random queries; q: share of choices that break a "
      "constraint; query: one choice to make; action: what can be chosen; reference: the action "
      "without an adapter ({1}); cluster: queries that belong together and are resampled together "
      "({2}).",
      result.protocol.table.cost,
      result.actions.empty() ? result.protocol.reference : result.actions.front().name,
      result.protocol.cluster);
  return terminal.Paint(Style::kDim, report::Wrap(text, terminal.prose_width(), 2));
}

std::string Actions(const AuditResult& result, const Terminal& terminal) {
  if (result.log.has_value()) return LogActions(result, terminal);
  report::TextTable table({"action", "chosen", "chosen by an oracle", "saves where chosen",
                           "saves if fixed", "violations if fixed", "best fixed action"});
  for (const audit::ActionSummary& action : result.actions) {
    table.AddRow(
        {action.name, Percent(action.chosen), Percent(action.oracle),
         action.chosen > 0.0 ? Percent(action.gain) : "–", Percent(action.fixed_gain),
         Percent(action.fixed_violations),
         action.reference_folds > 0 ? "for " + Counted(action.reference_folds, "cluster") : ""});
  }
  table.WhenNarrow({6, 3, 5});
  return table.Render(terminal.width());
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
      "Violations within a cluster: correlation {} seen, at least {} assumed ({} without a "
      "violation). ",
      Decimal(seen, 3), Decimal(rule.least_icc, 3), Decimal(rule.icc, 3));
}

/// The rules side by side: they have different targets, and a reader should see where they
/// disagree.
std::string Rules(const AuditResult& result, const std::vector<RuleReading>& rules,
                  const Terminal& terminal) {
  if (rules.size() < 2 || !rules[0].verdict.has_value()) return "";
  const RuleReading& deciding = rules[0];
  const bool given = AreGivenChoices(result);
  std::string others;
  bool agree = true;
  for (std::size_t i = 1; i < rules.size(); ++i) {
    agree = agree && rules[i].verdict == deciding.verdict;
    others += fmt::format("; {} reads {}", RuleName(rules[i]), Name(*rules[i].verdict));
  }
  std::string text =
      fmt::format("The rules {}: {}, which decides, reads {}{}. ", agree ? "agree" : "disagree",
                  RuleName(deciding), Name(*deciding.verdict), others);
  for (std::size_t i = 1; i < rules.size(); ++i) {
    text += fmt::format("Estimates of {}, {}: {}. ", RuleName(rules[i]), Whose(rules[i], given),
                        EstimatesText(rules[i]));
  }
  const audit::LookShare share =
      audit::ShareOfLook((1.0 - result.protocol.bootstrap.level) / 2.0, result.protocol.rule,
                         result.look, result.clusters.size());
  if (result.look > 1 || share.looks > 1) {
    text += fmt::format(
        "This is look {} at the data, {} {} declared; the {} rule spends {} of its one-sided "
        "error on it. ",
        share.look, share.look > share.looks ? "beyond the" : "of", share.looks,
        result.pairs.has_value() ? "leave-pair-out" : "calibrated", Percent(share.alpha));
  }
  if (!result.log.has_value()) text += ClusteringText(result);  // about counts of violations
  text += fmt::format("Another bootstrap seed would decide otherwise in {} of cases{}.",
                      Percent(result.calibrated->flip_rate),
                      result.pairs.has_value() ? " by the calibrated rule" : "");
  return report::Wrap(text, terminal.prose_width(), 2) + "\n";
}

/// What the learner's mean error is about.
std::string PredictionError(audit::LearnerTarget target, const std::string& cost) {
  switch (target) {
    case audit::LearnerTarget::kDifference:
      return fmt::format("the {}, in units of the mean {} of the reference,", cost, cost);
    case audit::LearnerTarget::kLog:
      return fmt::format("the logarithm of the {}", cost);
    case audit::LearnerTarget::kRatio:
      break;
  }
  return fmt::format("the {}, relative to the reference,", cost);
}

std::string Diagnostics(const AuditResult& result, const Terminal& terminal) {
  const audit::Estimands& point = result.point;
  if (result.log.has_value()) return LogDiagnostics(result, terminal);
  std::string text = fmt::format(
      "The adapter departs from the reference on {} of the queries, chooses what an oracle would "
      "choose on {}, and beats the same actions assigned at random in {} of {}.",
      Percent(point.activation), Percent(point.oracle_agreement), point.folds_beating_mixture,
      Counted(result.folds.size(), "cluster"));
  if (!AreGivenChoices(result)) {
    text += fmt::format(
        " Its learner predicts {} with a mean error of {}.",
        PredictionError(audit::TargetOf(result.protocol.learner), result.protocol.table.cost),
        Percent(point.work_mae));
  }
  if (point.success.has_value()) {
    text += fmt::format(" Success: {} with the reference, {} with the adapter, {} with an oracle.",
                        Percent(point.success_direct.value_or(0.0)), Percent(*point.success),
                        Percent(point.success_oracle.value_or(0.0)));
  }
  return report::Wrap(text, terminal.prose_width(), 2);
}

/// The adapter that would ship, where it can be read.
std::string AdapterRules(const AuditResult& result, const Terminal& terminal) {
  if (result.adapter_rules.empty()) return "";
  std::string text = report::Wrap(
      "The adapter that would ship, trained on all clusters, in full:", terminal.prose_width(), 2);
  for (const std::string& rule : result.adapter_rules) {
    text += report::Wrap(rule, terminal.prose_width(), 4);
  }
  return text;
}

std::string Notes(const AuditResult& result, const Terminal& terminal) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += report::Wrap(line, terminal.prose_width(), 2);
  };
  const bool is_log = result.log.has_value();
  if (!is_log && !result.table.has_time && !result.table.eligible_given) {
    add("No time was recorded, so no action counts as too slow.");
  }
  if (!is_log && !result.table.has_success && !result.table.eligible_given) {
    add("No success was recorded, so no action counts as failed.");
  }
  if (result.table.eligible_given) {
    add("Which actions break a constraint was given with the table.");
  }
  if (result.obstacle.has_value()) {
    add(terminal.Paint(Style::kWarning, "no decision:") + " " + result.obstacle->reason + ".");
    for (const std::string& item : result.obstacle->check) add("check: " + item);
  }
  for (const std::string& reason : result.reasons) {
    if (result.obstacle.has_value() && reason == result.obstacle->reason) continue;
    add("descriptive: " + reason);
  }
  for (const std::string& warning : result.warnings) {
    add(terminal.Paint(Style::kWarning, "warning:") + " " + warning);
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
  const std::string how = report::Wrap(HowItWasMade(result, rules[0]), terminal.prose_width());
  std::string question =
      result.question.empty() ? "" : report::Wrap(result.question, terminal.prose_width());
  if (result.log.has_value()) {
    question += report::Wrap(audit::LogInWords(result), terminal.prose_width());
  }
  return Headline(result, terminal) + question + terminal.Paint(Style::kDim, how) + "\n" +
         Channels(result, rules[0], terminal) + Glossary(result, terminal) + "\n" +
         Actions(result, terminal) + "\n" + Rules(result, rules, terminal) +
         PathText(result.path, terminal) + Diagnostics(result, terminal) +
         AdapterRules(result, terminal) + Notes(result, terminal);
}

}  // namespace gonogo::cli
