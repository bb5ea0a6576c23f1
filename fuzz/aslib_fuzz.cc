// SPDX-License-Identifier: Apache-2.0
// Whatever the four files of an ASlib scenario hold, it is refused or becomes a table.
#include "fuzz/imported_csv.h"
#include "fuzz/scratch_folder.h"
#include "fuzz/text_parts.h"

#include "gonogo/audit/imports/aslib.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::fuzz;
  TextParts parts(AsText(data, size));
  for (const char* name : {"description.txt", "algorithm_runs.arff", "feature_values.arff",
                           "feature_costs.arff", "feature_runstatus.arff"}) {
    PutFile(name, parts.Next());
  }
  const gonogo::Result<gonogo::audit::ImportedTable> table =
      gonogo::audit::ReadAslib(ScratchFolder(), 10.0);
  if (table.ok()) CheckImported(table.value());
  return 0;
}
