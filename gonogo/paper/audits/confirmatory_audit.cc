// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/confirmatory_audit.h"

#include <map>

#include <fmt/format.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/study/collect/collect.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::paper {
namespace {

using audit::AuditResult;
using report::Cell;
using report::ColumnKind;

std::string DecisionOf(const AuditResult& result) {
  if (result.decision) return std::string(Name(*result.decision));
  if (result.reading) {
    return fmt::format("none (descriptive; reads {})", Name(result.reading->verdict));
  }
  return "none (descriptive)";
}

/// "yaw-0.2 (14 of 20 folds)".
std::string FixedAction(const AuditResult& result) {
  std::string text;
  for (const audit::ActionSummary& action : result.actions) {
    if (action.reference_folds == 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({} of {} folds)", action.name, action.reference_folds,
                        result.folds.size());
  }
  return text;
}

std::string ClustersNeeded(const audit::Resolution& resolution) {
  switch (resolution.status) {
    case audit::ResolutionStatus::kSatisfied:
      return fmt::format("{} (already satisfied)", resolution.clusters.value_or(0));
    case audit::ResolutionStatus::kNeeded:
      return fmt::format("{}", resolution.clusters.value_or(0));
    case audit::ResolutionStatus::kPointNotOnGoSide:
      return "point below";
    case audit::ResolutionStatus::kPointOnBoundary:
      break;
  }
  return "point on the boundary";
}

/// What the rule with calibrated error rates says about the same fits.
std::vector<Cell> CalibratedCells(const std::string& name, const AuditResult& result) {
  const audit::CalibratedAudit& audit = *result.calibrated;
  const auto gain = [](const std::optional<audit::CalibratedGain>& g) {
    return g ? WithInterval({.point = g->point, .interval = g->interval}) : "not estimable";
  };
  return {name,
          "ours, calibrated rule",
          gain(audit.h_dep),
          gain(audit.h_alloc),
          WithInterval({.point = audit.q.point, .interval = audit.q.interval}),
          result.obstacle ? "none" : std::string(Name(audit.verdict))};
}

report::Table Decisions(std::span<const AuditedDistribution> distributions) {
  report::Table table = NumberTable("Decisions (percent, 95 % intervals)",
                                    {"distribution", "of", "H_dep", "H_alloc", "q", "decision"}, 2);
  for (const auto& [name, result] : distributions) {
    AddPublishedRow(Published("confirmatory-audit"), name, {"h_dep", "h_alloc", "q", "decision"},
                    table);
    table.rows.push_back({name, "ours", WithInterval(result.h_dep), WithInterval(result.h_alloc),
                          WithInterval(result.q), DecisionOf(result)});
    if (result.calibrated) table.rows.push_back(CalibratedCells(name, result));
  }
  return table;
}

report::Table Headroom(std::span<const AuditedDistribution> distributions) {
  report::Table table = NumberTable("Opportunity, ours (percent)",
                                    {"distribution", "of", "H_global", "H_avail", "H_total",
                                     "direct succeeds", "oracle succeeds"},
                                    2);
  for (const auto& [name, result] : distributions) {
    table.rows.push_back({name, "ours", Percent(result.h_global.point),
                          Percent(result.h_avail.point), Percent(result.h_total.point),
                          Percent(result.point.success_direct.value_or(0.0)),
                          Percent(result.point.success_oracle.value_or(0.0))});
  }
  return table;
}

report::Table Diagnostics(std::span<const AuditedDistribution> distributions) {
  report::Table table = NumberTable(
      "Diagnostics (percent)",
      {"distribution", "of", "work MAE", "activation", "oracle agreement", "fixed reference"}, 2);
  for (const auto& [name, result] : distributions) {
    AddPublishedRow(Published("confirmatory-diagnostics"), name,
                    {"work_mae", "activation", "agreement", "fixed"}, table);
    const audit::Estimands& point = result.point;
    table.rows.push_back({name, "ours", Percent(point.work_mae), Percent(point.activation),
                          Percent(point.oracle_agreement), FixedAction(result)});
  }
  return table;
}

report::Table Resolution(std::span<const AuditedDistribution> distributions) {
  report::Table table = NumberTable(
      "Clusters at which the limiting bound would reach its GO boundary",
      {"distribution", "of", "deployment, lower", "allocation, lower", "violation, upper"}, 2);
  for (const auto& [name, result] : distributions) {
    AddPublishedRow(Published("audit-resolution"), name, {"deployment", "allocation", "violation"},
                    table);
    if (!result.resolution) continue;
    table.rows.push_back({name, "ours", ClustersNeeded(result.resolution->deployment),
                          ClustersNeeded(result.resolution->allocation),
                          ClustersNeeded(result.resolution->violation)});
  }
  return table;
}

/// One row per distribution and gain threshold, one column per kappa.
report::Table Sensitivity(std::span<const AuditedDistribution> distributions) {
  report::Table table{.caption = "What the rule reads under other thresholds, ours",
                      .columns = {{"distribution"}, {"delta", ColumnKind::kNumber}}};
  std::map<double, std::size_t> kappas;
  for (const auto& [name, result] : distributions) {
    for (const audit::SensitivityCell& cell : result.sensitivity) kappas[cell.kappa] = 0;
  }
  for (auto& [kappa, column] : kappas) {
    column = table.columns.size();
    table.columns.push_back({fmt::format("kappa {} %", Percent(kappa)), ColumnKind::kText});
  }
  for (const auto& [name, result] : distributions) {
    std::map<double, std::vector<Cell>> rows;
    for (const audit::SensitivityCell& cell : result.sensitivity) {
      std::vector<Cell>& row = rows[cell.delta];
      row.resize(table.columns.size(), Cell(""));
      row[0] = name;
      row[1] = Percent(cell.delta) + " %";
      row[kappas[cell.kappa]] = std::string(Name(cell.verdict));
    }
    for (auto& [delta, row] : rows) table.rows.push_back(std::move(row));
  }
  return table;
}

/// "1301 to 1320".
std::string ClusterRange(const AuditResult& result) {
  return result.clusters.empty() ? "none"
                                 : result.clusters.front() + " to " + result.clusters.back();
}

std::vector<report::Block> Summary(std::span<const AuditedDistribution> distributions) {
  std::vector<report::Block> blocks;
  for (const auto& [name, result] : distributions) {
    blocks.emplace_back(report::Paragraph{fmt::format(
        "{}: {} clusters ({}), {} queries, {} refits of {} (bootstrap seed {}), {}; "
        "declared rule: {}.",
        name, result.clusters.size(), ClusterRange(result), result.table.queries,
        result.replicates.size(), result.source, result.protocol.bootstrap.seed,
        result.confirmatory ? "confirmatory" : "descriptive", Name(result.protocol.rule.kind))});
  }
  blocks.emplace_back(report::Paragraph{
      "Points are leave-one-cluster-out estimates; intervals come from out-of-bag refits."});
  return blocks;
}

}  // namespace

