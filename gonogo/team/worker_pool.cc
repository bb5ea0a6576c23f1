// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/worker_pool.h"

#include <algorithm>
#include <new>
#include <utility>

namespace gonogo::team {
namespace {

Result<std::string> Make(const TeamWork& work, std::size_t unit, const std::stop_token& stop) {
  try {
    return work.make(unit, stop);
  } catch (const std::bad_alloc&) {
    return IoError("not enough memory");
  }
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

WorkerPool::WorkerPool(const TeamWork& work, const std::stop_token& stop)
    : work_(work), forward_(stop, [this] { stop_.request_stop(); }) {
  for (int i = 0; i < work.at_once; ++i) threads_.emplace_back([this] { Work(); });
}

void WorkerPool::Close() {
  stop_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkerPool::Give(std::span<const std::size_t> units) {
  {
    const std::lock_guard lock(mutex_);
    units_.insert(units_.end(), units.begin(), units.end());
  }
  given_.notify_all();
}

std::vector<std::size_t> WorkerPool::TakeBack(std::size_t most) {
  const std::lock_guard lock(mutex_);
  const auto end = units_.begin() + static_cast<long>(std::min(most, units_.size()));
  std::vector<std::size_t> taken(units_.begin(), end);
  units_.erase(units_.begin(), end);
  return taken;
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return units_.size();
}

std::vector<Finished> WorkerPool::Wait(std::chrono::microseconds longest) {
  std::unique_lock lock(mutex_);
  done_.wait_for(lock, longest, [this] { return !finished_.empty(); });
  return std::exchange(finished_, {});
}

void WorkerPool::Work() {
  while (true) {
    std::size_t unit = 0;
    {
      std::unique_lock lock(mutex_);
      given_.wait(lock, [this] { return closed_ || !units_.empty(); });
      if (closed_) return;
      unit = units_.front();
      units_.pop_front();
    }
    const auto begin = std::chrono::steady_clock::now();
    Result<std::string> result = Make(work_, unit, stop_.get_token());
    const double seconds = SecondsSince(begin);
    {
      const std::lock_guard lock(mutex_);
      finished_.push_back({unit, std::move(result), seconds});
    }
    done_.notify_one();
  }
}

}  // namespace gonogo::team
