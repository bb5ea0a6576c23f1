// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/key_table.h"

#include <fmt/format.h>

#include "gonogo/audit/protocol/protocol_keys.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::study {

std::string KeyTable() {
  std::vector<io::TomlKeyRow> rows = audit::DescribeProtocolKeys();
  for (io::TomlKeyRow& row : CollectKeys().Describe()) {
    row.key = "collect." + row.key;
    rows.push_back(std::move(row));
  }
  std::string text;
  std::string section;
  for (const io::TomlKeyRow& row : rows) {
    const std::string here = row.key.substr(0, row.key.find('.'));
    if (here != section) {
      section = here;
      text +=
          fmt::format("{}### `[{}]`\n| key | default | allowed | meaning |\n|---|---|---|---|\n",
                      text.empty() ? "" : "\n", section);
    }
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.key,
                        row.fallback.empty() ? "none" : fmt::format("`{}`", row.fallback),
                        row.allowed, row.meaning);
  }
  return text;
}

}  // namespace gonogo::study
