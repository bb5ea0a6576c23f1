// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// About how long an audit of the table with an MLP would take on so many threads (0: all cores):
/// measured on a few passes of one network over the rows, times all that a protocol asks for.
[[nodiscard]] Result<std::chrono::duration<double>> EstimateMlpTime(const OutcomeTable& table,
                                                                    Protocol protocol, int jobs);

}  // namespace gonogo::audit
