// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/io/record_log.h"
#include "gonogo/study/evaluate/evaluate.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

/// What decides how an episode on this site goes, apart from method, target and seed: hashes of the
/// robot's files and of the ground, and the build.
[[nodiscard]] Result<std::string> SiteFingerprint(const Site& site);

/// What came of an episode, as it is kept and as it travels between ranks; doubles keep all bits.
[[nodiscard]] std::string EncodeEpisode(const EpisodeRecord& record);
/// Completes `record`; false when the bytes are not those of an episode.
[[nodiscard]] bool DecodeEpisode(std::string_view bytes, EpisodeRecord& record);

/// Finished episodes of one site on disk. All studies of an output folder share it: what one of
/// them ran, the others need not run again, and a killed run goes on where it was.
class EpisodeLog {
 public:
  /// Opens the log of the site with that fingerprint or starts it; refuses that of another one.
  [[nodiscard]] static Result<EpisodeLog> Open(const std::filesystem::path& path,
                                               std::string_view fingerprint);

  /// Completes `record` (given seed, target and trial) if its episode under the method with that
  /// identity was there when the log was opened.
  [[nodiscard]] bool Find(std::string_view method, robot::Point2 target_S,
                          EpisodeRecord& record) const;

  /// Thread-safe.
  [[nodiscard]] Status Append(std::string_view method, robot::Point2 target_S,
                              const EpisodeRecord& record);

 private:
  explicit EpisodeLog(io::RecordLog log) : log_(std::move(log)) {}

  io::RecordLog log_;
};

}  // namespace gonogo::study
