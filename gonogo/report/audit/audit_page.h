// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/page.h"

namespace gonogo::report {

/// `report.html` of an audit: the verdict in words, the channels against their thresholds, and
/// every table of the result (docs/reference/formats.md). Shows what is there: a key the result
/// does not have leaves out its section.
[[nodiscard]] Page MakeAuditPage(const nlohmann::json& result);

/// The same as one HTML document.
[[nodiscard]] std::string AuditPage(const nlohmann::json& result);

}  // namespace gonogo::report
