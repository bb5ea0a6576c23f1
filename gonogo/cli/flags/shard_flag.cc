// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/flags/shard_flag.h"

#include <fmt/format.h>

namespace gonogo::cli {

void ShardFlag::Add(Arguments& verb, const std::string& units) {
  verb.Option("--shard", text_,
              fmt::format("Only this part of the {}, as 3/16: for job arrays; gonogo merge puts "
                          "the parts together",
                          units))
      .Group("Several machines")
      .Rare();
}

Result<std::optional<Shard>> ShardFlag::Read() const {
  if (text_.empty()) return std::optional<Shard>();
  const Shard shard = GONOGO_TRY(Shard::Parse(text_));
  return std::optional<Shard>(shard);
}

}  // namespace gonogo::cli
