// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/paper/sections/comparison.h"
#include "gonogo/paper/studies/studies.h"
#include "gonogo/report/page/page.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/study/evaluate/method_summary.h"
#include "gonogo/study/evaluate/scale_oracle.h"

namespace gonogo::paper {
namespace {

using nlohmann::json;
using study::Evaluation;
using study::MethodSummary;

/// Horizontal bars with their value beside them.
report::Chart Bars(const std::string& axis, const std::string& format, json rows,
                   const std::string& description) {
  report::Chart chart{.title = "", .description = description};
  chart.spec = ChartSpec("bars");
  chart.spec["encoding"]["x"]["title"] = axis;
  chart.spec["encoding"]["x"]["axis"]["format"] = format;
  chart.spec["encoding"]["x"]["axis"]["tickCount"] = 4;
  chart.spec["layer"][1]["encoding"]["text"]["format"] = format;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

/// Figure "finding": how often each scale is the cheapest, and what each costs against the best
/// single one. Needs at least one episode in which all succeeded.
report::Cards OracleCharts(const study::ScaleOracle& oracle) {
  json shares = json::array();
  json costs = json::array();
  const double best = oracle.scales[oracle.best].mean_cot;
  for (const study::ScaleShare& scale : oracle.scales) {
    shares.push_back({{"name", scale.method}, {"value", scale.share}});
    costs.push_back({{"name", scale.method}, {"value", scale.mean_cot / best}});
  }
  costs.push_back({{"name", "oracle per episode"}, {"value", oracle.oracle_cot / best}});
  report::Chart cost =
      Bars("COT relative to the best single scale", ".3f", std::move(costs),
           "How much cheaper would the best scale of every episode be? Mean cost of "
           "transport of every scale and of that oracle, relative to the best scale.");
  cost.spec["encoding"]["x"]["scale"]["zero"] = false;
  report::Chart share =
      Bars("share of episodes", ".0%", std::move(shares),
           "Is one scale best everywhere? Share of episodes in which each scale is "
           "the cheapest.");
  share.spec["encoding"]["x"]["scale"]["domain"] = {0.0, 1.0};
  return {{{.title = "Cheapest scale of the episode", .chart = std::move(share)},
           {.title = "Cost against the best single scale", .chart = std::move(cost)}}};
}

/// The methods on the three seeds on which the paper ran its MPC, in its order (Section 4.4).
constexpr std::array kThreeSeeds{"direct", "mpc", "vgcc", "scale-0.90"};

report::Table MainTable(const Evaluation& evaluation) {
  report::Table table = NumberTable(
      fmt::format("Ours: {} episodes per method on {} seeds, by time; the paper's: {} seeds",
                  evaluation.Episodes(0).size(), evaluation.plan.seeds.size(),
                  PublishedSize("objective-audit-size")),
      {"method", "success", "work (J)", "power (W)", "time (s)", "COT", "paper: success", "work",
       "power", "time", "COT"});
  const PublishedTable& paper = Published("objective-audit", evaluation.robot);
  for (const MethodSummary& s : ByTime(evaluation)) {
    table.rows.push_back({s.name, Fixed(s.success), Fixed(s.work_j, 2), Fixed(s.power_w, 2),
                          Fixed(s.time_s), Fixed(s.cot), Fixed(paper.Number(s.name, "success")),
                          Fixed(paper.Number(s.name, "work"), 2),
                          Fixed(paper.Number(s.name, "power"), 2),
                          Fixed(paper.Number(s.name, "time")), Fixed(paper.Number(s.name, "cot"))});
  }
  return table;
}

/// MPC beside the others on the first three seeds, as in the paper.
std::optional<report::Table> ThreeSeedTable(const Evaluation& evaluation) {
  report::Table table =
      NumberTable("Sampling MPC on the first three seeds (paper: three of its six)",
                  {"method", "COT", "paper: COT"});
  const PublishedTable& paper = Published("mpc-seeds", evaluation.robot);
  for (const char* name : kThreeSeeds) {
    if (evaluation.Find(name) == evaluation.methods.size()) return std::nullopt;
    const auto& seeds = evaluation.plan.seeds;
    const Evaluation part =
        study::Restrict(evaluation, {name}, [&](const study::EvaluatedEpisode& episode) {
          return std::find(seeds.begin(), seeds.end(), episode.seed) - seeds.begin() < 3;
        });
    const double ours = study::SummariseAll(part).front().cot;
    table.rows.push_back({name, Fixed(ours), Fixed(paper.Number(name, "cot"))});
  }
  return table;
}

/// The same comparison on the paper's printed means.
std::optional<double> PublishedExcess(const Evaluation& evaluation, const std::string& method) {
  const PublishedTable& paper = Published("objective-audit", evaluation.robot);
  if (!paper.Has(method)) return std::nullopt;
  std::vector<study::TimeCot> frontier;
  for (const char* scale : {"direct", "scale-0.90", "scale-0.75"}) {
    frontier.push_back({paper.Number(scale, "time").value(), paper.Number(scale, "cot").value()});
  }
  const std::optional<double> cot = study::CotAt(frontier, paper.Number(method, "time").value());
  return cot ? std::optional(paper.Number(method, "cot").value() / *cot - 1.0) : std::nullopt;
}

report::Table IsoTimeTable(const Evaluation& evaluation) {
  report::Table table = NumberTable(
      "At equal time: cost of transport of a method over that of the fixed scales "
      "interpolated at its completion time (95 % interval over starts; paper: from its "
      "printed means)",
      {"method", "time (s)", "COT", "scales' COT then", "excess", "95 %", "paper: excess"});
  for (const study::IsoTime& point : study::CompareAtEqualTime(evaluation, ScaleMethods(evaluation),
                                                               RngStream(1).Child("iso-time"))) {
    table.rows.push_back({point.method, Fixed(point.time_s), Fixed(point.cot),
                          Fixed(point.frontier_cot), SignedPercent(point.excess()),
                          point.interval
                              ? fmt::format("[{}, {}]", SignedPercent(point.interval->lower),
                                            SignedPercent(point.interval->upper))
                              : report::kNoNumber,
                          SignedPercent(PublishedExcess(evaluation, point.method))});
  }
  return table;
}

std::string GapText(double gap, const stats::Interval& interval) {
  return report::Percent(gap, 1) + " " + report::PercentInterval(interval.lower, interval.upper);
}

/// The paper's gap with its interval, or "–".
std::string PublishedGap(const std::string& robot) {
  const std::vector<double> gap = Published("scale-oracle").Numbers(robot, "gap");  // percent
  if (gap.size() != 3) return report::kNoNumber;
  return GapText(gap[0] / 100.0, {gap[1] / 100.0, gap[2] / 100.0});
}

}  // namespace

report::Section FrontierSection(const Evaluation& evaluation) {
  report::Section section{.id = "frontier",
                          .title = "The frontier of cost and time",
                          .blocks = {MainTable(evaluation)}};
  if (const auto table = ThreeSeedTable(evaluation)) section.blocks.emplace_back(*table);
  if (ScaleMethods(evaluation).size() > 1) section.blocks.emplace_back(IsoTimeTable(evaluation));
  section.blocks.emplace_back(FrontierChart(evaluation));
  section.blocks.emplace_back(PairedTable(evaluation));
  section.blocks.emplace_back(PairedChart({&evaluation, 1}));
  return section;
}

report::Section ScaleOracleSection(const Evaluation& evaluation) {
  const study::ScaleOracle oracle = study::FindScaleOracle(evaluation, ScaleMethods(evaluation),
                                                           RngStream(1).Child("scale-oracle"));
  const PublishedTable& paper = Published("scale-oracle");
  report::Table table = NumberTable(
      "One scale per episode with hindsight, against one scale for all", {"", "ours", "paper"});
  table.rows.push_back({"episodes in which every scale succeeded",
                        fmt::format("{} of {}", oracle.episodes, evaluation.Episodes(0).size()),
                        TextOrNone(paper.Text(evaluation.robot, "episodes"))});
  for (const study::ScaleShare& scale : oracle.scales) {
    const bool slowest = scale.method == "scale-0.75";
    table.rows.push_back({scale.method + ": optimal in", report::Percent(scale.share, 0),
                          slowest ? report::Percent(paper.Share(evaluation.robot, "slowest"), 0)
                                  : report::kNoNumber});
    table.rows.push_back({scale.method + ": mean COT", Fixed(scale.mean_cot), report::kNoNumber});
  }
  if (oracle.episodes > 0) {
    table.rows.push_back({"best single scale", oracle.scales[oracle.best].method,
                          TextOrNone(paper.Text(evaluation.robot, "best"))});
    table.rows.push_back({"oracle: mean COT", Fixed(oracle.oracle_cot), report::kNoNumber});
    table.rows.push_back({"oracle below the best single scale",
                          GapText(oracle.gap, oracle.interval), PublishedGap(evaluation.robot)});
  }
  report::Section section{
      .id = "scale-oracle-" + evaluation.robot,
      .title = "Stage 1: one scale per episode, " + evaluation.robot,
      .blocks = {report::Paragraph{
                     "A diagnostic over these scales and whole episodes, not a bound on "
                     "switching within an episode. Intervals resample episodes: descriptive."},
                 table}};
  if (oracle.episodes > 0) section.blocks.emplace_back(OracleCharts(oracle));
  return section;
}

}  // namespace gonogo::paper
