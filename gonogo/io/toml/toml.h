// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::io {

class TomlNode;

/// A TOML file read strictly: a key of the wrong type, a value out of range and a key nobody asked
/// for are errors that name the file, the line, the key, the value found and what was expected. Ask
/// for every key, then call `Finish`.
class TomlDocument {
 public:
  [[nodiscard]] static Result<TomlDocument> Load(const std::filesystem::path& path);
  /// The same for text in memory; `name` stands for the file in messages.
  [[nodiscard]] static Result<TomlDocument> Parse(std::string_view text, std::string name);

  TomlDocument(TomlDocument&&) noexcept;
  TomlDocument& operator=(TomlDocument&&) noexcept;
  ~TomlDocument();

  [[nodiscard]] TomlNode Root() const;

  /// The first thing that was wrong, unknown keys included (with the nearest known one).
  [[nodiscard]] Status Finish() const;

  struct State;

 private:
  explicit TomlDocument(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// One table of a document. Getters record the first mistake in the document and return the
/// fallback, so that a reader can be written straight down; `TomlDocument::Finish` reports.
class TomlNode {
 public:
  [[nodiscard]] bool Has(std::string_view key) const;
  /// Names of the keys in file order.
  [[nodiscard]] std::vector<std::string> Keys() const;

  /// The table under `key`; an absent one is empty.
  [[nodiscard]] TomlNode Table(std::string_view key) const;
  /// The tables of an array of tables (`[[term]]`) or inline tables; an absent one is empty.
  [[nodiscard]] std::vector<TomlNode> Tables(std::string_view key) const;

  [[nodiscard]] double Number(std::string_view key, double fallback) const;
  [[nodiscard]] std::int64_t Integer(std::string_view key, std::int64_t fallback) const;
  [[nodiscard]] bool Bool(std::string_view key, bool fallback) const;
  [[nodiscard]] std::string String(std::string_view key, std::string fallback) const;
  [[nodiscard]] std::vector<double> Numbers(std::string_view key,
                                            std::vector<double> fallback) const;
  [[nodiscard]] std::vector<std::string> Strings(std::string_view key,
                                                 std::vector<std::string> fallback) const;
  /// A list of exactly `count` numbers; a single number stands for `count` equal ones.
  [[nodiscard]] std::vector<double> NumbersFor(std::string_view key, std::size_t count,
                                               std::vector<double> fallback) const;
  /// A list of lists of exactly `width` numbers each.
  [[nodiscard]] std::vector<std::vector<double>> NumberRows(std::string_view key,
                                                            std::size_t width) const;

  /// As `Number`, and the value must lie in [low, high].
  [[nodiscard]] double NumberIn(std::string_view key, double fallback, double low,
                                double high) const;
  [[nodiscard]] std::int64_t IntegerIn(std::string_view key, std::int64_t fallback,
                                       std::int64_t low, std::int64_t high) const;
  /// As `String`, and the value must be one of the choices.
  [[nodiscard]] std::string Choice(std::string_view key, std::string fallback,
                                   const std::vector<std::string>& choices) const;

  /// The value as canonical TOML text (toml_text.h), whatever it is, for those who pass it on
  /// without understanding it; a table or a date is a mistake. Empty when the key is absent.
  [[nodiscard]] std::string ValueText(std::string_view key) const;

  /// Records that the key must be there.
  const TomlNode& Require(std::string_view key) const;
  /// Records a mistake of this key: "robot.toml:12: joints.names: <message>".
  void Fail(std::string_view key, std::string_view message) const;

 private:
  friend class TomlDocument;
  TomlNode(TomlDocument::State* state, const void* table, std::string path)
      : state_(state), table_(table), path_(std::move(path)) {}

  TomlDocument::State* state_;
  const void* table_;  // toml::table; null when the table is absent
  std::string path_;
};

}  // namespace gonogo::io
