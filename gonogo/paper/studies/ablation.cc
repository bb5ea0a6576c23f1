// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/ablation.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;

struct AblationRow {
  const char* method;
  const char* name;
  double effort;  ///< published relative change
  double success;
  double active;
};
constexpr std::array<AblationRow, 6> kAblation{
    {{"vgcc", "VGCC (full)", -0.122, 0.012, 11.7},
     {"vgcc-no-anneal", "no annealing", -0.122, 0.013, 12.3},
     {"vgcc-no-gate", "no viability gate", -0.048, -0.025, 8.9},
     {"vgcc-no-floor", "no progress floor", -0.196, -0.037, 19.8},
     {"vgcc-substitute", "substitution (α = 1)", -0.140, -0.050, 16.3},
     {"vgcc-quarter-data", "25 % identification data", -0.064, -0.012, 10.7}}};

struct ObjectiveRow {
  const char* method;
  double effort;
  std::optional<double> work_j;
  std::optional<double> success;
  std::optional<double> time_s;
};

/// Appendix B in words; of direct control only the effort is printed.
const std::array<ObjectiveRow, 3>& ObjectiveRows() {
  static const std::array<ObjectiveRow, 3> kRows{
      {{"direct", 2.132, {}, {}, {}},
       {"vgcc", 1.810, 126.9, 0.854, 2.25},
       {"vgcc-cost-per-progress", 2.010, 132.3, 0.792, 2.08}}};
  return kRows;
}

}  // namespace

report::Section AblationSection(const Evaluation& evaluation) {
  report::Table table{.caption = fmt::format(
                          "Against direct control on the same starts: {} episodes per variant on "
                          "{} seeds (paper: 80 on two)",
                          evaluation.Episodes(0).size(), evaluation.plan.seeds.size()),
                      .columns = Columns({"variant", "Δ effort", "Δ success", "active",
                                          "paper: Δ effort", "Δ success", "active"}),
                      .rows = {}};
  const std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  const MethodSummary& direct = summaries.front();
  for (std::size_t m = 1; m < summaries.size(); ++m) {
    const MethodSummary& s = summaries[m];
    const auto row = std::find_if(kAblation.begin(), kAblation.end(),
                                  [&](const AblationRow& r) { return s.name == r.method; });
    const bool published = row != kAblation.end() && evaluation.robot == "go2";
    const auto theirs = [&](double AblationRow::*value) {
      return published ? std::optional((*row).*value) : std::nullopt;
    };
    table.rows.push_back(
        {row != kAblation.end() ? row->name : s.name, SignedPercent(s.effort / direct.effort - 1.0),
         Signed(s.success - direct.success), Fixed(s.active, 1),
         SignedPercent(theirs(&AblationRow::effort)), Signed(theirs(&AblationRow::success)),
         Fixed(theirs(&AblationRow::active), 1)});
  }
  return {
      .id = "ablation",
      .title = "What the parts of VGCC are good for",
      .blocks = {table, report::Paragraph{
                            "Active are decisions per episode whose command was not the direct "
                            "one. The paper prints no Go2 row for the absolute margin; on H1 it "
                            "raised the effort by 13.5 %."}}};
}

report::Section ObjectiveSection(const Evaluation& evaluation) {
  report::Table table{
      .caption = fmt::format("{} episodes per method on {} seeds (paper: 48 on three)",
                             evaluation.Episodes(0).size(), evaluation.plan.seeds.size()),
      .columns = Columns({"method", "effort", "work (J)", "success", "time (s)", "paper: effort",
                          "work", "success", "time"}),
      .rows = {}};
  const std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  for (const MethodSummary& s : summaries) {
    const auto& rows = ObjectiveRows();
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const ObjectiveRow& r) { return s.name == r.method; });
    const bool published = row != rows.end() && evaluation.robot == "go2";
    table.rows.push_back({s.name, Fixed(s.effort), Fixed(s.work_j, 1), Fixed(s.success),
                          Fixed(s.time_s),
                          Fixed(published ? std::optional(row->effort) : std::nullopt),
                          Fixed(published ? row->work_j : std::nullopt, 1),
                          Fixed(published ? row->success : std::nullopt),
                          Fixed(published ? row->time_s : std::nullopt, 2)});
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
                                "progress on {} of {} seeds (paper: 3 of 3).",
                                below, by_seed.size())}}};
}

}  // namespace gonogo::paper
