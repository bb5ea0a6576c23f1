// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

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

struct Pair {
  MethodSummary vgcc;
  MethodSummary direct;
};

Pair Summaries(const Evaluation& evaluation) {
  std::vector<MethodSummary> both = study::SummariseAll(
      study::Restrict(evaluation, {"vgcc", "direct"}, [](const auto&) { return true; }));
  return {std::move(both[0]), std::move(both[1])};
}

/// One row of Table "physical-energy".
struct TorqueRow {
  const char* name;
  double MethodSummary::*value;
  int decimals;
  const char* column;  ///< of the published table
};
constexpr std::array<TorqueRow, 7> kTorque{
    {{"success", &MethodSummary::success, 3, "success"},
     {"effort proxy", &MethodSummary::effort, 3, "effort"},
     {"absolute mechanical work (J)", &MethodSummary::work_j, 2, "work"},
     {"mean absolute power (W)", &MethodSummary::power_w, 2, "power"},
     {"elapsed task time (s)", &MethodSummary::time_s, 3, "time"},
     {"work per path length (J/m)", &MethodSummary::work_per_metre, 2, "work_per_metre"},
     {"cost of transport", &MethodSummary::cot, 3, "cot"}}};

/// Difference of a quantity as the paper prints it: points of success, otherwise per cent.
std::string Change(bool success, double ours, double reference) {
  return success ? Signed(ours - reference) : SignedPercent(ours / reference - 1.0);
}

std::vector<report::Cell> TargetCells(const std::string& robot, robot::Point2 target,
                                      const Pair& pair) {
  const std::string name = fmt::format("({:g}, {:g})", target.x, target.y);
  const PublishedTable& paper = Published("pertarget", robot);
  const std::optional<double> vgcc = paper.Number(name, "effort_vgcc");
  const std::optional<double> direct = paper.Number(name, "effort_direct");
  return {name,
          Fixed(pair.vgcc.effort),
          Fixed(pair.direct.effort),
          SignedPercent(pair.vgcc.effort / pair.direct.effort - 1.0),
          Fixed(pair.vgcc.success),
          Fixed(pair.direct.success),
          Fixed(pair.vgcc.final_height_m),
          Fixed(pair.direct.final_height_m),
          SignedPercent(vgcc && direct ? std::optional(*vgcc / *direct - 1.0) : std::nullopt),
          Fixed(paper.Number(name, "success_vgcc")),
          Fixed(paper.Number(name, "success_direct"))};
}

/// What the paper says about the seeds one by one.
report::Paragraph PublishedBySeed(const PublishedTable& seeds) {
  return {fmt::format("Paper: effort {} … {} by seed, lower on {} seeds; success {} … {}.",
                      SignedPercent(seeds.Share("lowest", "effort")),
                      SignedPercent(seeds.Share("highest", "effort")),
                      *seeds.Text("all", "lower_on"), Signed(seeds.Number("lowest", "success"), 2),
                      Signed(seeds.Number("highest", "success"), 2))};
}

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

report::Section HarderSection(const Evaluation& evaluation) {
  const auto [vgcc, direct] = Summaries(evaluation);
  const PublishedTable& paper = Published("harder", evaluation.robot);
  report::Table table =
      NumberTable(fmt::format("{} episodes per method on {} seeds (paper: {})", vgcc.episodes,
                              evaluation.plan.seeds.size(), PublishedSize("harder-size")),
                  {"method", "success", "effort", "distance (m)", "height (m)", "falls",
                   "paper: success", "effort", "falls"});
  for (const MethodSummary& s : {vgcc, direct}) {
    table.rows.push_back(
        {s.name, WithInterval(s.success, s.success_interval),
         WithInterval(s.effort, s.effort_interval), Fixed(s.final_distance_m),
         Fixed(s.final_height_m), Fixed(s.terminations), TextOrNone(paper.Text(s.name, "success")),
         TextOrNone(paper.Text(s.name, "effort")), Fixed(paper.Number(s.name, "falls"))});
  }
  const std::optional<double> theirs = paper.Number("vgcc", "success");
  const std::optional<double> reference = paper.Number("direct", "success");
  table.rows.push_back(
      {"difference", Signed(vgcc.success - direct.success),
       SignedPercent(vgcc.effort / direct.effort - 1.0),
       Signed(vgcc.final_distance_m - direct.final_distance_m),
       Signed(vgcc.final_height_m - direct.final_height_m),
       Signed(vgcc.terminations - direct.terminations),
       Signed(theirs && reference ? std::optional(*theirs - *reference) : std::nullopt),
       SignedPercent(paper.Share("vgcc", "change")), ""});
  report::Section section{.id = "harder",
                          .title = "Running cost on the harder targets",
                          .blocks = {table, PairedTable(evaluation)}};
  const PublishedTable& seeds = Published("harder-by-seed", evaluation.robot);
  if (!seeds.rows.empty()) section.blocks.emplace_back(PublishedBySeed(seeds));
  section.blocks.emplace_back(PairedChart({&evaluation, 1}));
  return section;
}

