// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/result.h"
#include "gonogo/io/toml/keys.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// How the outcomes of a robot's table are made (`[collect]` of a protocol): queries along the
/// episodes of a controller, and from each of them one branch per action. The actions are those of
/// the protocol; their names say what they do (docs/howto/robot-audit.md).
struct CollectConfig {
  std::string controller = "direct";     ///< whose episodes are queried: direct, vgcc, mpc, …
  std::vector<std::uint64_t> seeds;      ///< one cluster each: its ground and its starts
  std::size_t queries_per_cluster = 48;  ///< fewer in the table are descriptive
  std::size_t queries_per_episode = 3;   ///< decisions drawn without replacement from an episode
  std::string family = "harder";         ///< target family of robot.toml
  std::string terrain = "grid";          ///< a text of sim::Ground
  std::size_t prefix = 4;                ///< decisions under the intervention …
  double blend = 0.5;                   ///< … of which this share of the way from direct is taken
  double anneal_distance = 0.5;         ///< m to the target below which the share shrinks; 0: never
  std::string continuation = "direct";  ///< who goes on after the prefix, in every branch
  std::size_t replayed = 4;  ///< queries of a cluster also replayed from their episode's start
  std::vector<std::string> predictions =
      {};                                  ///< "phi" and "eta" add what models predict of actions
  std::string terrain_seed = "each";       ///< of the one ground for all clusters, or each its own
  std::string conditions = {};             ///< a text of sim::Conditions
  std::vector<std::string> features = {};  ///< "ground" adds what the scan says of the ground
  std::string work_rate = "physics";  ///< "control": the cost is work read once per control step

  bool operator==(const CollectConfig&) const = default;
};

/// On which ground and under what clusters are collected.
[[nodiscard]] Result<Surroundings> SurroundingsOf(const CollectConfig& config);

/// Every key of `[collect]`, written once: audit/protocol/protocol_keys.h for this section.
[[nodiscard]] io::TomlKeys<CollectConfig> CollectKeys();

/// The section a protocol declares and fingerprints, every value spelled out.
[[nodiscard]] audit::ForeignSection SectionOf(const CollectConfig& config);

/// How the protocol's outcomes are made; an error when it does not say.
[[nodiscard]] Result<CollectConfig> CollectOf(const audit::Protocol& protocol);

/// As those of the audit, and `[collect]` is read strictly too.
[[nodiscard]] Result<audit::Protocol> ParseProtocol(std::string_view toml, std::string name);
[[nodiscard]] Result<audit::Protocol> LoadProtocol(const std::filesystem::path& path);
/// What was declared for a table: the file given, else `audit.toml` beside the table, else the
/// declaration inside it; nothing where there is none of them.
[[nodiscard]] Result<std::optional<audit::Protocol>> FindProtocol(
    const std::filesystem::path& table, std::filesystem::path file = {});
[[nodiscard]] Result<audit::Protocol> Override(const audit::Protocol& protocol,
                                               const std::string& key, const std::string& value);

/// Every key of a protocol with its default, what it allows and what it means: Markdown, one table
/// per section. docs/reference/formats.md holds it as it is printed.
[[nodiscard]] std::string KeyTable();

}  // namespace gonogo::study
