// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "gonogo/cli/terminal/status_file.h"
#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// How long a computation will still take, judged by what it did itself: a call of `Finished` is
/// one unit of work. Looks back half a minute or a third of the time, whichever is longer, so that
/// units which have become slower are noticed; another total means another phase, which starts
/// afresh.
class EtaEstimator {
 public:
  using Clock = std::chrono::steady_clock;

  explicit EtaEstimator(Clock::time_point begin) : begin_(begin) { marks_.push_back({begin, 0}); }

  /// A unit was finished at `now`, or, with `done` 0, work is about to begin.
  void Finished(std::size_t done, std::size_t total, Clock::time_point now);

  /// Time for what is left; nothing before the first unit of a phase.
  [[nodiscard]] std::optional<std::chrono::duration<double>> Left() const;

 private:
  struct Mark {
    Clock::time_point time;
    std::size_t units = 0;
  };

  Clock::time_point begin_;  // of the phase
  std::deque<Mark> marks_;   // at most a few a second; the first is where looking back ends
  Mark last_ = {};           // the latest unit
  std::size_t total_ = 0;
  std::size_t left_ = 0;
};

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
  EtaEstimator eta_{Clock::now()};
  Clock::time_point drawn_ = Clock::now();
  bool line_open_ = false;
};

}  // namespace gonogo::cli
