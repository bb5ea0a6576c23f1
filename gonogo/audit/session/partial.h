// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "gonogo/audit/audit.h"

namespace gonogo::audit {

/// What an unfinished audit would say after its first refits.
struct PartialAudit {
  std::size_t refits = 0;
  AuditResult result;
};

/// The path of the bounds of the run in `folder`, which audits `table`: after 25, 50, 100, … refits
/// and after all that are finished. Reads only; works on a copy of the log, so that the run is not
/// disturbed. Nothing before every cluster was held out once and five refits are finished.
[[nodiscard]] Result<std::vector<PartialAudit>> PathOfBounds(const std::filesystem::path& folder,
                                                             const std::filesystem::path& table);

}  // namespace gonogo::audit
