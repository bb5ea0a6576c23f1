// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

namespace gonogo::cli {

/// How long a computation will still take, judged by what it did itself: a call of `Finished` is
/// one unit of work. Looks back half a minute or a third of the time, whichever is longer, so that
/// units which have become slower are noticed; another total means another phase, which starts
/// afresh.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Pace(Clock::time_point begin) : begin_(begin) { marks_.push_back({begin, 0}); }

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

}  // namespace gonogo::cli
