// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/plain_threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gonogo {

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
