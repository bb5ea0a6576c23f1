// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/sound_table.h"

#include "gonogo/audit/imports/imported_table.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"

namespace gonogo::fuzz {

/// What `gonogo import` does with a table: its CSV, read back under its protocol, is refused with a
/// message or sound.
inline void CheckImported(audit::ImportedTable table) {
  GONOGO_CHECK(table.cost.size() == table.queries.size() * table.actions.size());
  GONOGO_CHECK(table.values.size() == table.queries.size() * table.features.size());
  if (table.clusters.empty()) table.clusters = table.queries;
  if (table.cost.empty()) return;
  const std::string text = ProtocolFor(table, CheapestAction(table), "row");
  const Result<audit::Protocol> protocol = audit::ParseProtocol(text, "import.toml");
  if (!protocol.ok()) return;
  const Result<audit::OutcomeTable> read =
      audit::ParseCsvTable(LongCsv(table), "import.csv", protocol.value());
  if (read.ok()) GONOGO_CHECK(IsSound(read.value()));
}

}  // namespace gonogo::fuzz
