// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/retrieval.h"

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/paper/published/published_coverage.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

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
  report::Table table{
      .caption = fmt::format("Harder targets: {} episodes per method on {} seeds",
                             evaluation.Episodes(0).size(), evaluation.plan.seeds.size()),
      .columns = Columns({"method", "effort", "Δ effort", "success", "falls", "height (m)",
                          "active", "paper: Δ effort", "success"}),
      .rows = {}};
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
                      [](const study::EpisodeRecord& e) { return e.target < kFirstTargets; });
  report::Table table{
      .caption = fmt::format("The original five harder targets: {} episodes per method",
                             part.Episodes(0).size()),
      .columns = Columns({"method", "effort", "falls", "height (m)", "paper: effort", "falls"}),
      .rows = {}};
  const PublishedTable& paper = Published("retrieval-five-targets", evaluation.robot);
  for (const MethodSummary& s : study::SummariseAll(part)) {
    table.rows.push_back({s.name, Fixed(s.effort), Fixed(s.terminations), Fixed(s.final_height_m),
                          Fixed(paper.Number(s.name, "effort")),
                          Fixed(paper.Share(s.name, "falls"))});
  }
  return table;
}

report::Table TransferTable(std::span<const Evaluation> others) {
  report::Table table{
      .caption = "Where the archive has to generalise: effort against direct control",
      .columns = Columns({"family (n)", "VGSR", "VGCC", "paper: VGSR", "VGCC"}),
      .rows = {}};
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

report::Section RetrievalSection(std::span<const Evaluation> evaluations) {
  report::Section section{
      .id = "retrieval",
      .title = "Retrieval from an archive (VGSR)",
      .blocks = {AggregateTable(evaluations.front()), FiveTargetTable(evaluations.front())}};
  if (evaluations.size() > 1) section.blocks.emplace_back(TransferTable(evaluations.subspan(1)));
  return section;
}

}  // namespace gonogo::paper
