// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/report/page/page.h"

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

}  // namespace gonogo::paper
