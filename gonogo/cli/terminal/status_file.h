// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::cli {

/// What a running verb says of itself in its folder.
struct RunStatus {
  std::string phase;  ///< "ridge refits"
  std::size_t done = 0;
  std::size_t total = 0;
  std::optional<double> seconds_left = {};
  std::string table = {};  ///< the audited table, by its absolute path; empty where there is none
  int process = 0;

  bool operator==(const RunStatus&) const = default;
};

/// `FOLDER/status.json`, for `gonogo watch`. It is there while the verb runs, and stays behind only
/// when the verb was killed.
class StatusFile {
 public:
  /// An empty folder means that nobody can watch.
  explicit StatusFile(std::filesystem::path folder) : folder_(std::move(folder)) {}
  StatusFile(const StatusFile&) = delete;
  StatusFile& operator=(const StatusFile&) = delete;
  ~StatusFile();

  /// Writes it, if there is a folder. A full disk is no reason to stop: the work goes on unwatched.
  void Write(const RunStatus& status);

 private:
  std::filesystem::path folder_;
  bool written_ = false;
};

/// What the folder says; nothing where no verb runs there. A status that a killed process left
/// behind counts as none.
[[nodiscard]] Result<std::optional<RunStatus>> ReadStatus(const std::filesystem::path& folder);

}  // namespace gonogo::cli
