// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/archived_audit.h"

#include <array>

#include <fmt/format.h>

#include "gonogo/audit/run/findings.h"
#include "gonogo/base/check.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"

namespace gonogo::paper {
namespace {

/// A published estimate with its interval, percent.
struct PublishedEstimate {
  double point;
  double lower;
  double upper;
};

/// What the paper prints for one bonus.
struct PublishedControl {
  double gamma;  ///< 0: the outcomes as they are
  PublishedEstimate h_alloc;
  PublishedEstimate q;
};

using nlohmann::json;

json Row(double gamma, const char* of, const PublishedEstimate& e) {
  return {{"gamma", gamma}, {"of", of}, {"point", e.point}, {"lower", e.lower}, {"upper", e.upper}};
}

PublishedEstimate InPercent(const audit::Estimate& e) {
  const stats::Interval interval = e.interval.value_or(stats::Interval{e.point, e.point});
  return {100.0 * e.point, 100.0 * interval.lower, 100.0 * interval.upper};
}

/// Estimates with intervals against the bonus, the paper's beside ours.
report::Chart Sweep(json rows, const std::string& axis) {
  report::Chart chart{.title = "",
                      .description = "Is a planted signal found? " + axis +
                                     " against the planted bonus, with 95 % intervals."};
  chart.spec = ChartSpec("sweep");
  chart.spec["encoding"]["x"]["type"] = "ordinal";  // room for two beside each other
  chart.spec["layer"][0]["encoding"]["y"]["title"] = axis;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

report::Chart Mappings(std::span<const audit::ControlPoint> hidden,
                       std::span<const double> thresholds) {
  json rows = json::array();
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    json row = Row(5.0, "ours", InPercent(hidden[i].result.h_alloc));
    row["mapping"] = i + 1;
    rows.push_back(std::move(row));
  }
  json lines = json::array();
  for (const double threshold : thresholds) lines.push_back({{"threshold", 100.0 * threshold}});
  report::Chart chart{
      .title = "",
      .description =
          "Is a hidden signal claimed? Interval of H_alloc for every hidden mapping, with the "
          "three thresholds."};
  chart.spec = ChartSpec("mappings");
  chart.spec["layer"][0]["data"]["values"] = std::move(lines);
  chart.spec["layer"][1]["data"]["values"] = rows;
  chart.spec["layer"][2]["data"]["values"] = std::move(rows);
  return chart;
}

/// Figure "audit-calibration", left: allocation gain and violations against the planted bonus, and
/// right: the intervals of every hidden mapping with the thresholds they should not exceed.
report::Cards ControlCharts(std::span<const PublishedControl> published,
                            std::span<const audit::ControlPoint> observable,
                            std::span<const audit::ControlPoint> hidden,
                            std::span<const double> thresholds) {
  json gains = json::array();
  json violations = json::array();
  for (const PublishedControl& row : published) {
    gains.push_back(Row(row.gamma, "paper", row.h_alloc));
    violations.push_back(Row(row.gamma, "paper", row.q));
  }
  for (const audit::ControlPoint& point : observable) {
    gains.push_back(Row(100.0 * point.gamma, "ours", InPercent(point.result.h_alloc)));
    violations.push_back(Row(100.0 * point.gamma, "ours", InPercent(point.result.q)));
  }
  return {{{.title = "Allocation gain", .chart = Sweep(std::move(gains), "H_alloc, %")},
           {.title = "Violations", .chart = Sweep(std::move(violations), "q, %")},
           {.title = "Ten hidden mappings of 5 %", .chart = Mappings(hidden, thresholds)}}};
}

using audit::AuditResult;

constexpr std::array kGammas{0.02, 0.05, 0.09, 0.10};
constexpr std::size_t kMappings = 10;
constexpr double kHiddenGamma = 0.05;
constexpr std::array kClaims{0.0025, 0.005, 0.01};

/// The row of Table "audit-calibration" for a bonus: 0.05 is "5".
std::string BonusRow(double gamma) { return fmt::format("{:g}", 100.0 * gamma); }

PublishedEstimate AsEstimate(const std::vector<double>& numbers) {
  GONOGO_CHECK(numbers.size() == 3);
  return {numbers[0], numbers[1], numbers[2]};
}

/// What the paper prints for those of our bonuses that it planted too.
std::vector<PublishedControl> PublishedControls(std::span<const audit::ControlPoint> points) {
  const PublishedTable& paper = Published("audit-calibration");
  std::vector<PublishedControl> controls;
  for (const audit::ControlPoint& point : points) {
    const std::string row = BonusRow(point.gamma);
    if (!paper.Has(row)) continue;
    controls.push_back({100.0 * point.gamma, AsEstimate(paper.Numbers(row, "h_alloc")),
                        AsEstimate(paper.Numbers(row, "q"))});
  }
  return controls;
}

/// Table "adapter-audit". Work changes are negative where the paper prints them so.
report::Table Adapter(const AuditResult& result) {
  const audit::Estimands& point = result.point;
  report::Table table = NumberTable(
      "Scale prefixes: work against the comparator and violations (percent)",
      {"quantity", "paper, work", "ours, work", "paper, violations", "ours, violations"});
  const PublishedTable& paper = Published("adapter-audit");
  const auto theirs = [&](const char* row, const char* column) {
    return TextOrBlank(paper.Text(row, column));
  };
  table.rows = {{"same-state oracle", theirs("oracle", "work"), Percent(-point.h_avail),
                 theirs("oracle", "violations"), "0 by construction"},
                {"leave-one-out selector", theirs("selector", "work"), Percent(-point.h_total),
                 theirs("selector", "violations"), Percent(point.q)},
                {"matched mixture", theirs("mixture", "work"), Percent(-point.mixture_total),
                 theirs("mixture", "violations"), Percent(point.q_mix)},
                {"selector against mixture", theirs("selector_against_mixture", "work"),
                 Percent(-result.h_alloc.point), "", ""}};
  return table;
}

report::Table Recovery(const ArchivedStudy& study) {
  const AuditResult& result = study.result;
  const audit::Estimands& point = result.point;
  report::Table table = NumberTable("The selector behind it", {"quantity", "paper", "ours"});
  const PublishedTable& paper = Published("adapter-recovery");
  const PublishedTable& success = Published("adapter-success");
  const auto theirs = [&](const char* column) {
    return TextOrBlank(paper.Text("selector", column));
  };
  table.rows = {{"H_alloc", theirs("h_alloc"), WithInterval(result.h_alloc)},
                {"q", theirs("q"), WithInterval(result.q)},
                {"active (%)", theirs("active"), Percent(point.activation)},
                {"oracle agreement (%)", theirs("agreement"), Percent(point.oracle_agreement)},
                {"relative-work MAE (%)", theirs("work_mae"), Percent(point.work_mae)},
                {"folds in which it beats the mixture", theirs("folds"),
                 fmt::format("{} of {}", point.folds_beating_mixture, result.folds.size())},
                {"success: direct", TextOrBlank(success.Text("direct", "success")),
                 fmt::format("{:.3f}", point.success_direct.value_or(0.0))},
                {"success: oracle", TextOrBlank(success.Text("oracle", "success")),
                 fmt::format("{:.3f}", point.success_oracle.value_or(0.0))}};
  if (!study.feature_sets.empty()) {
    // By its place and not by its name: whatever the first set is called, it is the observation.
    const audit::AblationRow& first = study.feature_sets.front();
    table.rows.push_back({"H_alloc, " + first.set.name,
                          TextOrBlank(paper.Text("observation only", "h_alloc")),
                          WithInterval(first.result.h_alloc)});
  }
  return table;
}

/// Table "feature-ablation": the paper's five seeds, our ten.
report::Table Features(const std::vector<audit::AblationRow>& rows) {
  report::Table table = NumberTable(
      "Feature sets (percent)",
      {"features", "of", "work MAE", "active", "work against direct", "allocation", "violations"},
      2);
  const PublishedTable& paper = Published("feature-ablation");
  for (const audit::AblationRow& row : rows) {
    const std::string& name = row.set.name;
    AddPublishedRow(paper, name, {"work_mae", "active", "work", "allocation", "violations"}, table);
    const audit::Estimands& point = row.result.point;
    table.rows.push_back({name, "ours", Percent(point.work_mae), Percent(point.activation),
                          Percent(-point.h_total), Percent(-row.result.h_alloc.point),
                          Percent(point.q)});
  }
  return table;
}

/// The first point is the table as it is.
report::Table Observable(std::span<const audit::ControlPoint> points) {
  report::Table table =
      NumberTable("Observable signal: a bonus whose place the target tells (percent)",
                  {"bonus", "paper, H_alloc", "ours, H_alloc", "paper, q", "ours, q"});
  const PublishedTable& paper = Published("audit-calibration");
  for (const audit::ControlPoint& point : points) {
    const std::string bonus = BonusRow(point.gamma);
    table.rows.push_back({point.gamma == 0.0 ? "none: real outcomes" : Percent(point.gamma),
                          TextOrBlank(paper.Text(bonus, "h_alloc")),
                          WithInterval(point.result.h_alloc), TextOrBlank(paper.Text(bonus, "q")),
                          WithInterval(point.result.q)});
  }
  return table;
}

report::Table Hidden(const std::vector<audit::ControlPoint>& points) {
  report::Table table =
      NumberTable("Hidden signal of 5 %: mappings whose lower bound of H_alloc exceeds a threshold",
                  {"threshold (%)", "paper", "ours"});
  const PublishedTable& paper = Published("hidden-signal");
  for (const double claim : kClaims) {
    table.rows.push_back(
        {Percent(claim), TextOrBlank(paper.Text(Percent(claim), "above")),
         fmt::format("{} of {}", audit::CountAbove(points, claim), points.size())});
  }
  return table;
}

}  // namespace

Result<ArchivedStudy> RunArchivedStudy(const audit::TableFile& table,
                                       const audit::Protocol& protocol,
                                       const std::filesystem::path& folder,
                                       const Execution& execution) {
  constexpr std::size_t kStages = 3;
  std::size_t stage = 0;
  const auto finished = [&] {
    if (execution.progress) execution.progress(++stage, kStages);
  };
  const audit::Executions run = audit::Everywhere(
      {.jobs = execution.jobs, .stop = execution.stop, .progress = {}, .team = execution.team});
  audit::AuditReport report = GONOGO_TRY(audit::Run({.table = table,
                                                     .protocol = protocol,
                                                     .declared = protocol,
                                                     .request = {.ablation = true},
                                                     .folder = folder / "audit",
                                                     .asked = {{"verb", "reproduce"}},
                                                     .is_look = false},
                                                    run));
  finished();
  const auto plant = [&](const std::string& kind, std::vector<double> gammas) {
    return audit::RunPlanted({.table = table,
                              .protocol = protocol,
                              .kind = kind,
                              .signal = {.feature = "target_y",
                                         .if_positive = "scale-0.90",
                                         .if_negative = "scale-0.75"},
                              .gammas = std::move(gammas),
                              .mappings = kMappings,
                              .folder = folder / kind},
                             run);
  };
  audit::PlantedReport observable =
      GONOGO_TRY(plant("observable", {kGammas.begin(), kGammas.end()}));
  finished();
  audit::PlantedReport hidden = GONOGO_TRY(plant("hidden", {kHiddenGamma}));
  finished();
  return ArchivedStudy{.result = report.result(),
                       .feature_sets = report.findings->ablation,
                       .observable = std::move(observable.points),
                       .hidden = std::move(hidden.points)};
}

std::vector<report::Section> ArchivedAuditSections(const ArchivedStudy& study) {
  const AuditResult& result = study.result;
  std::vector<audit::ControlPoint> observable{{0.0, result}};
  observable.insert(observable.end(), study.observable.begin(), study.observable.end());
  return {
      {.id = "archived-audit",
       .title = "Scale prefixes at the same states",
       .blocks = {report::Paragraph{fmt::format(
                      "{} clusters ({} to {}), {} queries, scales 0.75, 0.90 and 1.00 held for "
                      "four decisions. Intervals resample fitted folds: descriptive, no decision.",
                      result.clusters.size(), result.clusters.front(), result.clusters.back(),
                      result.table.queries)},
                  Adapter(result), Recovery(study)}},
      {.id = "feature-ablation",
       .title = "What the selector may look at",
       .blocks = {report::Paragraph{fmt::format(
                      "The declared networks on the same {} clusters, one leave-one-cluster-out "
                      "cross-fit per set of features. The paper used its first five seeds for this "
                      "table.",
                      result.clusters.size())},
                  Features(study.feature_sets)}},
      {.id = "audit-calibration",
       .title = "Calibration controls on real outcomes",
       .blocks = {
           report::Paragraph{
               "A bonus on the work of one scale is planted into the same outcomes, at a "
               "place that the target tells (observable) or a coin (hidden)."},
           Observable(observable), Hidden(study.hidden),
           ControlCharts(PublishedControls(observable), observable, study.hidden, kClaims)}}};
}

}  // namespace gonogo::paper
