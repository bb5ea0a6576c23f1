// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/audit/run/control_run.h"
#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// The scale-prefix study: ten clusters, three constant scales, descriptive intervals over folds.
struct ArchivedStudy {
  audit::AuditResult result;                     ///< observation + F_eta
  std::vector<audit::AblationRow> feature_sets;  ///< the four representations
  std::vector<audit::ControlPoint> observable;   ///< one per bonus
  std::vector<audit::ControlPoint> hidden;       ///< one per mapping
};

/// The audit with its feature sets and planted controls, each kept in a folder of its own within
/// `folder`. Progress counts these three.
[[nodiscard]] Result<ArchivedStudy> RunArchivedStudy(const audit::TableFile& table,
                                                     const audit::Protocol& protocol,
                                                     const std::filesystem::path& folder,
                                                     const Execution& execution);

/// Same-state oracle, selector and matched mixture; the feature sets; the planted controls.
[[nodiscard]] std::vector<report::Section> ArchivedAuditSections(const ArchivedStudy& study);

}  // namespace gonogo::paper
