// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/feature_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/audit/table/internal/dates.h"
#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/text.h"
#include "gonogo/io/csv.h"

namespace gonogo::audit::internal {
namespace {

constexpr std::array<std::string_view, 15> kMissing = {"",     "NA",  "N/A",  "n/a",  "#N/A",
                                                       "nan",  "NaN", "NAN",  "null", "NULL",
                                                       "None", "NaT", "<NA>", "?",    "-nan"};
/// Positions of levels have to be exact in single precision, and fit a file's attribute.
constexpr std::size_t kMostLevels = 4000;
constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

}  // namespace

bool IsMissing(std::string_view text) {
  return std::find(kMissing.begin(), kMissing.end(), text) != kMissing.end();
}

std::optional<bool> ParseTruth(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

bool CanBeCategory(std::span<const std::string_view> texts, std::size_t cells) {
  return texts.size() <= std::max<std::size_t>(2, cells / 2) && texts.size() <= kMostLevels &&
         std::none_of(texts.begin(), texts.end(),
                      [](std::string_view text) { return ExpectedName(text).has_value(); });
}

std::optional<std::string> FeatureColumn::Read(std::string_view cell, std::size_t line,
                                               float& value) {
  if (as_ == FeatureAs::kFound) {
    if (const std::optional<double> number = io::ParseNumber(cell)) {
      if (std::isinf(*number)) return "a finite number, or nothing where it is missing";
      if (const auto expected = ExpectedFeature(*number)) return std::string(*expected);
      value = std::isnan(*number) ? kNothing : static_cast<float>(*number);
      return std::isnan(*number) ? std::nullopt : NoText(line);
    }
  }
  if (IsMissing(cell)) {
    value = kNothing;
    return std::nullopt;
  }
  if (const std::optional<bool> truth = ParseTruth(cell); truth && as_ == FeatureAs::kFound) {
    value = *truth ? 1.0F : 0.0F;
    begins_with_truth_ = begins_with_truth_ || first_number_ == 0;
    return NoText(line);
  }
  return ReadText(cell, line, value);
}

std::optional<std::string> FeatureColumn::NoText(std::size_t line) {
  if (first_number_ != 0) return std::nullopt;
  first_number_ = line;
  if (first_text_ == 0) return std::nullopt;
  return fmt::format(
      "a text as on line {}; if the column is a category, name it in table.categories",
      first_text_);
}

std::optional<std::string> FeatureColumn::ReadText(std::string_view cell, std::size_t line,
                                                   float& value) {
  const std::size_t known = texts_.size();
  value = static_cast<float>(texts_.Number(cell));
  if (texts_.size() == known) return std::nullopt;  // was looked at when it was new
  if (as_ == FeatureAs::kDate && !ParseDate(cell)) {
    return "a date such as 2024-03-01 or 2024-03-01T12:30 (table.dates)";
  }
  if (first_text_ == 0) first_text_ = line;
  if (as_ != FeatureAs::kFound || first_number_ == 0) return std::nullopt;
  return fmt::format(
      "{} as on line {}, or nothing where it is missing; if the column is a category, name it in "
      "table.categories",
      begins_with_truth_ ? "true or false" : "a number", first_number_);
}

FeatureColumn::Part FeatureColumn::AsCategory() const {
  const std::vector<std::string_view>& texts = texts_.names();
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return NaturalLess(texts[a], texts[b]); });
  Part part{.name = name_, .levels = {}, .of_text = std::vector<float>(texts.size())};
  for (const std::size_t text : order) {
    part.of_text[text] = static_cast<float>(part.levels.size());
    part.levels.emplace_back(texts[text]);
  }
  return part;
}

std::vector<FeatureColumn::Part> FeatureColumn::AsDate() const {
  std::vector<Part> parts = {{name_ + ".days"}, {name_ + ".weekday"}, {name_ + ".hour"}};
  bool has_time = false;
  for (const std::string_view text : texts_.names()) {
    const DateParts date = ParseDate(text).value_or(DateParts{});
    has_time = has_time || date.has_time;
    parts[0].of_text.push_back(static_cast<float>(date.days));
    parts[1].of_text.push_back(static_cast<float>(date.weekday));
    parts[2].of_text.push_back(static_cast<float>(date.hour));
  }
  if (!has_time) parts.pop_back();
  return parts;
}

std::vector<FeatureColumn::Part> FeatureColumn::Finish(std::size_t cells,
                                                       std::string& left_out) const {
  if (as_ == FeatureAs::kDate) return AsDate();
  if (texts_.size() == 0) return {{name_}};
  const std::vector<std::string_view>& texts = texts_.names();
  if (as_ == FeatureAs::kCategory) return {AsCategory()};
  if (std::all_of(texts.begin(), texts.end(),
                  [](auto text) { return ParseDate(text).has_value(); })) {
    left_out = fmt::format(
        "feature '{}' holds dates (such as '{}') and is left out: name it in table.dates to use "
        "the day, the day of the week and the hour",
        name_, texts.front());
    return {};
  }
  if (CanBeCategory(texts, cells)) return {AsCategory()};
  left_out = fmt::format(
      "feature '{}' holds texts ({} different ones in {} cells, such as '{}') and is left out: "
      "make "
      "vectors of texts first (examples/routing/text_vectors.py does), or name it in "
      "table.categories",
      name_, texts.size(), cells, Excerpt(texts.front()));
  return {};
}

}  // namespace gonogo::audit::internal
