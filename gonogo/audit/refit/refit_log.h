// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// A store that keeps finished refits in a record log, so that the same command resumes after an
/// interruption, even kill -9, and ends with the same bytes. `fingerprint` names the run: data,
/// protocol and program.
[[nodiscard]] Result<RefitStore> OpenRefitLog(const std::filesystem::path& path,
                                              std::string_view fingerprint);

/// The store of one shard of those refits, `tasks` of them in all (io/record_log.h).
[[nodiscard]] Result<RefitStore> OpenRefitShard(const std::filesystem::path& path,
                                                std::string_view fingerprint, const Shard& shard,
                                                std::size_t tasks);

/// CBOR; doubles keep all their bits.
[[nodiscard]] std::string EncodeRefit(const Refit& refit);
/// Nothing when the bytes are not a refit.
[[nodiscard]] std::optional<Refit> DecodeRefit(std::string_view bytes);

}  // namespace gonogo::audit
