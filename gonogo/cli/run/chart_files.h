// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::cli {

/// Writes every chart of a page as NAME.png and NAME.svg into `folder`, drawn by an installed
/// Chromium (or the browser that GONOGO_BROWSER names) without a window. Returns the names.
[[nodiscard]] Result<std::vector<std::string>> WriteCharts(const std::string& page,
                                                           const std::filesystem::path& folder);

/// The charts that a page opened with "#export" holds when a browser wrote it back: pairs of file
/// name and bytes.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> ChartsIn(
    const std::string& dom);

}  // namespace gonogo::cli
