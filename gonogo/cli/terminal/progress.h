// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// Units per second in two digits: "12/s", "0.34/s".
[[nodiscard]] std::string Rate(double per_second);

/// "3 min 20 s", "12 s", "2 h 5 min".
[[nodiscard]] std::string HumanDuration(std::chrono::duration<double> duration);

/// Progress of a long computation on stderr: a bar with the time left where stderr is a terminal,
/// otherwise one line every ten seconds, nothing when quiet. Thread-safe.
class Progress {
 public:
  Progress(const Terminal& terminal, std::string label);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Ends the line of the bar.
  ~Progress();

  void Update(std::size_t done, std::size_t total);
  /// `Update` as the callback of a `Execution`.
  [[nodiscard]] std::function<void(std::size_t, std::size_t)> Callback();

 private:
  using Clock = std::chrono::steady_clock;

  const Terminal& terminal_;
  std::string label_;
  std::mutex mutex_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_ = Clock::now();
  std::size_t first_done_ = 0;
  bool started_ = false;
  bool line_open_ = false;
};

}  // namespace gonogo::cli
