// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace gonogo::io {

/// What made an artefact: stamped into every file we write.
struct BuildInfo {
  std::string version;   ///< of gonogo, `0.1.0`
  std::string commit;    ///< short hash, with `-dirty` when the tree had changes
  std::string compiler;  ///< name and version
  std::string
      arch;  ///< instruction set the kernels were built for; it moves float32 training results
};

[[nodiscard]] BuildInfo CurrentBuild();

void to_json(nlohmann::json& json, const BuildInfo& build);

}  // namespace gonogo::io
