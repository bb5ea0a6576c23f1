// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/adapter/manifest.h"
#include "gonogo/audit/run/run.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// The adapter that would ship: its network and what is known about it.
struct ShippedAdapter {
  adapter::Manifest manifest;
  std::string onnx;
  std::size_t differing_choices = 0;  ///< queries at which rounding changed the choice
};

/// Trains the learner of `result` on all clusters of the table it was found on and makes a network
/// of it. The network then chooses at every query of the table; how its choices and predictions
/// compare with the learner's own stands in the manifest. `table_json` says which file the table
/// was ("file", "sha256"). Refuses a result of given choices: there is nothing to train.
[[nodiscard]] Result<ShippedAdapter> TrainAdapter(const OutcomeTable& declared,
                                                  const AuditResult& result,
                                                  nlohmann::json table_json,
                                                  const std::stop_token& stop);

/// Trains the adapter of an audit and writes it into `folder`, if the audit says GO; `anyway`:
/// whatever it says, and the files then tell that it is not advised. Gives what was written.
[[nodiscard]] Result<std::optional<ShippedAdapter>> ExportAdapter(
    const AuditReport& report, const std::filesystem::path& folder, bool anyway,
    const std::stop_token& stop);

}  // namespace gonogo::audit
