// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/ranges.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/study/collect/collect.h"

namespace gonogo::study {
namespace {

/// Part files by the name of their cluster's file.
Result<std::map<std::string, std::filesystem::path>> FindParts(
    const std::vector<std::filesystem::path>& folders) {
  std::map<std::string, std::filesystem::path> parts;
  for (const std::filesystem::path& folder : folders) {
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "parts", code)) {
      if (entry.path().extension() != ".h5") continue;
      const auto [other, is_new] = parts.emplace(entry.path().filename().string(), entry.path());
      if (!is_new) {
        return InputError("{} and {} are the same cluster: it was collected twice",
                          other->second.string(), entry.path().string());
      }
    }
    if (code) return IoError("{}: cannot read the folder: {}", folder.string(), code.message());
  }
  return parts;
}

/// What made the outcomes, as a part says; what it says of itself alone is left out.
Result<nlohmann::json> ProvenanceOf(const std::filesystem::path& file,
                                    const audit::Protocol& protocol) {
  const audit::OutcomeTable part = GONOGO_TRY(audit::ReadPart(file, protocol));
  nlohmann::json found = GONOGO_TRY(io::ParseJson(part.provenance, file.string() + ": provenance"));
  if (!found.is_object()) return InputError("{}: says nothing of its origin", file.string());
  found.erase("replayed");
  found.erase("reconstruction_error");
  return found;
}

/// Refuses clusters that were not declared and declared ones that are not there.
Status CheckComplete(const std::map<std::string, std::filesystem::path>& parts,
                     const std::vector<std::uint64_t>& declared, const Collection& collection) {
  std::map<std::string, std::filesystem::path> strangers = parts;
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t seed : declared) {
    if (strangers.erase(collection.PartFile(seed).filename().string()) == 0) {
      missing.push_back(seed);
    }
  }
  if (!strangers.empty()) {
    return InputError("{}: is not a cluster of this collection, which declares {}",
                      strangers.begin()->second.string(), fmt::join(declared, ", "));
  }
  if (missing.empty()) return {};
  return InputError("{}: these clusters are missing: {}", collection.table_file().string(),
                    fmt::join(missing, ", "));
}

}  // namespace

Result<MergedTable> MergeCollections(const std::vector<std::filesystem::path>& folders) {
  const std::filesystem::path file = folders.front() / "declaration.toml";
  const std::string text = GONOGO_TRY(io::ReadFile(file));
  const audit::Protocol protocol = GONOGO_TRY(audit::ParseProtocol(text, file.string()));
  const std::vector<std::uint64_t> declared = GONOGO_TRY(CollectOf(protocol)).seeds;
  const auto parts = GONOGO_TRY(FindParts(folders));
  if (parts.empty()) return InputError("{}: holds no finished cluster", folders.front().string());
  nlohmann::json provenance = GONOGO_TRY(ProvenanceOf(parts.begin()->second, protocol));
  Collection collection =
      GONOGO_TRY(Collection::Open(folders.front(), protocol, std::move(provenance)));
  GONOGO_TRY(CheckComplete(parts, declared, collection));
  for (const std::uint64_t seed : declared) {
    const std::filesystem::path own = collection.PartFile(seed);
    const std::filesystem::path& part = parts.at(own.filename().string());
    if (part == own) continue;
    const std::string bytes = GONOGO_TRY(io::ReadFile(part));
    GONOGO_TRY(io::WriteFile(own, bytes));
  }
  MergedTable merged = GONOGO_TRY(collection.Merge());
  if (merged.clusters != declared.size()) {
    return InputError("{}: {}", folders.front().string(), fmt::join(collection.remarks(), "; "));
  }
  return merged;
}

}  // namespace gonogo::study
