// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::audit {

/// Reads the intervals, finds every reason why the result is only descriptive, and assigns the
/// decision when there is none. Also fills the resolution diagnostic.
void Conclude(const OutcomeTable& table, AuditResult& result);

/// Reasons that follow from the declaration the table carries.
[[nodiscard]] std::vector<std::string> DeclarationReasons(const OutcomeTable& table,
                                                          const Protocol& used);

/// What a declared collection ([collect]) promised and the table does not hold.
[[nodiscard]] std::vector<std::string> CollectionReasons(const OutcomeTable& table,
                                                         const Protocol& used);

}  // namespace gonogo::audit
