// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/record_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <regex>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::io {
namespace {

constexpr std::string_view kMagic = "gonogo-log/1\n";

void Put(std::string& out, std::uint64_t word) {
  for (int i = 0; i < 8; ++i) out += static_cast<char>(word >> (8 * i) & 0xFFU);
}

std::uint64_t Take(std::string_view bytes, std::size_t offset) {
  std::uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8U | static_cast<unsigned char>(bytes[offset + i]);
  return word;
}

/// FNV-1a over the key and the bytes: enough to notice a torn write.
std::uint64_t Checksum(std::uint64_t key, std::string_view bytes) {
  std::string keyed;
  Put(keyed, key);
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::string_view part : {std::string_view(keyed), bytes}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

std::string Header(std::string_view fingerprint) {
  std::string header(kMagic);
  Put(header, fingerprint.size());
  return header.append(fingerprint);
}

/// Fills `found` with the whole records after `begin`; returns where the last one ends.
std::size_t ReadRecords(std::string_view bytes, std::size_t begin,
                        std::map<std::uint64_t, std::string>& found) {
  constexpr std::size_t kPrefix = 24;  // key, size, checksum
  std::size_t end = begin;
  while (bytes.size() - end >= kPrefix) {
    const std::uint64_t key = Take(bytes, end);
    const std::uint64_t size = Take(bytes, end + 8);
    if (size > bytes.size() - end - kPrefix) break;
    const std::string_view payload = bytes.substr(end + kPrefix, size);
    if (Checksum(key, payload) != Take(bytes, end + 16)) break;
    found[key] = std::string(payload);
    end += kPrefix + size;
  }
  return end;
}

std::string RecordBytes(std::uint64_t key, std::string_view bytes) {
  std::string record;
  Put(record, key);
  Put(record, bytes.size());
  Put(record, Checksum(key, bytes));
  return record.append(bytes);
}

constexpr std::uint64_t kPlanKey = std::numeric_limits<std::uint64_t>::max();

/// What a shard's log says about itself, so that a log without its plan is no shard's.
std::string PlanOf(const Shard& shard, std::size_t units) {
  return fmt::format("{} with {} units in all", shard.name(), units);
}

/// One file of the form `NAME.shard-I-of-N.log`.
struct ShardFound {
  std::filesystem::path file;
  Shard shard;
};

/// Shard files by the name of their whole log.
Result<std::map<std::string, std::vector<ShardFound>>> FindShards(
    std::span<const std::filesystem::path> folders) {
  static const std::regex pattern(R"((.+)\.shard-(\d{1,6})-of-(\d{1,6})\.log)");
  std::map<std::string, std::vector<ShardFound>> found;
  for (const std::filesystem::path& folder : folders) {
    std::error_code code;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
      files.push_back(entry.path());
    }
    if (code) return IoError("{}: cannot read the folder: {}", folder.string(), code.message());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      std::smatch match;
      const std::string name = file.filename().string();
      if (!std::regex_match(name, match, pattern)) continue;
      found[match[1].str()].push_back(
          {file, {std::stoul(match[2].str()), std::stoul(match[3].str())}});
    }
  }
  return found;
}

/// Refuses counts that differ, shards that are there twice and shards that are not there.
Status CheckSet(const std::string& name, const std::vector<ShardFound>& shards) {
  const std::size_t count = shards.front().shard.count;
  std::map<std::size_t, const ShardFound*> by_number;
  for (const ShardFound& found : shards) {
    if (found.shard.count != count) {
      return InputError("{} is {}, but {} is {}: merge the shards of one array",
                        found.file.string(), found.shard.name(), shards.front().file.string(),
                        shards.front().shard.name());
    }
    const auto [other, is_new] = by_number.emplace(found.shard.number, &found);
    if (!is_new) {
      return InputError("{} of {} is there twice: {} and {}", found.shard.name(), name,
                        other->second->file.string(), found.file.string());
    }
  }
  std::vector<std::string> missing;
  for (std::size_t number = 1; number <= count; ++number) {
    if (!by_number.contains(number)) missing.push_back(fmt::format("{}/{}", number, count));
  }
  if (missing.empty()) return {};
  return InputError("{}: of {} shards {} missing: --shard {}", name, count,
                    missing.size() == 1 ? "one is" : fmt::format("{} are", missing.size()),
                    fmt::join(missing, ", "));
}

