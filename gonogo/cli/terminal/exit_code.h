// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace gonogo::cli
