// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::python {

/// A table of outcomes with where it came from.
struct Table {
  audit::TableFile read;
  audit::Protocol made_with = {};  ///< its [table], actions and reference shaped the table
  bool is_declared = false;        ///< somebody declared that protocol; else it is a default

  [[nodiscard]] const audit::OutcomeTable& outcomes() const { return read.table; }
};

/// The table as `protocol` wants it: read from its file again, or arranged again. One that was made
/// with this protocol is copied.
[[nodiscard]] audit::TableFile TableUnder(const audit::Protocol& protocol, const Table& table);

}  // namespace gonogo::python
