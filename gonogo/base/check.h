// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gonogo {

/// Prints the failed condition with its place and aborts. For our own bugs only; what the world
/// gets wrong is a `Result`.
[[noreturn]] void CheckFailed(std::string_view condition, std::string_view file, int line);

}  // namespace gonogo

/// Always armed, in every build type.
#define GONOGO_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::gonogo::CheckFailed(#condition, __FILE__, __LINE__))
