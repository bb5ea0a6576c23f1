// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/shard.h"

#include <charconv>

namespace gonogo {
namespace {

constexpr std::size_t kMostShards = 100'000;

/// The whole text as a number; 0 if it is none.
std::size_t CountIn(std::string_view text) {
  std::size_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? value : 0;
}

}  // namespace

Result<Shard> Shard::Parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const Shard shard{CountIn(text.substr(0, slash)), CountIn(text.substr(slash + 1))};
    if (shard.number >= 1 && shard.number <= shard.count && shard.count <= kMostShards) {
      return shard;
    }
  }
  return UsageError("--shard {}: expected NUMBER/COUNT with 1 <= NUMBER <= COUNT, such as 3/16",
                    text);
}

}  // namespace gonogo
