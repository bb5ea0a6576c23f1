// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/compensation.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gonogo/paper/charts/comparison_charts.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/studies/comparison.h"
#include "gonogo/report/text/number_text.h"
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
  double vgcc;  ///< published
  double direct;
};
constexpr std::array<TorqueRow, 7> kTorque{
    {{"success", &MethodSummary::success, 3, 0.771, 0.792},
     {"effort proxy", &MethodSummary::effort, 3, 1.933, 2.280},
     {"absolute mechanical work (J)", &MethodSummary::work_j, 2, 129.89, 141.48},
     {"mean absolute power (W)", &MethodSummary::power_w, 2, 60.29, 71.88},
     {"elapsed task time (s)", &MethodSummary::time_s, 3, 2.113, 1.905},
     {"work per path length (J/m)", &MethodSummary::work_per_metre, 2, 111.14, 118.60},
     {"cost of transport", &MethodSummary::cot, 3, 0.754, 0.805}}};

/// One row of Table "pertarget".
struct TargetRow {
  robot::Point2 target;
  double effort_vgcc;
  double effort_direct;
  double success_vgcc;
  double success_direct;
};
constexpr std::array<TargetRow, 8> kTargets{{{{0.0, 1.25}, 1.815, 2.083, 0.940, 0.980},
                                             {{1.75, -0.75}, 2.217, 2.542, 0.480, 0.520},
                                             {{-1.0, 0.75}, 1.861, 2.122, 1.000, 1.000},
                                             {{0.0, -1.25}, 1.822, 2.073, 0.940, 0.980},
                                             {{1.5, 1.0}, 2.203, 2.471, 0.800, 0.740},
                                             {{2.0, 0.0}, 2.367, 2.619, 0.240, 0.260},
                                             {{1.0, -1.0}, 2.028, 2.240, 0.980, 0.960},
                                             {{-0.75, 0.0}, 1.496, 1.510, 1.000, 1.000}}};

/// Difference of a quantity as the paper prints it: points of success, otherwise per cent.
std::string Change(bool success, double ours, double reference) {
  return success ? Signed(ours - reference) : SignedPercent(ours / reference - 1.0);
}

std::vector<report::Cell> TargetCells(robot::Point2 target, const Pair& pair, bool published) {
  const auto row = std::find_if(kTargets.begin(), kTargets.end(),
                                [&](const TargetRow& r) { return r.target == target; });
  const TargetRow* paper = published && row != kTargets.end() ? row : nullptr;
  const auto theirs = [paper](double TargetRow::*value) {
    return Fixed(paper == nullptr ? std::nullopt : std::optional(paper->*value));
  };
  return {fmt::format("({:g}, {:g})", target.x, target.y),
          Fixed(pair.vgcc.effort),
          Fixed(pair.direct.effort),
          SignedPercent(pair.vgcc.effort / pair.direct.effort - 1.0),
          Fixed(pair.vgcc.success),
          Fixed(pair.direct.success),
          Fixed(pair.vgcc.final_height_m),
          Fixed(pair.direct.final_height_m),
          SignedPercent(paper == nullptr
                            ? std::nullopt
                            : std::optional(paper->effort_vgcc / paper->effort_direct - 1.0)),
          theirs(&TargetRow::success_vgcc),
          theirs(&TargetRow::success_direct)};
}

}  // namespace

