// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::io {

[[nodiscard]] std::string HostName();

/// The name under which this process writes a file that is not whole yet (`path.HOST-PID.tmp`):
/// tasks of a job array may write the same file at the same time.
[[nodiscard]] std::filesystem::path TemporaryFor(const std::filesystem::path& path);

/// Creates the folder of a run, with its parents, or goes on with one: half-written files in it,
/// left by processes of this host that were killed, are removed. Those of other hosts stay, because
/// nobody here can tell whether their writers live.
[[nodiscard]] Status OpenRunFolder(const std::filesystem::path& folder);

}  // namespace gonogo::io
