// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/crew.h"

#include <algorithm>
#include <cstdint>

#include "gonogo/base/parallel/parallel.h"

namespace gonogo::train {

void Crew::ForEach(std::size_t count, const std::function<void(std::size_t)>& work,
                   const std::function<std::string(std::size_t)>& pack,
                   const std::function<void(std::size_t, std::string_view)>& unpack) const {
  if (ranks == nullptr) return ParallelFor(jobs, count, work);
  const auto size = static_cast<std::size_t>(ranks->size());
  const auto rank = static_cast<std::size_t>(ranks->rank());
  const std::size_t own = count > rank ? (count - rank - 1) / size + 1 : 0;
  ParallelFor(jobs, own, [&](std::size_t i) { work(i * size + rank); });
  std::string mine;
  for (std::size_t i = rank; i < count; i += size) {
    const std::string piece = pack(i);
    const std::uint64_t length = piece.size();
    PutBytes(mine, std::span(&length, 1));
    mine += piece;
  }
  const std::vector<std::string> all = ranks->All("training", mine);
  if (!ranks->status().ok()) return;
  for (std::size_t r = 0; r < size; ++r) {
    std::string_view rest = all[r];
    for (std::size_t i = r; i < count && r != rank; i += size) {
      std::uint64_t length = 0;
      TakeBytes(rest, std::span(&length, 1));
      unpack(i, rest.substr(0, length));
      rest.remove_prefix(std::min<std::size_t>(length, rest.size()));
    }
  }
}

std::string Crew::FromFirst(const std::string& what, std::string mine) const {
  return ranks != nullptr ? ranks->All(what, mine).front() : std::move(mine);
}

bool Crew::Any(bool mine) const {
  if (ranks == nullptr) return mine;
  const std::vector<std::string> all = ranks->All("stop", mine ? "1" : "0");
  return std::find(all.begin(), all.end(), "1") != all.end();
}

}  // namespace gonogo::train
