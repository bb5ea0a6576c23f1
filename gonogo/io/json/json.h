// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// Reads JSON that somebody else may have written; `name` stands for the file in messages. Refuses
/// what nests deeper than 100 levels: writing it again is recursive, and its indentation quadratic.
[[nodiscard]] Result<nlohmann::json> ParseJson(std::string_view text, const std::string& name);

}  // namespace gonogo::io
