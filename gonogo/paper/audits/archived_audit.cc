// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/archived_audit.h"

#include <array>

#include <fmt/format.h>

#include "gonogo/paper/charts/control_charts.h"
#include "gonogo/paper/published/cells.h"

namespace gonogo::paper {
namespace {

using audit::AuditResult;
using report::ColumnKind;

constexpr std::array kGammas{0.02, 0.05, 0.09, 0.10};
constexpr std::size_t kMappings = 10;
constexpr double kHiddenGamma = 0.05;
constexpr std::array kClaims{0.0025, 0.005, 0.01};

/// Tables "audit-calibration" and "control-curve".
constexpr std::array<PublishedControl, 5> kPublished{
    {{0.0, {0.55, 0.14, 1.03}, {2.08, 1.04, 3.33}},
     {2.0, {0.53, 0.17, 0.87}, {3.12, 1.88, 4.38}},
     {5.0, {1.26, 0.75, 1.78}, {4.58, 2.50, 7.29}},
     {9.0, {2.32, 1.67, 2.98}, {5.42, 3.75, 7.08}},
     {10.0, {2.61, 1.85, 3.30}, {5.42, 3.54, 7.50}}}};

report::Table Numbers(std::string caption, const std::string& first,
                      const std::vector<std::string>& columns) {
  report::Table table{.caption = std::move(caption), .columns = {{first}}};
  for (const std::string& title : columns) table.columns.push_back({title, ColumnKind::kNumber});
  return table;
}

/// Table "adapter-audit". Work changes are negative where the paper prints them so.
report::Table Adapter(const AuditResult& result) {
  const audit::Estimands& point = result.point;
  report::Table table =
      Numbers("Scale prefixes: work against the comparator and violations (percent)", "quantity",
              {"paper, work", "ours, work", "paper, violations", "ours, violations"});
  table.rows = {
      {"same-state oracle", "-5.21", Percent(-point.h_avail), "0 by construction",
       "0 by construction"},
      {"leave-one-out selector", "-0.68", Percent(-point.h_total), "2.08", Percent(point.q)},
      {"matched mixture", "-0.13", Percent(-point.mixture_total), "3.93", Percent(point.q_mix)},
      {"selector against mixture", "-0.55", Percent(-result.h_alloc.point), "", ""}};
  return table;
}

report::Table Recovery(const ArchivedStudy& study) {
  const AuditResult& result = study.result;
  const audit::Estimands& point = result.point;
  report::Table table = Numbers("The selector behind it", "quantity", {"paper", "ours"});
  table.rows = {
      {"H_alloc", "0.55 [0.14, 1.03]", WithInterval(result.h_alloc)},
      {"q", "2.08 [1.04, 3.33]", WithInterval(result.q)},
      {"active (%)", "13.3", Percent(point.activation)},
      {"oracle agreement (%)", "46.3", Percent(point.oracle_agreement)},
      {"relative-work MAE (%)", "11.6", Percent(point.work_mae)},
      {"folds in which it beats the mixture", "7 of 10",
       fmt::format("{} of {}", point.folds_beating_mixture, result.folds.size())},
      {"success: direct", "0.681", fmt::format("{:.3f}", point.success_direct.value_or(0.0))},
      {"success: oracle", "0.698", fmt::format("{:.3f}", point.success_oracle.value_or(0.0))}};
  if (!study.feature_sets.empty()) {
    table.rows.push_back({"H_alloc, " + study.feature_sets.front().set.name, "0.41 [0.16, 0.68]",
                          WithInterval(study.feature_sets.front().result.h_alloc)});
  }
  return table;
}

/// Table "feature-ablation": the paper's five seeds, our ten.
report::Table Features(const std::vector<audit::AblationRow>& rows) {
  struct Row {
    const char* name;
    std::array<const char*, 5> values;
  };
  static constexpr std::array<Row, 4> kPaper{
      {{"observation only", {"12.60", "8.8", "-0.43", "-0.38", "0.42"}},
       {"observation + f_phi", {"12.93", "13.8", "-0.37", "-0.35", "4.17"}},
       {"observation + F_eta", {"12.22", "12.9", "-0.54", "-0.42", "1.67"}},
       {"observation + f_phi + F_eta", {"12.33", "12.1", "-0.76", "-0.76", "2.92"}}}};
  report::Table table{.caption = "Feature sets (percent)",
                      .columns = {{"features"},
                                  {"of"},
                                  {"work MAE", ColumnKind::kNumber},
                                  {"active", ColumnKind::kNumber},
                                  {"work against direct", ColumnKind::kNumber},
                                  {"allocation", ColumnKind::kNumber},
                                  {"violations", ColumnKind::kNumber}}};
  for (const audit::AblationRow& row : rows) {
    for (const Row& paper : kPaper) {
      if (row.set.name != paper.name) continue;
      table.rows.push_back({paper.name, "paper", paper.values[0], paper.values[1], paper.values[2],
                            paper.values[3], paper.values[4]});
    }
    const audit::Estimands& point = row.result.point;
    table.rows.push_back({row.set.name, "ours", Percent(point.work_mae), Percent(point.activation),
                          Percent(-point.h_total), Percent(-row.result.h_alloc.point),
                          Percent(point.q)});
  }
  return table;
}

std::string WithInterval(const PublishedEstimate& e) {
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", e.point, e.lower, e.upper);
}

/// The first point is the table as it is.
report::Table Observable(std::span<const audit::ControlPoint> points) {
  report::Table table =
      Numbers("Observable signal: a bonus whose place the target tells (percent)", "bonus",
              {"paper, H_alloc", "ours, H_alloc", "paper, q", "ours, q"});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const AuditResult& result = points[i].result;
    table.rows.push_back({i == 0 ? "none: real outcomes" : Percent(points[i].gamma),
                          WithInterval(kPublished.at(i).h_alloc), WithInterval(result.h_alloc),
                          WithInterval(kPublished.at(i).q), WithInterval(result.q)});
  }
  return table;
}

report::Table Hidden(const std::vector<audit::ControlPoint>& points) {
  static constexpr std::array kPaper{"3 of 10", "2 of 10", "0 of 10"};
  report::Table table =
      Numbers("Hidden signal of 5 %: mappings whose lower bound of H_alloc exceeds a threshold",
              "threshold (%)", {"paper", "ours"});
  for (std::size_t i = 0; i < kClaims.size(); ++i) {
    table.rows.push_back(
        {Percent(kClaims.at(i)), kPaper.at(i),
         fmt::format("{} of {}", audit::CountAbove(points, kClaims.at(i)), points.size())});
  }
  return table;
}

}  // namespace

