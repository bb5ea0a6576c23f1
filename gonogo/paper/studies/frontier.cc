// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/studies/frontier.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "gonogo/paper/charts/comparison_charts.h"
#include "gonogo/paper/charts/oracle_charts.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/studies/comparison.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/study/evaluate/iso_time.h"
#include "gonogo/study/evaluate/method_summary.h"
#include "gonogo/study/evaluate/scale_oracle.h"

namespace gonogo::paper {
namespace {

using study::Evaluation;
using study::MethodSummary;

struct PublishedFrontier {
  double success;
  double work_j;
  double power_w;
  double time_s;
  double cot;
};

/// Table "objective-audit": Go2, six seeds, 96 episodes per method.
const std::map<std::string, PublishedFrontier>& PublishedRows() {
  static const std::map<std::string, PublishedFrontier> kRows{
      {"direct", {0.792, 135.07, 68.09, 1.918, 0.767}},
      {"scale-0.90", {0.781, 126.85, 57.28, 2.145, 0.724}},
      {"vgcc", {0.802, 128.20, 56.99, 2.207, 0.737}},
      {"vgcc-power", {0.802, 128.28, 56.67, 2.220, 0.737}},
      {"scale-0.75", {0.781, 119.42, 44.05, 2.648, 0.685}},
      {"governor", {0.771, 128.51, 44.69, 2.947, 0.740}}};
  return kRows;
}

/// Cost of transport on the three seeds on which the paper ran its MPC (Section 4.4).
constexpr std::array<std::pair<const char*, double>, 4> kThreeSeeds{
    {{"direct", 0.765}, {"mpc", 0.757}, {"vgcc", 0.736}, {"scale-0.90", 0.721}}};

/// The paper's rows, if it evaluated that robot.
const PublishedFrontier* Find(const Evaluation& evaluation, const std::string& method) {
  const auto found = PublishedRows().find(method);
  return evaluation.robot == "go2" && found != PublishedRows().end() ? &found->second : nullptr;
}

report::Table MainTable(const Evaluation& evaluation) {
  report::Table table{.caption = fmt::format(
                          "Ours: {} episodes per method on {} seeds, by time; the paper's: 96 on "
                          "six seeds",
                          evaluation.Episodes(0).size(), evaluation.plan.seeds.size()),
                      .columns = Columns({"method", "success", "work (J)", "power (W)", "time (s)",
                                          "COT", "paper: success", "work", "power", "time", "COT"}),
                      .rows = {}};
  std::vector<MethodSummary> summaries = study::SummariseAll(evaluation);
  std::stable_sort(
      summaries.begin(), summaries.end(),
      [](const MethodSummary& a, const MethodSummary& b) { return a.time_s < b.time_s; });
  for (const MethodSummary& s : summaries) {
    const PublishedFrontier* p = Find(evaluation, s.name);
    const auto paper = [p](double PublishedFrontier::*value, int decimals) {
      return Fixed(p == nullptr ? std::nullopt : std::optional(p->*value), decimals);
    };
    table.rows.push_back({s.name, Fixed(s.success), Fixed(s.work_j, 2), Fixed(s.power_w, 2),
                          Fixed(s.time_s), Fixed(s.cot), paper(&PublishedFrontier::success, 3),
                          paper(&PublishedFrontier::work_j, 2),
                          paper(&PublishedFrontier::power_w, 2),
                          paper(&PublishedFrontier::time_s, 3), paper(&PublishedFrontier::cot, 3)});
  }
  return table;
}

/// MPC beside the others on the first three seeds, as in the paper.
std::optional<report::Table> ThreeSeedTable(const Evaluation& evaluation) {
  report::Table table{.caption = "Sampling MPC on the first three seeds (paper: three of its six)",
                      .columns = Columns({"method", "COT", "paper: COT"}),
                      .rows = {}};
  for (const auto& [name, cot] : kThreeSeeds) {
    if (evaluation.Find(name) == evaluation.methods.size()) return std::nullopt;
    const auto& seeds = evaluation.plan.seeds;
    const Evaluation part =
        study::Restrict(evaluation, {name}, [&](const study::EpisodeRecord& episode) {
          return std::find(seeds.begin(), seeds.end(), episode.seed) - seeds.begin() < 3;
        });
    const double ours = study::SummariseAll(part).front().cot;
    const bool published = evaluation.robot == "go2";
    table.rows.push_back({name, Fixed(ours), Fixed(published ? std::optional(cot) : std::nullopt)});
  }
  return table;
}

/// The same comparison on the paper's printed means.
std::optional<double> PublishedExcess(const Evaluation& evaluation, const std::string& method) {
  const PublishedFrontier* own = Find(evaluation, method);
  if (own == nullptr) return std::nullopt;
  std::vector<study::TimeCot> frontier;
  for (const char* scale : {"direct", "scale-0.90", "scale-0.75"}) {
    const PublishedFrontier& row = PublishedRows().at(scale);
    frontier.push_back({row.time_s, row.cot});
  }
  const std::optional<double> cot = study::CotAt(frontier, own->time_s);
  return cot ? std::optional(own->cot / *cot - 1.0) : std::nullopt;
}

report::Table IsoTimeTable(const Evaluation& evaluation) {
  report::Table table{
      .caption =
          "At equal time: cost of transport of a method over that of the fixed scales "
          "interpolated at its completion time (95 % interval over starts; paper: from its "
          "printed means)",
      .columns = Columns(
          {"method", "time (s)", "COT", "scales' COT then", "excess", "95 %", "paper: excess"}),
      .rows = {}};
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

/// What Section 4.6 prints of a robot.
struct PublishedOracle {
  const char* robot;
  int episodes;
  double gap;
  stats::Interval interval;
  double share_of_slowest;
};
constexpr std::array<PublishedOracle, 2> kOracles{
    {{"go2", 72, 0.010, {0.005, 0.017}, 0.78}, {"h1", 197, 0.019, {0.011, 0.030}, 0.74}}};

std::string GapText(double gap, const stats::Interval& interval) {
  return report::Percent(gap, 1) + " " + report::PercentInterval(interval.lower, interval.upper);
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
  const auto published = std::find_if(kOracles.begin(), kOracles.end(), [&](const auto& row) {
    return evaluation.robot == row.robot;
  });
  const bool known = published != kOracles.end();
  report::Table table{.caption = "One scale per episode with hindsight, against one scale for all",
                      .columns = Columns({"", "ours", "paper"}),
                      .rows = {}};
  table.rows.push_back({"episodes in which every scale succeeded",
                        fmt::format("{} of {}", oracle.episodes, evaluation.Episodes(0).size()),
                        known ? fmt::format("{}", published->episodes) : report::kNoNumber});
  for (const study::ScaleShare& scale : oracle.scales) {
    const bool slowest = scale.method == "scale-0.75";
    table.rows.push_back(
        {scale.method + ": optimal in", report::Percent(scale.share, 0),
         known && slowest ? report::Percent(published->share_of_slowest, 0) : report::kNoNumber});
    table.rows.push_back({scale.method + ": mean COT", Fixed(scale.mean_cot), report::kNoNumber});
  }
  if (oracle.episodes > 0) {
    table.rows.push_back({"best single scale", oracle.scales[oracle.best].method,
                          known ? "scale-0.75" : report::kNoNumber});
    table.rows.push_back({"oracle: mean COT", Fixed(oracle.oracle_cot), report::kNoNumber});
    table.rows.push_back(
        {"oracle below the best single scale", GapText(oracle.gap, oracle.interval),
         known ? GapText(published->gap, published->interval) : std::string(report::kNoNumber)});
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
