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

/// A table with what it was read from: a run keeps its refits under the hash of its table, so the
/// two have to belong together.
struct TableFile {
  OutcomeTable table;
  std::string name = {};            ///< as it was given; empty for a table nobody has a name for
  std::filesystem::path file = {};  ///< empty where the table came through a pipe or from memory
  std::string sha256 = {};          ///< of the bytes that were read; empty if it was made in memory
  std::string contents_sha256 = {};  ///< of a table made in memory (`MadeInMemory`), instead
};

/// Reads an audit table, CSV (long) or HDF5 (wide), told apart by its first bytes. Formats and
/// everything that is refused: docs/reference/formats.md. The order of rows means nothing: clusters
/// and queries come out sorted by name. Refuses a file that changes while it is read.
[[nodiscard]] Result<TableFile> ReadTable(const std::filesystem::path& path,
                                          const Protocol& protocol);

/// The same, and "-" (standard input), a pipe or a device can bring a CSV table, too.
[[nodiscard]] Result<TableFile> ReadTableOrStream(const std::string& path,
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
