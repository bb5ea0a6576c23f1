// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/node.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/number_text.h"

namespace gonogo::report {
namespace {

constexpr std::string_view kPlainInPlaces = "-._~:+";

/// A step of a JSON pointer, written so that pointers can stand inside "size(…)" or an attribute.
std::string Step(std::string_view key) {
  std::string out = "/";
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       (kPlainInPlaces.find(c) != std::string_view::npos && c != '~');
    if (plain) {
      out += c;
    } else if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string Displayed(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return Significant(value.get<double>(), 6);
  if (value.is_array()) {
    std::string out;
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + Displayed(item);
    return out;
  }
  return value.is_null() ? kNoNumber : value.dump();
}

/// Plain and typeset by the same function; no place where there is no number.
template <typename Format>
Text Formatted(const SourcedNumber& quantity, Format&& format) {
  const std::string plain = format(NumberLook{});
  if (plain == kNoNumber) return plain;
  return {plain, format(kTypesetLook), quantity.from};
}

}  // namespace

ResultNode ResultNode::operator[](std::string_view key) const {
  static const Json kNull;
  const std::string place = place_ + Step(key);
  if (!value_->is_object()) return {kNull, place};
  const auto found = value_->find(std::string(key));
  return {found == value_->end() ? kNull : *found, place};
}

ResultNode ResultNode::operator[](std::size_t index) const {
  static const Json kNull;
  const bool there = value_->is_array() && index < value_->size();
  return {there ? (*value_)[index] : kNull, fmt::format("{}/{}", place_, index)};
}

bool ResultNode::filled() const {
  return (value_->is_array() || value_->is_object()) && !value_->empty();
}

std::optional<double> ResultNode::number() const {
  if (!value_->is_number()) return std::nullopt;
  return value_->get<double>();
}

std::string ResultNode::text(std::string_view otherwise) const {
  return value_->is_string() ? value_->get<std::string>() : std::string(otherwise);
}

std::vector<ResultNode> ResultNode::items() const {
  std::vector<ResultNode> out;
  if (!value_->is_array()) return out;
  for (std::size_t i = 0; i < value_->size(); ++i) out.push_back((*this)[i]);
  return out;
}

std::vector<std::pair<std::string, ResultNode>> ResultNode::members() const {
  std::vector<std::pair<std::string, ResultNode>> out;
  if (!value_->is_object()) return out;
  for (const auto& [key, value] : value_->items()) out.emplace_back(key, (*this)[key]);
  return out;
}

std::vector<double> ResultNode::numbers() const {
  std::vector<double> out;
  if (!value_->is_array()) return out;
  for (const Json& value : *value_) {
    if (value.is_number() && std::isfinite(value.get<double>())) out.push_back(value.get<double>());
  }
  return out;
}

void ResultNode::ForEachLeaf(
    const std::function<void(const std::string&, const ResultNode&)>& visit) const {
  for (const auto& [key, node] : members()) {
    const std::string& prefix = key;
    if (node.is_object()) {
      node.ForEachLeaf([&](const std::string& name, const ResultNode& leaf) {
        visit(fmt::format("{}.{}", prefix, name), leaf);
      });
    } else {
      visit(key, node);
    }
  }
}

SourcedNumber Size(const ResultNode& list) {
  return {static_cast<double>(list.size()), "size(" + list.place() + ")"};
}

SourcedNumber Difference(const ResultNode& left, const ResultNode& right) {
  const std::optional<double> a = left.number();
  const std::optional<double> b = right.number();
  return {a && b ? std::optional(*a - *b) : std::nullopt,
          fmt::format("difference({},{})", left.place(), right.place())};
}

SourcedNumber Negated(const ResultNode& node) {
  const std::optional<double> value = node.number();
  return {value ? std::optional(-*value) : std::nullopt, "negated(" + node.place() + ")"};
}

SourcedNumber CountWhere(const ResultNode& list, std::string_view key, const std::string& value) {
  const std::vector<ResultNode> items = list.items();
  const auto count = std::count_if(items.begin(), items.end(), [&](const ResultNode& item) {
    return item[key].text() == value;
  });
  return {static_cast<double>(count),
          fmt::format("count({},{},{})", list.place(), Step(key).substr(1), Step(value).substr(1))};
}

Text Percent(const SourcedNumber& share, int decimals) {
  return Formatted(
      share, [&](const NumberLook& look) { return gonogo::Percent(share.value, decimals, look); });
}

Text ShortPercent(const SourcedNumber& share) {
  return Formatted(share, [&](const NumberLook& look) -> std::string {
    if (!share.value) return kNoNumber;
    return fmt::format("{}{}%", Significant(100.0 * *share.value, 4, look), look.gap);
  });
}

Text PercentInterval(const ResultNode& estimate) {
  return PercentInterval(estimate["lower"], estimate["upper"]);
}

Text PercentInterval(const SourcedNumber& lower, const SourcedNumber& upper) {
  if (!lower.value || !upper.value) return kNoNumber;
  const auto bound = [](const SourcedNumber& end) {
    const std::string typeset = gonogo::Percent(end.value, 2, kTypesetLook);
    return Text(Decimal(100.0 * *end.value, 2), typeset, end.from);
  };
  return Say("[{}, {}{}", bound(lower), bound(upper), Text("] %", "]", ""));
}

Text Points(const SourcedNumber& share) {
  if (!share.value) return kNoNumber;
  return Decimals({100.0 * *share.value, "percent(" + share.from + ")"}, 2) + " points";
}

Text Decimals(const SourcedNumber& value, int decimals) {
  return Formatted(value,
                   [&](const NumberLook& look) { return Decimal(value.value, decimals, look); });
}

Text Number(const SourcedNumber& value, int digits) {
  return Formatted(value,
                   [&](const NumberLook& look) { return Significant(value.value, digits, look); });
}

Text Count(const SourcedNumber& count) { return Decimals(count, 0); }

Text Counted(const SourcedNumber& count, const std::string& word, const std::string& plural) {
  const bool one = count.value == 1.0;
  return Count(count) + " " + (one ? word : plural.empty() ? word + "s" : plural);
}

Text Quote(const ResultNode& node) {
  const std::string words = Displayed(node.json());
  if (words.empty() || words == kNoNumber) return words;
  const bool is_real = node.json().is_number_float();
  return {words, is_real ? Significant(node.number(), 6, kTypesetLook) : words, node.place()};
}

std::vector<Text> Quotes(const ResultNode& list) {
  std::vector<Text> out;
  for (const ResultNode& item : list.items()) out.push_back(Quote(item));
  return out;
}

}  // namespace gonogo::report
