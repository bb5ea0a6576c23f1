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
  kExitSuspicious = 22,
  kExitBroken = 23,
  kExitInterrupted = 130,
};

[[nodiscard]] ExitCode ExitCodeOf(ErrorKind kind);

/// The table of exit codes printed under every `--help`.
inline constexpr const char* kExitCodeHelp =
    "Exit codes: 0 done, 1 our bug, 2 usage, 3 bad input, 4 I/O, 130 interrupted (partial results "
    "kept)";

}  // namespace gonogo::cli
