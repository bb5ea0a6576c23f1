// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/looks_ledger.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/run_folder.h"

namespace gonogo::audit {
namespace {

constexpr const char* kLooksSchema = "gonogo.looks/2";

using Audits = std::vector<LooksLedger::Audit>;

Result<Audits> ReadAudits(const std::filesystem::path& file) {
  Audits audits;
  std::error_code code;
  if (!std::filesystem::exists(file, code)) return audits;
  const std::string text = GONOGO_TRY(io::ReadFile(file));
  const Result<nlohmann::json> json = io::ParseJson(text, file.string());
  if (!json.ok()) {
    return InputError("{}; repair it, or delete it to forget the looks", json.error().message);
  }
  try {
    if (json.value().at("schema") != kLooksSchema) {
      return InputError("{}: schema is {}, expected \"{}\"; delete the file to forget the looks",
                        file.string(), json.value().at("schema").dump(), kLooksSchema);
    }
    for (const nlohmann::json& look : json.value().at("looks")) {
      audits.push_back({look.at("declaration").get<std::string>(),
                        look.at("table").get<std::string>(),
                        look.at("clusters").get<std::map<std::string, std::string>>(),
                        look.contains("read") ? look["read"].dump() : ""});
    }
  } catch (const nlohmann::json::exception& error) {
    return InputError("{}: not a list of looks ({}); repair it, or delete it to forget them",
                      file.string(), error.what());
  }
  return audits;
}

Status WriteAudits(const std::filesystem::path& file, const Audits& audits) {
  nlohmann::json looks = nlohmann::json::array();
  for (const LooksLedger::Audit& audit : audits) {
    looks.push_back(
        {{"declaration", audit.declaration}, {"table", audit.table}, {"clusters", audit.clusters}});
    if (audit.reading.empty()) continue;
    looks.back()["read"] = nlohmann::json::parse(audit.reading);
  }
  const nlohmann::json json = {{"schema", kLooksSchema}, {"looks", std::move(looks)}};
  return io::WriteFile(file, json.dump(1) + "\n");
}

bool IsSame(const LooksLedger::Audit& one, const LooksLedger::Audit& other) {
  return one.declaration == other.declaration && one.clusters == other.clusters;
}

/// How two tables under one declaration overlap.
struct Overlap {
  std::size_t unchanged = 0;  ///< clusters with the same name and the same contents
  std::size_t changed = 0;    ///< clusters with the same name and other contents
  std::size_t added = 0;      ///< clusters of the later table only
};

Overlap Compare(const LooksLedger::Audit& earlier, const LooksLedger::Audit& later) {
  Overlap overlap;
  for (const auto& [name, hash] : later.clusters) {
    const auto found = earlier.clusters.find(name);
    if (found == earlier.clusters.end()) {
      ++overlap.added;
    } else {
      ++(found->second == hash ? overlap.unchanged : overlap.changed);
    }
  }
  return overlap;
}

std::string Remark(const LooksLedger::Audit& earlier, const Overlap& overlap,
                   const std::filesystem::path& file) {
  if (overlap.changed > 0 && overlap.unchanged > 0) {
    return fmt::format(
        "{} clusters were audited before with other values, in {} (recorded in {}): a correction "
        "is not counted as a look, but whoever reads this should know of it",
        overlap.changed, earlier.table, file.string());
  }
  if (overlap.added == 0 && overlap.unchanged > 0) {
    return fmt::format(
        "these {} clusters are a part of the {} audited before in {} (recorded in {})",
        overlap.unchanged, earlier.clusters.size(), earlier.table, file.string());
  }
  return "";
}

}  // namespace

Result<LooksLedger::Look> LooksLedger::Take(const Audit& audit) const {
  const io::FolderLock lock = GONOGO_TRY(io::FolderLock::Take(folder_));
  Audits audits = GONOGO_TRY(ReadAudits(file()));
  Look look{.is_new = true};
  for (const Audit& earlier : audits) {
    if (IsSame(earlier, audit)) {
      look.is_new = false;
      break;  // what was audited after this table came later
    }
    if (earlier.declaration != audit.declaration) continue;
    const Overlap overlap = Compare(earlier, audit);
    if (overlap.unchanged > 0 && overlap.added > 0) {
      ++look.earlier.count;
      look.earlier.which = fmt::format("{} clusters of {}, recorded in {}", earlier.clusters.size(),
                                       earlier.table, file().string());
      if (!earlier.reading.empty()) look.earlier.readings.push_back(earlier.reading);
    } else if (const std::string remark = Remark(earlier, overlap, file()); !remark.empty()) {
      look.remark = remark;
    }
  }
  if (!look.is_new) return look;
  audits.push_back(audit);
  GONOGO_TRY(WriteAudits(file(), audits));
  return look;
}

Status LooksLedger::Record(const Audit& audit, const std::string& reading) const {
  const io::FolderLock lock = GONOGO_TRY(io::FolderLock::Take(folder_));
  Audits audits = GONOGO_TRY(ReadAudits(file()));
  const auto found = std::find_if(audits.begin(), audits.end(),
                                  [&](const Audit& other) { return IsSame(other, audit); });
  if (found == audits.end() || found->reading == reading) return {};
  found->reading = reading;
  return WriteAudits(file(), audits);
}

Status LooksLedger::Withdraw(const Audit& audit) const {
  const io::FolderLock lock = GONOGO_TRY(io::FolderLock::Take(folder_));
  Audits audits = GONOGO_TRY(ReadAudits(file()));
  std::erase_if(audits, [&](const Audit& other) { return IsSame(other, audit); });
  return WriteAudits(file(), audits);
}

}  // namespace gonogo::audit
