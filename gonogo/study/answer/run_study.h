// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/run/run.h"

namespace gonogo::study {

/// How many times the clusters of the first look a study until decided may collect, where nobody
/// says otherwise.
inline constexpr std::size_t kMostTimesFirst = 8;

/// The protocol that a study until decided declares before its first branch. Looks that are
/// declared (`rule.looks_at`) stay; else they are taken at as many clusters as there are seeds, or
/// `min_clusters` if that is more, and then at twice as many each time, until `max_clusters`. Seeds
/// that are missing for the last look are the numbers after the largest one declared. Refuses what
/// has no looks: the paper's rule, and the question about known clusters.
[[nodiscard]] Result<audit::Protocol> DeclareLooks(const audit::Protocol& protocol,
                                                   std::optional<std::size_t> max_clusters);

/// The declared looks that do not need more clusters than `max_clusters`; an error when none is
/// left.
[[nodiscard]] Result<std::vector<std::size_t>> LooksToTake(const audit::Protocol& protocol,
                                                           std::optional<std::size_t> max_clusters);

/// Which robot is studied, and how: is a learned adapter worth it there?
struct StudyJob {
  std::filesystem::path robot;
  audit::Protocol protocol;           ///< with a [collect] section
  std::filesystem::path models = {};  ///< of `gonogo identify`; empty: runs/identify-NAME
  std::filesystem::path folder = {};  ///< empty: runs/study-NAME-CONTROLLER-HASH
  bool check = true;                  ///< look first whether the robot is described soundly
  bool until_decided = false;         ///< as a series of looks (`DeclareLooks`)
  std::optional<std::size_t> max_clusters = {};  ///< of that series
};

/// Who watches a study. Each of these may be empty.
struct StudyWatcher {
  using Progress = std::function<void(std::size_t done, std::size_t total)>;
  /// A stage of that name begins, whose files lie in `folder`; `table` is what is audited there,
  /// if it is. The progress it reports to is destroyed when it ends.
  std::function<Progress(const std::string& name, const std::filesystem::path& folder,
                         const std::filesystem::path& table)>
      stage = {};
  std::function<void(const std::string& remark)> say = {};
  /// An audit is finished and written; `last`: no other look is taken.
  std::function<Status(const audit::AuditReport& audit, bool last)> audited = {};
};

struct StudyReport {
  std::filesystem::path folder;
  audit::AuditReport last;
  std::size_t clusters = 0;  ///< that were audited
  /// Not so where a series had to stop although a later look that is declared might decide.
  bool ended = true;
};

/// Checks the robot, identifies models if the protocol needs some that are missing, collects the
/// declared outcomes and audits them; until it is decided, if that was asked for. A broken robot is
/// an error, a suspicious one a warning of the result. Everything finished is kept: the same call
/// goes on after an interruption, and looks that were taken are taken again from what was kept.
[[nodiscard]] Result<StudyReport> RunStudy(const StudyJob& job, const StudyWatcher& watcher,
                                           const Execution& execution);

}  // namespace gonogo::study
