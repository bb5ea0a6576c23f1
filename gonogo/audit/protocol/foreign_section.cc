// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/foreign_section.h"

#include <fmt/format.h>

#include "gonogo/io/toml/keys.h"

namespace gonogo::audit {

ForeignSection ReadAsWritten(const io::TomlNode& table) {
  ForeignSection section;
  for (const std::string& key : table.Keys()) {
    section.entries.emplace_back(io::TomlKeyPart(key), table.ValueText(key));
  }
  return section;
}

PromisedTable PromisedBy(const ForeignSection& section) {
  PromisedTable promised;
  for (const auto& [key, text] : section.entries) {
    if (key != "seeds" && key != "queries_per_cluster") continue;
    const Result<io::TomlDocument> document =
        io::TomlDocument::Parse(fmt::format("{} = {}\n", key, text), "collect");
    if (!document.ok()) continue;
    const io::TomlNode root = document.value().Root();
    std::vector<std::uint64_t> seeds;
    std::size_t queries = 0;
    if (key == "seeds") io::Whole{0}.Read(root, key, seeds);
    if (key == "queries_per_cluster") io::Whole{1}.Read(root, key, queries);
    if (!document.value().Finish().ok()) continue;  // its reader complains, if there is one
    for (const std::uint64_t seed : seeds) promised.clusters.push_back(std::to_string(seed));
    if (queries > 0) promised.queries_per_cluster = queries;
  }
  return promised;
}

}  // namespace gonogo::audit
