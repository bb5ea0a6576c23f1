// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

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

}  // namespace gonogo::team
