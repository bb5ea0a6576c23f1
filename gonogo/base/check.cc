// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace gonogo {

void CheckFailed(std::string_view condition, std::string_view file, int line) {
  std::fprintf(stderr, "gonogo bug: check failed: %.*s at %.*s:%d\n",
               static_cast<int>(condition.size()), condition.data(), static_cast<int>(file.size()),
               file.data(), line);
  std::abort();
}

}  // namespace gonogo
