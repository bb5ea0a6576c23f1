// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

namespace gonogo::cli {

/// Turns the first SIGINT or SIGTERM into a stop request, so that a run can finish its unit of work
/// and keep what it has; a second one ends the process at once. Call once, before any thread is
/// started.
[[nodiscard]] std::stop_token InstallInterruptHandler();

}  // namespace gonogo::cli
