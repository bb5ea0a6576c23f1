// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/foreign/csv_form.h"

namespace gonogo::io {

/// Rows of a file as people have it: CSV with any separator, in UTF-8, UTF-16 or Windows-1252, or
/// one JSON object a line; packed by gzip or Zstandard or not. Refuses other kinds of files with
/// what makes a table of them.
[[nodiscard]] Result<CsvReader> OpenRows(const std::filesystem::path& path,
                                         Decimal decimal = Decimal::kFound);

/// The same for bytes in memory, which must outlive the reader; `name` stands for the file.
[[nodiscard]] Result<CsvReader> ReadRows(std::string_view bytes, std::string name,
                                         Decimal decimal = Decimal::kFound);

}  // namespace gonogo::io