report::Section HarderSection(const Evaluation& evaluation) {
  const auto [vgcc, direct] = Summaries(evaluation);
  const bool published = evaluation.robot == "go2";
  report::Table table{
      .caption = fmt::format("{} episodes per method on {} seeds (paper: 400 on five)",
                             vgcc.episodes, evaluation.plan.seeds.size()),
      .columns = Columns({"method", "success", "effort", "distance (m)", "height (m)", "falls",
                          "paper: success", "effort", "falls"}),
      .rows = {}};
  const auto row = [&](const MethodSummary& s, const char* success, const char* effort) {
    table.rows.push_back(
        {s.name, WithInterval(s.success, s.success_interval),
         WithInterval(s.effort, s.effort_interval), Fixed(s.final_distance_m),
         Fixed(s.final_height_m), Fixed(s.terminations), published ? success : report::kNoNumber,
         published ? effort : report::kNoNumber, published ? "0.000" : report::kNoNumber});
  };
  row(vgcc, "0.797 [0.760, 0.835]", "1.976 [1.938, 2.016]");
  row(direct, "0.805 [0.765, 0.843]", "2.208 [2.156, 2.256]");
  table.rows.push_back({"difference", Signed(vgcc.success - direct.success),
                        SignedPercent(vgcc.effort / direct.effort - 1.0),
                        Signed(vgcc.final_distance_m - direct.final_distance_m),
                        Signed(vgcc.final_height_m - direct.final_height_m),
                        Signed(vgcc.terminations - direct.terminations),
                        published ? "−0.008" : report::kNoNumber,
                        published ? "−10.5\u202f%" : report::kNoNumber, ""});
  report::Section section{.id = "harder",
                          .title = "Running cost on the harder targets",
                          .blocks = {table, PairedTable(evaluation)}};
  if (published) {
    section.blocks.emplace_back(
        report::Paragraph{"Paper: effort −14.3\u202f% … −6.4\u202f% by seed, lower on 5 of 5 "
                          "seeds; success −0.05 … +0.05."});
  }
  section.blocks.emplace_back(PairedChart({&evaluation, 1}));
  return section;
}

report::Section TorqueSection(const Evaluation& evaluation) {
  const auto [vgcc, direct] = Summaries(evaluation);
  const bool published = evaluation.robot == "go2";
  report::Table table{
      .caption = fmt::format("{} episodes per method on {} seeds (paper: 48 on three)",
                             vgcc.episodes, evaluation.plan.seeds.size()),
      .columns = Columns({"metric", "VGCC", "direct", "Δ", "paper: VGCC", "direct", "Δ"}),
      .rows = {}};
  for (const TorqueRow& row : kTorque) {
    const bool success = row.value == &MethodSummary::success;
    const double ours = vgcc.*row.value;
    const double reference = direct.*row.value;
    table.rows.push_back({row.name, Fixed(ours, row.decimals), Fixed(reference, row.decimals),
                          Change(success, ours, reference),
                          published ? Fixed(row.vgcc, row.decimals) : "",
                          published ? Fixed(row.direct, row.decimals) : "",
                          published ? Change(success, row.vgcc, row.direct) : ""});
  }
  std::string seeds;
  for (const auto& d : study::ComparePaired(evaluation, evaluation.Find("vgcc"),
                                            evaluation.Find("direct"), study::Work)) {
    seeds += (seeds.empty() ? "" : ", ") + SignedPercent(d.relative());
  }
  return {.id = "torque",
          .title = "Mechanical work from joint torques",
          .blocks = {table,
                     report::Paragraph{
                         "Work by seed: " + seeds +
                         (published ? " (paper: −8.4\u202f%, −9.4\u202f%, −6.6\u202f%)." : ".")}}};
}

report::Section PerTargetSection(const Evaluation& evaluation) {
  struct Row {
    robot::Point2 target;
    Pair pair;
  };
  std::vector<Row> rows;
  for (std::size_t t = 0; t < evaluation.targets.size(); ++t) {
    const Evaluation part =
        study::Restrict(evaluation, {"vgcc", "direct"},
                        [t](const study::EpisodeRecord& episode) { return episode.target == t; });
    rows.push_back({evaluation.targets[t], Summaries(part)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.pair.vgcc.effort / a.pair.direct.effort < b.pair.vgcc.effort / b.pair.direct.effort;
  });
  report::Table table{
      .caption =
          fmt::format("{} episodes per target and method (paper: 50), by reduction of effort",
                      rows.front().pair.vgcc.episodes),
      .columns = Columns({"target", "effort: VGCC", "direct", "Δ", "success: VGCC", "direct",
                          "height: VGCC", "direct", "paper: Δ effort", "success: VGCC", "direct"}),
      .rows = {}};
  for (const Row& row : rows) {
    table.rows.push_back(TargetCells(row.target, row.pair, evaluation.robot == "go2"));
  }
  return {
      .id = "per-target", .title = "Target by target", .blocks = {table, PathsChart(evaluation)}};
}

}  // namespace gonogo::paper
