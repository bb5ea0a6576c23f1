// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/ranks/root_files.h"

#include <chrono>
#include <thread>

#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::study {
namespace {

using std::chrono::steady_clock;

Result<std::string> HashOf(const std::filesystem::path& file) {
  const io::MappedFile mapped = GONOGO_TRY(io::MappedFile::Open(file));
  return io::Sha256Hex(mapped.bytes());
}

Status Await(const std::filesystem::path& file, const std::string& expected) {
  constexpr std::chrono::seconds kPatience{30};
  const auto begin = steady_clock::now();
  for (std::chrono::milliseconds pause{1};; pause *= 2) {
    const Result<std::string> found = HashOf(file);
    if (found.ok() && found.value() == expected) return {};
    if (steady_clock::now() - begin < kPatience) {
      std::this_thread::sleep_for(std::min(pause, std::chrono::milliseconds(500)));
      continue;
    }
    if (!found.ok()) return found.error();
    return InputError("{}: SHA-256 {} here, {} where rank 0 wrote it: is this the same folder?",
                      file.string(), found.value(), expected);
  }
}

}  // namespace

Status AwaitRootFiles(const Execution& execution, const std::vector<std::filesystem::path>& files) {
  if (execution.team == nullptr) return {};
  const auto hash_all = [&]() -> Result<std::vector<std::string>> {
    std::vector<std::string> all;
    for (const std::filesystem::path& file : files) {
      std::string hash = GONOGO_TRY(HashOf(file));
      all.push_back(std::move(hash));
    }
    return all;
  };
  const auto hashes = GONOGO_TRY(OnRoot<std::vector<std::string>>(execution, "files", hash_all));
  if (execution.team->is_root()) return {};
  for (std::size_t i = 0; i < files.size(); ++i) GONOGO_TRY(Await(files[i], hashes[i]));
  return {};
}

}  // namespace gonogo::study
