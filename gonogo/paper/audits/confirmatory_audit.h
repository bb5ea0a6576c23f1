// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/run/run.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/paper/setting/reproduction_setting.h"
#include "gonogo/report/page/page.h"
#include "gonogo/study/collect/collection.h"

namespace gonogo::paper {

/// An audited robot and query distribution by the paper's name for it: "Go2/direct", "Go2/VGCC",
/// "Go2/MPC", "H1/direct".
struct AuditedDistribution {
  std::string name;
  audit::AuditResult result;
};

/// "go2" and "vgcc" are "Go2/VGCC".
[[nodiscard]] std::string DistributionName(const std::string& robot, const std::string& controller);

/// The action-aligned confirmatory audit: decisions, headroom, diagnostics, resolution and
/// threshold sensitivity, the paper's rows above ours.
[[nodiscard]] report::Section ConfirmatoryAuditSection(
    std::span<const AuditedDistribution> distributions);

struct CollectedTable {
  audit::Protocol protocol;
  audit::TableFile table;
  study::MergedTable merged;
};

/// How many queries were also reached by replaying their episode, and how far the two ways differ.
[[nodiscard]] report::Paragraph ReplayedText(const study::MergedTable& merged);

/// Collects what `file` beside robot.toml declares, or goes on doing so; `controller` replaces the
/// declared one unless it is empty.
[[nodiscard]] Result<CollectedTable> CollectRobotTable(const ReproductionSetting& setting,
                                                       const std::string& file,
                                                       const std::string& controller,
                                                       const Execution& execution);

/// An audit whose refits and result are kept in `folder`.
[[nodiscard]] Result<audit::AuditResult> AuditIn(const std::filesystem::path& folder,
                                                 audit::TableFile table,
                                                 const audit::Protocol& protocol,
                                                 const Execution& execution);

/// Collects and audits ROBOT/audit.toml at the states of a controller. All such sections have one
/// id: on a page they become one.
[[nodiscard]] Result<std::vector<report::Section>> RunRobotAudit(const ReproductionSetting& setting,
                                                                 const std::string& controller,
                                                                 const Execution& execution);

/// The learner-level positive control through the complete procedure: the paper's answer is GO.
[[nodiscard]] Result<std::vector<report::Section>> RunPositiveControl(
    const ReproductionSetting& setting, const Execution& execution);

}  // namespace gonogo::paper
