// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/report/audit/channel.h"
#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

/// Tables of an audit result. Each takes the part of the result it shows; what is missing there is
/// shown as a dash.
namespace gonogo::report::internal {

/// Every channel under every rule: point, interval, threshold, and the bound that decided.
[[nodiscard]] Table ChannelTable(const std::vector<Rule>& rules);
[[nodiscard]] Table EstimateTable(const Json& estimates);
/// How the refits of each channel are distributed.
[[nodiscard]] Table ReplicateTable(const std::vector<Channel>& channels, const Json& replicates);
[[nodiscard]] Table SensitivityTable(const Json& sensitivity);
/// "[0.41, 1.20] %" from the bounds of an estimate.
[[nodiscard]] std::string ShownInterval(const Json& estimate);
[[nodiscard]] Table FoldTable(const Json& folds);
[[nodiscard]] Table ActionTable(const Json& actions);
[[nodiscard]] Table ResolutionTable(const Json& resolution);
/// Several audits side by side; `variant` is the key that tells them apart.
[[nodiscard]] Table SummaryTable(std::string caption, const std::string& variant,
                                 const Json& audits);
[[nodiscard]] Table DiagnosticsTable(const Json& diagnostics);
/// Every leaf of an object as a row; nested keys are joined by dots.
[[nodiscard]] Table FactsTable(std::string caption, const Json& facts);

}  // namespace gonogo::report::internal
