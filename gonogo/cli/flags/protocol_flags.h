// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/base/result.h"
#include "gonogo/cli/arguments.h"

namespace gonogo::cli {

/// Flags that say which protocol an audit runs under and what of it is overridden.
class ProtocolFlags {
 public:
  void Add(Arguments verb);

  /// `study::FindProtocol` with the file given.
  [[nodiscard]] Result<std::optional<audit::Protocol>> FindDeclared(
      const std::filesystem::path& table) const;
  /// The same, else the defaults.
  [[nodiscard]] Result<audit::Protocol> ReadDeclared(const std::filesystem::path& table) const;
  /// The same with the overrides.
  [[nodiscard]] Result<audit::Protocol> Read(const std::filesystem::path& table) const;
  /// The protocol with the overrides.
  [[nodiscard]] Result<audit::Protocol> Apply(audit::Protocol protocol) const;

  /// A learner, or a setting of one, was asked for.
  [[nodiscard]] bool names_learner() const;
  /// "mlp", "ridge", "trees", "forest", "policy", "all" or empty.
  [[nodiscard]] const std::string& learner() const { return learner_; }
  /// "ratio", "difference", "log", "all" or empty.
  [[nodiscard]] const std::string& target() const { return target_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
  std::string learner_;
  std::string target_;
  std::string rule_;
  std::string refits_;
  std::string seed_;
  std::vector<std::string> set_;
};

/// The protocol with every KEY=VALUE of `--set`.
[[nodiscard]] Result<audit::Protocol> OverrideAll(audit::Protocol protocol,
                                                  const std::vector<std::string>& assignments);

/// `--shard 3/16`: one task of a job array does its part of the work and leaves the rest.
class ShardFlag {
 public:
  /// `units` says what is divided.
  void Add(Arguments& verb, const std::string& units);
  /// Nothing when the flag was not given.
  [[nodiscard]] Result<std::optional<Shard>> Read() const;

 private:
  std::string text_;
};

}  // namespace gonogo::cli
