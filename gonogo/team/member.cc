// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/member.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace gonogo::team {

std::vector<int> ShareCores(const std::vector<Member>& members) {
  std::map<std::pair<std::string, int>, int> users;
  for (const Member& member : members) {
    for (const int core : member.cores) ++users[{member.host, core}];
  }
  std::vector<int> threads;
  for (const Member& member : members) {
    double share = 0.0;
    for (const int core : member.cores) share += 1.0 / users.at({member.host, core});
    threads.push_back(std::max(1, static_cast<int>(std::floor(share + 1e-9))));
  }
  return threads;
}

std::string NameOf(int rank, const std::vector<Member>& members) {
  return fmt::format("rank {} on {}", rank, members.at(static_cast<std::size_t>(rank)).host);
}

}  // namespace gonogo::team
