// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/controls/controls.h"
#include "gonogo/audit/run/run.h"

namespace gonogo::audit {

/// A control that plants a signal into a table: "observable", one audit for every bonus, or
/// "hidden", `mappings` audits of the first one.
struct PlantedJob {
  TableFile table;
  Protocol protocol;
  std::string kind;
  PlantedSignal signal;
  std::vector<double> gammas = {};  ///< empty: `UsualGammas`
  std::size_t mappings = 10;
  std::filesystem::path folder = {};  ///< empty: runs/NAME-KIND-HASH
};

struct PlantedReport {
  std::filesystem::path folder;
  std::vector<ControlPoint> points;
  nlohmann::json json;  ///< result.json
};

/// As `Run`: refits are kept, the same job goes on, and result.json is written. Planted signals are
/// no looks at the table.
[[nodiscard]] Result<PlantedReport> RunPlanted(PlantedJob job, const Executions& executions);

/// The synthetic domain of the protocol's seed in which an adapter pays (positive_control.h): its
/// audit must answer GO.
[[nodiscard]] AuditJob PositiveControlJob(const Protocol& protocol,
                                          const std::filesystem::path& folder);

}  // namespace gonogo::audit
