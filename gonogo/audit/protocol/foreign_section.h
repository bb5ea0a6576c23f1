// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

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
