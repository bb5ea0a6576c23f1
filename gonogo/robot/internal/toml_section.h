// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "gonogo/base/result.h"

namespace gonogo::robot::internal {

/// First complaint about one TOML file. Later ones are usually its consequences.
struct Complaint {
  std::string file;
  std::optional<Error> first;

  void Add(const toml::node* where, const std::string& message);
};

/// Reads one table, key by key, and remembers which keys were asked for. Every getter returns its
/// fallback after a complaint, so that a loader reads straight through and looks at the complaint
/// once, at its end. Getters without a fallback complain when the key is missing.
class TomlSection {
 public:
  /// `table` may be null: a section that is not in the file.
  TomlSection(const toml::table* table, std::string path, Complaint& complaint)
      : table_(table), path_(std::move(path)), complaint_(complaint) {}

  [[nodiscard]] bool present() const { return table_ != nullptr; }
  [[nodiscard]] bool Has(std::string_view key) const;
  [[nodiscard]] TomlSection Section(std::string_view key);

  std::string Text(std::string_view key, const std::optional<std::string>& fallback = {});
  double Number(std::string_view key, std::optional<double> fallback = {});
  int Integer(std::string_view key, std::optional<int> fallback = {});
  std::vector<std::string> Texts(std::string_view key);
  /// A list of exactly `count` numbers; a single number stands for `count` equal ones.
  std::vector<double> Numbers(std::string_view key, std::size_t count,
                              const std::optional<std::vector<double>>& fallback = {});
  /// A list of [x, y] pairs.
  std::vector<std::vector<double>> Pairs(std::string_view key);

  /// Complains at the key's place in the file.
  void Complain(std::string_view key, const std::string& message);
  /// Complains about keys nobody asked for: a typing error must not pass as a default.
  void RefuseUnknownKeys();

 private:
  [[nodiscard]] const toml::node* Find(std::string_view key, bool required);
  [[nodiscard]] std::string Path(std::string_view key) const;

  const toml::table* table_;
  std::string path_;
  Complaint& complaint_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace gonogo::robot::internal
