// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// How a file of rows is written, where it is not as RFC 4180 says.
struct CsvForm {
  char separator = ',';
  bool decimal_comma = false;             ///< 8,72: fields have 8.72 then
  bool thousands = false;                 ///< 1,234.5, or 1.234,5: fields have 1234.5 then
  std::size_t header_line = 1;            ///< what messages call the line of the header
  std::vector<std::string> remarks = {};  ///< for whoever reads what was made of it
};

/// Reads a file row by row (RFC 4180: quotes, doubled quotes, line breaks inside quotes; CRLF;
/// UTF-8 byte order mark; a first line such as sep=; is skipped). The first row names the columns,
/// at most a million. Every row must have as many fields as the header.
class CsvReader {
 public:
  /// Bytes in memory, which must outlive the reader; `name` stands for the file in messages.
  [[nodiscard]] static Result<CsvReader> Parse(std::string_view bytes, std::string name,
                                               CsvForm form = {});
  /// The same; what holds the bytes lives as long as the reader.
  [[nodiscard]] static Result<CsvReader> Parse(std::string_view bytes, std::string name,
                                               CsvForm form, std::shared_ptr<const void> holder);

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// What was found out about the file, in words.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return form_.remarks; }

  /// Moves to the next row; false at the end of the file. Blank lines are skipped.
  [[nodiscard]] Result<bool> Next();

  /// Fields of the current row, valid until the next call of `Next`.
  [[nodiscard]] std::span<const std::string_view> fields() const { return fields_; }
  /// Line on which the current row starts; the header is line 1.
  [[nodiscard]] std::size_t line() const { return row_line_; }
  /// Bytes consumed so far, for progress.
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  CsvReader(std::string name, CsvForm form, std::shared_ptr<const void> holder)
      : holder_(std::move(holder)), name_(std::move(name)), form_(std::move(form)) {}
  [[nodiscard]] Status ReadHeader();
  [[nodiscard]] Result<bool> ReadRow();
  [[nodiscard]] Status ReadQuoted();
  void ReadPlain();
  void ReadNumbers();

  std::shared_ptr<const void> holder_;  // of the bytes
  std::string name_;
  CsvForm form_;
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
