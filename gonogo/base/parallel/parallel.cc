// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "gonogo/base/check.h"

namespace gonogo {
namespace {

void ForOnTbb(int workers, std::size_t count, const std::function<void(std::size_t)>& body) {
  // TBB would refuse more threads than cores, with a remark on stderr; the caller asked for them.
  const oneapi::tbb::global_control limit(
      oneapi::tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(workers, ResolveJobs(0))));
  oneapi::tbb::task_arena arena(workers);
  arena.execute([&] {
    oneapi::tbb::parallel_for(std::size_t{0}, count, body, oneapi::tbb::simple_partitioner());
  });
}

// ThreadSanitizer cannot see how TBB orders what it runs, because Debian's library is not
// instrumented, and reports races inside TBB that are none. Plain threads do the same work.
#ifdef __SANITIZE_THREAD__
constexpr bool kPlainThreads = true;
#else
constexpr bool kPlainThreads = false;
#endif

}  // namespace

int ResolveJobs(int requested) {
  GONOGO_CHECK(requested >= 0);
  return requested > 0 ? requested : oneapi::tbb::info::default_concurrency();
}

void ParallelFor(int jobs, std::size_t count, const std::function<void(std::size_t)>& body) {
  const int workers = ResolveJobs(jobs);
  if (workers == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
  } else if (kPlainThreads) {
    ForOnPlainThreads(workers, count, body);
  } else {
    ForOnTbb(workers, count, body);
  }
}

void ForOnPlainThreads(int workers, std::size_t count,
                       const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  std::mutex guard;
  std::exception_ptr first;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) body(i);
    } catch (...) {
      next = count;  // the others end with what they are doing
      const std::lock_guard lock(guard);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::min(static_cast<std::size_t>(workers), count); ++i) {
      others.emplace_back(work);
    }
    work();
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace gonogo
