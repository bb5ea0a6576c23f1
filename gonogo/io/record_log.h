// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"

namespace gonogo::io {

/// An append-only file of finished units of work, so that an interrupted run can go on: records are
/// written whole, each with its key and a checksum, and a last record cut off by a crash is dropped
/// when the log is opened again. Only one holder may write a log at a time, in this process or in
/// any other; reading is always possible. The fingerprint says which run the log belongs to;
/// another run's log is refused. Format: docs/reference/formats.md.
class RecordLog {
 public:
  /// Opens the log of this run, or starts it. An error if somebody else writes it.
  [[nodiscard]] static Result<RecordLog> Open(const std::filesystem::path& path,
                                              std::string_view fingerprint);
  /// The whole records that are there, without changing anything: another process may be writing
  /// them. Empty if there is no log.
  [[nodiscard]] static Result<RecordLog> OpenToRead(const std::filesystem::path& path,
                                                    std::string_view fingerprint);
  RecordLog(RecordLog&&) noexcept;
  RecordLog& operator=(RecordLog&&) noexcept;
  ~RecordLog();

  /// The record with this key, if the log held it when it was opened.
  [[nodiscard]] std::optional<std::string_view> Find(std::uint64_t key) const;
  [[nodiscard]] std::size_t size() const { return found_.size(); }

  /// Adds a record, to a log that was not opened to read. Thread-safe; once it returns, a killed
  /// process no longer loses the record. A loss of power still may until the log is closed or the
  /// system writes it back. One that could not be written whole leaves no trace.
  [[nodiscard]] Status Append(std::uint64_t key, std::string_view bytes);

 private:
  struct File;
  RecordLog();

  std::map<std::uint64_t, std::string> found_;
  std::unique_ptr<File> file_;
};

/// The contents of a log, for those who put logs together.
struct RecordFile {
  std::string fingerprint;
  std::map<std::uint64_t, std::string> records;
};
/// Whole records; one cut off at the end is left out.
[[nodiscard]] Result<RecordFile> ReadRecordLog(const std::filesystem::path& path);
/// A log with these records, ascending.
[[nodiscard]] std::string RecordLogBytes(const RecordFile& file);

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
