// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/testing/made_up_sections.h"

#include <algorithm>
#include <regex>

#include "gonogo/paper/audits/archived_audit.h"
#include "gonogo/paper/audits/confirmatory_audit.h"
#include "gonogo/paper/sections/frozen_policy.h"
#include "gonogo/paper/sections/response_model.h"
#include "gonogo/paper/studies/studies.h"
#include "gonogo/paper/testing/made_up_evaluation.h"

namespace gonogo::paper {
namespace {

using Methods = std::vector<std::string>;

/// Method m needs 2.3 − m / 20 effort and has a cost of transport of 0.8 − m / 50.
study::Evaluation Made(const Methods& methods, const std::string& robot = "go2",
                       const std::string& family = "harder") {
  std::vector<double> effort;
  std::vector<double> cot;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    effort.push_back(2.3 - 0.05 * static_cast<double>(m));
    cot.push_back(0.8 - 0.02 * static_cast<double>(m));
  }
  study::Evaluation evaluation = MadeUp(methods, effort, cot, robot);
  evaluation.plan.family = family;
  return evaluation;
}

study::IdentifyResult MadeIdentification(const std::string& robot) {
  study::IdentifyResult result{.robot = robot,
                               .terrain = "grid",
                               .window_s = 0.32,
                               .states = 2000,
                               .episodes = 20,
                               .held_out_windows = 400};
  double r2 = 0.99;
  for (const char* name : {"effort", "power", "world-frame heights", "50 % of the data",
                           "25 % of the data", "utility-filtered"}) {
    study::ResponseRow row{.name = name, .scores = {}, .training_windows = 1600};
    for (auto& score : row.scores) score = {0.01, 0.02, r2 -= 0.01};
    result.rows.push_back(row);
  }
  result.measured = nn::Batch<float>::Constant(400, 6, 0.5F);
  result.predicted = nn::Batch<float>::Constant(400, 6, 0.25F);
  result.macro =
      study::MacroSummary{.open_loop = {{1, 0.01, 1.5, 0.002, 0.3}, {4, 0.02, 3, 0.004, 0.5}},
                          .training_windows = 700,
                          .test_rollouts = 30,
                          .episodes = 20};
  result.value = study::ValueSummary{.work = {14.0, 20.0, 0.8},
                                     .time = {0.3, 0.4, 0.7},
                                     .success_auc = 0.77,
                                     .samples = 90,
                                     .episodes = 12};
  return result;
}

study::Evaluation MadeLeg(double work) {
  study::Evaluation leg = Made({"direct", "scale-0.90", "scale-0.75", "scale-0.60", "vgcc"});
  for (study::EvaluatedEpisode& episode : leg.episodes) {
    episode.result.reached = true;
    episode.result.work_j += work * static_cast<double>(episode.method);
  }
  return leg;
}

/// `unit` tells results apart.
audit::AuditResult MadeAudit(double unit) {
  audit::AuditResult result;
  result.source = "mlp";
  for (int i = 0; i < 20; ++i) result.clusters.push_back(std::to_string(1301 + i));
  result.table.queries = 960;
  result.confirmatory = true;
  result.decision = audit::Verdict::kNoGo;
  const auto estimate = [unit](double point) {
    return audit::Estimate{.point = point + unit,
                           .interval = stats::Interval{point + unit - 0.01, point + unit + 0.02}};
  };
  result.h_dep = estimate(0.01);
  result.h_alloc = estimate(0.004);
  result.q = estimate(0.02);
  result.h_global = estimate(0.03);
  result.h_avail = estimate(0.05);
  result.h_total = estimate(0.015);
  result.point.h_avail = 0.05 + unit;
  result.point.h_total = 0.015 + unit;
  result.point.mixture_total = 0.002 + unit;
  result.point.q = 0.02 + unit;
  result.point.q_mix = 0.03 + unit;
  result.point.work_mae = 0.06 + unit;
  result.point.activation = 0.3 + unit;
  result.point.oracle_agreement = 0.15 + unit;
  result.point.folds_beating_mixture = 6;
  result.point.success_direct = 0.7 + unit;
  result.point.success_oracle = 0.72 + unit;
  result.folds.resize(20);
  result.actions = {{.name = "direct", .reference_folds = 3},
                    {.name = "yaw-0.2", .reference_folds = 17}};
  result.resolution = {.deployment = {audit::ResolutionStatus::kNeeded, 1135},
                       .allocation = {audit::ResolutionStatus::kPointNotOnGoSide, {}},
                       .violation = {audit::ResolutionStatus::kSatisfied, 20}};
  result.sensitivity = {{0.005, 0.05, audit::Verdict::kAbstain},
                        {0.01, 0.05, audit::Verdict::kNoGo}};
  return result;
}

ArchivedStudy MadeArchive() {
  ArchivedStudy study{.result = MadeAudit(0.001)};
  double unit = 0.0;
  for (const char* name : {"observation only", "observation + f_phi", "observation + F_eta",
                           "observation + f_phi + F_eta"}) {
    study.feature_sets.push_back({{name, {}}, MadeAudit(unit += 0.002)});
  }
  for (const double gamma : {0.02, 0.05, 0.09, 0.10}) {
    study.observable.push_back({gamma, MadeAudit(gamma / 4)});
  }
  for (int i = 0; i < 10; ++i) study.hidden.push_back({0.05, MadeAudit(0.002 * i)});
  return study;
}

std::vector<report::Section> MadeAudits() {
  std::vector<AuditedDistribution> audited;
  double unit = 0.0;
  for (const char* name : {"Go2/direct", "Go2/VGCC", "Go2/MPC", "H1/direct"}) {
    audited.push_back({name, MadeAudit(unit += 0.003)});
  }
  const AuditedDistribution synthetic{"synthetic", MadeAudit(0.1)};
  report::Section positive = ConfirmatoryAuditSection({&synthetic, 1});
  positive.id = "positive-control";
  positive.title = "Learner-level positive control (the paper: GO)";
  std::vector<report::Section> sections{std::move(positive)};
  for (report::Section& section : ArchivedAuditSections(MadeArchive())) {
    sections.push_back(std::move(section));
  }
  sections.push_back(ConfirmatoryAuditSection(audited));
  return sections;
}

std::string WithPlainSpaces(const std::string& text) {
  static const std::regex kNarrow("\u202f");
  return std::regex_replace(text, kNarrow, " ");
}

}  // namespace

