// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "gonogo/adapter/gate.h"
#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/result/audit_result.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// What the audit's adapter chose at every query when the query's cluster was held out, and why.
struct QueryChoices {
  std::vector<ActionIndex> choice;              ///< one per query
  std::vector<adapter::EffectBounds> expected;  ///< query * candidates + candidate
};

/// Makes the leave-one-cluster-out fits behind the point estimates of `result` again, this time
/// keeping every choice; for a result of given choices those, without predictions. Progress counts
/// fits. The same for any number of jobs.
[[nodiscard]] Result<QueryChoices> ChooseEverywhere(const PotentialOutcomes& outcomes,
                                                    const AuditResult& result,
                                                    const Execution& execution);

/// Writes them with the oracle's choices and all outcomes: CSV (`.csv`), a row for every query and
/// action, or HDF5 (`.h5`), a data set for every column (docs/reference/formats.md). Any other
/// ending is refused.
[[nodiscard]] Status WriteChoices(const std::filesystem::path& file,
                                  const PotentialOutcomes& outcomes, const QueryChoices& choices);

/// Refuses a name that `WriteChoices` would refuse.
[[nodiscard]] Status CheckChoicesFile(const std::filesystem::path& file);

}  // namespace gonogo::audit
