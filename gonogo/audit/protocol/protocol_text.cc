// SPDX-License-Identifier: Apache-2.0
// The canonical text of a protocol, and what is done with it.
#include <algorithm>

#include <fmt/format.h>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/protocol/protocol_keys.h"
#include "gonogo/base/nearest.h"
#include "gonogo/io/sha256.h"
#include "gonogo/io/toml/toml.h"

namespace gonogo::audit {

std::vector<std::pair<std::string, std::string>> Entries(const Protocol& protocol) {
  static const io::TomlKeys<Protocol> kKeys = ProtocolKeys();
  return kKeys.Write(protocol);
}

namespace {

std::string PresetKey() { return fmt::format("protocol.{}", kPresetKey); }

/// Adds `key` with its default where the canonical text leaves it out because it has that value.
/// Whether there is such a key.
bool SpellOut(const std::string& key, io::TomlEntries& entries) {
  for (const io::TomlKeyRow& row : DescribeProtocolKeys()) {
    if (row.key != key || row.key == PresetKey() || row.fallback.empty()) continue;
    entries.emplace_back(row.key, row.fallback);
    return true;
  }
  return false;
}

/// Whether it can stand behind "key = ".
bool IsToml(const std::string& value) {
  return io::TomlDocument::Parse("value = " + value + "\n", "").ok();
}

/// The entries with those keys too that are only written where they differ from their default.
io::TomlEntries Spelt(const Protocol& protocol) {
  io::TomlEntries entries = Entries(protocol);
  for (const io::TomlKeyRow& row : ProtocolKeys().Describe()) {
    const bool known = std::any_of(entries.begin(), entries.end(),
                                   [&](const auto& entry) { return entry.first == row.key; });
    // Free names have no default, a preset is no value, and the target's depends on the learner.
    if (row.fallback.empty() || row.key == PresetKey() || row.key == "learner.target") continue;
    if (!known) entries.emplace_back(row.key, row.fallback);
  }
  return entries;
}

}  // namespace

std::string CanonicalText(const Protocol& protocol) { return io::TomlLines(Entries(protocol)); }

std::string Fingerprint(const Protocol& protocol) { return io::Sha256Hex(CanonicalText(protocol)); }

Result<Protocol> Override(const Protocol& protocol, const std::string& key,
                          const std::string& value, const SectionReader& collect) {
  io::TomlEntries entries = Entries(protocol);
  const auto find = [&] {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const auto& candidate) { return candidate.first == key; });
  };
  auto entry = find();
  if (entry == entries.end() && SpellOut(key, entries)) entry = find();
  if (entry == entries.end()) {
    std::vector<std::string> keys;
    for (const auto& [known, text] : Spelt(protocol)) keys.push_back(known);
    if (key == PresetKey()) {
      return UsageError("--set {}: a preset is what other keys start from: write it in the file",
                        key);
    }
    const auto full = std::find_if(keys.begin(), keys.end(), [&](const std::string& known) {
      return known.ends_with("." + key);
    });
    return UsageError(
        "--set {}: unknown key{}", key,
        full != keys.end() ? fmt::format(" (did you mean '{}'?)", *full) : DidYouMean(key, keys));
  }
  // A value that replaces a string, or is no TOML at all, may come without quotes.
  const bool is_string = entry->second.front() == '"' && (value.empty() || value.front() != '"');
  entry->second = is_string || !IsToml(value) ? io::TomlString(value) : value;
  Result<Protocol> changed = ParseProtocol(io::TomlLines(entries), "--set", collect);
  if (changed.ok()) return changed;
  // "--set:44: key: what is wrong": the line is one of the canonical text, which nobody sees.
  std::string message = changed.error().message;
  const std::string start = key + ": ";
  if (const std::size_t at = message.find(start); at != std::string::npos) {
    message = message.substr(at + start.size());
  }
  return UsageError("--set {}={}: {}", key, value, message);
}

std::vector<std::string> Differences(const Protocol& declared, const Protocol& used) {
  const io::TomlEntries before = Spelt(declared);
  const io::TomlEntries after = Spelt(used);
  const auto find = [](const io::TomlEntries& entries, const std::string& key) {
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& candidate) { return candidate.first == key; });
    return entry == entries.end() ? std::string("nothing") : entry->second;
  };
  std::vector<std::string> differences;
  for (const auto& [key, value] : before) {
    const std::string now = find(after, key);
    if (now != value)
      differences.push_back(fmt::format("{}: declared {}, used {}", key, value, now));
  }
  for (const auto& [key, value] : after) {
    if (find(before, key) == "nothing") {
      differences.push_back(fmt::format("{}: declared nothing, used {}", key, value));
    }
  }
  return differences;
}

}  // namespace gonogo::audit
