// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/coverage.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gonogo/paper/charts/comparison_charts.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;

/// One row of Table "coverage"; the harder Go2 row is Section 4.3's.
struct CoverageRow {
  const char* robot;
  const char* family;
  const char* method;
  double success;
  double effort;
  double change;    ///< of the effort against direct control, as printed
  double height_m;  ///< negative: not printed
};
constexpr std::array<CoverageRow, 10> kCoverage{
    {{"go2", "harder", "vgcc", 0.797, 1.976, -0.105, -1.0},
     {"go2", "harder", "direct", 0.805, 2.208, 0.0, -1.0},
     {"go2", "moderate", "vgcc", 0.975, 1.743, -0.054, 0.356},
     {"go2", "moderate", "direct", 0.992, 1.844, 0.0, 0.362},
     {"go2", "holdout", "vgcc", 0.933, 1.936, -0.080, 0.334},
     {"go2", "holdout", "direct", 0.917, 2.105, 0.0, 0.333},
     {"anymal_d", "harder", "vgcc", 0.883, 1.367, -0.039, 0.5},
     {"anymal_d", "harder", "direct", 0.875, 1.422, 0.0, 0.5},
     {"h1", "harder", "vgcc", 0.967, 0.690, -0.047, 0.928},
     {"h1", "harder", "direct", 0.975, 0.724, 0.0, 0.941}}};

const CoverageRow* Find(const Evaluation& evaluation, std::string_view method) {
  const auto found = std::find_if(kCoverage.begin(), kCoverage.end(), [&](const CoverageRow& row) {
    return row.robot == evaluation.robot && row.family == evaluation.plan.family &&
           row.method == method;
  });
  return found == kCoverage.end() ? nullptr : found;
}

std::vector<report::Cell> Cells(const Evaluation& evaluation, const MethodSummary& s,
                                const MethodSummary& direct) {
  const CoverageRow* paper = Find(evaluation, s.name);
  const auto theirs = [paper](double CoverageRow::*value) {
    const bool printed = paper != nullptr && paper->*value >= 0.0;
    return Fixed(printed ? std::optional(paper->*value) : std::nullopt);
  };
  const bool adapter = s.name != "direct";
  return {fmt::format("{} {} ({})", evaluation.robot, evaluation.plan.family, s.episodes),
          s.name,
          WithInterval(s.success, s.success_interval),
          WithInterval(s.effort, s.effort_interval),
          adapter ? SignedPercent(s.effort / direct.effort - 1.0) : "",
          Fixed(s.final_height_m),
          theirs(&CoverageRow::success),
          theirs(&CoverageRow::effort),
          adapter && paper != nullptr ? SignedPercent(paper->change) : "",
          theirs(&CoverageRow::height_m)};
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
  return {.id = "coverage",
          .title = "Other targets and robots",
          .blocks = {
              table,
              report::Paragraph{fmt::format(
                  "Effort is lower than direct control's on {} of {} seeds, two-sided exact "
                  "sign test p = {:.3g} (paper: 17 of 17 over Go2, ANYmal-D and H1, p = "
                  "1.53e-05). Families and robots are pooled: this speaks for the direction, not "
                  "for a common size.",
                  below, seeds.size(), study::SignTest(seeds))},
              PairedChart(evaluations)}};
}

}  // namespace gonogo::paper
