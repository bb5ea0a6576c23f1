// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/keys.h"

#include <cmath>

#include <fmt/ranges.h>

#include "gonogo/base/nearest.h"

namespace gonogo::io {
namespace {

constexpr double kLargestExactWhole = 9007199254740992.0;  // items of a list are read as doubles

std::string TextsText(const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(TomlString(value));
  return TomlList(texts);
}

bool IsPositive(double value) { return value > 0.0 && value < kNoLimit; }

}  // namespace

void AnyText::Read(const TomlNode& table, std::string_view key, std::string& value) {
  value = table.String(key, value);
}

void AnyText::Read(const TomlNode& table, std::string_view key, std::vector<std::string>& values) {
  values = table.Strings(key, values);
}

std::string AnyText::Text(const std::vector<std::string>& values) { return TextsText(values); }

void SomeTexts::Read(const TomlNode& table, std::string_view key,
                     std::vector<std::string>& values) {
  AnyText::Read(table, key, values);
  if (values.empty()) table.Fail(key, "found an empty list, expected at least one text");
}

std::string SomeTexts::Text(const std::vector<std::string>& values) { return TextsText(values); }

void OneOf::Read(const TomlNode& table, std::string_view key, std::string& value) const {
  value = table.Choice(key, value, names);
}

void OneOf::Read(const TomlNode& table, std::string_view key,
                 std::vector<std::string>& values) const {
  values = table.Strings(key, values);
  for (const std::string& value : values) {
    if (std::find(names.begin(), names.end(), value) != names.end()) continue;
    table.Fail(key, fmt::format("found \"{}\", expected one of {}{}", value, fmt::join(names, ", "),
                                DidYouMean(value, names)));
  }
}

std::string OneOf::Text(const std::vector<std::string>& values) { return TextsText(values); }

std::string OneOf::Listed() const {
  std::string listed;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* before = i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    listed += fmt::format("{}`{}`", before, names[i]);
  }
  return listed;
}

std::vector<std::int64_t> Whole::ReadList(const TomlNode& table, std::string_view key) const {
  const double least = static_cast<double>(low);
  const double most = std::min(static_cast<double>(high), kLargestExactWhole);
  std::vector<std::int64_t> values;
  for (const double value : table.Numbers(key, {})) {
    if (value >= least && value <= most && value == std::floor(value)) {
      values.push_back(static_cast<std::int64_t>(value));
    } else {
      table.Fail(key, fmt::format("found {}, expected whole numbers {}{}", value,
                                  high == kNoWholeLimit ? "of " : "from ", Range()));
    }
  }
  return values;
}

std::string Whole::Range() const {
  return high == kNoWholeLimit ? fmt::format("{} or more", low)
                               : fmt::format("{} to {}", low, high);
}

void Between::Read(const TomlNode& table, std::string_view key, double& value) const {
  value = table.NumberIn(key, value, low, high);
}

std::string Between::Allowed(double /*value*/) const {
  return high == kNoLimit ? fmt::format("{} or more", low) : fmt::format("{} to {}", low, high);
}

void Positive::Read(const TomlNode& table, std::string_view key, double& value) {
  const double found = table.Number(key, value);
  if (IsPositive(found)) {
    value = found;
  } else {
    table.Fail(key, fmt::format("found {}, expected a number greater than 0", found));
  }
}

void Positive::Read(const TomlNode& table, std::string_view key, std::vector<double>& values) {
  std::vector<double> found = table.Numbers(key, values);
  if (!found.empty() && std::all_of(found.begin(), found.end(), IsPositive)) {
    values = std::move(found);
  } else {
    table.Fail(key, "expected a list of numbers greater than 0");
  }
}

std::string Positive::Text(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(TomlReal(value));
  return TomlList(texts);
}

void YesNo::Read(const TomlNode& table, std::string_view key, bool& value) {
  value = table.Bool(key, value);
}

}  // namespace gonogo::io
