// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/mapped_files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string>

namespace gonogo::io {
namespace {

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

}  // namespace

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

}  // namespace gonogo::io
