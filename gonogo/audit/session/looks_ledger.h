// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// A look is an audit of data that have grown since an earlier one under the same declaration: it
/// shares at least one cluster, unchanged, with the table audited then, and has at least one that
/// was not in it. So a repeated audit of the same data is the same look; a corrected cell, or a
/// table that merely uses the same names for its clusters, is none.
///
/// Looks are written down in `looks.json` in the folder of the table, where the declaration lies
/// too: the file belongs to both and should travel with them (commit it). Counting and writing
/// happen in one step under a lock, so that of two audits at once one is the second.
class LooksLedger {
 public:
  /// Of the tables in `folder`.
  explicit LooksLedger(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Who is looking at what.
  struct Audit {
    std::string declaration;                      ///< fingerprint of the protocol
    std::string table;                            ///< name of the table's file, for messages
    std::map<std::string, std::string> clusters;  ///< hash of each (cluster_hashes.h)
    std::string reading = {};  ///< JSON: what it read, where looks are declared by clusters
  };

  struct Look {
    EarlierLooks earlier;
    bool is_new = false;      ///< these data were not in the file
    std::string remark = {};  ///< about earlier audits that are no looks but concern these clusters
  };
  [[nodiscard]] Result<Look> Take(const Audit& audit) const;

  /// Writes down what the look read, for the looks after it; nothing where it is not in the file.
  [[nodiscard]] Status Record(const Audit& audit, const std::string& reading) const;

  /// Forgets a new look whose audit did not finish: nobody saw its answer.
  [[nodiscard]] Status Withdraw(const Audit& audit) const;

  [[nodiscard]] std::filesystem::path file() const { return folder_ / "looks.json"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace gonogo::audit
