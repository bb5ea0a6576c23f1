// SPDX-License-Identifier: Apache-2.0
// Whatever a matrix of costs and a file of features hold, they are refused or become a table.
#include "fuzz/imported_csv.h"
#include "fuzz/scratch_folder.h"
#include "fuzz/text_parts.h"

#include "gonogo/audit/imports/cost_matrix.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::fuzz;
  TextParts parts(AsText(data, size));
  const std::filesystem::path matrix = PutFile("matrix.csv", parts.Next());
  const std::filesystem::path features = PutFile("features.csv", parts.Next());
  const std::filesystem::path success = PutFile("success.csv", parts.Next());
  using Then = gonogo::audit::MissingCosts::Then;
  const gonogo::Result<gonogo::audit::ImportedTable> refused =
      gonogo::audit::ReadCostMatrix({matrix, features, success}, {});
  if (refused.ok()) CheckImported(refused.value());
  const gonogo::Result<gonogo::audit::ImportedTable> table =
      gonogo::audit::ReadCostMatrix({matrix, features}, {Then::kLeaveOut});
  if (table.ok()) CheckImported(table.value());
  return 0;
}
