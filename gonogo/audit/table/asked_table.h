// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// The table as the protocol's question sees it (protocol.h); nothing where that is the
/// table as it is. Failures cost what is declared; what no constraint looks at is gone. For known
/// clusters the queries of every cluster are dealt at random into blocks, one after another, so
/// that each block has its share of every cluster; the blocks take the clusters' place. Refuses a
/// question that the table has no column for.
[[nodiscard]] Result<std::optional<OutcomeTable>> AskedTable(const OutcomeTable& table,
                                                             const Protocol& protocol);

/// The question in words, empty where it is the usual one: new clusters, success and time.
[[nodiscard]] std::string QuestionInWords(const Protocol& protocol);

}  // namespace gonogo::audit
