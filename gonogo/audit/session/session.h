// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/session/run_directory.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/run_folder.h"

namespace gonogo::audit {

/// What a session is told besides the table and the protocol.
struct SessionOptions {
  std::filesystem::path folder = {};  ///< run directory; empty: runs/NAME-HASH
  std::string name = {};              ///< NAME of that; empty: the protocol's
  /// Counts as a look at the table (looks_ledger.h). Not for audits of planted signals.
  bool is_look = true;
  io::Sharing sharing = io::Sharing::kNobody;  ///< who else may write into the folder meanwhile
  nlohmann::json asked = nlohmann::json::object();  ///< "verb" and flags: other values, another run
};

/// One run of an audit: table, protocol and folder in; manifest, ledger of looks, kept refits and
/// result out. The hash of the table is part of what identifies the run, and looks at growing data
/// are counted in the folder of its file. `Run` (run/run.h) makes an audit of it.
class Session {
 public:
  /// Opens the run, or goes on with it where it was interrupted.
  [[nodiscard]] static Result<Session> Open(TableFile read, Protocol protocol,
                                            SessionOptions options);

  [[nodiscard]] const OutcomeTable& table() const { return read_.table; }
  [[nodiscard]] const TableFile& read() const { return read_; }
  [[nodiscard]] const Protocol& protocol() const { return protocol_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return directory_.path(); }
  /// What identifies the run: hash of the table, protocol, what was asked.
  [[nodiscard]] const nlohmann::json& manifest() const { return manifest_; }

  /// The declared audit.
  [[nodiscard]] Result<AuditResult> Audit(const Execution& execution) const;
  /// The same table under another protocol (learner, seed), for comparison; its refits are kept
  /// under `name`.
  [[nodiscard]] Result<AuditResult> AuditVariant(const std::string& name, const Protocol& variant,
                                                 const Execution& execution) const;
  /// Makes and keeps the refits of such an audit that belong to the shard. `gonogo merge` puts the
  /// shards together; the audit itself then finds them made.
  [[nodiscard]] Status FitShard(const std::string& name, const Protocol& variant,
                                const Shard& shard, const Execution& execution) const;
  /// Every feature set of the protocol.
  [[nodiscard]] Result<std::vector<AblationRow>> Ablation(const Execution& execution) const;
  /// The choices the table holds instead of a learner's.
  [[nodiscard]] Result<AuditResult> Choices() const;
  /// Stores named `prefix-1`, `prefix-2`, … for a series of audits, as controls make them.
  [[nodiscard]] StoreOfAudit Stores(const std::string& prefix) const;
  /// An interruption with the advice to run the same command again; other errors as they are.
  [[nodiscard]] Error Resumable(const Error& error) const { return directory_.Resumable(error); }

  /// The table, which the session has no longer: nothing but `Finish` may follow.
  [[nodiscard]] TableFile TakeTable() { return std::move(read_); }

  /// Adds the manifest to the `provenance` of `result`, writes `result.json` and lets the look
  /// count.
  [[nodiscard]] Status Finish(nlohmann::json& result);

 private:
  /// Takes its look back unless the session finished.
  class LookClaim;

  Session(TableFile read, Protocol protocol, RunDirectory directory, nlohmann::json manifest,
          std::shared_ptr<LookClaim> look);

  TableFile read_;  ///< with the looks and notes that the ledger added
  Protocol protocol_;
  RunDirectory directory_;
  nlohmann::json manifest_;
  std::shared_ptr<LookClaim> look_;  ///< none where looks are not counted
};

/// What the table says about how its outcomes were made; null if nothing.
[[nodiscard]] nlohmann::json CollectionOf(const OutcomeTable& table);

/// Refuses, before anything is written, what an audit by the protocol's learner would refuse later.
[[nodiscard]] Status CheckAuditable(const OutcomeTable& table, const Protocol& protocol);

}  // namespace gonogo::audit
