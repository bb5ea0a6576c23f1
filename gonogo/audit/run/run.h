// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "gonogo/audit/run/audit_job.h"
#include "gonogo/audit/run/audit_report.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/shard.h"

namespace gonogo::audit {

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

}  // namespace gonogo::audit
