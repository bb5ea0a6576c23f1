// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/session.h"

#include <optional>

#include <fmt/format.h>

#include "gonogo/audit/logged/score_log.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/session/looks_ledger.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/json/json.h"

namespace gonogo::audit {

class Session::LookClaim {
 public:
  LookClaim(LooksLedger ledger, LooksLedger::Audit audit, bool is_new)
      : ledger_(std::move(ledger)), audit_(std::move(audit)), kept_(!is_new) {}
  LookClaim(const LookClaim&) = delete;
  LookClaim& operator=(const LookClaim&) = delete;
  ~LookClaim() {
    // A ledger that cannot be written now keeps a look nobody saw; the same data are the same look
    // next time, so no harm is done.
    if (!kept_) (void)ledger_.Withdraw(audit_).ok();
  }
  void Keep() { kept_ = true; }
  [[nodiscard]] std::size_t num_clusters() const { return audit_.clusters.size(); }
  [[nodiscard]] Status Record(const std::string& reading) const {
    return ledger_.Record(audit_, reading);
  }

 private:
  LooksLedger ledger_;
  LooksLedger::Audit audit_;
  bool kept_;
};

namespace {

nlohmann::json MakeManifest(const TableFile& read, const Protocol& protocol,
                            const SessionOptions& options) {
  nlohmann::json manifest = {{"schema", "gonogo.manifest/1"}, {"build", io::CurrentBuild()}};
  if (!read.sha256.empty()) {
    manifest["table"] = std::filesystem::path(read.name).filename().string();
    manifest["table_sha256"] = read.sha256;
  } else if (!read.contents_sha256.empty()) {
    manifest["table"] = read.name;
    manifest["contents_sha256"] = read.contents_sha256;
  }
  manifest["protocol"] = CanonicalText(protocol);
  manifest.update(options.asked);
  return manifest;
}

/// Only a declared table can be confirmatory, so only its looks matter. Nothing for others, and for
/// tables that are no files of a folder.
std::optional<LooksLedger::Audit> LookOf(const TableFile& read, const SessionOptions& options) {
  std::error_code code;
  if (!options.is_look || read.table.declaration_sha256.empty() ||
      !std::filesystem::is_regular_file(read.file, code)) {
    return {};
  }
  return LooksLedger::Audit{.declaration = read.table.declaration_sha256,
                            .table = read.file.filename().string(),
                            .clusters = ClusterHashes(read.table)};
}

/// What a declared look read, for the looks after it. Only what was declared counts: a variant of
/// the protocol on the same table is no look.
std::string ReadingOf(const nlohmann::json& result, std::size_t clusters) {
  if (!result.contains("path") || result.value("status", "") != "confirmatory") return "";
  const nlohmann::json& last = result["path"].back();
  return last["clusters"] == clusters ? last.dump() : "";
}

}  // namespace

Session::Session(TableFile read, Protocol protocol, RunDirectory directory, nlohmann::json manifest,
                 std::shared_ptr<LookClaim> look)
    : read_(std::move(read)),
      protocol_(std::move(protocol)),
      directory_(std::move(directory)),
      manifest_(std::move(manifest)),
      look_(std::move(look)) {}

Result<Session> Session::Open(TableFile read, Protocol protocol, SessionOptions options) {
  nlohmann::json manifest = MakeManifest(read, protocol, options);
  const std::string name = options.name.empty() ? protocol.name : options.name;
  RunDirectory directory =
      GONOGO_TRY(RunDirectory::Open(options.folder, name, manifest, options.sharing));
  std::shared_ptr<LookClaim> claim;
  if (const std::optional<LooksLedger::Audit> audit = LookOf(read, options)) {
    const LooksLedger ledger(std::filesystem::absolute(read.file).parent_path());
    const Result<LooksLedger::Look> look = ledger.Take(*audit);
    if (look.ok()) {
      read.table.earlier_looks = look.value().earlier;
      if (!look.value().remark.empty()) read.table.notes.push_back(look.value().remark);
      claim = std::make_shared<LookClaim>(ledger, *audit, look.value().is_new);
    } else if (look.error().kind == ErrorKind::kIo) {
      read.table.notes.push_back(fmt::format(
          "this look could not be written down beside the table ({}): a later audit of more "
          "clusters will not know of it",
          look.error().message));
    } else {
      return look.error();
    }
  } else if (options.is_look && read.file.empty() && !read.table.declaration_sha256.empty()) {
    read.table.notes.emplace_back(
        "this table is in memory, and looks are written down beside a table's file: earlier looks "
        "at these data are not counted");
  }
  return Session(std::move(read), std::move(protocol), std::move(directory), std::move(manifest),
                 std::move(claim));
}

Result<AuditResult> Session::Audit(const Execution& execution) const {
  return AuditVariant("refits", protocol_, execution);
}

Result<AuditResult> Session::AuditVariant(const std::string& name, const Protocol& variant,
                                          const Execution& execution) const {
  const RefitStore store = GONOGO_TRY(directory_.Refits(name));
  Result<AuditResult> result = RunAudit(table(), variant, store, execution);
  if (!result.ok()) return Resumable(result.error());
  return result;
}

Status Session::FitShard(const std::string& name, const Protocol& variant, const Shard& shard,
                         const Execution& execution) const {
  const auto open = [&](std::size_t tasks) { return directory_.RefitShard(name, shard, tasks); };
  const Status fitted = audit::FitShard(table(), variant, shard, open, execution);
  if (!fitted.ok()) return Resumable(fitted.error());
  return {};
}

Result<std::vector<AblationRow>> Session::Ablation(const Execution& execution) const {
  Result<std::vector<AblationRow>> rows =
      RunAblation(table(), protocol_, execution, Stores("refits-features"));
  if (!rows.ok()) return Resumable(rows.error());
  return rows;
}

Result<AuditResult> Session::Choices() const { return AuditChoices(table(), protocol_); }

StoreOfAudit Session::Stores(const std::string& prefix) const {
  return [directory = directory_, prefix](std::size_t audit) {
    return directory.Refits(fmt::format("{}-{}", prefix, audit + 1));
  };
}

Status Session::Finish(nlohmann::json& result) {
  nlohmann::json provenance = manifest_;
  if (result.contains("provenance")) provenance.update(result["provenance"]);
  result["provenance"] = std::move(provenance);
  GONOGO_TRY(directory_.WriteResult(result));
  if (!look_) return {};
  look_->Keep();
  const std::string reading = ReadingOf(result, look_->num_clusters());
  return reading.empty() ? Status() : look_->Record(reading);
}

nlohmann::json CollectionOf(const OutcomeTable& table) {
  if (table.provenance.empty()) return {};
  Result<nlohmann::json> json = io::ParseJson(table.provenance, "provenance");
  if (!json.ok()) return table.provenance;  // somebody's own words
  return std::move(json).value();
}

Status CheckAuditable(const OutcomeTable& table, const Protocol& protocol) {
  if (table.logged.has_value()) {
    const PotentialOutcomes none{.table = &table};
    GONOGO_TRY(SelectFeatures(none, protocol.learner.features));
    GONOGO_TRY(LearnerOfScores(protocol.learner));
    const std::optional<OutcomeTable> asked = GONOGO_TRY(AskedTable(table, protocol));
    return CheckLog(asked ? *asked : table, protocol);
  }
  const PotentialOutcomes outcomes =
      DeriveOutcomes(table, protocol.time_budget, protocol.time_tolerance);
  GONOGO_TRY(MakeProblem(outcomes, protocol.learner));
  return {};
}

}  // namespace gonogo::audit
