// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gonogo/io/run_folder.h"

namespace gonogo::io {
namespace {

std::atomic<bool> dropped = false;

/// Of fixed size, because a signal handler may neither wait nor allocate. Few files are mapped at a
/// time; those beyond have no name in a message.
struct Slot {
  std::atomic<const char*> begin = nullptr;
  std::atomic<std::size_t> size = 0;
  std::array<char, 512> name{};
};
std::array<Slot, 16> slots;
std::mutex writers;
std::atomic<bool> allowed = false;

Error Failed(const char* what, const std::filesystem::path& path, int code) {
  return IoError("{}: cannot {}: {}", path.string(), what, std::strerror(code));
}

/// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

Result<std::string> ReadAll(int fd, const std::filesystem::path& path) {
  std::string bytes;
  std::string block(1U << 16U, '\0');
  while (true) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed("read", path, errno);
    if (got == 0) return bytes;
    bytes.append(block.data(), static_cast<std::size_t>(got));
  }
}

Status WriteAll(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Failed("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::fsync(fd) != 0 && errno != EINVAL) return Failed("write", path, errno);  // not on a pipe
  return {};
}

Status Rename(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  if (std::rename(temporary.c_str(), path.c_str()) == 0) return SyncFolder(path.parent_path());
  const Error failure = Failed("rename to", path, errno);
  ::unlink(temporary.c_str());
  return failure;
}

}  // namespace

void DropWrites() { dropped = true; }
bool drops_writes() { return dropped; }

void AllowMapping(bool may) { allowed = may; }
bool MappingAllowed() { return allowed; }

void NoteMapping(const void* begin, std::size_t size, const std::filesystem::path& path) {
  const std::lock_guard lock(writers);
  for (Slot& slot : slots) {
    if (slot.begin != nullptr) continue;
    const std::string name = path.string().substr(0, slot.name.size() - 1);
    slot.name.fill('\0');
    std::copy(name.begin(), name.end(), slot.name.begin());
    slot.size = size;
    slot.begin = static_cast<const char*>(begin);
    return;
  }
}

void ForgetMapping(const void* begin) {
  const std::lock_guard lock(writers);
  for (Slot& slot : slots) {
    if (slot.begin == begin) slot.begin = nullptr;
  }
}

const char* MappedFileAt(const void* address) {
  const char* at = static_cast<const char*>(address);
  for (const Slot& slot : slots) {
    const char* begin = slot.begin;
    if (begin != nullptr && at >= begin && at < begin + slot.size) return slot.name.data();
  }
  return nullptr;
}

Result<std::string> ReadFile(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Failed("open", path, errno);
  return ReadAll(file.get(), path);
}

Status WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  if (drops_writes()) return {};
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) return Failed("open", path, errno);
    return WriteAll(device.get(), bytes, path);
  }
  const std::filesystem::path temporary = TemporaryFor(path);
  {
    const Descriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) return Failed("create", temporary, errno);
    if (Status written = WriteAll(file.get(), bytes, temporary); !written.ok()) {
      ::unlink(temporary.c_str());
      return written;
    }
  }
  return Rename(temporary, path);
}

Status MakeDirectory(const std::filesystem::path& path) {
  if (drops_writes()) return {};
  std::error_code code;
  std::vector<std::filesystem::path> made;
  for (std::filesystem::path next = path;
       next.has_relative_path() && !std::filesystem::exists(next, code);
       next = next.parent_path()) {
    made.push_back(next);
  }
  std::filesystem::create_directories(path, code);
  if (code) return IoError("{}: cannot create the directory: {}", path.string(), code.message());
  for (const std::filesystem::path& folder : made) GONOGO_TRY(SyncFolder(folder.parent_path()));
  return {};
}

Status SyncFolder(const std::filesystem::path& folder) {
  const Descriptor names(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder that may be written and not listed is left to the system, and so is one of a file
  // system that has nothing to sync there.
  if (names.get() < 0 || ::fsync(names.get()) == 0 || errno == EINVAL) return {};
  return Failed("write", folder, errno);
}

Result<MappedFile> MappedFile::Open(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return Failed("open", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return Failed("read", path, errno);
  if (S_ISDIR(info.st_mode)) return Failed("read", path, EISDIR);
  MappedFile mapped;
  if (!MappingAllowed() || !S_ISREG(info.st_mode) || info.st_size == 0) {
    std::string bytes = GONOGO_TRY(ReadAll(file.get(), path));
    mapped.read_ = std::make_unique<std::string>(std::move(bytes));
    mapped.view_ = *mapped.read_;
    return mapped;
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return Failed("map", path, errno);
  ::madvise(address, size, MADV_SEQUENTIAL);
  NoteMapping(address, size, path);
  mapped.mapping_ = address;
  mapped.view_ = {static_cast<const char*>(address), size};
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      view_(std::exchange(other.view_, {})),
      read_(std::move(other.read_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    Release();
    mapping_ = std::exchange(other.mapping_, nullptr);
    view_ = std::exchange(other.view_, {});
    read_ = std::move(other.read_);
  }
  return *this;
}

MappedFile::~MappedFile() { Release(); }

void MappedFile::Release() {
  if (mapping_ != nullptr) {
    ForgetMapping(mapping_);
    ::munmap(mapping_, view_.size());
  }
  mapping_ = nullptr;
}

}  // namespace gonogo::io
