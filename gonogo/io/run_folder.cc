// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/run_folder.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

constexpr std::string_view kTemporary = ".tmp";

/// The process of this host that writes, or wrote, a file of that name; 0 if none did.
pid_t WriterOf(std::string_view name, std::string_view host) {
  if (!name.ends_with(kTemporary)) return 0;
  name.remove_suffix(kTemporary.size());
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return 0;
  const std::string_view digits = name.substr(dash + 1);
  pid_t pid = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (failure != std::errc() || end != digits.data() + digits.size() || pid <= 0) return 0;
  return name.substr(0, dash).ends_with(fmt::format(".{}", host)) ? pid : 0;
}

bool IsDead(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

}  // namespace

std::string HostName() {
  std::array<char, HOST_NAME_MAX + 1> host{};
  ::gethostname(host.data(), host.size() - 1);
  return host.data();
}

std::filesystem::path TemporaryFor(const std::filesystem::path& path) {
  return fmt::format("{}.{}-{}{}", path.string(), HostName(), ::getpid(), kTemporary);
}

Status OpenRunFolder(const std::filesystem::path& folder) {
  if (drops_writes()) return {};
  GONOGO_TRY(MakeDirectory(folder));
  const std::string host = HostName();
  std::error_code ignored;  // leftovers cost disk space, not results
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const pid_t writer = WriterOf(entry.path().filename().string(), host);
    if (writer != 0 && IsDead(writer)) std::filesystem::remove(entry.path(), ignored);
  }
  return {};
}

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

Result<FolderClaim> FolderClaim::Take(const std::filesystem::path& folder, Sharing sharing,
                                      std::chrono::milliseconds patience) {
  if (drops_writes()) return FolderClaim();
  GONOGO_TRY(MakeDirectory(folder));
  if (sharing == Sharing::kAnybody) return FolderClaim();
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
    const int wish = sharing == Sharing::kShards ? LOCK_SH : LOCK_EX;
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
