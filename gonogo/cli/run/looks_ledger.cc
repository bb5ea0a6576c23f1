// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/looks_ledger.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "gonogo/io/file.h"
#include "gonogo/io/file_lock.h"
#include "gonogo/io/json.h"

namespace gonogo::cli {
namespace {

struct Entry {
  std::string protocol;
  std::string table;
  std::vector<std::string> actions;
  std::vector<std::string> clusters;

  [[nodiscard]] bool Is(const std::string& fingerprint, const std::string& table_sha256) const {
    return protocol == fingerprint && table == table_sha256;
  }
};

Result<std::vector<Entry>> ReadEntries(const std::filesystem::path& file) {
  std::vector<Entry> entries;
  std::error_code code;
  if (!std::filesystem::exists(file, code)) return entries;
  const std::string text = GONOGO_TRY(io::ReadFile(file));
  const Result<nlohmann::json> json = io::ParseJson(text, file.string());
  if (!json.ok()) {
    return InputError("{}; repair it, or delete it to forget the looks", json.error().message);
  }
  try {
    for (const nlohmann::json& look : json.value().at("looks")) {
      entries.push_back({look.at("protocol").get<std::string>(),
                         look.at("table_sha256").get<std::string>(),
                         look.at("actions").get<std::vector<std::string>>(),
                         look.at("clusters").get<std::vector<std::string>>()});
    }
  } catch (const nlohmann::json::exception& error) {
    return InputError("{}: not a list of looks ({}); repair it, or delete it to forget them",
                      file.string(), error.what());
  }
  return entries;
}

Status WriteEntries(const std::filesystem::path& file, const std::vector<Entry>& entries) {
  nlohmann::json looks = nlohmann::json::array();
  for (const Entry& entry : entries) {
    looks.push_back({{"protocol", entry.protocol},
                     {"table_sha256", entry.table},
                     {"actions", entry.actions},
                     {"clusters", entry.clusters}});
  }
  const nlohmann::json json = {{"schema", "gonogo.looks/1"}, {"looks", std::move(looks)}};
  return io::WriteFile(file, json.dump(1) + "\n");
}

bool ShareACluster(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  const std::set<std::string> names(one.begin(), one.end());
  return std::any_of(other.begin(), other.end(),
                     [&](const std::string& name) { return names.contains(name); });
}

}  // namespace

Result<LooksLedger::Look> LooksLedger::Take(const std::string& fingerprint,
                                            const std::string& table_sha256,
                                            const audit::OutcomeTable& table) const {
  const io::FileLock lock = GONOGO_TRY(io::FileLock::Take(directory_ / "looks.lock"));
  std::vector<Entry> entries = GONOGO_TRY(ReadEntries(directory_ / "looks.json"));
  Look look{.is_new = true};
  for (const Entry& entry : entries) {
    if (entry.Is(fingerprint, table_sha256)) {
      look.is_new = false;
      break;  // what was audited after this table came later
    }
    if (entry.protocol != fingerprint || entry.actions != table.actions) continue;
    if (ShareACluster(entry.clusters, table.clusters)) ++look.earlier;
  }
  if (!look.is_new) return look;
  entries.push_back({fingerprint, table_sha256, table.actions, table.clusters});
  GONOGO_TRY(WriteEntries(directory_ / "looks.json", entries));
  return look;
}

Status LooksLedger::Withdraw(const std::string& fingerprint,
                             const std::string& table_sha256) const {
  const io::FileLock lock = GONOGO_TRY(io::FileLock::Take(directory_ / "looks.lock"));
  std::vector<Entry> entries = GONOGO_TRY(ReadEntries(directory_ / "looks.json"));
  std::erase_if(entries, [&](const Entry& entry) { return entry.Is(fingerprint, table_sha256); });
  return WriteEntries(directory_ / "looks.json", entries);
}

}  // namespace gonogo::cli
