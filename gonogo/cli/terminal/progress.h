// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "gonogo/cli/terminal/pace.h"
#include "gonogo/cli/terminal/status_file.h"
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
  /// In `watched`, the folder of the run, the same is written down for `gonogo watch`; `table` is
  /// what is audited there.
  Progress(const Terminal& terminal, std::string label, std::filesystem::path watched = {},
           const std::filesystem::path& table = {});
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
  StatusFile status_;
  std::string table_;
  Clock::time_point written_ = {};
  Pace pace_{Clock::now()};
  Clock::time_point drawn_ = Clock::now();
  bool line_open_ = false;
};

}  // namespace gonogo::cli
