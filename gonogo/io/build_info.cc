// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/build_info.h"

#include "gonogo_commit.h"

namespace gonogo::io {

BuildInfo CurrentBuild() {
#if defined(__clang__)
  const std::string compiler = "clang " __clang_version__;
#else
  const std::string compiler = "gcc " __VERSION__;
#endif
  const std::string arch = GONOGO_ARCH_NAME;
  return {GONOGO_VERSION, GONOGO_COMMIT, compiler, arch.empty() ? "default" : arch};
}

void to_json(nlohmann::json& json, const BuildInfo& build) {
  json = {{"version", build.version},
          {"commit", build.commit},
          {"compiler", build.compiler},
          {"arch", build.arch}};
}

}  // namespace gonogo::io
