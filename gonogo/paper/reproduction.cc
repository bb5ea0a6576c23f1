// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/reproduction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/nearest.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/paper/audits/archived_audit.h"
#include "gonogo/paper/audits/confirmatory_audit.h"
#include "gonogo/paper/evaluation_studies.h"
#include "gonogo/paper/sections/response_model.h"
#include "gonogo/paper/studies/studies.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/study/identify/identify.h"

namespace gonogo::paper {
namespace {

using SectionsOrError = Result<std::vector<report::Section>>;
using Setting = ReproductionSetting;

constexpr const char* kIdentification = "identification";

/// Models that an earlier run left are scored, not made again; then this says who made them.
std::string MadeElsewhere(const Setting& setting, const study::Scene& scene) {
  const Result<response::ResponseModel> model =
      response::LoadResponseModel(setting.models / "response-effort", scene.robot);
  if (!model.ok()) return "";
  // Nothing to say about models whose origin cannot be read: identification refuses or makes them.
  const nlohmann::json& provenance = model.value().identity().provenance;
  const Result<io::JsonObject> origin = io::JsonObject::Open(provenance, "provenance");
  if (!origin.ok()) return "";
  const Result<io::JsonObject> build = origin.value().Object("build");
  if (!build.ok()) return "";
  const Result<std::string> commit = build.value().Get<std::string>("commit", "");
  if (!commit.ok() || commit.value() == io::CurrentBuild().commit) return "";
  return fmt::format(
      " The models were there already, identified with the same options at commit {}; this run "
      "scored them again.",
      commit.value());
}

/// Models learn on one ground, also where every seed of an evaluation has its own.
Result<study::Scene> SiteOfSetting(const Setting& setting) {
  constexpr std::uint64_t kSeed = 1;
  const study::Scene scene = GONOGO_TRY(study::OpenScene(setting.robot, setting.surroundings));
  return study::SceneOf(scene, kSeed);
}

std::string Capital(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string RateText(const Setting& setting) {
  return setting.work_rate == sim::WorkRate::kControl
             ? "work, power and effort are read once per control step"
             : "work, power and effort are read at every physics step";
}

SectionsOrError RunIdentification(const Setting& setting, const Execution& execution,
                                  study::IdentifyOptions options) {
  const study::Scene scene = GONOGO_TRY(SiteOfSetting(setting));
  const auto stage = [&](std::string_view) { return execution.progress; };
  options.work_rate = setting.work_rate;
  study::IdentifyResult result =
      GONOGO_TRY(study::Identify(scene, options, setting.models, execution, stage));
  result.robot = scene.robot.stands_for;
  std::vector<report::Section> sections{ResponseModelSection(result)};
  if (result.macro) sections.push_back(PlannerModelSection(result));
  sections.front().blocks.emplace_back(report::Paragraph{
      fmt::format("{}, identification seed {}. {}.{}", Capital(setting.surroundings.text()),
                  options.seed, Capital(RateText(setting)), MadeElsewhere(setting, scene))});
  return sections;
}

SectionsOrError RunPaperIdentification(const Setting& setting, const Execution& execution) {
  const study::IdentifyOptions options;
  return RunIdentification(setting, execution, options);
}

/// Only f_phi, which is all that VGCC needs.
ReproductionItem OtherIdentification(const std::string& robot, const std::string& title) {
  return {.name = "identification-" + robot,
          .title = "Response model of " + title,
          .minutes = 3.0,
          .other_robots = {robot},
          .run = [robot](const Setting& setting, const Execution& execution) -> SectionsOrError {
            const Setting other = OnOtherRobot(setting, robot);
            if (!HasPolicy(other)) return std::vector<report::Section>{};
            study::IdentifyOptions options;
            options.contrasts = false;
            options.planner = false;
            return RunIdentification(other, execution, options);
          }};
}

SectionsOrError RunTerrain(const Setting& setting, const Execution& execution) {
  TerrainStudy study = GONOGO_TRY(RunTerrainStudy(setting.robot, setting.models, execution));
  study.flat = study::AtRate(std::move(study.flat), setting.work_rate);
  study.rough = study::AtRate(std::move(study.rough), setting.work_rate);
  return std::vector{TerrainSection(study, RngStream(1).Child("terrain budget"))};
}

SectionsOrError RunArchived(const Setting& setting, const Execution& execution) {
  const CollectedTable collected =
      GONOGO_TRY(CollectRobotTable(setting, "audit-archived.toml", "", execution));
  const ArchivedStudy study = GONOGO_TRY(RunArchivedStudy(collected.table, collected.protocol,
                                                          setting.folder / "archived", execution));
  std::vector<report::Section> sections = ArchivedAuditSections(study);
  sections.front().blocks.emplace_back(ReplayedText(collected.merged));
  return sections;
}

ReproductionItem AuditItem(const std::string& controller, std::vector<std::string> needs) {
  return {
      .name = "audit-" + controller,
      .title = "Confirmatory audit at the states of " + controller,
      .labels = {"tab:confirmatory-audit", "tab:confirmatory-diagnostics", "tab:audit-resolution"},
      .minutes = 8.0,
      .needs = std::move(needs),
      .run = [controller](const Setting& setting, const Execution& execution) {
        return RunRobotAudit(setting, controller, execution);
      }};
}

SectionsOrError RunHumanoidAudit(const Setting& setting, const Execution& execution) {
  const Setting h1 = OnOtherRobot(setting, "h1");
  if (HasPolicy(h1)) return RunRobotAudit(h1, "direct", execution);
  return std::vector{report::Section{.id = "confirmatory-audit",
                                     .title = "Action-aligned confirmatory audit",
                                     .blocks = {LeftOut(h1)}}};
}

/// Seeds and trials of what was run, for the record.
report::Paragraph PlanText(const Setting& setting, std::span<const study::Evaluation> evaluations) {
  std::string text;
  for (const study::Evaluation& e : evaluations) {
    text += fmt::format("{} {}: seeds {} with {} trials per target on {}. ", e.robot, e.plan.family,
                        fmt::join(e.plan.seeds, ", "), e.plan.trials, setting.surroundings.text());
  }
  return {text + Capital(RateText(setting)) + "."};
}

Result<std::vector<study::Evaluation>> Evaluate(const Setting& setting,
                                                const std::vector<std::string>& other_robots,
                                                const EvaluationStudy& study,
                                                const Execution& execution) {
  std::vector<study::EvaluationScene> scenes;
  std::vector<Setting> robots{setting};
  for (const std::string& name : other_robots) {
    const Setting other = OnOtherRobot(setting, name);
    if (HasPolicy(other)) robots.push_back(other);
  }
  for (const Setting& robot : robots) {
    study::Scene scene = GONOGO_TRY(study::OpenScene(robot.robot, robot.surroundings));
    scenes.push_back({std::move(scene), robot.models});
  }
  const std::vector<study::EvaluationBlock> blocks = study.blocks(scenes.size());
  std::vector<study::Evaluation> evaluations =
      GONOGO_TRY(study::RunBlocks(scenes, blocks, {}, setting.folder / "evaluate", execution));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    evaluations[i] = study::AtRate(std::move(evaluations[i]), setting.work_rate);
    evaluations[i].robot = scenes[blocks[i].scene].scene.robot.stands_for;
  }
  return evaluations;
}

ReproductionItem EvaluationItem(const std::string& name, std::vector<std::string> labels,
                                double minutes, const std::vector<std::string>& other_robots = {}) {
  const EvaluationStudy study = FindEvaluationStudy(name).value();
  ReproductionItem item{.name = name,
                        .title = study.summary,
                        .labels = std::move(labels),
                        .minutes = minutes,
                        .needs = {kIdentification},
                        .other_robots = other_robots};
  for (const std::string& robot : other_robots) item.needs.push_back("identification-" + robot);
  item.run = [study, other_robots](const Setting& setting,
                                   const Execution& execution) -> SectionsOrError {
    const std::vector<study::Evaluation> evaluations =
        GONOGO_TRY(Evaluate(setting, other_robots, study, execution));
    std::vector<report::Section> sections = study.present(evaluations);
    std::vector<report::Block>& blocks = sections.front().blocks;
    blocks.emplace_back(PlanText(setting, evaluations));
    for (const std::string& robot : other_robots) {
      const Setting other = OnOtherRobot(setting, robot);
      if (!HasPolicy(other)) blocks.emplace_back(LeftOut(other));
    }
    return sections;
  };
  return item;
}

/// The paper's second embodiment of stage 1: scales alone, no models.
SectionsOrError RunHumanoidScales(const Setting& setting, const Execution& execution) {
  const Setting h1 = OnOtherRobot(setting, "h1");
  if (!HasPolicy(h1)) {
    return std::vector{report::Section{.id = "scale-oracle-h1",
                                       .title = "Stage 1: one scale per episode, h1",
                                       .blocks = {LeftOut(h1)}}};
  }
  const EvaluationStudy study{.blocks = [](std::size_t) -> std::vector<study::EvaluationBlock> {
    return {{.scene = 0,
             .plan = {.family = "harder", .seeds = {901, 902, 903}, .trials = 10},
             .methods = {"direct", "scale-0.90", "scale-0.75"}}};
  }};
  const std::vector<study::Evaluation> evaluations = GONOGO_TRY(Evaluate(h1, {}, study, execution));
  std::vector<report::Section> sections{ScaleOracleSection(evaluations.front())};
  sections.front().blocks.emplace_back(PlanText(h1, evaluations));
  return sections;
}

SectionsOrError RunExample(const Setting& setting, const Execution& execution) {
  const EvaluationStudy study = FindEvaluationStudy("harder").value();
  const std::vector<study::Evaluation> evaluations =
      GONOGO_TRY(Evaluate(setting, {}, study, execution));
  study::Scene scene = GONOGO_TRY(study::OpenScene(setting.robot, setting.surroundings));
  const report::Section section =
      GONOGO_TRY(RescueExampleSection({std::move(scene), setting.models}, evaluations.front()));
  return std::vector{section};
}

/// Cheap ones first, so that an interrupted run has shown most of the paper.
std::vector<ReproductionItem> MakeItems() {
  const std::vector<std::string> others{"anymal_d", "h1"};
  return {
      {.name = kIdentification,
       .title = "Response model, macro-transition ensemble and task value",
       .labels = {"tab:model"},
       .minutes = 12.0,
       .run = RunPaperIdentification},
      EvaluationItem("harder", {"sec:results-main"}, 0.3),
      EvaluationItem("torque", {"tab:physical-energy"}, 0.1),
      EvaluationItem("frontier", {"tab:objective-audit", "fig:frontier", "fig:finding"}, 0.5),
      EvaluationItem("objective", {"sec:results-baselines"}, 0.1),
      EvaluationItem("ablation", {"tab:vgcc-ablation"}, 0.2),
      EvaluationItem("per-target", {"tab:pertarget", "fig:traj"}, 0.1),
      {.name = "example",
       .title = "One episode in which VGCC rescues itself",
       .labels = {"fig:example"},
       .minutes = 0.1,
       .needs = {kIdentification},
       .run = RunExample},
      EvaluationItem("retrieval", {"app:retrieval"}, 0.3),
      {.name = "terrain",
       .title = "Terrain heterogeneity and the shared time budget",
       .labels = {"tab:hetero"},
       .minutes = 0.2,
       .needs = {kIdentification},
       .run = RunTerrain},
      OtherIdentification("anymal_d", "ANYmal-D"),
      OtherIdentification("h1", "H1"),
      EvaluationItem("coverage", {"tab:coverage", "fig:paired"}, 0.5, others),
      {.name = "scales-h1",
       .title = "One scale per episode on H1",
       .labels = {"fig:finding"},
       .minutes = 0.5,
       .other_robots = {"h1"},
       .run = RunHumanoidScales},
      {.name = "positive-control",
       .title = "Learner-level positive control",
       .labels = {"sec:results-headroom"},
       .minutes = 3.0,
       .run = RunPositiveControl},
      {.name = "archived",
       .title = "Scale prefixes, feature sets, observable and hidden controls",
       .labels = {"tab:adapter-audit", "tab:feature-ablation", "fig:audit-calibration",
                  "tab:audit-calibration", "tab:control-curve"},
       .minutes = 5.0,
       .needs = {kIdentification},
       .run = RunArchived},
      AuditItem("direct", {}),
      AuditItem("vgcc", {kIdentification}),
      AuditItem("mpc", {kIdentification}),
      {.name = "audit-h1",
       .title = "Confirmatory audit of H1 under direct control",
       .labels = {"tab:confirmatory-audit", "tab:confirmatory-diagnostics", "tab:audit-resolution"},
       .minutes = 8.0,
       .other_robots = {"h1"},
       .run = RunHumanoidAudit},
  };
}

/// Figures that show no measurement.
constexpr std::array kDrawings{"fig:audit", "fig:method", "fig:setup"};

bool Answers(const ReproductionItem& item, const std::string& name) {
  return item.name == name ||
         std::find(item.labels.begin(), item.labels.end(), name) != item.labels.end();
}

Error Unknown(const std::string& name) {
  if (std::find(kDrawings.begin(), kDrawings.end(), name) != kDrawings.end()) {
    return UsageError("{}: a drawing or photograph in the paper, there is nothing to measure",
                      name);
  }
  std::vector<std::string> known;
  for (const ReproductionItem& item : ReproductionItems()) known.push_back(item.name);
  return UsageError("nothing is called \"{}\"{}; there are {} and the paper's labels of them", name,
                    DidYouMean(name, known), fmt::join(known, ", "));
}

}  // namespace

const std::vector<ReproductionItem>& ReproductionItems() {
  static const std::vector<ReproductionItem> kItems = MakeItems();
  return kItems;
}

Result<std::string> InputsOf(const ReproductionItem& item, const ReproductionSetting& setting) {
  std::vector<ReproductionSetting> robots{setting};
  for (const std::string& name : item.other_robots) {
    robots.push_back(OnOtherRobot(setting, name));
  }
  std::string inputs =
      fmt::format("{} {}", setting.surroundings.text(), sim::WorkRateName(setting.work_rate));
  for (const ReproductionSetting& robot : robots) {
    for (const char* name :
         {"robot.toml", "model.xml", "policy.onnx", "audit.toml", "audit-archived.toml"}) {
      const std::filesystem::path file = robot.robot / name;
      std::error_code code;
      inputs += name;
      if (!std::filesystem::is_regular_file(file, code)) continue;
      const std::string bytes = GONOGO_TRY(io::ReadFile(file));
      inputs += io::Sha256Hex(bytes);
    }
  }
  return io::Sha256Hex(inputs);
}

Result<std::vector<ReproductionItem>> ChooseItems(const std::vector<std::string>& names) {
  const std::vector<ReproductionItem>& all = ReproductionItems();
  if (names.empty()) return all;
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    bool found = false;
    for (const ReproductionItem& item : all) {
      if (!Answers(item, name)) continue;
      found = true;
      wanted.insert(item.name);
      wanted.insert(item.needs.begin(), item.needs.end());
    }
    if (!found) return Unknown(name);
  }
  std::vector<ReproductionItem> chosen;
  for (const ReproductionItem& item : all) {
    if (wanted.contains(item.name)) chosen.push_back(item);
  }
  return chosen;
}

}  // namespace gonogo::paper