std::string DistributionName(const std::string& robot, const std::string& controller) {
  std::string name = robot == "h1" ? "H1" : robot;
  if (!name.empty() && robot != "h1") name[0] = static_cast<char>(std::toupper(name[0]));
  if (controller == "vgcc") return name + "/VGCC";
  if (controller == "mpc") return name + "/MPC";
  return name + "/" + controller;
}

report::Section ConfirmatoryAuditSection(std::span<const AuditedDistribution> distributions) {
  report::Section section{.id = "confirmatory-audit",
                          .title = "Action-aligned confirmatory audit",
                          .blocks = Summary(distributions)};
  for (report::Table table :
       {Decisions(distributions), Headroom(distributions), Diagnostics(distributions),
        Resolution(distributions), Sensitivity(distributions)}) {
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

report::Paragraph ReplayedText(const study::MergedTable& merged) {
  return {fmt::format(
      "{} of {} queries were also reached by replaying their episode from its start and branched "
      "there: reconstruction error {}.",
      merged.replayed, merged.queries, merged.reconstruction_error)};
}

Result<CollectedTable> CollectRobotTable(const ReproductionSetting& setting,
                                         const std::string& file, const std::string& controller,
                                         const Execution& execution) {
  audit::Protocol protocol = GONOGO_TRY(study::LoadProtocol(setting.robot / file));
  if (!protocol.collect) {
    return InputError("{}: has no [collect] section", (setting.robot / file).string());
  }
  study::CollectConfig collect = GONOGO_TRY(study::CollectOf(protocol));
  if (!controller.empty()) collect.controller = controller;
  collect.terrain = setting.surroundings.ground.text();
  collect.conditions = setting.surroundings.conditions.text();
  collect.work_rate = sim::WorkRateName(setting.work_rate);
  protocol.collect = study::SectionOf(collect);
  const std::string name = fmt::format("collect-{}-{}", protocol.name, collect.controller);
  const study::CollectReport report = GONOGO_TRY(study::Collect(
      protocol, {.robot = setting.robot, .models = setting.models, .folder = setting.folder / name},
      execution));
  GONOGO_TRY(study::AwaitRootFiles(execution, {report.merged->file}));
  audit::TableFile table = GONOGO_TRY(audit::ReadTable(report.merged->file, protocol));
  return CollectedTable{std::move(protocol), std::move(table), *report.merged};
}

Result<audit::AuditResult> AuditIn(const std::filesystem::path& folder, audit::TableFile table,
                                   const audit::Protocol& protocol, const Execution& execution) {
  audit::AuditReport report = GONOGO_TRY(audit::Run({.table = std::move(table),
                                                     .protocol = protocol,
                                                     .declared = protocol,
                                                     .folder = folder,
                                                     .asked = {{"verb", "reproduce"}}},
                                                    audit::Everywhere(execution)));
  return report.result();
}

Result<std::vector<report::Section>> RunRobotAudit(const ReproductionSetting& setting,
                                                   const std::string& controller,
                                                   const Execution& execution) {
  CollectedTable collected =
      GONOGO_TRY(CollectRobotTable(setting, "audit.toml", controller, execution));
  const audit::Protocol& protocol = collected.protocol;
  const std::filesystem::path folder =
      setting.folder / fmt::format("audit-{}-{}", protocol.name, controller);
  const audit::AuditResult result =
      GONOGO_TRY(AuditIn(folder, std::move(collected.table), protocol, execution));
  const AuditedDistribution audited{DistributionName(protocol.name, controller), result};
  report::Section section = ConfirmatoryAuditSection({&audited, 1});
  report::Paragraph replayed = ReplayedText(collected.merged);
  replayed.text = audited.name + ": " + replayed.text;
  section.blocks.insert(section.blocks.begin() + 1, std::move(replayed));
  return std::vector{section};
}

Result<std::vector<report::Section>> RunPositiveControl(const ReproductionSetting& setting,
                                                        const Execution& execution) {
  audit::Protocol protocol;
  protocol.name = "positive-control";
  protocol.cluster = "synthetic source";
  protocol.rule.kind = audit::DecisionRule::kPaper;  // the one the paper says GO under
  audit::OutcomeTable table =
      audit::MakePositiveControl({}, RngStream(protocol.bootstrap.seed).Child("positive control"));
  table.declaration = audit::CanonicalText(protocol);
  table.declaration_sha256 = audit::Fingerprint(protocol);
  const audit::AuditResult result = GONOGO_TRY(AuditIn(
      setting.folder / "positive-control", {.table = std::move(table)}, protocol, execution));
  const AuditedDistribution audited{"synthetic", result};
  report::Section section = ConfirmatoryAuditSection({&audited, 1});
  section.id = "positive-control";
  section.title = "Learner-level positive control (the paper: GO)";
  return std::vector{section};
}

}  // namespace gonogo::paper
