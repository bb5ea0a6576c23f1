// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gonogo/base/parallel/team.h"

namespace gonogo::team {

/// A unit that was done here.
struct Finished {
  std::size_t unit = 0;
  Result<std::string> result;
  double seconds = 0.0;
};

/// The threads of one rank that do units, so that the thread which talks to other ranks is never
/// kept waiting by one.
class WorkerPool {
 public:
  /// Units are asked to stop when `stop` says so or when the workers are destroyed.
  WorkerPool(const TeamWork& work, const std::stop_token& stop);
  ~WorkerPool() { Close(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Give(std::span<const std::size_t> units);
  /// Units that no thread has begun, from the front, for somebody else.
  [[nodiscard]] std::vector<std::size_t> TakeBack(std::size_t most);
  [[nodiscard]] std::size_t waiting() const;
  /// What was finished since the last call; waits for it, but no longer than that.
  [[nodiscard]] std::vector<Finished> Wait(std::chrono::microseconds longest);
  /// Asks units that have begun to stop and waits for them; `Wait` then tells which of them were
  /// finished all the same.
  void Close();

 private:
  void Work();

  const TeamWork& work_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> forward_;
  mutable std::mutex mutex_;
  std::condition_variable given_;
  std::condition_variable done_;
  std::deque<std::size_t> units_;
  std::vector<Finished> finished_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace gonogo::team
