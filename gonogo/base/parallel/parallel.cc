// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/parallel.h"

#include <algorithm>
#include <atomic>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "gonogo/base/check.h"

namespace gonogo {

int ResolveJobs(int requested) {
  GONOGO_CHECK(requested >= 0);
  return requested > 0 ? requested : oneapi::tbb::info::default_concurrency();
}

void ParallelFor(int jobs, std::size_t count, const std::function<void(std::size_t)>& body) {
  const int workers = ResolveJobs(jobs);
  if (workers == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  // TBB would refuse more threads than cores, with a remark on stderr; the caller asked for them.
  const oneapi::tbb::global_control limit(
      oneapi::tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(workers, ResolveJobs(0))));
  // TBB orders what comes before, inside and after the loop. ThreadSanitizer cannot see that,
  // because the library is not instrumented; it sees these, and so finds races between our own
  // bodies.
  std::atomic<bool> begun = false;
  std::atomic<std::size_t> done = 0;
  begun.store(true, std::memory_order_release);
  oneapi::tbb::task_arena arena(workers);
  arena.execute([&] {
    oneapi::tbb::parallel_for(
        std::size_t{0}, count,
        [&](std::size_t i) {
          GONOGO_CHECK(begun.load(std::memory_order_acquire));
          body(i);
          done.fetch_add(1, std::memory_order_release);
        },
        oneapi::tbb::simple_partitioner());
  });
  GONOGO_CHECK(done.load(std::memory_order_acquire) == count);
}

}  // namespace gonogo
