// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/csv.h"

#include <algorithm>
#include <charconv>

#include "gonogo/base/text.h"

namespace gonogo::io {
namespace {

/// Each takes memory before anything can be said about it.
constexpr std::size_t kMostFields = 1'000'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The number as a computer writes it, with a point and without signs between thousands; nothing
/// where the text is no number, or is written so already.
std::optional<std::string> PlainNumber(std::string_view text, const CsvForm& form) {
  const char decimal = form.decimal_comma ? ',' : '.';
  const char group = form.decimal_comma ? '.' : ',';
  std::string plain;
  std::size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) plain += text[at++];
  const std::size_t end = text.find_first_of(std::string{decimal, 'e', 'E'}, at);
  const std::string_view whole = text.substr(at, end == text.npos ? text.npos : end - at);
  const bool grouped = form.thousands && whole.find(group) != whole.npos;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool here = grouped && i > 0 && (whole.size() - i) % 4 == 0;
    if (here ? whole[i] != group : !IsDigit(whole[i])) return std::nullopt;
    if (!here) plain += whole[i];
  }
  if (grouped && whole.size() % 4 == 0) return std::nullopt;  // begins with a sign
  if (end == text.npos || text[end] != decimal) {
    if (!grouped) return std::nullopt;
    return plain + std::string(end == text.npos ? "" : text.substr(end));
  }
  const std::string_view rest = text.substr(end + 1);
  if (whole.empty() && rest.empty()) return std::nullopt;
  if (!std::all_of(rest.begin(), rest.end(), [](char c) {
        return IsDigit(c) || std::string_view("eE+-").find(c) != std::string_view::npos;
      })) {
    return std::nullopt;
  }
  return plain + "." + std::string(rest);
}

}  // namespace

Result<CsvReader> CsvReader::Parse(std::string_view bytes, std::string name, CsvForm form) {
  return Parse(bytes, std::move(name), std::move(form), nullptr);
}

Result<CsvReader> CsvReader::Parse(std::string_view bytes, std::string name, CsvForm form,
                                   std::shared_ptr<const void> holder) {
  CsvReader reader(std::move(name), std::move(form), std::move(holder));
  reader.bytes_ = bytes;
  reader.line_ = reader.form_.header_line;
  GONOGO_TRY(reader.ReadHeader());
  return reader;
}

Status CsvReader::ReadHeader() {
  if (bytes_.starts_with("\xEF\xBB\xBF")) offset_ = 3;
  const std::string_view first = bytes_.substr(offset_, 6);
  if (first.starts_with("sep=") && first.size() == 6 && (first[5] == '\n' || first[5] == '\r')) {
    offset_ += 5;  // a spreadsheet's way to say what separates
  }
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
  if (form_.decimal_comma || form_.thousands) ReadNumbers();
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
    if (end == form_.separator) {
      if (fields_.size() < kMostFields) continue;
      return InputError("{}:{}: the row has more than {} fields, which is the most", name_,
                        row_line_, kMostFields);
    }
    if (end == '\r' && offset_ < bytes_.size() && bytes_[offset_] == '\n') ++offset_;
    ++line_;
    return true;
  }
}

void CsvReader::ReadNumbers() {
  for (std::string_view& field : fields_) {
    if (std::optional<std::string> number = PlainNumber(field, form_)) {
      field = unescaped_.emplace_back(*std::move(number));
    }
  }
}

void CsvReader::ReadPlain() {
  const std::size_t begin = offset_;
  const char separator = form_.separator;
  while (offset_ < bytes_.size()) {
    const char c = bytes_[offset_];
    if (c == separator || c == '\n' || c == '\r') break;
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
  if (!at_end && bytes_[offset_] != form_.separator && bytes_[offset_] != '\r' &&
      bytes_[offset_] != '\n') {
    return InputError("{}:{}: found '{}' after a closing quote, expected a {} or the row's end",
                      name_, line_, Excerpt(bytes_.substr(offset_, 1)),
                      form_.separator == ',' ? "comma" : "separator");
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
