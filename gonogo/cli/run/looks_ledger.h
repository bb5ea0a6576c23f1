// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::cli {

/// `looks.json` beside the run directories: which tables were audited under which protocol.
/// Auditing more of the same clusters under the same protocol is another look at growing data;
/// the same table again is not. A look is counted and written down in one step under a lock, so
/// that of two audits at once one is the second.
class LooksLedger {
 public:
  /// Of the runs in `directory`.
  explicit LooksLedger(const std::filesystem::path& directory) : directory_(directory) {}

  struct Look {
    /// Other tables audited before this one under the protocol, with the same actions and at least
    /// one cluster of the same name.
    std::size_t earlier = 0;
    bool is_new = false;  ///< this table was not in the file
  };
  [[nodiscard]] Result<Look> Take(const std::string& fingerprint, const std::string& table_sha256,
                                  const audit::OutcomeTable& table) const;

  /// Forgets a new look whose audit did not finish: nobody saw its answer.
  [[nodiscard]] Status Withdraw(const std::string& fingerprint,
                                const std::string& table_sha256) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace gonogo::cli
