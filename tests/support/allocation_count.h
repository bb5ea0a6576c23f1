// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::testing_support {

/// How often this thread has called operator new so far. Linking this library replaces the global
/// operator new of a test program.
[[nodiscard]] std::size_t AllocationCount();

}  // namespace gonogo::testing_support
