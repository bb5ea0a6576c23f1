// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/internal/robot_audit.h"

#include <fmt/format.h>

#include "gonogo/audit/refit_log.h"
#include "gonogo/audit/table_reader.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/paper/confirmatory_audit.h"
#include "gonogo/study/collect.h"

namespace gonogo::paper::internal {

report::Paragraph ReplayedText(const study::MergedTable& merged) {
  return {fmt::format(
      "{} of {} queries were also reached by replaying their episode from its start and branched "
      "there: reconstruction error {}.",
      merged.replayed, merged.queries, merged.reconstruction_error)};
}

Result<CollectedTable> CollectRobotTable(const ReproductionSetting& setting,
                                         const std::string& file, const std::string& controller,
                                         const RunControl& control) {
  Result<audit::Protocol> protocol = audit::LoadProtocol(setting.robot / file);
  if (!protocol.ok()) return protocol.error();
  if (!protocol.value().collect) {
    return InputError("{}: has no [collect] section", (setting.robot / file).string());
  }
  if (!controller.empty()) protocol.value().collect->controller = controller;
  const std::string name =
      fmt::format("collect-{}-{}", protocol.value().name, protocol.value().collect->controller);
  const Result<study::CollectReport> report = study::Collect(
      protocol.value(),
      {.robot = setting.robot, .models = setting.models, .folder = setting.folder / name}, control);
  if (!report.ok()) return report.error();
  Result<audit::OutcomeTable> table =
      audit::ReadTable(report.value().merged->file, protocol.value());
  if (!table.ok()) return table.error();
  return CollectedTable{std::move(protocol).value(), std::move(table).value(),
                        *report.value().merged};
}

Result<audit::AuditResult> AuditIn(const std::filesystem::path& folder,
                                   const audit::OutcomeTable& table,
                                   const audit::Protocol& protocol, const RunControl& control) {
  if (Status made = io::MakeDirectory(folder); !made.ok()) return made.error();
  const Result<audit::RefitStore> store = audit::OpenRefitLog(
      folder / "refits.log", io::Sha256Hex(audit::CanonicalText(protocol) + table.provenance));
  if (!store.ok()) return store.error();
  return audit::RunAudit(table, protocol, store.value(), control);
}

Result<std::vector<report::Section>> RunRobotAudit(const ReproductionSetting& setting,
                                                   const std::string& controller,
                                                   const RunControl& control) {
  const Result<CollectedTable> collected =
      CollectRobotTable(setting, "audit.toml", controller, control);
  if (!collected.ok()) return collected.error();
  const audit::Protocol& protocol = collected.value().protocol;
  const std::filesystem::path folder =
      setting.folder / fmt::format("audit-{}-{}", protocol.name, controller);
  const Result<audit::AuditResult> result =
      AuditIn(folder, collected.value().table, protocol, control);
  if (!result.ok()) return result.error();
  const AuditedDistribution audited{DistributionName(protocol.name, controller), result.value()};
  report::Section section = ConfirmatoryAuditSection({&audited, 1});
  report::Paragraph replayed = ReplayedText(collected.value().merged);
  replayed.text = audited.name + ": " + replayed.text;
  section.blocks.insert(section.blocks.begin() + 1, std::move(replayed));
  return std::vector{section};
}

}  // namespace gonogo::paper::internal
