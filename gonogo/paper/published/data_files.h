// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// Files of `experiments/paper/`, compiled into the library (`cmake/GonogoEmbed.cmake`).
namespace gonogo::paper {

struct DataFile {
  std::string_view name;
  std::string_view text;
};

/// The files that hold published numbers.
[[nodiscard]] std::span<const DataFile> PublishedFiles();

/// `remarks.toml`.
[[nodiscard]] DataFile RemarksFile();

/// `findings.toml`.
[[nodiscard]] DataFile FindingsFile();

/// \cond One function per file; use the ones above.
[[nodiscard]] std::string_view AblationToml();
[[nodiscard]] std::string_view ArchivedAuditToml();
[[nodiscard]] std::string_view CompensationToml();
[[nodiscard]] std::string_view ConfirmatoryAuditToml();
[[nodiscard]] std::string_view CoverageToml();
[[nodiscard]] std::string_view FindingsToml();
[[nodiscard]] std::string_view FrontierToml();
[[nodiscard]] std::string_view RemarksToml();
[[nodiscard]] std::string_view ResponseModelToml();
[[nodiscard]] std::string_view RetrievalToml();
[[nodiscard]] std::string_view TerrainToml();
/// \endcond

}  // namespace gonogo::paper
