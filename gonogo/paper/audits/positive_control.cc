// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/audits/positive_control.h"

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/paper/audits/confirmatory_audit.h"
#include "gonogo/paper/audits/robot_audit.h"

namespace gonogo::paper {

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
