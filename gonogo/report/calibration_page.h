// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/page.h"

namespace gonogo::report {

/// The page of a calibration (`gonogo.calibration/1`): goals met and missed, operating
/// characteristics, coverage, and every number in tables.
[[nodiscard]] Page MakeCalibrationPage(const nlohmann::json& result);

/// The same as one HTML document.
[[nodiscard]] std::string CalibrationPage(const nlohmann::json& result);

}  // namespace gonogo::report