Result<ArchivedStudy> RunArchivedStudy(const audit::OutcomeTable& table,
                                       const audit::Protocol& protocol, const RunControl& control) {
  ArchivedStudy study;
  constexpr std::size_t kStages = 4;
  std::size_t stage = 0;
  const auto finished = [&] {
    if (control.progress) control.progress(++stage, kStages);
  };
  const RunControl run{.jobs = control.jobs, .stop = control.stop};
  audit::AuditResult result = GONOGO_TRY(audit::RunAudit(table, protocol, {}, run));
  study.result = std::move(result);
  finished();
  std::vector<audit::AblationRow> sets = GONOGO_TRY(audit::RunAblation(table, protocol, run));
  study.feature_sets = std::move(sets);
  finished();
  const audit::PlantedSignal signal{
      .feature = "target_y", .if_positive = "scale-0.90", .if_negative = "scale-0.75"};
  std::vector<audit::ControlPoint> observable =
      GONOGO_TRY(audit::SweepObservable(table, protocol, signal, kGammas, run));
  study.observable = std::move(observable);
  finished();
  std::vector<audit::ControlPoint> hidden =
      GONOGO_TRY(audit::RepeatHidden(table, protocol, signal, kHiddenGamma, kMappings, run));
  study.hidden = std::move(hidden);
  finished();
  return study;
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
       .blocks = {report::Paragraph{
                      "A bonus on the work of one scale is planted into the same outcomes, at a "
                      "place that the target tells (observable) or a coin (hidden)."},
                  Observable(observable), Hidden(study.hidden),
                  ControlCharts(kPublished, observable, study.hidden, kClaims)}}};
}

}  // namespace gonogo::paper
