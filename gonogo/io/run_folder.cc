// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/run_folder.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "gonogo/io/file.h"
#include "gonogo/io/write_access.h"

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

}  // namespace gonogo::io
