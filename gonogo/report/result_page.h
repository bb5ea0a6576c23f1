// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::report {

struct Page;

/// The page of a result file, whichever kind its `schema` names: an audit, a calibration control
/// or a calibration. Other schemas are refused; `name` stands for the file in the message.
[[nodiscard]] Result<std::string> ResultPage(const nlohmann::json& result, const std::string& name);

/// The same audit or control as a terminal shows it.
[[nodiscard]] std::string ResultText(const nlohmann::json& result, const TextLook& look = {});

/// The audit `result` with the calibration controls of the same table attached, as its page shows
/// them. Refuses what is not a control or belongs to another table.
[[nodiscard]] Status AttachControl(const nlohmann::json& control, const std::string& name,
                                   nlohmann::json& result);

/// The page of a calibration (`gonogo.calibration/1`): goals met and missed, operating
/// characteristics, coverage, and every number in tables.
[[nodiscard]] Page MakeCalibrationPage(const nlohmann::json& result);

}  // namespace gonogo::report
