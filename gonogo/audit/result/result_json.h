// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// `result.json` and `--json` (docs/reference/formats.md): every number of the result. What is not
/// finite or was not estimated is null. Provenance is added by whoever knows where the table came
/// from.
[[nodiscard]] nlohmann::json ToJson(const AuditResult& result);

/// One row of a comparison of several audits: decision, status and the estimates by name.
[[nodiscard]] nlohmann::json SummaryJson(const AuditResult& result);

}  // namespace gonogo::audit
