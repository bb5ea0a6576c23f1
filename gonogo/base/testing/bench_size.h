// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace gonogo::bench {

/// A benchmark is run as a test (ctest -L bench): once, and small enough to take no time. Its speed
/// then means nothing.
inline bool TinyBenchmarks() { return std::getenv("GONOGO_TINY_BENCHMARKS") != nullptr; }

/// The size to measure at, or the one that shows that the benchmark runs.
template <class T>
T BenchSize(T measured, T tiny) {
  return TinyBenchmarks() ? tiny : measured;
}

}  // namespace gonogo::bench
