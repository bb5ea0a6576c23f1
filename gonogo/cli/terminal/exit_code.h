// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "gonogo/base/result.h"

namespace gonogo::cli {

/// What the process tells the shell. NO-GO and ABSTAIN are answers, not errors; only `--gate` turns
/// them into codes. A check says what it found.
enum ExitCode : int {
  kExitDone = 0,
  kExitBug = 1,
  kExitUsage = 2,
  kExitInput = 3,
  kExitIo = 4,
  kExitNoGo = 20,
  kExitAbstain = 21,
  kExitNoDecision = 22,
  kExitSuspicious = 23,
  kExitBroken = 24,
  kExitInterrupted = 130,
};

[[nodiscard]] ExitCode ExitCodeOf(ErrorKind kind);

/// The table of exit codes printed under every `--help`.
inline constexpr const char* kExitCodeHelp =
    "Exit codes: 0 done, 1 a bug of gonogo, 2 wrong command line, 3 bad input, 4 reading or "
    "writing "
    "failed, 130 interrupted (what was finished is kept).";

/// Turns the first SIGINT or SIGTERM into a stop request, so that a run can finish its unit of work
/// and keep what it has; a second one ends the process at once. Call once, before any thread is
/// started.
[[nodiscard]] std::stop_token InstallInterruptHandler();

/// Turns SIGBUS, which the system sends when a file is cut by another program while it is read
/// here, into a message that names the file, and the exit code of reading that failed. From then on
/// files may be mapped.
void InstallCutFileHandler();

}  // namespace gonogo::cli