report::Section TorqueSection(const Evaluation& evaluation) {
  const auto [vgcc, direct] = Summaries(evaluation);
  const PublishedTable& paper = Published("physical-energy", evaluation.robot);
  report::Table table =
      NumberTable(fmt::format("{} episodes per method on {} seeds (paper: {})", vgcc.episodes,
                              evaluation.plan.seeds.size(), PublishedSize("physical-energy-size")),
                  {"metric", "VGCC", "direct", "Δ", "paper: VGCC", "direct", "Δ"});
  for (const TorqueRow& row : kTorque) {
    const bool success = row.value == &MethodSummary::success;
    const double ours = vgcc.*row.value;
    const double reference = direct.*row.value;
    const std::optional<double> theirs = paper.Number("vgcc", row.column);
    const std::optional<double> their_reference = paper.Number("direct", row.column);
    table.rows.push_back(
        {row.name, Fixed(ours, row.decimals), Fixed(reference, row.decimals),
         Change(success, ours, reference), theirs ? Fixed(theirs, row.decimals) : "",
         their_reference ? Fixed(their_reference, row.decimals) : "",
         theirs && their_reference ? Change(success, *theirs, *their_reference) : ""});
  }
  std::string seeds;
  for (const auto& d : study::ComparePaired(evaluation, evaluation.Find("vgcc"),
                                            evaluation.Find("direct"), study::Work)) {
    seeds += (seeds.empty() ? "" : ", ") + SignedPercent(d.relative());
  }
  const PublishedTable& by_seed = Published("work-by-seed", evaluation.robot);
  if (!by_seed.rows.empty()) {
    const auto change = [&](const char* seed) {
      return SignedPercent(by_seed.Share(seed, "change"));
    };
    seeds +=
        fmt::format(" (paper: {}, {}, {})", change("first"), change("second"), change("third"));
  }
  return {.id = "torque",
          .title = "Mechanical work from joint torques",
          .blocks = {table, report::Paragraph{"Work by seed: " + seeds + "."}}};
}

report::Section PerTargetSection(const Evaluation& evaluation) {
  struct Row {
    robot::Point2 target;
    Pair pair;
  };
  std::vector<Row> rows;
  for (std::size_t t = 0; t < evaluation.targets.size(); ++t) {
    const Evaluation part = study::Restrict(
        evaluation, {"vgcc", "direct"},
        [t](const study::EvaluatedEpisode& episode) { return episode.target == t; });
    rows.push_back({evaluation.targets[t], Summaries(part)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.pair.vgcc.effort / a.pair.direct.effort < b.pair.vgcc.effort / b.pair.direct.effort;
  });
  report::Table table = NumberTable(
      fmt::format("{} episodes per target and method (paper: {}), by reduction of effort",
                  rows.front().pair.vgcc.episodes,
                  *Published("pertarget-size").Text("study", "episodes")),
      {"target", "effort: VGCC", "direct", "Δ", "success: VGCC", "direct", "height: VGCC", "direct",
       "paper: Δ effort", "success: VGCC", "direct"});
  for (const Row& row : rows) {
    table.rows.push_back(TargetCells(evaluation.robot, row.target, row.pair));
  }
  return {
      .id = "per-target", .title = "Target by target", .blocks = {table, PathsChart(evaluation)}};
}

report::Section AblationSection(const Evaluation& evaluation) {
  report::Table table = NumberTable(
      fmt::format("Against direct control on the same starts: {} episodes per variant on "
                  "{} seeds (paper: {})",
                  evaluation.Episodes(0).size(), evaluation.plan.seeds.size(),
                  PublishedSize("vgcc-ablation-size")),
      {"variant", "Δ effort", "Δ success", "active", "paper: Δ effort", "Δ success", "active"});
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
  report::Table table = NumberTable(
      fmt::format("{} episodes per method on {} seeds (paper: {})", evaluation.Episodes(0).size(),
                  evaluation.plan.seeds.size(), PublishedSize("objective-size")),
      {"method", "effort", "work (J)", "success", "time (s)", "paper: effort", "work", "success",
       "time"});
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
  return {.id = "objective",
          .title = "Cost, or cost per progress",
          .blocks = {table, report::Paragraph{fmt::format(
                                "Ranking by cost needs less effort than ranking by cost per "
                                "progress on {} seeds (paper: {}).",
                                SeedsBelow(by_seed),
                                *Published("objective-size").Text("study", "lower_on"))}}};
}

}  // namespace gonogo::paper
