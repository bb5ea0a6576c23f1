// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace gonogo::report {

/// The page of a calibration control on a table (`gonogo control observable|hidden`): how much of a
/// planted signal the audit recovers, or how often it claims one that no feature shows.
[[nodiscard]] std::string ControlPage(const nlohmann::json& control);

}  // namespace gonogo::report
