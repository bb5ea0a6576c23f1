// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/folder_claim.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/write_access.h"

namespace gonogo::io {

class FolderClaim::Held {
 public:
  Held(std::filesystem::path file, int fd) : file_(std::move(file)), fd_(fd) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    // Whoever can have the lock alone is the last one here. A child that was forked meanwhile ends
    // without a claim of its own.
    const bool is_own = process_ == ::getpid();
    if (is_own && ::flock(fd_, LOCK_EX | LOCK_NB) == 0) ::unlink(file_.c_str());
    ::close(fd_);
  }

 private:
  std::filesystem::path file_;
  int fd_;
  pid_t process_ = ::getpid();
};

namespace {

constexpr std::chrono::milliseconds kPause{20};

/// What this process holds, by its number (a forked child holds nothing) and the folder.
struct Register {
  std::mutex mutex;
  std::map<std::pair<pid_t, std::string>, std::weak_ptr<const void>> held;
};
Register& Own() {
  static Register* const own = new Register;  // outlives every claim
  return *own;
}

/// NFS and Lustre can be mounted without locks; then there is nobody to ask.
bool HasNoLocks(int code) { return code == ENOSYS || code == EOPNOTSUPP || code == ENOLCK; }

/// The last holder removed the file after it was opened here.
bool WasRemoved(int fd, const std::filesystem::path& file) {
  struct stat opened {};
  struct stat named {};
  if (::fstat(fd, &opened) != 0 || ::stat(file.c_str(), &named) != 0) return true;
  return opened.st_ino != named.st_ino || opened.st_dev != named.st_dev;
}

Error Taken(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const Result<std::string> name = ReadFile(file);
  return IoError(
      "{}: {} is writing into this folder; wait until it has ended, or choose another --out",
      folder.string(), name.ok() && !name.value().empty() ? name.value() : "another process");
}

void SignLock(int fd) {
  const std::string name = fmt::format("process {} of {}", ::getpid(), HostName());
  // Only for the message of others: a full disk may cut it.
  if (::ftruncate(fd, 0) == 0) (void)!::pwrite(fd, name.data(), name.size(), 0);
}

}  // namespace

Result<FolderClaim> FolderClaim::Take(const std::filesystem::path& folder, Company company,
                                      std::chrono::milliseconds patience) {
  if (drops_writes()) return FolderClaim();
  GONOGO_TRY(MakeDirectory(folder));
  if (company == Company::kAnybody) return FolderClaim();
  std::error_code code;
  const std::filesystem::path place = std::filesystem::canonical(folder, code);
  if (code) return IoError("{}: cannot open: {}", folder.string(), code.message());
  const std::filesystem::path file = place / "writing.lock";
  const std::lock_guard<std::mutex> guard(Own().mutex);
  std::weak_ptr<const void>& known = Own().held[{::getpid(), place.string()}];
  if (const auto held = known.lock()) {
    return FolderClaim(std::static_pointer_cast<const Held>(held));
  }
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return IoError("{}: cannot create: {}", file.string(), std::strerror(errno));
    const int wish = company == Company::kShards ? LOCK_SH : LOCK_EX;
    const int failure = ::flock(fd, wish | LOCK_NB) == 0 ? 0 : errno;
    if ((failure == 0 && !WasRemoved(fd, file)) || HasNoLocks(failure)) {
      SignLock(fd);
      auto held = std::make_shared<const Held>(file, fd);
      known = held;
      return FolderClaim(std::move(held));
    }
    ::close(fd);
    if (failure != 0 && failure != EWOULDBLOCK && failure != EINTR) {
      return IoError("{}: cannot lock: {}", file.string(), std::strerror(failure));
    }
    if (std::chrono::steady_clock::now() >= deadline) return Taken(folder, file);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace gonogo::io
