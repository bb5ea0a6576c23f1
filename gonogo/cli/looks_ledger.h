// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/audit/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::cli {

/// `looks.json` beside the run directories: which tables were audited under which protocol.
/// Auditing more of the same clusters under the same protocol is another look at growing data;
/// the same table again is not.
class LooksLedger {
 public:
  /// Of the runs in `directory`; an absent file has no entries.
  [[nodiscard]] static Result<LooksLedger> Open(const std::filesystem::path& directory);

  /// Other tables audited before this one under the protocol, with the same actions and at least
  /// one cluster of the same name.
  [[nodiscard]] std::size_t EarlierLooks(const std::string& fingerprint,
                                         const std::string& table_sha256,
                                         const audit::OutcomeTable& table) const;

  /// Writes the look down, once per table.
  [[nodiscard]] Status Record(const std::string& fingerprint, const std::string& table_sha256,
                              const audit::OutcomeTable& table);

 private:
  struct Entry {
    std::string protocol;
    std::string table;
    std::vector<std::string> actions;
    std::vector<std::string> clusters;
  };

  std::filesystem::path file_;
  std::vector<Entry> entries_;
};

}  // namespace gonogo::cli