/// The number of units in all that the plan of this file names.
Result<std::size_t> UnitsOf(const ShardFound& found, const RecordFile& log) {
  const auto plan = log.records.find(kPlanKey);
  if (plan != log.records.end()) {
    const std::size_t units = std::strtoul(
        plan->second.c_str() + std::min(plan->second.size(), found.shard.name().size() + 6),
        nullptr, 10);
    if (plan->second == PlanOf(found.shard, units)) return units;
  }
  return InputError("{}: does not say that it is {}: it was renamed or is no shard's log",
                    found.file.string(), found.shard.name());
}

Status CheckUnits(const ShardFound& found, const RecordFile& log, std::size_t units) {
  std::size_t own = 0;
  for (const auto& [key, bytes] : log.records) {
    if (key == kPlanKey) continue;
    if (key >= units || !found.shard.Holds(key)) {
      return InputError("{}: holds unit {}, which is not one of {}", found.file.string(), key,
                        found.shard.name());
    }
    ++own;
  }
  std::size_t wanted = 0;
  for (std::size_t unit = 0; unit < units; ++unit) wanted += found.shard.Holds(unit) ? 1 : 0;
  if (own == wanted) return {};
  return InputError("{}: {} has finished {} of its {} units: run it again with --shard {}/{}",
                    found.file.string(), found.shard.name(), own, wanted, found.shard.number,
                    found.shard.count);
}

Result<RecordFile> Merge(const std::string& name, const std::vector<ShardFound>& shards) {
  GONOGO_TRY(CheckSet(name, shards));
  RecordFile whole;
  std::size_t all = 0;
  for (const ShardFound& found : shards) {
    RecordFile log = GONOGO_TRY(ReadRecordLog(found.file));
    const std::size_t units = GONOGO_TRY(UnitsOf(found, log));
    if (&found == &shards.front()) {
      all = units;
      whole.fingerprint = log.fingerprint;
    }
    if (log.fingerprint != whole.fingerprint || units != all) {
      return InputError(
          "{} and {} are of different runs (other data, settings or version): hashes {} and {}",
          shards.front().file.string(), found.file.string(),
          Sha256Hex(whole.fingerprint).substr(0, 16), Sha256Hex(log.fingerprint).substr(0, 16));
    }
    GONOGO_TRY(CheckUnits(found, log, units));
    log.records.erase(kPlanKey);
    whole.records.merge(log.records);
  }
  return whole;
}

}  // namespace

struct RecordLog::File {
  std::filesystem::path path;
  int fd = -1;
  off_t end = 0;  ///< of the last whole record
  std::mutex mutex;
  File(std::filesystem::path name, int descriptor) : path(std::move(name)), fd(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    // A loss of power takes no record of a run that has ended. Where this fails, whoever opens the
    // log later finds what is missing and makes it again.
    ::fsync(fd);
    ::close(fd);
  }

  [[nodiscard]] Error Failed(const char* what) const {
    return IoError("{}: cannot {}: {}", path.string(), what, std::strerror(errno));
  }
  /// Puts the bytes behind the last whole record. What could not be put whole is cut off again:
  /// records behind a torn one would be lost.
  [[nodiscard]] Status Put(std::string_view bytes);
};

Status RecordLog::File::Put(std::string_view bytes) {
  off_t at = end;
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(fd, bytes.data(), bytes.size(), at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const Error failure = Failed("write");
      (void)!::ftruncate(fd, end);  // if not, the next record is put over the torn one
      return failure;
    }
    at += put;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  end = at;
  return {};
}

RecordLog::RecordLog() = default;
RecordLog::RecordLog(RecordLog&&) noexcept = default;
RecordLog& RecordLog::operator=(RecordLog&&) noexcept = default;
RecordLog::~RecordLog() = default;

namespace {

/// Where the whole records of this run end in `bytes`; those are put into `found`.
Result<std::size_t> ReadOwn(const std::filesystem::path& path, std::string_view bytes,
                            std::string_view header, std::map<std::uint64_t, std::string>& found) {
  if (bytes.starts_with(header)) return ReadRecords(bytes, header.size(), found);
  if (header.starts_with(bytes)) return 0;  // ended while the log was started
  return InputError(
      "{}: belongs to another run (other data, settings or version); choose another --out or "
      "delete it",
      path.string());
}

}  // namespace

