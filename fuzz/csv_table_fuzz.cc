// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a CSV table is refused with a message or is what the audit counts on.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/sound_table.h"

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gonogo::audit::OutcomeTable;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const gonogo::Result<OutcomeTable> table = gonogo::audit::ParseCsvTable(bytes, "fuzz.csv", {});
  if (!table.ok()) {
    GONOGO_CHECK(table.error().message.starts_with("fuzz.csv"));
    return 0;
  }
  GONOGO_CHECK(gonogo::fuzz::IsSound(table.value()));
  return 0;
}
