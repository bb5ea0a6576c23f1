// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a CSV table is refused with a message or is what the audit counts on.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gonogo/audit/table_reader.h"
#include "gonogo/base/check.h"

namespace {

using gonogo::audit::OutcomeTable;

bool IsWhole(const OutcomeTable& table) {
  const std::size_t cells = table.num_queries() * table.num_actions();
  const auto fits = [&](const auto& column) { return column.empty() || column.size() == cells; };
  return table.num_actions() >= 2 && table.num_clusters() >= 2 && table.cost.size() == cells &&
         table.queries.size() == table.num_queries() && fits(table.time) && fits(table.success) &&
         fits(table.eligible) &&
         std::is_sorted(table.cluster_begin.begin(), table.cluster_begin.end());
}

bool IsUsable(const OutcomeTable& table) {
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    if (!(table.cost[table.cell(query, gonogo::audit::kDirect)] > 0.0)) return false;
  }
  const auto finite = [](const auto& group) { return group.values.allFinite(); };
  return std::all_of(table.cost.begin(), table.cost.end(),
                     [](double cost) { return std::isfinite(cost) && cost >= 0.0; }) &&
         std::all_of(table.choice.begin(), table.choice.end(),
                     [&](std::size_t choice) { return choice < table.num_actions(); }) &&
         std::all_of(table.features.begin(), table.features.end(), finite);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const gonogo::Result<OutcomeTable> table = gonogo::audit::ParseCsvTable(bytes, "fuzz.csv", {});
  if (!table.ok()) {
    GONOGO_CHECK(table.error().message.starts_with("fuzz.csv"));
    return 0;
  }
  GONOGO_CHECK(IsWhole(table.value()));
  GONOGO_CHECK(IsUsable(table.value()));
  return 0;
}
