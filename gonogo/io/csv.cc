// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/csv.h"

#include <charconv>

#include "gonogo/base/text.h"

namespace gonogo::io {
namespace {

/// Each takes memory before anything can be said about it.
constexpr std::size_t kMostFields = 1'000'000;

/// What to do with a file that is known by its first bytes to be no CSV; empty for any other.
std::string_view Advice(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    return "it is UTF-16: save it as UTF-8";
  }
  if (bytes.starts_with("\x1f\x8b")) return "it is compressed: unpack it with gunzip";
  if (bytes.starts_with("PK\x03\x04")) {
    return "it is a zip archive or a spreadsheet: save the sheet as CSV";
  }
  return "";
}

}  // namespace

Result<CsvReader> CsvReader::Open(const std::filesystem::path& path) {
  MappedFile file = GONOGO_TRY(MappedFile::Open(path));
  CsvReader reader(std::move(file), path.string());
  reader.bytes_ = reader.file_->bytes();
  GONOGO_TRY(reader.ReadHeader());
  return reader;
}

Result<CsvReader> CsvReader::Parse(std::string_view bytes, std::string name) {
  CsvReader reader(std::nullopt, std::move(name));
  reader.bytes_ = bytes;
  GONOGO_TRY(reader.ReadHeader());
  return reader;
}

Status CsvReader::ReadHeader() {
  if (const std::string_view advice = Advice(bytes_); !advice.empty()) {
    return InputError("{}: expected comma-separated text; {}", name_, advice);
  }
  if (bytes_.starts_with("\xEF\xBB\xBF")) offset_ = 3;
  const bool row = GONOGO_TRY(ReadRow());
  if (!row) return InputError("{}: the file is empty, expected a header row", name_);
  header_.assign(fields_.begin(), fields_.end());
  return {};
}

Result<bool> CsvReader::Next() {
  Result<bool> row = ReadRow();
  if (row.ok() && row.value() && fields_.size() != header_.size()) {
    return InputError("{}:{}: the row has {} fields, the header has {}", name_, row_line_,
                      fields_.size(), header_.size());
  }
  return row;
}

Result<bool> CsvReader::ReadRow() {
  fields_.clear();
  unescaped_.clear();
  while (offset_ < bytes_.size() && (bytes_[offset_] == '\n' || bytes_[offset_] == '\r')) {
    if (bytes_[offset_++] == '\n') ++line_;
  }
  if (offset_ >= bytes_.size()) return false;
  row_line_ = line_;
  while (true) {
    if (offset_ < bytes_.size() && bytes_[offset_] == '"') {
      GONOGO_TRY(ReadQuoted());
    } else {
      ReadPlain();
    }
    if (offset_ >= bytes_.size()) return true;
    const char end = bytes_[offset_++];
    if (end == ',') {
      if (fields_.size() < kMostFields) continue;
      return InputError("{}:{}: the row has more than {} fields, which is the most", name_,
                        row_line_, kMostFields);
    }
    if (end == '\r' && offset_ < bytes_.size() && bytes_[offset_] == '\n') ++offset_;
    ++line_;
    return true;
  }
}

void CsvReader::ReadPlain() {
  const std::size_t begin = offset_;
  while (offset_ < bytes_.size()) {
    const char c = bytes_[offset_];
    if (c == ',' || c == '\n' || c == '\r') break;
    ++offset_;
  }
  fields_.push_back(bytes_.substr(begin, offset_ - begin));
}

Status CsvReader::ReadQuoted() {
  const std::size_t begin = ++offset_;
  bool escaped = false;
  while (true) {
    const std::size_t quote = bytes_.find('"', offset_);
    if (quote == std::string_view::npos) {
      return InputError("{}:{}: a quoted field is never closed; the file may be truncated", name_,
                        row_line_);
    }
    offset_ = quote + 1;
    if (offset_ >= bytes_.size() || bytes_[offset_] != '"') break;
    escaped = true;
    ++offset_;
  }
  const std::string_view raw = bytes_.substr(begin, offset_ - 1 - begin);
  for (const char c : raw) line_ += c == '\n' ? 1 : 0;
  const bool at_end = offset_ >= bytes_.size();
  if (!at_end && std::string_view(",\r\n").find(bytes_[offset_]) == std::string_view::npos) {
    return InputError("{}:{}: found '{}' after a closing quote, expected a comma or the row's end",
                      name_, line_, Excerpt(bytes_.substr(offset_, 1)));
  }
  if (!escaped) {
    fields_.push_back(raw);
    return {};
  }
  std::string& text = unescaped_.emplace_back();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    text += raw[i];
    if (raw[i] == '"') ++i;
  }
  fields_.push_back(text);
  return {};
}

std::optional<double> ParseNumber(std::string_view field) {
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  double value = 0.0;
  const auto [end, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (code != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return value;
}

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + '"';
}

}  // namespace gonogo::io
