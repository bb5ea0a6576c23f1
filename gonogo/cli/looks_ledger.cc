// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/looks_ledger.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "gonogo/io/file.h"

namespace gonogo::cli {
namespace {

bool ShareACluster(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  const std::set<std::string> names(one.begin(), one.end());
  return std::any_of(other.begin(), other.end(),
                     [&](const std::string& name) { return names.contains(name); });
}

}  // namespace

Result<LooksLedger> LooksLedger::Open(const std::filesystem::path& directory) {
  LooksLedger ledger;
  ledger.file_ = directory / "looks.json";
  std::error_code code;
  if (!std::filesystem::exists(ledger.file_, code)) return ledger;
  const Result<std::string> text = io::ReadFile(ledger.file_);
  if (!text.ok()) return text.error();
  try {
    const nlohmann::json json = nlohmann::json::parse(text.value());
    for (const nlohmann::json& look : json.at("looks")) {
      ledger.entries_.push_back({look.at("protocol").get<std::string>(),
                                 look.at("table_sha256").get<std::string>(),
                                 look.at("actions").get<std::vector<std::string>>(),
                                 look.at("clusters").get<std::vector<std::string>>()});
    }
  } catch (const nlohmann::json::exception& error) {
    return InputError("{}: not a list of looks ({}); repair it, or delete it to forget them",
                      ledger.file_.string(), error.what());
  }
  return ledger;
}

std::size_t LooksLedger::EarlierLooks(const std::string& fingerprint,
                                      const std::string& table_sha256,
                                      const audit::OutcomeTable& table) const {
  std::size_t earlier = 0;
  for (const Entry& entry : entries_) {
    if (entry.protocol != fingerprint || entry.actions != table.actions) continue;
    if (entry.table == table_sha256) break;  // what was audited after this table came later
    if (ShareACluster(entry.clusters, table.clusters)) ++earlier;
  }
  return earlier;
}

Status LooksLedger::Record(const std::string& fingerprint, const std::string& table_sha256,
                           const audit::OutcomeTable& table) {
  const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.protocol == fingerprint && entry.table == table_sha256;
  });
  if (known) return {};
  entries_.push_back({fingerprint, table_sha256, table.actions, table.clusters});
  nlohmann::json looks = nlohmann::json::array();
  for (const Entry& entry : entries_) {
    looks.push_back({{"protocol", entry.protocol},
                     {"table_sha256", entry.table},
                     {"actions", entry.actions},
                     {"clusters", entry.clusters}});
  }
  const nlohmann::json json = {{"schema", "gonogo.looks/1"}, {"looks", std::move(looks)}};
  return io::WriteFile(file_, json.dump(1) + "\n");
}

}  // namespace gonogo::cli
