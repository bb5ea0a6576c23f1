// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/stream.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gonogo::io {
namespace {

constexpr const char* kStandardInput = "-";

std::string NameOf(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

/// Whether anything can come: bytes, or the end of what a writer sent.
Result<bool> WaitForWriter(int fd, const std::string& name, std::chrono::milliseconds time) {
  pollfd watched{.fd = fd, .events = POLLIN, .revents = 0};
  while (true) {
    const int ready = ::poll(&watched, 1, static_cast<int>(time.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return IoError("{}: cannot wait for it: {}", name, std::strerror(errno));
    return ready > 0;
  }
}

Status CheckKind(int fd, const std::string& name) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return IoError("{}: cannot read: {}", name, std::strerror(errno));
  if (S_ISDIR(info.st_mode)) return IoError("{}: cannot read: {}", name, std::strerror(EISDIR));
  if (::isatty(fd) == 1) {
    return UsageError("{} is a terminal; send a table into it, as in 'gonogo audit - < table.csv'",
                      name);
  }
  struct stat null {};
  const bool is_null = ::stat("/dev/null", &null) == 0 && info.st_rdev == null.st_rdev;
  if (S_ISBLK(info.st_mode) || (S_ISCHR(info.st_mode) && !is_null)) {
    return InputError("{} is a device, which may never end; expected a file or a pipe", name);
  }
  return {};
}

Result<std::string> ReadUpTo(int fd, const std::string& name, std::size_t most) {
  std::string bytes;
  std::string block(1U << 16U, '\0');
  while (true) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return IoError("{}: cannot read: {}", name, std::strerror(errno));
    if (got == 0) return bytes;
    bytes.append(block.data(), static_cast<std::size_t>(got));
    if (bytes.size() > most) {
      return InputError("{}: more than {} bytes came and no end; save the table as a file", name,
                        most);
    }
  }
}

/// Standard input stays open for others.
class Source {
 public:
  explicit Source(const std::string& path)
      : fd_(path == kStandardInput ? STDIN_FILENO
                                   : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

bool IsStream(const std::string& path) {
  if (path == kStandardInput) return true;
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

Result<std::string> ReadStream(const std::string& path, const StreamLimits& limits) {
  const std::string name = NameOf(path);
  const Source source(path);
  if (source.fd() < 0) return IoError("{}: cannot open: {}", name, std::strerror(errno));
  GONOGO_TRY(CheckKind(source.fd(), name));
  if (path != kStandardInput) {
    const bool comes = GONOGO_TRY(WaitForWriter(source.fd(), name, limits.first_writer));
    if (!comes) {
      return InputError("{}: nobody wrote to this pipe within {} s", name,
                        limits.first_writer.count() / 1000);
    }
    const int flags = ::fcntl(source.fd(), F_GETFL);
    if (flags < 0 || ::fcntl(source.fd(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
      return IoError("{}: cannot read: {}", name, std::strerror(errno));
    }
  }
  return ReadUpTo(source.fd(), name, limits.bytes);
}

}  // namespace gonogo::io
