// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/audit/imports/imported_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Reads a scenario of the algorithm-selection library ASlib: `description.txt`,
/// `algorithm_runs.arff`, `feature_values.arff` and, where it is there, `feature_costs.arff`.
/// A query is an instance, an action an algorithm, success means that the run's status is ok, and
/// the cost is the runtime, capped at the cutoff, or `penalty` times the cutoff when the run did
/// not succeed (PAR1: 1, PAR10: 10). Where the scenario measures something else, that is the cost
/// (what is missing to the best where more is better), and a failed run costs `penalty` times the
/// worst one; remarks say so. Instances that computing the features solved are left out.
/// Repetitions are averaged, and succeed when more than half do. The summed feature costs of an
/// instance become the adapter's. Clusters stay empty.
[[nodiscard]] Result<ImportedTable> ReadAslib(const std::filesystem::path& folder, double penalty);

}  // namespace gonogo::audit