std::vector<report::Section> MadeUpSections() {
  const Methods both{"direct", "vgcc"};
  const Methods scales{"direct", "scale-0.90", "scale-0.75"};
  const study::Evaluation harder = Made(both);
  const study::Evaluation frontier =
      Made({"direct", "scale-0.90", "vgcc", "vgcc-power", "scale-0.75", "governor", "mpc"});
  const std::vector coverage{harder, Made(both, "go2", "moderate"), Made(both, "go2", "holdout"),
                             Made(both, "anymal_d"), Made(both, "h1")};
  const std::vector retrieval{
      Made({"direct", "vgcc", "vgsr", "vgsr-no-gate", "vgsr-2000", "vgsr-500"}),
      Made({"direct", "vgcc", "vgsr"}, "go2", "holdout"), Made({"direct", "vgcc", "vgsr"}, "h1")};
  const study::IdentifyResult identified = MadeIdentification("go2");
  const TerrainStudy terrain{MadeLeg(2.0), MadeLeg(-5.0)};
  const train::WalkEvaluation tried{.velocity_error = 0.1,
                                    .yaw_error = 0.2,
                                    .episodes = 4,
                                    .survived = 3,
                                    .stands = 2,
                                    .stood = 1,
                                    .stand_power_w = 12.5,
                                    .targets = {{"harder", {8, 6, 7.2}}, {"holdout", {4, 3, 4.4}}}};
  const train::ScaleCost scale{.episodes = 8, .cot_full = 1.0, .cot_scaled = 0.9};
  std::vector<report::Section> sections{
      ResponseModelSection(identified),
      PlannerModelSection(identified),
      HarderSection(harder),
      TorqueSection(harder),
      FrontierSection(frontier),
      ScaleOracleSection(frontier),
      ObjectiveSection(Made({"direct", "vgcc", "vgcc-cost-per-progress"})),
      AblationSection(Made({"direct", "vgcc", "vgcc-no-anneal", "vgcc-no-gate", "vgcc-no-floor",
                            "vgcc-substitute", "vgcc-quarter-data", "vgcc-absolute-margin"})),
      PerTargetSection(harder),
      RetrievalSection(retrieval),
      TerrainSection(terrain, RngStream(1)),
      ResponseModelSection(MadeIdentification("h1")),
      CoverageSection(coverage),
      ScaleOracleSection(Made(scales, "h1")),
      FrozenPolicySection("go2", {{"learned", tried, scale}}, {})};
  for (report::Section& section : MadeAudits()) sections.push_back(std::move(section));
  return sections;
}

std::vector<std::string> RowOf(const report::Section& section, int table,
                               const std::vector<std::string>& names) {
  const auto same = [](const std::string& name, const report::Cell& cell) {
    return name == cell.text;
  };
  for (const report::Block& block : section.blocks) {
    const auto* found = std::get_if<report::Table>(&block);
    if (found == nullptr || --table > 0) continue;
    for (const std::vector<report::Cell>& row : found->rows) {
      if (row.size() != found->columns.size()) return {"a row as long as the columns"};
      if (!std::equal(names.begin(), names.end(), row.begin(), same)) continue;
      std::vector<std::string> texts;
      for (const report::Cell& cell : row) texts.push_back(WithPlainSpaces(cell.text.plain));
      return texts;
    }
    return {};
  }
  return {};
}

}  // namespace gonogo::paper
