// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"

namespace gonogo::report {

/// A section as data, so that a long run can keep what is finished.
[[nodiscard]] nlohmann::json SectionJson(const Section& section);

/// Reads what `SectionJson` wrote; `name` stands for the file in messages.
[[nodiscard]] Result<Section> SectionFromJson(const nlohmann::json& json, const std::string& name);

}  // namespace gonogo::report
