// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/shard_log.h"

#include <algorithm>
#include <limits>
#include <map>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::io {
namespace {

constexpr std::uint64_t kPlanKey = std::numeric_limits<std::uint64_t>::max();

/// What a shard's log says about itself, so that a log without its plan is no shard's.
std::string PlanOf(const Shard& shard, std::size_t units) {
  return fmt::format("{} with {} units in all", shard.name(), units);
}

/// One file of the form `NAME.shard-I-of-N.log`.
struct ShardFound {
  std::filesystem::path file;
  Shard shard;
};

/// Shard files by the name of their whole log.
Result<std::map<std::string, std::vector<ShardFound>>> FindShards(
    std::span<const std::filesystem::path> folders) {
  static const std::regex pattern(R"((.+)\.shard-(\d{1,6})-of-(\d{1,6})\.log)");
  std::map<std::string, std::vector<ShardFound>> found;
  for (const std::filesystem::path& folder : folders) {
    std::error_code code;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
      files.push_back(entry.path());
    }
    if (code) return IoError("{}: cannot read the folder: {}", folder.string(), code.message());
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      std::smatch match;
      const std::string name = file.filename().string();
      if (!std::regex_match(name, match, pattern)) continue;
      found[match[1].str()].push_back(
          {file, {std::stoul(match[2].str()), std::stoul(match[3].str())}});
    }
  }
  return found;
}

/// Refuses counts that differ, shards that are there twice and shards that are not there.
Status CheckSet(const std::string& name, const std::vector<ShardFound>& shards) {
  const std::size_t count = shards.front().shard.count;
  std::map<std::size_t, const ShardFound*> by_number;
  for (const ShardFound& found : shards) {
    if (found.shard.count != count) {
      return InputError("{} is {}, but {} is {}: merge the shards of one array",
                        found.file.string(), found.shard.name(), shards.front().file.string(),
                        shards.front().shard.name());
    }
    const auto [other, is_new] = by_number.emplace(found.shard.number, &found);
    if (!is_new) {
      return InputError("{} of {} is there twice: {} and {}", found.shard.name(), name,
                        other->second->file.string(), found.file.string());
    }
  }
  std::vector<std::string> missing;
  for (std::size_t number = 1; number <= count; ++number) {
    if (!by_number.contains(number)) missing.push_back(fmt::format("{}/{}", number, count));
  }
  if (missing.empty()) return {};
  return InputError("{}: of {} shards {} missing: --shard {}", name, count,
                    missing.size() == 1 ? "one is" : fmt::format("{} are", missing.size()),
                    fmt::join(missing, ", "));
}

/// The number of units in all that the plan of this file names.
Result<std::size_t> UnitsOf(const ShardFound& found, const RecordFile& log) {
  const auto plan = log.records.find(kPlanKey);
  if (plan != log.records.end()) {
    const std::size_t units = std::strtoul(
        plan->second.c_str() + std::min(plan->second.size(), found.shard.name().size() + 6),
        nullptr, 10);
    if (plan->second == PlanOf(found.shard, units)) return units;
  }
  return InputError("{}: does not say that it is {}: it was renamed or is no shard's log",
                    found.file.string(), found.shard.name());
}

Status CheckUnits(const ShardFound& found, const RecordFile& log, std::size_t units) {
  std::size_t own = 0;
  for (const auto& [key, bytes] : log.records) {
    if (key == kPlanKey) continue;
    if (key >= units || !found.shard.Holds(key)) {
      return InputError("{}: holds unit {}, which is not one of {}", found.file.string(), key,
                        found.shard.name());
    }
    ++own;
  }
  std::size_t wanted = 0;
  for (std::size_t unit = 0; unit < units; ++unit) wanted += found.shard.Holds(unit) ? 1 : 0;
  if (own == wanted) return {};
  return InputError("{}: {} has finished {} of its {} units: run it again with --shard {}/{}",
                    found.file.string(), found.shard.name(), own, wanted, found.shard.number,
                    found.shard.count);
}

Result<RecordFile> Merge(const std::string& name, const std::vector<ShardFound>& shards) {
  GONOGO_TRY(CheckSet(name, shards));
  RecordFile whole;
  std::size_t all = 0;
  for (const ShardFound& found : shards) {
    RecordFile log = GONOGO_TRY(ReadRecordLog(found.file));
    const std::size_t units = GONOGO_TRY(UnitsOf(found, log));
    if (&found == &shards.front()) {
      all = units;
      whole.fingerprint = log.fingerprint;
    }
    if (log.fingerprint != whole.fingerprint || units != all) {
      return InputError(
          "{} and {} are of different runs (other data, settings or version): hashes {} and {}",
          shards.front().file.string(), found.file.string(),
          Sha256Hex(whole.fingerprint).substr(0, 16), Sha256Hex(log.fingerprint).substr(0, 16));
    }
    GONOGO_TRY(CheckUnits(found, log, units));
    log.records.erase(kPlanKey);
    whole.records.merge(log.records);
  }
  return whole;
}

}  // namespace

std::filesystem::path ShardFile(const std::filesystem::path& whole, const Shard& shard) {
  return whole.parent_path() /
         fmt::format("{}.shard-{}-of-{}.log", whole.stem().string(), shard.number, shard.count);
}

Result<RecordLog> OpenShardLog(const std::filesystem::path& whole, std::string_view fingerprint,
                               const Shard& shard, std::size_t units) {
  RecordLog log = GONOGO_TRY(RecordLog::Open(ShardFile(whole, shard), fingerprint));
  if (!log.Find(kPlanKey).has_value()) GONOGO_TRY(log.Append(kPlanKey, PlanOf(shard, units)));
  return log;
}

Result<std::vector<MergedLog>> MergeShardLogs(std::span<const std::filesystem::path> folders) {
  const auto found = GONOGO_TRY(FindShards(folders));
  std::map<std::string, RecordFile> whole;
  for (const auto& [name, shards] : found) {
    RecordFile merged = GONOGO_TRY(Merge(name, shards));
    const std::filesystem::path file = folders.front() / (name + ".log");
    std::error_code code;
    if (std::filesystem::exists(file, code)) {
      const RecordFile before = GONOGO_TRY(ReadRecordLog(file));
      if (before.fingerprint != merged.fingerprint) {
        return InputError("{}: belongs to another run than {}", file.string(),
                          shards.front().file.string());
      }
    }
    whole.emplace(name, std::move(merged));
  }
  std::vector<MergedLog> merged;
  for (const auto& [name, log] : whole) {
    const std::filesystem::path file = folders.front() / (name + ".log");
    GONOGO_TRY(WriteFile(file, RecordLogBytes(log)));
    merged.push_back({file, found.at(name).size(), log.records.size()});
  }
  return merged;
}

}  // namespace gonogo::io
