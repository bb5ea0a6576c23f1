// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

namespace gonogo::cli {

/// Turns the first SIGINT or SIGTERM into a stop request, so that a run can finish its unit of work
/// and keep what it has; a second one ends the process at once. Call once, before any thread is
/// started.
[[nodiscard]] std::stop_token InstallInterruptHandler();

/// Turns SIGBUS, which the system sends when a file is cut by another program while it is read
/// here, into a message that names the file, and the exit code of reading that failed. From then on
/// files may be mapped.
void InstallCutFileHandler();

}  // namespace gonogo::cli
