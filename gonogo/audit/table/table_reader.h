// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Reads an audit table, CSV (long) or HDF5 (wide), told apart by its first bytes. Formats and
/// everything that is refused: docs/reference/formats.md. The order of rows means nothing: clusters
/// and queries come out sorted by name.
[[nodiscard]] Result<OutcomeTable> ReadTable(const std::filesystem::path& path,
                                             const Protocol& protocol);

/// Whether the file begins like HDF5.
[[nodiscard]] bool IsHdf5Table(const std::filesystem::path& path);

/// Reads a part of an HDF5 table: a single cluster is enough.
[[nodiscard]] Result<OutcomeTable> ReadPart(const std::filesystem::path& path,
                                            const Protocol& protocol);

/// CSV from memory; `name` stands for the file in messages.
[[nodiscard]] Result<OutcomeTable> ParseCsvTable(std::string_view bytes, std::string name,
                                                 const Protocol& protocol);

/// The protocol an HDF5 table carries; nothing for a CSV table or one without a declaration.
[[nodiscard]] Result<std::optional<Protocol>> ReadDeclaration(const std::filesystem::path& path);

/// Writes the HDF5 form, whole or not at all; one cluster is enough. Refuses what no reader would
/// take (check_table.h).
[[nodiscard]] Status WriteTable(const OutcomeTable& table, const std::filesystem::path& path);

}  // namespace gonogo::audit
