// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/report/text/text.h"

namespace gonogo::report {

using Json = nlohmann::json;

/// A value of a result together with its place there. A page shows what is there: whatever is
/// missing, or not of the kind asked for, is an empty node.
class ResultNode {
 public:
  explicit ResultNode(const Json& root) : value_(&root) {}

  [[nodiscard]] ResultNode operator[](std::string_view key) const;
  [[nodiscard]] ResultNode operator[](std::size_t index) const;

  [[nodiscard]] const Json& json() const { return *value_; }
  /// A JSON pointer in which whatever is not a letter, a digit or one of -._~/:+ is
  /// percent-encoded.
  [[nodiscard]] const std::string& place() const { return place_; }

  /// An object or a list with something in it.
  [[nodiscard]] bool filled() const;
  [[nodiscard]] bool is_object() const { return value_->is_object(); }
  [[nodiscard]] std::size_t size() const { return filled() ? value_->size() : 0; }
  [[nodiscard]] bool operator==(std::string_view text) const {
    return value_->is_string() && value_->get_ref<const std::string&>() == text;
  }
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::string text(std::string_view otherwise = "") const;
  /// The items of a list; none where it is no list.
  [[nodiscard]] std::vector<ResultNode> items() const;
  /// The members of an object by name; none where it is no object.
  [[nodiscard]] std::vector<std::pair<std::string, ResultNode>> members() const;
  /// The finite numbers of a list.
  [[nodiscard]] std::vector<double> numbers() const;
  /// Everything in an object that is no object itself, with the keys on the way joined by dots.
  void ForEachLeaf(const std::function<void(const std::string&, const ResultNode&)>& visit) const;

 private:
  ResultNode(const Json& value, std::string place) : value_(&value), place_(std::move(place)) {}

  const Json* value_;
  std::string place_;
};

/// A number and where it comes from.
struct SourcedNumber {
  SourcedNumber(const ResultNode& node)
      : value(node.number()), from(node.place()) {}  // NOLINT: a node is one
  SourcedNumber(std::optional<double> value_, std::string from_)
      : value(value_), from(std::move(from_)) {}

  std::optional<double> value;
  std::string from;
};

/// How many items a list has.
[[nodiscard]] SourcedNumber Size(const ResultNode& list);
[[nodiscard]] SourcedNumber Difference(const ResultNode& left, const ResultNode& right);
[[nodiscard]] SourcedNumber Negated(const ResultNode& node);
/// Of how many items of a list `key` is `value`.
[[nodiscard]] SourcedNumber CountWhere(const ResultNode& list, std::string_view key,
                                       const std::string& value);

/// 0.0134: "1.34 %".
[[nodiscard]] Text Percent(const SourcedNumber& share, int decimals = 2);
/// 0.95 is "95 %", 0.99123 is "99.12 %": without digits that say nothing.
[[nodiscard]] Text ShortPercent(const SourcedNumber& share);
/// The members `lower` and `upper`: "[-0.30, 0.78] %".
[[nodiscard]] Text PercentInterval(const ResultNode& estimate);
[[nodiscard]] Text PercentInterval(const SourcedNumber& lower, const SourcedNumber& upper);
/// A difference of two percentages: 0.0134 is "1.34 points".
[[nodiscard]] Text Points(const SourcedNumber& share);
/// So many digits behind the point.
[[nodiscard]] Text Decimals(const SourcedNumber& value, int decimals);
/// Up to so many significant digits, without trailing zeros.
[[nodiscard]] Text Number(const SourcedNumber& value, int digits = 4);
/// A whole number, whether the result holds it as 6 or as 6.0.
[[nodiscard]] Text Count(const SourcedNumber& count);
/// "1 cluster", "20 clusters".
[[nodiscard]] Text Counted(const SourcedNumber& count, const std::string& word,
                           const std::string& plural = "");
/// The value as it is: texts, short numbers, true as "yes", lists joined by commas.
[[nodiscard]] Text Quote(const ResultNode& node);
[[nodiscard]] std::vector<Text> Quotes(const ResultNode& list);

}  // namespace gonogo::report
