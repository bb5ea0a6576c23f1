// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/robot_audit.h"

#include <fmt/format.h>

#include "gonogo/paper/audits/confirmatory_audit.h"
#include "gonogo/study/collect/collect.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::paper {

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
  return std::move(report.result);
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

}  // namespace gonogo::paper
