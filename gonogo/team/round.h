// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/team/messenger.h"

namespace gonogo::team {

/// One rank as the others know it.
struct Member {
  std::string host;
  std::vector<int> cores;  ///< it may run on
};

/// How many threads each rank should use so that every core of a host has one: a core that k ranks
/// may use counts 1/k for each of them. At least one.
[[nodiscard]] std::vector<int> ShareCores(const std::vector<Member>& members);

/// "rank 2 on node7".
[[nodiscard]] std::string NameOf(int rank, const std::vector<Member>& members);

/// What one rank did in all rounds so far.
struct Share {
  std::size_t units = 0;
  double busy_s = 0.0;       ///< of its threads, in units
  double available_s = 0.0;  ///< threads times the wall time of rounds
};

/// What a rank is told about its team.
struct Setting {
  std::string build;  ///< version and commit: all ranks run the same
  Member self;
  std::chrono::duration<double> silence{60.0};  ///< after which another rank counts as lost
};

/// One call of `Team::Run`, as both sides see it.
struct Round {
  Messenger& messenger;
  const std::vector<Member>& members;
  const TeamWork& work;
  const Execution& execution;
  std::uint64_t number = 0;
  std::chrono::duration<double> silence{60.0};
  bool* lost_root = nullptr;  ///< set when rank 0 is no longer heard of
};

/// What rank 0 does: workers out, collects, ends. Adds what everybody did to `shares`.
[[nodiscard]] Result<std::vector<std::string>> RunAsRoot(const Round& round,
                                                         std::vector<Share>& shares);
/// What every other rank does. An error it did not cause is rank 0's.
[[nodiscard]] Result<std::vector<std::string>> RunAsHelper(const Round& round);

/// What a helper says on joining a round: whether it is the same one. Rank 0 compares.
[[nodiscard]] std::string HelloOf(const TeamWork& work);
/// Why that hello does not belong to `work`, naming both hashes; empty if it does.
[[nodiscard]] std::string Disagreement(const TeamWork& work, std::string_view hello,
                                       const std::string& who);

/// How long to sleep when nothing happens: short after news, then longer, so that waiting costs no
/// core.
class Pause {
 public:
  /// Where everybody waits for the last message, as between steps of a training.
  Pause() = default;
  explicit Pause(std::chrono::microseconds longest) : longest_(longest) {}

  void Reset() { now_ = kShortest; }
  [[nodiscard]] std::chrono::microseconds Next() {
    const std::chrono::microseconds pause = now_;
    now_ = std::min(2 * now_, longest_);
    return pause;
  }

 private:
  static constexpr std::chrono::microseconds kShortest{50};
  std::chrono::microseconds longest_{2000};
  std::chrono::microseconds now_ = kShortest;
};

/// While units are done, nobody waits for a message: the next unit is there before the last one is
/// finished. Looking every 8 ms takes 0.3 % of a core.
inline constexpr std::chrono::microseconds kBetweenUnits{8000};

using Clock = std::chrono::steady_clock;

}  // namespace gonogo::team
