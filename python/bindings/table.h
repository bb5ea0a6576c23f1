// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::python {

/// A table of outcomes with where it came from.
struct Table {
  audit::OutcomeTable outcomes;
  std::string name;                 ///< in messages
  std::filesystem::path file = {};  ///< empty: made in memory
  audit::Protocol made_with = {};   ///< its [table], actions and reference shaped the table
};

/// The table as `protocol` wants it: read from its file again, or arranged again. One that was made
/// with this protocol is copied.
[[nodiscard]] audit::OutcomeTable OutcomesUnder(const audit::Protocol& protocol,
                                                const Table& table);

}  // namespace gonogo::python
