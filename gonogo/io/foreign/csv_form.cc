// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/foreign/csv_form.h"

#include <algorithm>
#include <array>

#include "gonogo/base/text.h"

namespace gonogo::io {
namespace {

struct Separator {
  char sign;
  std::string_view name;
};
// Where several fit equally well, the first.
constexpr std::array<Separator, 4> kSeparators = {
    {{',', "commas"}, {';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}}};
constexpr std::size_t kRowsLookedAt = 20;

/// The first rows of the text, without what is quoted.
std::vector<std::string> FirstRows(std::string_view text) {
  std::vector<std::string> rows(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c != '\n' && c != '\r') {
      rows.back() += c;
    } else if (!rows.back().empty()) {
      if (rows.size() == kRowsLookedAt) return rows;
      rows.emplace_back();
    }
  }
  if (rows.size() > 1) rows.pop_back();  // it may be cut off, or empty
  return rows;
}

Separator FindSeparator(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with("sep=") && text.size() > 5) {
    for (const Separator& separator : kSeparators) {
      if (text[4] == separator.sign) return separator;
    }
  }
  const std::vector<std::string> rows = FirstRows(text);
  const Separator* best = &kSeparators.front();
  std::pair<bool, bool> best_rank{false, false};
  for (const Separator& separator : kSeparators) {
    const auto count = [&](const std::string& row) {
      return std::count(row.begin(), row.end(), separator.sign);
    };
    const auto columns = count(rows.front());
    const bool same = std::all_of(rows.begin(), rows.end(),
                                  [&](const std::string& row) { return count(row) == columns; });
    const std::pair rank{columns > 0, columns > 0 && same};
    if (rank > best_rank) {
      best = &separator;
      best_rank = rank;
    }
  }
  return *best;
}

bool AreDigits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether the text is digits with such a sign once among them, such as -8,72.
struct Written {
  bool number = false;     ///< with this decimal sign
  bool thousands = false;  ///< and with three digits after it and at most three before
};

Written WrittenWith(char sign, std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return {};
  const std::string_view whole = text.substr(0, at);
  const std::string_view part = text.substr(at + 1, text.find_first_of("eE", at) - at - 1);
  if (!AreDigits(whole) || !AreDigits(part) || (whole.empty() && part.empty())) return {};
  const bool has_exponent = at + 1 + part.size() < text.size();
  return {.number = true,
          .thousands = !has_exponent && part.size() == 3 && !whole.empty() && whole.size() <= 3 &&
                       whole.front() != '0'};
}

/// Looks at all cells for how numbers are written.
Status FindDecimal(std::string_view text, const std::string& name, CsvForm& form) {
  CsvReader reader = GONOGO_TRY(CsvReader::Parse(text, name, form));
  bool has_point = false;
  std::string doubtful;
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    for (std::size_t i = 0; i < reader.fields().size(); ++i) {
      const std::string_view field = reader.fields()[i];
      has_point = has_point || WrittenWith('.', field).number;
      const Written comma = WrittenWith(',', field);
      if (!comma.number) continue;
      if (!comma.thousands) form.decimal_comma = true;
      if (comma.thousands && doubtful.empty()) {
        doubtful = fmt::format("{}:{}: column '{}' is '{}', which", name, reader.line(),
                               Excerpt(reader.header()[i]), field);
      }
    }
  }
  if (has_point) form.decimal_comma = false;  // a comma among points is refused where it is read
  if (form.decimal_comma || doubtful.empty()) return {};
  return InputError(
      "{} may be one thousand and more or a number with three decimals: write table.decimal = "
      "\",\" "
      "(1,234 is a little more than one) or table.decimal = \".\" (1,234 is more than a thousand) "
      "in "
      "the protocol",
      doubtful);
}

}  // namespace

Result<CsvForm> FindCsvForm(std::string_view text, Decimal decimal, const std::string& name) {
  CsvForm form;
  const Separator separator = FindSeparator(text);
  form.separator = separator.sign;
  if (decimal != Decimal::kFound) {
    form.decimal_comma = decimal == Decimal::kComma;
    form.thousands = true;
  } else if (separator.sign != ',') {
    GONOGO_TRY(FindDecimal(text, name, form));
  }
  if (separator.sign != ',')
    form.remarks.push_back(fmt::format("columns are separated by {}", separator.name));
  if (form.decimal_comma) form.remarks.emplace_back("numbers have decimal commas");
  return form;
}

}  // namespace gonogo::io
