// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, an ARFF file is refused with a message or has rows as long as its header.
#include "fuzz/scratch_folder.h"

#include "gonogo/audit/imports/arff.h"
#include "gonogo/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gonogo::audit::ArffTable;
  const gonogo::Result<ArffTable> table =
      gonogo::audit::ParseArff(gonogo::fuzz::AsText(data, size), "fuzz.arff");
  if (!table.ok()) {
    GONOGO_CHECK(table.error().message.starts_with("fuzz.arff"));
    return 0;
  }
  GONOGO_CHECK(table.value().lines.size() == table.value().rows.size());
  for (const auto& row : table.value().rows) {
    GONOGO_CHECK(row.size() == table.value().attributes.size());
  }
  (void)table.value().Find("instance_id").ok();
  return 0;
}