Result<RecordLog> RecordLog::Open(const std::filesystem::path& path, std::string_view fingerprint) {
  const std::string header = Header(fingerprint);
  RecordLog log;
  if (drops_writes()) return log;
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return IoError("{}: cannot open: {}", path.string(), std::strerror(errno));
  log.file_ = std::make_unique<File>(path, fd);
  // Before anything is read: what another process is just writing looks like a torn record.
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return IoError(
        "{}: another process is writing this file; wait until it has ended, or choose another "
        "--out",
        path.string());
  }
  const std::string bytes = GONOGO_TRY(ReadFile(path));
  const std::size_t end = GONOGO_TRY(ReadOwn(path, bytes, header, log.found_));
  if (::ftruncate(fd, static_cast<off_t>(end)) != 0) return log.file_->Failed("write");
  log.file_->end = static_cast<off_t>(end);
  if (end == 0) {
    GONOGO_TRY(log.file_->Put(header));
    GONOGO_TRY(SyncFolder(path.parent_path()));
  }
  return log;
}

Result<RecordLog> RecordLog::OpenToRead(const std::filesystem::path& path,
                                        std::string_view fingerprint) {
  RecordLog log;
  std::error_code code;
  if (drops_writes() || !std::filesystem::exists(path, code)) return log;
  const std::string bytes = GONOGO_TRY(ReadFile(path));
  GONOGO_TRY(ReadOwn(path, bytes, Header(fingerprint), log.found_));
  return log;
}

std::optional<std::string_view> RecordLog::Find(std::uint64_t key) const {
  const auto record = found_.find(key);
  if (record == found_.end()) return std::nullopt;
  return record->second;
}

Status RecordLog::Append(std::uint64_t key, std::string_view bytes) {
  if (drops_writes()) return {};
  GONOGO_CHECK(file_ != nullptr);  // not of a log that was opened to read
  const std::string record = RecordBytes(key, bytes);
  const std::lock_guard<std::mutex> lock(file_->mutex);
  return file_->Put(record);
}

Result<RecordFile> ReadRecordLog(const std::filesystem::path& path) {
  const std::string bytes = GONOGO_TRY(ReadFile(path));
  constexpr std::size_t kPrefix = kMagic.size() + 8;
  if (!bytes.starts_with(kMagic) || bytes.size() < kPrefix) {
    return InputError("{}: is not a record log", path.string());
  }
  const std::uint64_t size = Take(bytes, kMagic.size());
  if (size > bytes.size() - kPrefix) return InputError("{}: is cut off", path.string());
  RecordFile file{.fingerprint = bytes.substr(kPrefix, size), .records = {}};
  (void)ReadRecords(bytes, kPrefix + size, file.records);
  return file;
}

std::string RecordLogBytes(const RecordFile& file) {
  std::string bytes = Header(file.fingerprint);
  for (const auto& [key, record] : file.records) bytes += RecordBytes(key, record);
  return bytes;
}

std::filesystem::path ShardFile(const std::filesystem::path& whole, const Shard& shard) {
  return whole.parent_path() /
         fmt::format("{}.shard-{}-of-{}.log", whole.stem().string(), shard.number, shard.count);
}

Result<RecordLog> OpenShardLog(const std::filesystem::path& whole, std::string_view fingerprint,
                               const Shard& shard, std::size_t units) {
  RecordLog log = GONOGO_TRY(RecordLog::Open(ShardFile(whole, shard), fingerprint));
  if (!log.Find(kPlanKey).has_value()) GONOGO_TRY(log.Append(kPlanKey, PlanOf(shard, units)));
  return log;
}

Result<std::vector<MergedLog>> MergeShardLogs(std::span<const std::filesystem::path> folders) {
  const auto found = GONOGO_TRY(FindShards(folders));
  std::map<std::string, RecordFile> whole;
  for (const auto& [name, shards] : found) {
    RecordFile merged = GONOGO_TRY(Merge(name, shards));
    const std::filesystem::path file = folders.front() / (name + ".log");
    std::error_code code;
    if (std::filesystem::exists(file, code)) {
      const RecordFile before = GONOGO_TRY(ReadRecordLog(file));
      if (before.fingerprint != merged.fingerprint) {
        return InputError("{}: belongs to another run than {}", file.string(),
                          shards.front().file.string());
      }
    }
    whole.emplace(name, std::move(merged));
  }
  std::vector<MergedLog> merged;
  for (const auto& [name, log] : whole) {
    const std::filesystem::path file = folders.front() / (name + ".log");
    GONOGO_TRY(WriteFile(file, RecordLogBytes(log)));
    merged.push_back({file, found.at(name).size(), log.records.size()});
  }
  return merged;
}

}  // namespace gonogo::io
