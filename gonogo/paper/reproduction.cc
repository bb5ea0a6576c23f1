// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/reproduction.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/nearest.h"
#include "gonogo/paper/archived_audit.h"
#include "gonogo/paper/evaluation_studies.h"
#include "gonogo/paper/internal/robot_audit.h"
#include "gonogo/paper/positive_control.h"
#include "gonogo/paper/response_model.h"
#include "gonogo/paper/terrain_heterogeneity.h"
#include "gonogo/study/identify.h"

namespace gonogo::paper {
namespace {

using Sections = Result<std::vector<report::Section>>;
using Setting = ReproductionSetting;

Sections RunIdentification(const Setting& setting, const RunControl& control) {
  const Result<study::Site> site = study::OpenSite(setting.robot, "grid", 1);
  if (!site.ok()) return site.error();
  const auto stage = [&](std::string_view) { return control.progress; };
  const study::IdentifyOptions options;
  const Result<study::IdentifyResult> result =
      study::Identify(site.value(), options, setting.models, control, stage);
  if (!result.ok()) return result.error();
  return std::vector{ResponseModelSection(result.value()), PlannerModelSection(result.value())};
}

Sections RunTerrain(const Setting& setting, const RunControl& control) {
  const Result<TerrainStudy> study = RunTerrainStudy(setting.robot, setting.models, control);
  if (!study.ok()) return study.error();
  return std::vector{TerrainSection(study.value(), RngStream(1).Child("terrain budget"))};
}

Sections RunArchived(const Setting& setting, const RunControl& control) {
  const Result<internal::CollectedTable> collected =
      internal::CollectRobotTable(setting, "audit-archived.toml", "", control);
  if (!collected.ok()) return collected.error();
  const Result<ArchivedStudy> study =
      RunArchivedStudy(collected.value().table, collected.value().protocol, control);
  if (!study.ok()) return study.error();
  return std::vector{ArchivedAuditSection(study.value())};
}

ReproductionItem AuditItem(const std::string& controller, std::vector<std::string> needs) {
  return {.name = "audit-" + controller,
          .title = "Confirmatory audit of " + controller +
                   " queries: decision, diagnostics, "
                   "resolution, threshold sensitivity",
          .minutes = 7.0,
          .needs = std::move(needs),
          .run = [controller](const Setting& setting, const RunControl& control) {
            return internal::RunRobotAudit(setting, controller, control);
          }};
}

ReproductionItem EvaluationItem(const EvaluationStudy& study) {
  return {
      .name = study.name,
      .title = study.summary,
      .minutes = 5.0,
      .needs = {"identification"},
      .run = [study](const Setting& setting, const RunControl& control) -> Sections {
        Result<study::Site> site = study::OpenSite(setting.robot, "grid", 1);
        if (!site.ok()) return site.error();
        const std::vector<study::EvaluationSite> sites{{std::move(site).value(), setting.models}};
        const Result<std::vector<study::Evaluation>> evaluations = study::RunBlocks(
            sites, study.blocks(sites.size()), {}, setting.folder / "evaluate", control);
        if (!evaluations.ok()) return evaluations.error();
        return study.present(evaluations.value());
      }};
}

std::vector<ReproductionItem> MakeItems() {
  std::vector<ReproductionItem> items;
  items.push_back({.name = "positive-control",
                   .title = "Learner-level positive control",
                   .minutes = 3.0,
                   .needs = {},
                   .run = RunPositiveControl});
  items.push_back(AuditItem("direct", {}));
  items.push_back({.name = "identification",
                   .title = "Response model, macro-transition ensemble and task value",
                   .minutes = 40.0,
                   .needs = {},
                   .run = RunIdentification});
  for (const EvaluationStudy& study : EvaluationStudies()) items.push_back(EvaluationItem(study));
  items.push_back({.name = "terrain",
                   .title = "Terrain heterogeneity and the shared time budget",
                   .minutes = 1.0,
                   .needs = {"identification"},
                   .run = RunTerrain});
  items.push_back({.name = "archived",
                   .title = "Archived scale prefixes, feature sets, observable and hidden controls",
                   .minutes = 3.0,
                   .needs = {"identification"},
                   .run = RunArchived});
  items.push_back(AuditItem("vgcc", {"identification"}));
  items.push_back(AuditItem("mpc", {"identification"}));
  return items;
}

}  // namespace

const std::vector<ReproductionItem>& ReproductionItems() {
  static const std::vector<ReproductionItem> kItems = MakeItems();
  return kItems;
}

Result<std::vector<ReproductionItem>> ChooseItems(const std::vector<std::string>& names) {
  const std::vector<ReproductionItem>& all = ReproductionItems();
  if (names.empty()) return all;
  const auto find = [&](const std::string& name) {
    return std::find_if(all.begin(), all.end(),
                        [&](const ReproductionItem& item) { return item.name == name; });
  };
  std::set<std::string> wanted;
  for (const std::string& name : names) {
    if (find(name) == all.end()) {
      std::vector<std::string> known;
      for (const ReproductionItem& item : all) known.push_back(item.name);
      return UsageError("nothing is called \"{}\"{}; there are {}", name, DidYouMean(name, known),
                        fmt::join(known, ", "));
    }
    wanted.insert(name);
    const std::vector<std::string>& needs = find(name)->needs;
    wanted.insert(needs.begin(), needs.end());
  }
  std::vector<ReproductionItem> chosen;
  for (const ReproductionItem& item : all) {
    if (wanted.contains(item.name)) chosen.push_back(item);
  }
  return chosen;
}

}  // namespace gonogo::paper
