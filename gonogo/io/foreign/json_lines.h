// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// Whether the text begins with a JSON object.
[[nodiscard]] bool IsJsonLines(std::string_view text);

/// One JSON object a line as comma-separated text with the same lines below a header: columns in
/// the order in which keys first occur, nothing where an object lacks one or has null. Refuses a
/// line that is no object.
[[nodiscard]] Result<std::string> CsvOfJsonLines(std::string_view text, const std::string& name);

}  // namespace gonogo::io
