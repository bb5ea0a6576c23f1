// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/paper/sections/comparison.h"
#include "gonogo/paper/studies/studies.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;

std::vector<report::Cell> Cells(const Evaluation& evaluation, const MethodSummary& s,
                                const MethodSummary& direct) {
  const PublishedCoverage paper =
      FindPublishedCoverage(evaluation.robot, evaluation.plan.family, s.name);
  const bool adapter = s.name != "direct";
  return {fmt::format("{} {} ({})", evaluation.robot, evaluation.plan.family, s.episodes),
          s.name,
          WithInterval(s.success, s.success_interval),
          WithInterval(s.effort, s.effort_interval),
          adapter ? SignedPercent(s.effort / direct.effort - 1.0) : "",
          Fixed(s.final_height_m),
          Fixed(paper.success),
          Fixed(paper.effort),
          paper.change ? SignedPercent(paper.change) : "",
          Fixed(paper.height_m)};
}

using study::Evaluation;
using study::MethodSummary;

constexpr std::size_t kFirstTargets = 5;  // of the harder family: the original protocol

/// What the paper says of a method on the harder targets: a number, or its words where it prints
/// none.
std::string SaidOfEffort(const PublishedTable& paper, const std::string& method) {
  if (paper.Has(method) && method == "direct") return "";  // the reference
  if (const auto change = paper.Share(method, "effort")) return SignedPercent(change);
  return TextOrNone(paper.Text(method, "effort_said"));
}

std::string SaidOfSuccess(const PublishedTable& paper, const std::string& method) {
  if (const auto success = paper.Text(method, "success")) return *success;
  return TextOrNone(paper.Text(method, "success_said"));
}

report::Table AggregateTable(const Evaluation& evaluation) {
  report::Table table =
      NumberTable(fmt::format("Harder targets: {} episodes per method on {} seeds",
                              evaluation.Episodes(0).size(), evaluation.plan.seeds.size()),
                  {"method", "effort", "Δ effort", "success", "falls", "height (m)", "active",
                   "paper: Δ effort", "success"});
  const std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  const PublishedTable& paper = Published("retrieval", evaluation.robot);
  for (const MethodSummary& s : summaries) {
    table.rows.push_back(
        {s.name, Fixed(s.effort),
         s.name == "direct" ? "" : SignedPercent(s.effort / summaries.front().effort - 1.0),
         Fixed(s.success), Fixed(s.terminations), Fixed(s.final_height_m), Fixed(s.active, 1),
         SaidOfEffort(paper, s.name), SaidOfSuccess(paper, s.name)});
  }
  return table;
}

report::Table FiveTargetTable(const Evaluation& evaluation) {
  const Evaluation part =
      study::Restrict(evaluation, {"vgsr", "vgcc", "direct"},
                      [](const study::EvaluatedEpisode& e) { return e.target < kFirstTargets; });
  report::Table table =
      NumberTable(fmt::format("The original five harder targets: {} episodes per method",
                              part.Episodes(0).size()),
                  {"method", "effort", "falls", "height (m)", "paper: effort", "falls"});
  const PublishedTable& paper = Published("retrieval-five-targets", evaluation.robot);
  for (const MethodSummary& s : study::SummariseAll(part)) {
    table.rows.push_back({s.name, Fixed(s.effort), Fixed(s.terminations), Fixed(s.final_height_m),
                          Fixed(paper.Number(s.name, "effort")),
                          Fixed(paper.Share(s.name, "falls"))});
  }
  return table;
}

report::Table TransferTable(std::span<const Evaluation> others) {
  report::Table table =
      NumberTable("Where the archive has to generalise: effort against direct control",
                  {"family (n)", "VGSR", "VGCC", "paper: VGSR", "VGCC"});
  for (const Evaluation& evaluation : others) {
    const auto summaries = study::SummariseAll(
        study::Restrict(evaluation, {"direct", "vgsr", "vgcc"}, [](const auto&) { return true; }));
    const std::string& family = evaluation.plan.family;
    const std::optional<double> vgsr =
        Published("retrieval-transfer").Share(evaluation.robot + "/" + family, "vgsr");
    // The paper compares the two where it prints a number for VGSR.
    const std::optional<double> vgcc =
        vgsr ? FindPublishedCoverage(evaluation.robot, family, "vgcc").change : std::nullopt;
    table.rows.push_back(
        {fmt::format("{} {} ({})", evaluation.robot, family, summaries.front().episodes),
         SignedPercent(summaries[1].effort / summaries[0].effort - 1.0),
         SignedPercent(summaries[2].effort / summaries[0].effort - 1.0), SignedPercent(vgsr),
         SignedPercent(vgcc)});
  }
  return table;
}

}  // namespace

report::Section CoverageSection(std::span<const Evaluation> evaluations) {
  report::Table table =
      NumberTable("Intervals resample episodes: descriptive",
                  {"family (n)", "method", "success", "effort", "Δ effort", "height (m)",
                   "paper: success", "effort", "Δ effort", "height"});
  table.columns[1].kind = report::ColumnKind::kText;
  std::vector<study::SeedDifference> seeds;
  for (const Evaluation& evaluation : evaluations) {
    const std::vector<MethodSummary> both = study::SummariseAll(
        study::Restrict(evaluation, {"vgcc", "direct"}, [](const auto&) { return true; }));
    for (const MethodSummary& s : both) table.rows.push_back(Cells(evaluation, s, both[1]));
    const auto differences = study::ComparePaired(evaluation, evaluation.Find("vgcc"),
                                                  evaluation.Find("direct"), study::Effort);
    seeds.insert(seeds.end(), differences.begin(), differences.end());
  }
  const PublishedTable& paper = Published("sign-test");
  return {.id = "coverage",
          .title = "Other targets and robots",
          .blocks = {table,
                     report::Paragraph{fmt::format(
                         "Effort is lower than direct control's on {} seeds, two-sided exact "
                         "sign test p = {:.3g} (paper: {} over Go2, ANYmal-D and H1, p = "
                         "{}). Families and robots are pooled: this speaks for the direction, not "
                         "for a common size.",
                         SeedsBelow(seeds), study::SignTest(seeds),
                         *paper.Text("effort", "lower_on"), *paper.Text("effort", "p"))},
                     PairedChart(evaluations)}};
}

report::Section RetrievalSection(std::span<const Evaluation> evaluations) {
  report::Section section{
      .id = "retrieval",
      .title = "Retrieval from an archive (VGSR)",
      .blocks = {AggregateTable(evaluations.front()), FiveTargetTable(evaluations.front())}};
  if (evaluations.size() > 1) section.blocks.emplace_back(TransferTable(evaluations.subspan(1)));
  return section;
}

}  // namespace gonogo::paper
