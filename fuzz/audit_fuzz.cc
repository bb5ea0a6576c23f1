// SPDX-License-Identifier: Apache-2.0
// Whatever table the reader lets through can be audited.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/table_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::audit;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gonogo::Result<OutcomeTable> table = ParseCsvTable(bytes, "fuzz.csv", {});
  if (!table.ok()) return 0;
  Protocol protocol;
  protocol.bootstrap.refits = 3;
  protocol.learner.kind = LearnerKind::kRidge;
  (void)RunAudit(table.value(), protocol, {}, {.jobs = 1}).ok();
  if (table.value().choice.empty()) table.value().choice.assign(table.value().num_queries(), 1);
  (void)AuditChoices(table.value(), protocol).ok();
  return 0;
}
