// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace gonogo {

/// Number of workers to use for `requested` (0 = all cores of this machine).
[[nodiscard]] int ResolveJobs(int requested);

/// Calls `body(i)` once for every i in [0, count) on at most `jobs` threads (0 = all cores). The
/// order of calls is unspecified, so `body(i)` may write only to slot i; reduce afterwards, in
/// index order. Exceptions propagate.
void ParallelFor(int jobs, std::size_t count, const std::function<void(std::size_t)>& body);

/// What `ParallelFor` does, on threads that are started for this loop and end with it.
void ForOnPlainThreads(int workers, std::size_t count,
                       const std::function<void(std::size_t)>& body);

}  // namespace gonogo
