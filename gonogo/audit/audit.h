// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Audits the learner the protocol names. The steps are there for others: `AskedProblem::Open`
/// prepares table, outcomes and learner, `FitAudit` makes the fits, `ApplyRule` with
/// `DeclaredOptions` reads them; the calibration benchmark takes the same ones. Task i of `store`
/// is that of `AuditTasks`. Progress counts all of them together. Like everything here it refuses a
/// table that `CheckTable` refuses, so that one made by hand is safe to pass, and puts the
/// protocol's question to the table first (`AskedTable`): for known clusters, "clusters" are
/// blocks.
[[nodiscard]] Result<AuditResult> RunAudit(const OutcomeTable& declared, const Protocol& protocol,
                                           const RefitStore& store, const Execution& execution);

/// Makes and stores the fits of `RunAudit` that belong to the shard, and nothing else: with the
/// fits of all shards in its store, `RunAudit` makes none. `open` is told how many there are in
/// all.
[[nodiscard]] Status FitShard(const OutcomeTable& declared, const Protocol& protocol,
                              const Shard& shard,
                              const std::function<Result<RefitStore>(std::size_t tasks)>& open,
                              const Execution& execution);

/// Refuses a table without choices.
[[nodiscard]] Status CheckChoices(const OutcomeTable& table, const Protocol& protocol);

/// Audits the choices in the table (`OutcomeTable::choice`), made by somebody's adapter. Fixed
/// references are cross-fitted; intervals resample clusters with the choices as they are.
[[nodiscard]] Result<AuditResult> AuditChoices(const OutcomeTable& declared,
                                               const Protocol& protocol);

/// One row of a feature ablation.
struct AblationRow {
  FeatureSet set;
  AuditResult result;
};

/// Where the refits of each of several audits are kept; empty = nowhere.
using StoreOfAudit = std::function<Result<RefitStore>(std::size_t audit)>;

/// The same audit for every feature set of the protocol, on the same bootstrap replicates. Every
/// row is descriptive.
[[nodiscard]] Result<std::vector<AblationRow>> RunAblation(const OutcomeTable& table,
                                                           const Protocol& protocol,
                                                           const Execution& execution,
                                                           const StoreOfAudit& store = {});

}  // namespace gonogo::audit
