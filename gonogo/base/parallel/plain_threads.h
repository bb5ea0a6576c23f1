// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace gonogo {

/// What `ParallelFor` does, on threads that are started for this loop and end with it.
void ForOnPlainThreads(int workers, std::size_t count,
                       const std::function<void(std::size_t)>& body);

}  // namespace gonogo
