// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/io/toml/toml.h"
#include "gonogo/io/toml/toml_text.h"

namespace gonogo::audit {

/// A section of a protocol that is declared and fingerprinted here and understood elsewhere:
/// `[collect]`, how the outcomes of a table are made.
struct ForeignSection {
  io::TomlEntries entries;  ///< keys without the section's name, values as canonical TOML text

  bool operator==(const ForeignSection&) const = default;
};

/// Whoever understands the section reads its table, records mistakes in the document and returns
/// every value, defaults spelled out. None at all: what is there is kept as it is written.
using SectionReader = std::function<io::TomlEntries(const io::TomlNode& table)>;

/// The section without a reader: only the form of its values is made canonical.
[[nodiscard]] ForeignSection ReadAsWritten(const io::TomlNode& table);

/// What a collection promises of the table, the two things an audit can check without knowing how
/// outcomes are made: one cluster for each of its `seeds`, and `queries_per_cluster`.
struct PromisedTable {
  std::vector<std::string> clusters;
  std::optional<std::size_t> queries_per_cluster;
};
[[nodiscard]] PromisedTable PromisedBy(const ForeignSection& section);

}  // namespace gonogo::audit
