// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/report_text.h"

#include <map>

#include <fmt/format.h>

#include "gonogo/audit/result/readings.h"
#include "gonogo/cli/text/audit_text.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

std::string LearnersText(const std::vector<audit::AuditResult>& learners,
                         const Terminal& terminal) {
  report::TextTable rows(
      {"learner", "<target", "<verdict", "departs", "H_dep", "", "H_alloc", "", "q", ""});
  for (const audit::AuditResult& result : learners) {
    std::vector<std::string> row = {
        result.source, std::string(audit::Name(audit::TargetOf(result.protocol.learner))),
        VerdictText(result, terminal), Percent(result.point.activation)};
    const std::vector<audit::RuleReading> rules = audit::ReadRules(result);
    for (const audit::ChannelReading& channel : rules.front().channels) {
      if (channel.key == "H_total") continue;
      row.push_back(Percent(channel.point));
      row.push_back(PercentInterval(channel.interval));
    }
    rows.AddRow(std::move(row));
  }
  return fmt::format(
      "Across learners (only the declared one, in the first row, can be confirmatory; the others "
      "describe and decide nothing; intervals: the declared rule's)\n{}",
      rows.Render(terminal.width()));
}

std::string SeedsText(const std::vector<audit::SeedReading>& readings) {
  std::string text = fmt::format("Over {} bootstrap seeds\n", readings.size());
  for (const audit::SeedRule& rule : audit::kSeedRules) {
    std::map<std::string, std::size_t> counts;
    for (const audit::SeedReading& reading : readings) ++counts[reading.*rule.answer];
    std::string answers;
    for (const auto& [answer, count] : counts) {
      answers += fmt::format("{}{} {}", answers.empty() ? "" : ", ",
                             answer.empty() ? "no answer" : answer, count);
    }
    text +=
        fmt::format("  {:<11} {}: {}\n", rule.name,
                    audit::FlipRate(readings, rule.answer) == 0.0 ? "stable" : "unstable", answers);
  }
  return text;
}

std::string AblationText(const std::vector<audit::AblationRow>& rows, const Terminal& terminal) {
  report::TextTable lines(
      {"features", "error of the cost", "departs", "H_total", "H_alloc", "", "q"});
  for (const audit::AblationRow& row : rows) {
    const audit::Estimands& point = row.result.point;
    lines.AddRow({row.set.name, Percent(point.work_mae), Percent(point.activation),
                  Percent(point.h_total), Percent(point.h_alloc),
                  PercentInterval(row.result.h_alloc.interval), Percent(point.q)});
  }
  return "The same audit with every feature set: descriptive, with the intervals of the paper's "
         "rule.\n" +
         lines.Render(terminal.width());
}

std::string OtherQuestionText(const audit::AuditResult& other) {
  return fmt::format(
      "The other question, about {}: the same learner would read H_dep {} {}, H_alloc {} {}, q "
      "{}. A diagnostic from {} folds without refits, which decides nothing.\n",
      audit::AboutWhichClusters(other), Percent(other.h_dep.point),
      PercentInterval(other.h_dep.interval), Percent(other.h_alloc.point),
      PercentInterval(other.h_alloc.interval), Percent(other.q.point), other.folds.size());
}

std::string MapText(const audit::ChoiceMap& map, const Terminal& terminal) {
  std::vector<std::string> heads{map.feature, "queries"};
  heads.insert(heads.end(), map.actions.begin(), map.actions.end());
  heads.insert(heads.end(), {"saved", "violations"});
  report::TextTable table(heads);
  for (const audit::ChoiceBin& bin : map.bins) {
    std::vector<std::string> row{fmt::format("{:.3g} … {:.3g}", bin.low, bin.high),
                                 fmt::format("{}", bin.queries)};
    for (const double share : bin.share) row.push_back(fmt::format("{:.1f} %", 100.0 * share));
    row.push_back(fmt::format("{:.2f} %", 100.0 * bin.saved));
    row.push_back(fmt::format("{:.2f} %", 100.0 * bin.violations));
    table.AddRow(row);
  }
  return "Where the adapter acts: its held-out choices over " + map.feature + ".\n" +
         table.Render(terminal.width());
}

}  // namespace

std::string ReportText(const audit::AuditReport& report, const Terminal& terminal) {
  std::string text = AuditText(report.result, terminal);
  if (!report.learners.empty()) text += "\n" + LearnersText(report.learners, terminal);
  if (!report.seeds.empty()) text += "\n" + SeedsText(report.seeds);
  if (!report.ablation.empty()) text += "\n" + AblationText(report.ablation, terminal);
  if (report.other_question) text += "\n" + OtherQuestionText(*report.other_question);
  if (report.map) text += "\n" + MapText(*report.map, terminal);
  return text;
}

}  // namespace gonogo::cli
