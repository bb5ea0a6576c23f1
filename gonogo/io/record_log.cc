// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/record_log.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/io/write_access.h"

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

}  // namespace gonogo::io
