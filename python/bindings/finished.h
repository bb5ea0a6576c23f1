// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/io/file.h"
#include "gonogo/report/result_page.h"

namespace gonogo::python {

/// result.json as it was written, what a terminal would show, the run's folder, and the folder of
/// the adapter if one was exported.
struct Finished {
  std::string json = {};
  std::string text = {};
  std::string folder = {};
  std::string adapter = {};
};

/// Writes report.html beside result.json.
[[nodiscard]] inline Status WritePage(const nlohmann::json& json,
                                      const std::filesystem::path& folder) {
  const std::string page = GONOGO_TRY(report::ResultPage(json, (folder / "result.json").string()));
  return io::WriteFile(folder / "report.html", page);
}

[[nodiscard]] inline Finished Finish(const nlohmann::json& json,
                                     const std::filesystem::path& folder) {
  return {json.dump(2) + "\n", report::ResultText(json), folder.string()};
}

}  // namespace gonogo::python
