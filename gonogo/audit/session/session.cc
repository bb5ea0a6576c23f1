// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/session.h"

#include <optional>

#include <fmt/format.h>

#include "gonogo/audit/logged/score_log.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/session/looks_ledger.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"

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
  [[nodiscard]] Status Record(const std::string& reading) const {
    return ledger_.Record(audit_, reading);
  }

 private:
  LooksLedger ledger_;
  LooksLedger::Audit audit_;
  bool kept_;
};

namespace {

Result<nlohmann::json> MakeManifest(const Protocol& protocol, const SessionOptions& options) {
  nlohmann::json manifest = {{"schema", "gonogo.manifest/1"}, {"build", io::CurrentBuild()}};
  if (options.table_bytes.has_value()) {
    manifest["table"] = options.table_file.filename().string();
    manifest["table_sha256"] = io::Sha256Hex(*options.table_bytes);
  } else if (!options.table_file.empty()) {
    const io::MappedFile file = GONOGO_TRY(io::MappedFile::Open(options.table_file));
    manifest["table"] = options.table_file.filename().string();
    manifest["table_sha256"] = io::Sha256Hex(file.bytes());
    // Else refits of one table could be kept under the hash of another.
    if (options.table_stamp && *options.table_stamp != io::FileStamp::Of(options.table_file)) {
      return InputError(
          "{}: was changed while it was read; run the same command again when it is whole",
          options.table_file.string());
    }
  }
  manifest["protocol"] = CanonicalText(protocol);
  manifest.update(options.asked);
  return manifest;
}

/// Only a declared table can be confirmatory, so only its looks matter. Nothing for others, and for
/// tables that are no files of a folder.
std::optional<LooksLedger::Audit> LookOf(const OutcomeTable& table, const SessionOptions& options) {
  std::error_code code;
  if (!options.is_look || table.declaration_sha256.empty() ||
      !std::filesystem::is_regular_file(options.table_file, code)) {
    return {};
  }
  return LooksLedger::Audit{.declaration = table.declaration_sha256,
                            .table = options.table_file.filename().string(),
                            .clusters = ClusterHashes(table)};
}

/// What a declared look read, for the looks after it. Only what was declared counts: a variant of
/// the protocol on the same table is no look.
std::string ReadingOf(const nlohmann::json& result, std::size_t clusters) {
  if (!result.contains("path") || result.value("status", "") != "confirmatory") return "";
  const nlohmann::json& last = result["path"].back();
  return last["clusters"] == clusters ? last.dump() : "";
}

}  // namespace

Session::Session(OutcomeTable table, Protocol protocol, RunDirectory directory,
                 nlohmann::json manifest, std::shared_ptr<LookClaim> look,
                 std::filesystem::path table_file)
    : table_file_(std::move(table_file)),
      table_(std::move(table)),
      protocol_(std::move(protocol)),
      directory_(std::move(directory)),
      manifest_(std::move(manifest)),
      look_(std::move(look)) {}

Result<Session> Session::Open(OutcomeTable table, Protocol protocol, SessionOptions options) {
  nlohmann::json manifest = GONOGO_TRY(MakeManifest(protocol, options));
  const std::string name = options.name.empty() ? protocol.name : options.name;
  RunDirectory directory =
      GONOGO_TRY(RunDirectory::Open(options.folder, name, manifest, options.company));
  std::shared_ptr<LookClaim> claim;
  if (const std::optional<LooksLedger::Audit> audit = LookOf(table, options)) {
    const LooksLedger ledger(std::filesystem::absolute(options.table_file).parent_path());
    const Result<LooksLedger::Look> look = ledger.Take(*audit);
    if (look.ok()) {
      table.earlier_looks = look.value().earlier;
      if (!look.value().remark.empty()) table.notes.push_back(look.value().remark);
      claim = std::make_shared<LookClaim>(ledger, *audit, look.value().is_new);
    } else if (look.error().kind == ErrorKind::kIo) {
      table.notes.push_back(fmt::format(
          "this look could not be written down beside the table ({}): a later audit of more "
          "clusters will not know of it",
          look.error().message));
    } else {
      return look.error();
    }
  }
  return Session(std::move(table), std::move(protocol), std::move(directory), std::move(manifest),
                 std::move(claim),
                 options.table_bytes ? std::filesystem::path() : options.table_file);
}

Result<AuditResult> Session::Audit(const Execution& execution) const {
  return AuditVariant("refits", protocol_, execution);
}

Result<AuditResult> Session::AuditVariant(const std::string& name, const Protocol& variant,
                                          const Execution& execution) const {
  const RefitStore store = GONOGO_TRY(directory_.Refits(name));
  Result<AuditResult> result = RunAudit(table_, variant, store, execution);
  if (!result.ok()) return Resumable(result.error());
  return result;
}

Status Session::FitShard(const std::string& name, const Protocol& variant, const Shard& shard,
                         const Execution& execution) const {
  const auto open = [&](std::size_t tasks) { return directory_.RefitShard(name, shard, tasks); };
  const Status fitted = audit::FitShard(table_, variant, shard, open, execution);
  if (!fitted.ok()) return Resumable(fitted.error());
  return {};
}

Result<std::vector<AblationRow>> Session::Ablation(const Execution& execution) const {
  Result<std::vector<AblationRow>> rows =
      RunAblation(table_, protocol_, execution, Stores("refits-features"));
  if (!rows.ok()) return Resumable(rows.error());
  return rows;
}

Result<AuditResult> Session::Choices() const { return AuditChoices(table_, protocol_); }

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
  const std::string reading = ReadingOf(result, table_.num_clusters());
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
