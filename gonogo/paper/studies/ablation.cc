// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/ablation.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;

/// By the name of the method, what the table calls it.
const std::map<std::string, std::string>& VariantNames() {
  static const std::map<std::string, std::string> kNames{
      {"vgcc", "VGCC (full)"},
      {"vgcc-no-anneal", "no annealing"},
      {"vgcc-no-gate", "no viability gate"},
      {"vgcc-no-floor", "no progress floor"},
      {"vgcc-substitute", "substitution (α = 1)"},
      {"vgcc-quarter-data", "25 % identification data"}};
  return kNames;
}

}  // namespace

report::Section AblationSection(const Evaluation& evaluation) {
  const PublishedTable& size = Published("vgcc-ablation-size");
  report::Table table{.caption = fmt::format(
                          "Against direct control on the same starts: {} episodes per variant on "
                          "{} seeds (paper: {} on {})",
                          evaluation.Episodes(0).size(), evaluation.plan.seeds.size(),
                          *size.Text("study", "episodes"), *size.Text("study", "seeds")),
                      .columns = Columns({"variant", "Δ effort", "Δ success", "active",
                                          "paper: Δ effort", "Δ success", "active"}),
                      .rows = {}};
  const std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  const MethodSummary& direct = summaries.front();
  const PublishedTable& paper = Published("vgcc-ablation", evaluation.robot);
  for (std::size_t m = 1; m < summaries.size(); ++m) {
    const MethodSummary& s = summaries[m];
    const auto name = VariantNames().find(s.name);
    table.rows.push_back(
        {name == VariantNames().end() ? s.name : name->second,
         SignedPercent(s.effort / direct.effort - 1.0), Signed(s.success - direct.success),
         Fixed(s.active, 1), SignedPercent(paper.Share(s.name, "effort")),
         Signed(paper.Number(s.name, "success")), Fixed(paper.Number(s.name, "active"), 1)});
  }
  return {
      .id = "ablation",
      .title = "What the parts of VGCC are good for",
      .blocks = {table, report::Paragraph{fmt::format(
                            "Active are decisions per episode whose command was not the direct "
                            "one. The paper prints no Go2 row for the absolute margin; on H1 it "
                            "raised the effort by {} %.",
                            *Published("absolute-margin").Text("h1", "effort"))}}};
}

report::Section ObjectiveSection(const Evaluation& evaluation) {
  const PublishedTable& size = Published("objective-size");
  report::Table table{
      .caption = fmt::format("{} episodes per method on {} seeds (paper: {} on {})",
                             evaluation.Episodes(0).size(), evaluation.plan.seeds.size(),
                             *size.Text("study", "episodes"), *size.Text("study", "seeds")),
      .columns = Columns({"method", "effort", "work (J)", "success", "time (s)", "paper: effort",
                          "work", "success", "time"}),
      .rows = {}};
  const PublishedTable& paper = Published("objective", evaluation.robot);
  for (const MethodSummary& s : study::SummariseAll(evaluation)) {
    table.rows.push_back(
        {s.name, Fixed(s.effort), Fixed(s.work_j, 1), Fixed(s.success), Fixed(s.time_s),
         Fixed(paper.Number(s.name, "effort")), Fixed(paper.Number(s.name, "work"), 1),
         Fixed(paper.Number(s.name, "success")), Fixed(paper.Number(s.name, "time"), 2)});
  }
  const auto by_seed =
      study::ComparePaired(evaluation, evaluation.Find("vgcc"),
                           evaluation.Find("vgcc-cost-per-progress"), study::Effort);
  const auto below = std::count_if(by_seed.begin(), by_seed.end(),
                                   [](const auto& d) { return d.absolute() < 0.0; });
  return {.id = "objective",
          .title = "Cost, or cost per progress",
          .blocks = {table, report::Paragraph{fmt::format(
                                "Ranking by cost needs less effort than ranking by cost per "
                                "progress on {} of {} seeds (paper: {}).",
                                below, by_seed.size(), *size.Text("study", "lower_on"))}}};
}

}  // namespace gonogo::paper
