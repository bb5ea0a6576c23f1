// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"
#include "gonogo/io/record_log.h"

namespace gonogo::io {

/// `refits.shard-3-of-16.log` for `refits.log`.
[[nodiscard]] std::filesystem::path ShardFile(const std::filesystem::path& whole,
                                              const Shard& shard);

/// Opens the log of one shard of the run whose whole log would be `whole`, or starts it: a record
/// log that also says which of the `units` keys (0 … units - 1) are its own.
[[nodiscard]] Result<RecordLog> OpenShardLog(const std::filesystem::path& whole,
                                             std::string_view fingerprint, const Shard& shard,
                                             std::size_t units);

/// A log that was put together.
struct MergedLog {
  std::filesystem::path file;
  std::size_t shards = 0;
  std::size_t units = 0;
};

/// Puts the shards found in `folders` together into whole logs in the first of them, the bytes of
/// which do not depend on who made which shard. Refuses shards that are missing, unfinished, there
/// twice, of another run, or that hold units of others, and names them; then nothing is written.
/// Empty when there are no shards.
[[nodiscard]] Result<std::vector<MergedLog>> MergeShardLogs(
    std::span<const std::filesystem::path> folders);

}  // namespace gonogo::io
