// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

struct AuditFindings;
struct AuditResult;

/// A table that came from no file: what it holds identifies it.
[[nodiscard]] TableFile MadeInMemory(OutcomeTable table, std::string name);

/// What somebody asks of an audit besides its protocol.
struct AuditRequest {
  std::string learner = {};  ///< the override as it was given, "all" included; empty: as declared
  std::string target = {};   ///< "all": every target of every learner; empty: as in the protocol
  std::string choices = {};  ///< column whose choices are audited instead; empty: a learner's
  bool ablation = false;     ///< also every feature set that the protocol declares
  bool other_question = false;  ///< also about known clusters instead of new ones
  std::size_t seeds = 0;        ///< under so many bootstrap seeds, the declared one among them
  std::string map = {};         ///< feature over which the choices are shown; empty: none
  bool keeps_choices = false;   ///< every held-out choice, for `WriteChoices`
  /// Nobody named a learner. Where nobody declared a protocol either, the answer is descriptive in
  /// any case, and the quick learner ridge gives a first look in seconds.
  bool any_learner = false;

  /// What of it identifies a run: the same request is the same run, whoever resumes it.
  [[nodiscard]] nlohmann::json Asked() const;
};

/// Everything one audit is made of.
struct AuditJob {
  TableFile table;
  Protocol protocol = {};  ///< what is used, overrides included
  /// What was declared for the table, before any override. Nothing: nobody declared anything.
  std::optional<Protocol> declared = {};
  AuditRequest request = {};
  std::filesystem::path folder = {};  ///< where refits and results are kept; empty: runs/NAME-HASH
  std::string name = {};              ///< NAME of that; empty: the protocol's
  nlohmann::json asked = {};  ///< identifies the run instead of the request, for other verbs
  std::vector<std::string> remarks = {};  ///< to be told among the warnings of the result
  bool is_look = true;                    ///< counts as a look at the table (looks_ledger.h)
  bool writes_result = true;              ///< else only refits are kept
};

/// The audit of a pilot table that a plan starts from: its refits are kept, it counts as no look,
/// and it is no answer of its own.
[[nodiscard]] AuditJob PilotJob(TableFile pilot, const Protocol& protocol);

/// What an audit answers: terminal, page, JSON and Python show it.
struct AuditReport {
  TableFile table;               ///< as it was audited, with earlier looks and notes
  std::filesystem::path folder;  ///< of the run
  bool is_first_look = false;    ///< nobody declared a protocol or named a learner: ridge was used
  nlohmann::json json = {};      ///< result.json, complete (docs/reference/formats.md)
  std::shared_ptr<const AuditFindings> findings;  ///< what it was made of (findings.h)

  /// The declared audit.
  [[nodiscard]] const AuditResult& result() const;
};

/// A stretch of an audit whose progress is counted on its own.
struct AuditPart {
  std::string label;             ///< "ridge refits"
  std::filesystem::path folder;  ///< of the run
  std::filesystem::path table;   ///< its file, if it is one
};

/// How each part is executed. What it returns is dropped when the part ends.
using Executions = std::function<Execution(const AuditPart& part)>;

/// Every part in the same way.
[[nodiscard]] Executions Everywhere(const Execution& execution);

/// The front door: audits a table on behalf of somebody. It counts the look in the ledger beside
/// the table, keeps finished refits in the run's folder, so that the same job goes on where it was
/// interrupted, makes what was asked for besides, and writes result.json. Command line, Python,
/// studies, plans and reproductions all come through here; `RunAudit` is the bare computation.
[[nodiscard]] Result<AuditReport> Run(AuditJob job, const Executions& executions);

/// Makes and keeps the refits of a job, and of its seeds, that belong to the shard, and answers
/// nothing: once `gonogo merge` has put all shards together, `Run` finds them made. Gives the
/// folder.
[[nodiscard]] Result<std::filesystem::path> RunShard(AuditJob job, const Shard& shard,
                                                     const Executions& executions);

/// Writes the choices that a job was asked to keep, with the oracle's and all outcomes (choices.h).
[[nodiscard]] Status WriteChoices(const std::filesystem::path& file, const AuditReport& report);

/// Refuses before anything is written what the audit would refuse later.
[[nodiscard]] Status CheckRequest(const OutcomeTable& table, const Protocol& protocol,
                                  const AuditRequest& request);

/// What an audit finds missing is missing in the table of this name.
[[nodiscard]] Error InTable(const std::string& name, const Error& error);

/// A CSV table carries only the fingerprint of its declaration. Where `declared`, the protocol as
/// it was before any override, has that fingerprint, the words are known too, and every override
/// gets named.
void SpellOutDeclaration(const Protocol& declared, OutcomeTable& table);

}  // namespace gonogo::audit
