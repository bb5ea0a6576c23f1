// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/comparison.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/text.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::paper {
namespace {

using nlohmann::json;
using study::Evaluation;
using study::MethodSummary;
using study::SeedDifference;

void AddDifferences(const Evaluation& evaluation, json& rows) {
  for (std::size_t m = 1; m < evaluation.methods.size(); ++m) {
    const auto effort = study::ComparePaired(evaluation, m, 0, study::Effort);
    const auto success = study::ComparePaired(evaluation, m, 0, study::Success);
    for (std::size_t s = 0; s < effort.size(); ++s) {
      const std::string group =
          fmt::format("{} {}: {}", evaluation.robot, evaluation.plan.family, evaluation.methods[m]);
      rows.push_back({{"group", group},
                      {"quantity", "effort, %"},
                      {"seed", effort[s].seed},
                      {"difference", 100.0 * effort[s].relative()}});
      rows.push_back({{"group", group},
                      {"quantity", "success, points"},
                      {"seed", success[s].seed},
                      {"difference", 100.0 * success[s].absolute()}});
    }
  }
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

}  // namespace

std::vector<std::string> ScaleMethods(const Evaluation& evaluation) {
  std::vector<std::string> scales;
  for (const std::string& name : evaluation.methods) {
    if (name == "direct" || name.starts_with("scale")) scales.push_back(name);
  }
  return scales;
}

report::Chart FrontierChart(const Evaluation& evaluation) {
  const std::vector<std::string> scales = ScaleMethods(evaluation);
  json points = json::array();
  json line = json::array();
  for (const study::MethodSummary& s : study::SummariseAll(evaluation)) {
    const bool scale = std::find(scales.begin(), scales.end(), s.name) != scales.end();
    const json point{{"method", s.name},
                     {"time", s.time_s},
                     {"COT", s.cot},
                     {"success", s.success},
                     {"kind", scale ? "direct and fixed scales" : "adapters and governor"}};
    points.push_back(point);
    if (scale) line.push_back(point);
  }
  report::Chart chart{
      .title =
          "Cost of transport against completion time; the dashed line is the frontier of "
          "direct control and fixed scales",
      .description =
          "Which controllers are fast and cheap? One point for each controller: mean completion "
          "time and mean cost of transport, as in the table."};
  chart.spec = ChartSpec("frontier");
  chart.spec["layer"][0]["data"]["values"] = std::move(line);
  chart.spec["layer"][1]["data"]["values"] = points;
  chart.spec["layer"][2]["data"]["values"] = std::move(points);
  return chart;
}

report::Chart PairedChart(std::span<const Evaluation> evaluations) {
  json rows = json::array();
  for (const Evaluation& evaluation : evaluations) AddDifferences(evaluation, rows);
  report::Chart chart{
      .title = "Paired differences to the reference, one point per seed",
      .description =
          "Do the differences hold in every seed? Relative difference of effort and absolute "
          "difference of success, one point for each seed, as in the table."};
  chart.spec = ChartSpec("paired");
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

report::Chart PathsChart(const Evaluation& evaluation) {
  json rows = json::array();
  json goals = json::array();
  for (const study::EvaluatedEpisode& episode : evaluation.episodes) {
    if (episode.seed != evaluation.plan.seeds.front()) continue;
    const robot::Point2 target = evaluation.targets[episode.target];
    const std::string panel = fmt::format("({:g}, {:g})", target.x, target.y);
    const std::string& method = evaluation.methods[episode.method];
    if (episode.trial == 0 && episode.method == 0) {
      goals.push_back({{"target", panel}, {"x", target.x}, {"y", target.y}});
    }
    for (std::size_t i = 0; i < episode.path_S.size(); ++i) {
      rows.push_back({{"target", panel},
                      {"method", method},
                      {"episode", fmt::format("{} {}", method, episode.trial)},
                      {"i", i},
                      {"x", episode.path_S[i].x},
                      {"y", episode.path_S[i].y}});
    }
  }
  report::Chart chart{
      .title = fmt::format("Paths on the ground, seen from the start pose (seed {}, all trials)",
                           evaluation.plan.seeds.front()),
      .description =
          "Which way did the robot walk? One panel for each target, one line for each episode, "
          "coloured by controller."};
  chart.spec = ChartSpec("paths");
  for (json& goal : goals) {
    goal["goal"] = true;
    rows.push_back(std::move(goal));
  }
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

std::vector<MethodSummary> ByTime(const Evaluation& evaluation) {
  std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  std::stable_sort(
      summaries.begin(), summaries.end(),
      [](const MethodSummary& a, const MethodSummary& b) { return a.time_s < b.time_s; });
  return summaries;
}

std::string SeedsBelow(const std::vector<SeedDifference>& differences) {
  const auto below = std::count_if(differences.begin(), differences.end(),
                                   [](const auto& d) { return d.absolute() < 0.0; });
  return fmt::format("{} of {}", below, differences.size());
}

report::Table MeansTable(const Evaluation& evaluation) {
  report::Table table = NumberTable(
      fmt::format("{}, {} targets: {} per method on {}, by time", evaluation.robot,
                  evaluation.plan.family, report::Counted(evaluation.Episodes(0).size(), "episode"),
                  report::Counted(evaluation.plan.seeds.size(), "seed")),
      {"method", "success", "effort", "work (J)", "power (W)", "time (s)", "path (m)", "J/m", "COT",
       "distance (m)", "height (m)", "falls", "active"});
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
  report::Table table = NumberTable(
      fmt::format("Differences to {} on the same starts, over {}", evaluation.methods.front(),
                  report::Counted(evaluation.plan.seeds.size(), "seed")),
      {"method", "effort by seed", "lower on", "sign test p", "work by seed", "lower on",
       "sign test p", "success by seed"});
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
  report::Table table =
      NumberTable("Why the commands were given, as shares of all decisions", {"method"});
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
