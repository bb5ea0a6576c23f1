// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/exit_code.h"

namespace gonogo::cli {

ExitCode ExitCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kInput:
      return kExitInput;
    case ErrorKind::kIo:
      return kExitIo;
    case ErrorKind::kInterrupted:
      return kExitInterrupted;
  }
  return kExitBug;
}

}  // namespace gonogo::cli
