// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/base/result.h"

namespace gonogo::study {

/// What only the process that writes the files may find out, on every rank of a team. Without one
/// it is found out here.
template <typename T, typename FindOut>
[[nodiscard]] Result<T> OnRoot(const Execution& execution, const std::string& what,
                               const FindOut& find_out) {
  if (execution.team == nullptr) return find_out();
  const auto as_text = [&]() -> Result<std::string> {
    const T found = GONOGO_TRY(find_out());
    return nlohmann::json(found).dump();
  };
  const std::string bytes = GONOGO_TRY(execution.team->FromRoot(what, as_text));
  return nlohmann::json::parse(bytes).get<T>();
}

/// For what comes next every rank reads files that rank 0 wrote: returns when they are there with
/// rank 0's bytes. Network file systems may show them a little later than they were written; after
/// half a minute a file that is missing or another one is an error.
[[nodiscard]] Status AwaitRootFiles(const Execution& execution,
                                    const std::vector<std::filesystem::path>& files);

}  // namespace gonogo::study
