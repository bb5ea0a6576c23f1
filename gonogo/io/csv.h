// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/io/file.h"

namespace gonogo::io {

/// Reads a comma-separated file row by row (RFC 4180: quotes, doubled quotes, line breaks inside
/// quotes; CRLF; UTF-8 byte order mark). The first row names the columns, at most a million. Every
/// row must have as many fields as the header.
class CsvReader {
 public:
  [[nodiscard]] static Result<CsvReader> Open(const std::filesystem::path& path);
  /// The same for bytes in memory, which must outlive the reader; `name` stands for the file in
  /// messages.
  [[nodiscard]] static Result<CsvReader> Parse(std::string_view bytes, std::string name);

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Moves to the next row; false at the end of the file. Blank lines are skipped.
  [[nodiscard]] Result<bool> Next();

  /// Fields of the current row, valid until the next call of `Next`.
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }
  /// Line on which the current row starts; the header is line 1.
  [[nodiscard]] std::size_t line() const { return row_line_; }
  /// Bytes consumed so far, for progress.
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  CsvReader(std::optional<MappedFile> file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}
  [[nodiscard]] Status ReadHeader();
  [[nodiscard]] Result<bool> ReadRow();
  [[nodiscard]] Status ReadQuoted();
  void ReadPlain();

  std::optional<MappedFile> file_;
  std::string name_;
  std::string_view bytes_;
  std::size_t offset_ = 0;
  std::size_t line_ = 1;
  std::size_t row_line_ = 0;
  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;  // fields with doubled quotes; views of them stay valid
};

/// The number a field holds, or nothing when it is not exactly one number. Accepts inf and nan: the
/// caller decides.
[[nodiscard]] std::optional<double> ParseNumber(std::string_view field);

/// The field as it must be written: quoted when it holds a comma, a quote or a line break.
[[nodiscard]] std::string CsvField(std::string_view text);

}  // namespace gonogo::io
