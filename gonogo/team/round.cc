// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/round.h"

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

std::string HelloOf(const TeamWork& work) {
  BodyWriter hello;
  hello.Word(static_cast<std::uint64_t>(work.at_once)).Text(work.what).Word(work.count);
  hello.Word(work.identity.size());
  for (const auto& [name, hash] : work.identity) hello.Text(name).Text(hash);
  return hello.Take();
}

std::string Disagreement(const TeamWork& work, std::string_view hello, const std::string& who) {
  BodyReader reader(hello);
  (void)reader.Word();
  const std::string what = reader.Text();
  const std::uint64_t count = reader.Word();
  if (what != work.what) {
    return fmt::format("{} is at {}, rank 0 at {}: all ranks must be started with the same command",
                       who, what, work.what);
  }
  const std::uint64_t names = reader.Word();
  for (std::uint64_t i = 0; i < names && i < work.identity.size(); ++i) {
    const auto& [name, hash] = work.identity[i];
    const std::string their_name = reader.Text();
    const std::string their_hash = reader.Text();
    if (their_name == name && their_hash == hash) continue;
    return fmt::format("{} has another {} than rank 0: {} there, {} here", who, name, their_hash,
                       hash);
  }
  if (names != work.identity.size() || count != work.count) {
    return fmt::format("{} has {} {} to do, rank 0 has {}", who, count, what, work.count);
  }
  return "";
}

}  // namespace gonogo::team
