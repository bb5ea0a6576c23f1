// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/io/record_log.h"
#include "gonogo/robot/command/target.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// One episode: on the ground of which seed, from which start, under whom.
struct EpisodeUnit {
  std::size_t controller = 0;  ///< of the run's controllers
  std::uint64_t seed = 0;
  std::size_t target = 0;  ///< of the run's targets
  int trial = 0;
};

/// Episodes of one scene, each a function of its unit alone.
struct EpisodeRun {
  const Scene& scene;
  const std::vector<robot::Point2>& targets;  ///< from the start pose
  /// Everything that decides what each controller does, in words and hashes.
  std::vector<std::string> controllers;
  std::vector<EpisodeUnit> units;
  /// Runs one episode where its seed takes place; called from several threads. What came of it as
  /// bytes.
  std::function<Result<std::string>(const Scene& here, const EpisodeUnit& unit)> make;
  /// Whether bytes that were kept are those of an episode.
  std::function<bool(std::string_view)> is_whole;
};

/// Finished episodes of one scene on disk. All studies of an output folder share it: what one of
/// them ran, the others need not run again, and a killed run goes on where it was.
class EpisodeLog {
 public:
  /// Opens `episodes-ROBOT.log` in the folder or starts it; refuses that of another scene.
  [[nodiscard]] static Result<EpisodeLog> Open(const std::filesystem::path& folder,
                                               const Scene& scene);

  /// What came of a unit that was finished when the log was opened.
  [[nodiscard]] std::optional<std::string_view> Find(const EpisodeRun& run,
                                                     const EpisodeUnit& unit) const;
  /// Thread-safe.
  [[nodiscard]] Status Append(const EpisodeRun& run, const EpisodeUnit& unit,
                              std::string_view bytes);

 private:
  explicit EpisodeLog(io::RecordLog log) : log_(std::move(log)) {}

  io::RecordLog log_;
};

/// Runs the episodes that `log` does not hold yet (null: all of them), on threads and on the ranks
/// of a team, and keeps each as soon as it is finished. What came of every unit, in their order, is
/// the same for any number of threads and ranks and after any interruption.
[[nodiscard]] Result<std::vector<std::string>> RunEpisodes(const EpisodeRun& run, EpisodeLog* log,
                                                           const Execution& execution);

}  // namespace gonogo::study
