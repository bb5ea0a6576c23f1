// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/file_lock.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gonogo::io {

Result<FileLock> FileLock::Take(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return IoError("{}: cannot create: {}", path.string(), std::strerror(errno));
  FileLock lock(fd);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return IoError("{}: cannot lock: {}", path.string(), std::strerror(errno));
  }
  return lock;
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);  // closing gives the lock back
}

}  // namespace gonogo::io
