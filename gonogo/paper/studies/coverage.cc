// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/coverage.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/paper/charts/comparison_charts.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/paper/published/published_coverage.h"
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

}  // namespace

report::Section CoverageSection(std::span<const Evaluation> evaluations) {
  report::Table table{
      .caption = "Intervals resample episodes: descriptive",
      .columns = Columns({"family (n)", "method", "success", "effort", "Δ effort", "height (m)",
                          "paper: success", "effort", "Δ effort", "height"}),
      .rows = {}};
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
  const auto below =
      std::count_if(seeds.begin(), seeds.end(), [](const auto& d) { return d.absolute() < 0.0; });
  const PublishedTable& paper = Published("sign-test");
  return {.id = "coverage",
          .title = "Other targets and robots",
          .blocks = {table,
                     report::Paragraph{fmt::format(
                         "Effort is lower than direct control's on {} of {} seeds, two-sided exact "
                         "sign test p = {:.3g} (paper: {} over Go2, ANYmal-D and H1, p = "
                         "{}). Families and robots are pooled: this speaks for the direction, not "
                         "for a common size.",
                         below, seeds.size(), study::SignTest(seeds),
                         *paper.Text("effort", "lower_on"), *paper.Text("effort", "p"))},
                     PairedChart(evaluations)}};
}

}  // namespace gonogo::paper
