// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gonogo/base/member_count.h"
#include "gonogo/io/toml/toml.h"
#include "gonogo/io/toml/toml_text.h"

// The keys of a TOML file, each written once: its name, the member it stands for, what it allows
// and one line for the docs. Reading, writing and the table in the docs follow from the list.
// What the values of a key may be. Each kind reads a member strictly (a mistake is recorded in the
// document and the member keeps its value), writes it as canonical text, and says in words what it
// allows. In a list, the same holds for every item.

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

/// What the docs say of one key.
struct TomlKeyRow {
  std::string key;
  std::string fallback;  ///< the default as TOML text; empty when there is none
  std::string allowed;
  std::string meaning;
};

/// How one member of `Struct` is read, written and described; names are relative to its table.
template <typename Struct>
struct TomlKey {
  std::function<void(const TomlNode& table, Struct&)> read;
  std::function<void(const Struct&, TomlEntries&)> write;
  std::function<void(const Struct& defaults, std::vector<TomlKeyRow>&)> describe;
};

/// The keys of a whole struct, in the order of its canonical text.
template <typename Struct>
class TomlKeys {
 public:
  explicit TomlKeys(std::vector<TomlKey<Struct>> keys) : keys_(std::move(keys)) {}

  /// Members whose key is absent keep their value; mistakes are recorded in the document.
  void Read(const TomlNode& table, Struct& value) const {
    for (const TomlKey<Struct>& key : keys_) key.read(table, value);
  }
  /// Every member, defaults spelled out.
  [[nodiscard]] TomlEntries Write(const Struct& value) const {
    TomlEntries entries;
    for (const TomlKey<Struct>& key : keys_) key.write(value, entries);
    return entries;
  }
  [[nodiscard]] std::vector<TomlKeyRow> Describe(const Struct& defaults = {}) const {
    std::vector<TomlKeyRow> rows;
    for (const TomlKey<Struct>& key : keys_) key.describe(defaults, rows);
    return rows;
  }

 private:
  std::vector<TomlKey<Struct>> keys_;
};

/// One entry per member: a struct that has a member more does not compile.
template <typename Struct, typename... Keys>
[[nodiscard]] TomlKeys<Struct> KeysOfAllMembers(Keys... keys) {
  static_assert(sizeof...(Keys) == MemberCount<Struct>(), "a member has no key, or two");
  return TomlKeys<Struct>({std::move(keys)...});
}

namespace internal {

/// The table in which a dotted key stands, and its last part.
inline std::pair<TomlNode, std::string_view> Locate(TomlNode table, std::string_view dotted) {
  for (std::size_t dot = dotted.find('.'); dot != std::string_view::npos; dot = dotted.find('.')) {
    table = table.Table(dotted.substr(0, dot));
    dotted.remove_prefix(dot + 1);
  }
  return {table, dotted};
}

}  // namespace internal

/// A key with one value. `name` may be dotted.
template <typename Struct, typename Member, typename Values>
[[nodiscard]] TomlKey<Struct> Key(std::string name, Member Struct::*member, Values values,
                                  std::string meaning) {
  return {.read =
              [=](const TomlNode& table, Struct& value) {
                const auto [inner, key] = internal::Locate(table, name);
                values.Read(inner, key, value.*member);
              },
          .write =
              [=](const Struct& value, TomlEntries& entries) {
                entries.emplace_back(name, values.Text(value.*member));
              },
          .describe =
              [=](const Struct& defaults, std::vector<TomlKeyRow>& rows) {
                rows.push_back({name, values.Text(defaults.*member),
                                values.Allowed(defaults.*member), meaning});
              }};
}

/// A key that was added after protocols had been declared: the canonical text has it only where it
/// differs from the default, so that what was declared before keeps its fingerprint.
template <typename Struct>
[[nodiscard]] TomlKey<Struct> UnlessDefault(TomlKey<Struct> key) {
  key.write = [write = key.write](const Struct& value, TomlEntries& entries) {
    TomlEntries usual;
    TomlEntries now;
    write(Struct{}, usual);
    write(value, now);
    if (now != usual) entries.insert(entries.end(), now.begin(), now.end());
  };
  return key;
}

/// The keys of a member that is a struct itself, in the table `name` or, without a name, beside
/// those of its owner.
template <typename Struct, typename Member>
[[nodiscard]] TomlKey<Struct> Section(const std::string& name, Member Struct::*member,
                                      TomlKeys<Member> keys) {
  const std::string prefix = name.empty() ? "" : name + ".";
  return {.read =
              [=](const TomlNode& table, Struct& value) {
                keys.Read(name.empty() ? table : table.Table(name), value.*member);
              },
          .write =
              [=](const Struct& value, TomlEntries& entries) {
                for (auto& [key, text] : keys.Write(value.*member)) {
                  entries.emplace_back(prefix + key, text);
                }
              },
          .describe =
              [=](const Struct& defaults, std::vector<TomlKeyRow>& rows) {
                for (TomlKeyRow& row : keys.Describe(defaults.*member)) {
                  row.key = prefix + row.key;
                  rows.push_back(std::move(row));
                }
              }};
}

/// A table whose keys have free names, kept in file order. `placeholder` stands for such a name in
/// the docs.
template <typename Struct, typename Item, typename Member, typename Values>
[[nodiscard]] TomlKey<Struct> NamedKeys(const std::string& table_name,
                                        const std::string& placeholder,
                                        std::vector<Item> Struct::*items, std::string Item::*name,
                                        Member Item::*member, Values values, std::string meaning) {
  return {.read =
              [=](const TomlNode& root, Struct& value) {
                const TomlNode table = root.Table(table_name);
                (value.*items).clear();
                for (const std::string& key : table.Keys()) {
                  Item item;
                  item.*name = key;
                  values.Read(table, key, item.*member);
                  (value.*items).push_back(std::move(item));
                }
              },
          .write =
              [=](const Struct& value, TomlEntries& entries) {
                for (const Item& item : value.*items) {
                  entries.emplace_back(table_name + "." + TomlString(item.*name),
                                       values.Text(item.*member));
                }
              },
          .describe =
              [=](const Struct& /*defaults*/, std::vector<TomlKeyRow>& rows) {
                rows.push_back({fmt::format("{}.<{}>", table_name, placeholder), "",
                                values.Allowed(Member{}), meaning});
              }};
}

}  // namespace gonogo::io
