// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/comparison.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/paper/charts/comparison_charts.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/text.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;
using study::SeedDifference;

std::vector<MethodSummary> ByTime(const Evaluation& evaluation) {
  std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  std::stable_sort(
      summaries.begin(), summaries.end(),
      [](const MethodSummary& a, const MethodSummary& b) { return a.time_s < b.time_s; });
  return summaries;
}

template <typename Value>
std::pair<double, double> Range(const std::vector<SeedDifference>& differences,
                                const Value& value) {
  std::pair range{value(differences.front()), value(differences.front())};
  for (const SeedDifference& d : differences) {
    range = {std::min(range.first, value(d)), std::max(range.second, value(d))};
  }
  return range;
}

std::string RelativeRange(const std::vector<SeedDifference>& differences) {
  const auto [low, high] = Range(differences, [](const auto& d) { return d.relative(); });
  return SignedPercent(low) + " … " + SignedPercent(high);
}

std::string SeedsBelow(const std::vector<SeedDifference>& differences) {
  const auto below = std::count_if(differences.begin(), differences.end(),
                                   [](const auto& d) { return d.absolute() < 0.0; });
  return fmt::format("{} of {}", below, differences.size());
}

}  // namespace

report::Table MeansTable(const Evaluation& evaluation) {
  report::Table table{
      .caption = fmt::format("{}, {} targets: {} per method on {}, by time", evaluation.robot,
                             evaluation.plan.family,
                             report::Counted(evaluation.Episodes(0).size(), "episode"),
                             report::Counted(evaluation.plan.seeds.size(), "seed")),
      .columns =
          Columns({"method", "success", "effort", "work (J)", "power (W)", "time (s)", "path (m)",
                   "J/m", "COT", "distance (m)", "height (m)", "falls", "active"}),
      .rows = {}};
  for (const MethodSummary& s : ByTime(evaluation)) {
    table.rows.push_back({s.name, WithInterval(s.success, s.success_interval),
                          WithInterval(s.effort, s.effort_interval), Fixed(s.work_j, 1),
                          Fixed(s.power_w, 1), Fixed(s.time_s), Fixed(s.path_m, 2),
                          Fixed(s.work_per_metre, 1), Fixed(s.cot), Fixed(s.final_distance_m, 2),
                          Fixed(s.final_height_m), Fixed(s.terminations), Fixed(s.active, 1)});
  }
  return table;
}

report::Table PairedTable(const Evaluation& evaluation) {
  report::Table table{
      .caption =
          fmt::format("Differences to {} on the same starts, over {}", evaluation.methods.front(),
                      report::Counted(evaluation.plan.seeds.size(), "seed")),
      .columns = Columns({"method", "effort by seed", "lower on", "sign test p", "work by seed",
                          "lower on", "sign test p", "success by seed"}),
      .rows = {}};
  for (std::size_t m = 1; m < evaluation.methods.size(); ++m) {
    const auto effort = study::ComparePaired(evaluation, m, 0, study::Effort);
    const auto work = study::ComparePaired(evaluation, m, 0, study::Work);
    const auto success = study::ComparePaired(evaluation, m, 0, study::Success);
    const auto [low, high] = Range(success, [](const auto& d) { return d.absolute(); });
    table.rows.push_back({evaluation.methods[m], RelativeRange(effort), SeedsBelow(effort),
                          fmt::format("{:.3g}", study::SignTest(effort)), RelativeRange(work),
                          SeedsBelow(work), fmt::format("{:.3g}", study::SignTest(work)),
                          Signed(low) + " … " + Signed(high)});
  }
  return table;
}

report::Table ReasonTable(const Evaluation& evaluation) {
  report::Table table{.caption = "Why the commands were given, as shares of all decisions",
                      .columns = Columns({"method"}),
                      .rows = {}};
  const std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  for (const MethodSummary& s : summaries) table.rows.push_back({s.name});
  for (std::size_t reason = 0; reason < summaries.front().reasons.size(); ++reason) {
    const bool used = std::any_of(summaries.begin(), summaries.end(),
                                  [&](const MethodSummary& s) { return s.reasons[reason] > 0; });
    if (!used) continue;
    table.columns.push_back({std::string(control::ReasonName(static_cast<control::Reason>(reason))),
                             report::ColumnKind::kNumber});
    for (std::size_t m = 0; m < summaries.size(); ++m) {
      const auto& counts = summaries[m].reasons;
      const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
      table.rows[m].emplace_back(counts[reason] == 0 ? ""
                                                     : report::Percent(counts[reason] / all, 1));
    }
  }
  return table;
}

report::Section OverviewSection(const Evaluation& evaluation) {
  report::Section section{
      .id = "overview", .title = "Overview", .blocks = {FrontierChart(evaluation)}};
  if (evaluation.methods.size() > 1) section.blocks.emplace_back(PairedChart({&evaluation, 1}));
  return section;
}

report::Section ComparisonSection(const Evaluation& evaluation) {
  report::Section section{
      .id = fmt::format("comparison-{}-{}", evaluation.robot, evaluation.plan.family),
      .title = fmt::format("{}, {} targets", evaluation.robot, evaluation.plan.family),
      .blocks = {report::Paragraph{
                     "Every method starts every episode from the same state. Intervals resample "
                     "episodes and are descriptive: episodes of a seed are not independent."},
                 MeansTable(evaluation)}};
  if (evaluation.methods.size() > 1) section.blocks.emplace_back(PairedTable(evaluation));
  section.blocks.emplace_back(ReasonTable(evaluation));
  section.blocks.emplace_back(PathsChart(evaluation));
  return section;
}

}  // namespace gonogo::paper
