// SPDX-License-Identifier: Apache-2.0
// What the values of a key may be. Each kind reads a member strictly (a mistake is recorded in the
// document and the member keeps its value), writes it as canonical text, and says in words what it
// allows. In a list, the same holds for every item.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "gonogo/io/toml/toml.h"
#include "gonogo/io/toml/toml_text.h"

namespace gonogo::io {

inline constexpr double kNoLimit = std::numeric_limits<double>::max();
inline constexpr std::int64_t kNoWholeLimit = std::numeric_limits<std::int64_t>::max();

struct AnyText {
  static void Read(const TomlNode& table, std::string_view key, std::string& value);
  static void Read(const TomlNode& table, std::string_view key, std::vector<std::string>& values);
  [[nodiscard]] static std::string Text(const std::string& value) { return TomlString(value); }
  [[nodiscard]] static std::string Text(const std::vector<std::string>& values);
  [[nodiscard]] static std::string Allowed(const std::string& /*value*/) { return "text"; }
  [[nodiscard]] static std::string Allowed(const std::vector<std::string>& /*values*/) {
    return "list of texts";
  }
};

/// A list of texts that is not empty.
struct SomeTexts {
  static void Read(const TomlNode& table, std::string_view key, std::vector<std::string>& values);
  [[nodiscard]] static std::string Text(const std::vector<std::string>& values);
  [[nodiscard]] static std::string Allowed(const std::vector<std::string>& /*values*/) {
    return "list of one text or more";
  }
};

/// One of several names; those of an enumeration stand in the order of its values.
struct OneOf {
  std::vector<std::string> names;

  void Read(const TomlNode& table, std::string_view key, std::string& value) const;
  void Read(const TomlNode& table, std::string_view key, std::vector<std::string>& values) const;
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void Read(const TomlNode& table, std::string_view key, Enum& value) const {
    std::string name = NameOf(value);
    Read(table, key, name);
    value = static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  [[nodiscard]] static std::string Text(const std::string& value) { return TomlString(value); }
  [[nodiscard]] static std::string Text(const std::vector<std::string>& values);
  template <typename Enum>
  requires std::is_enum_v<Enum>
  [[nodiscard]] std::string Text(Enum value) const { return TomlString(NameOf(value)); }

  template <typename Value>
  [[nodiscard]] std::string Allowed(const Value& /*value*/) const {
    return Listed();
  }
  [[nodiscard]] std::string Allowed(const std::vector<std::string>& /*values*/) const {
    return "list of " + Listed();
  }

 private:
  template <typename Enum>
  [[nodiscard]] const std::string& NameOf(Enum value) const {
    return names.at(static_cast<std::size_t>(value));
  }
  [[nodiscard]] std::string Listed() const;
};

/// Whole numbers from `low` to `high`.
struct Whole {
  std::int64_t low;
  std::int64_t high = kNoWholeLimit;

  template <std::integral Value>
  void Read(const TomlNode& table, std::string_view key, Value& value) const {
    value = static_cast<Value>(table.IntegerIn(key, static_cast<std::int64_t>(value), low, high));
  }
  template <std::integral Value>
  void Read(const TomlNode& table, std::string_view key, std::vector<Value>& values) const {
    if (!table.Has(key)) return;
    values.clear();
    for (const std::int64_t value : ReadList(table, key)) {
      values.push_back(static_cast<Value>(value));
    }
  }

  template <std::integral Value>
  [[nodiscard]] static std::string Text(Value value) {
    return fmt::format("{}", value);
  }
  template <std::integral Value>
  [[nodiscard]] static std::string Text(const std::vector<Value>& values) {
    std::vector<std::string> texts;
    for (const Value value : values) texts.push_back(Text(value));
    return TomlList(texts);
  }

  template <std::integral Value>
  [[nodiscard]] std::string Allowed(Value /*value*/) const {
    return "whole, " + Range();
  }
  template <std::integral Value>
  [[nodiscard]] std::string Allowed(const std::vector<Value>& /*values*/) const {
    return "list of whole numbers, " + Range();
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> ReadList(const TomlNode& table,
                                                   std::string_view key) const;
  [[nodiscard]] std::string Range() const;
};

/// Numbers from `low` to `high`.
struct Between {
  double low;
  double high = kNoLimit;

  void Read(const TomlNode& table, std::string_view key, double& value) const;
  [[nodiscard]] static std::string Text(double value) { return TomlReal(value); }
  [[nodiscard]] std::string Allowed(double value) const;
};

/// Finite numbers greater than 0; a list has at least one.
struct Positive {
  static void Read(const TomlNode& table, std::string_view key, double& value);
  static void Read(const TomlNode& table, std::string_view key, std::vector<double>& values);
  [[nodiscard]] static std::string Text(double value) { return TomlReal(value); }
  [[nodiscard]] static std::string Text(const std::vector<double>& values);
  [[nodiscard]] static std::string Allowed(double /*value*/) { return "greater than 0"; }
  [[nodiscard]] static std::string Allowed(const std::vector<double>& /*values*/) {
    return "list of numbers greater than 0";
  }
};

struct YesNo {
  static void Read(const TomlNode& table, std::string_view key, bool& value);
  [[nodiscard]] static std::string Text(bool value) { return value ? "true" : "false"; }
  [[nodiscard]] static std::string Allowed(bool /*value*/) { return "`true` or `false`"; }
};

}  // namespace gonogo::io
