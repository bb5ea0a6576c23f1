// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/calibrate/worlds/truth.h"

namespace gonogo::calibrate {

/// A data set for the question about further queries of known clusters. Every cluster was drawn
/// with sixty-one times its queries: one part is the data set, one more the oracle's, the rest
/// tells the truth about these very clusters.
struct KnownClusters {
  audit::OutcomeTable table;   ///< dealt into blocks, as `audit::AskedTable` does
  audit::OutcomeTable oracle;  ///< as many further queries, in as many blocks
  audit::OutcomeTable rest;    ///< the others, a single cluster
};

[[nodiscard]] Result<KnownClusters> DrawKnownClusters(const World& world, std::size_t blocks,
                                                      const RngStream& stream);

/// What is true of the adapter trained on the data set, at the rest of the queries.
[[nodiscard]] Result<Truth> KnownTruth(const KnownClusters& known, const LearnerFactory& factory,
                                       double kappa, const RngStream& ship);

}  // namespace gonogo::calibrate
