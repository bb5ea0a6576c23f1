// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/folder_lock.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace gonogo::io {

Result<FolderLock> FolderLock::Take(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return IoError("{}: cannot open: {}", folder.string(), std::strerror(errno));
  FolderLock lock(fd);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR)
      return IoError("{}: cannot lock: {}", folder.string(), std::strerror(errno));
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);  // closing gives the lock back
}

}  // namespace gonogo::io
