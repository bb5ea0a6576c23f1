// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/collect_config.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gonogo/audit/protocol/protocol_keys.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::study {
namespace {

using io::AnyText;
using io::Between;
using io::Key;
using io::OneOf;
using io::UnlessDefault;
using io::Whole;

constexpr std::int64_t kMost = 1'000'000;

/// A text that a parser of ours understands, spelled as it writes it: however a file or a caller
/// spells a ground, it is declared in the same words.
template <typename Parsed>
struct ParsedText {
  std::string allowed;

  static void Read(const io::TomlNode& table, std::string_view key, std::string& value) {
    value = table.String(key, value);
    const Result<Parsed> parsed = Parsed::Parse(value);
    if (!parsed.ok()) return table.Fail(key, parsed.error().message);
    value = parsed.value().text();
  }
  [[nodiscard]] static std::string Text(const std::string& value) { return io::TomlString(value); }
  [[nodiscard]] std::string Allowed(const std::string& /*value*/) const { return allowed; }
};

CollectConfig ReadCollect(const io::TomlNode& table) {
  CollectConfig config;
  table.Require("seeds");
  CollectKeys().Read(table, config);
  if (std::set(config.seeds.begin(), config.seeds.end()).size() != config.seeds.size()) {
    table.Fail("seeds", "a seed is listed twice");
  }
  return config;
}

io::TomlEntries ReadSection(const io::TomlNode& table) {
  return SectionOf(ReadCollect(table)).entries;
}

}  // namespace

io::TomlKeys<CollectConfig> CollectKeys() {
  using C = CollectConfig;
  return io::KeysOfAllMembers<C>(
      Key("controller", &C::controller, AnyText{},
          "controller on whose episodes the queries lie; `--queries` replaces it before it is "
          "declared"),
      Key("seeds", &C::seeds, Whole{0},
          "one seed for each cluster, which names its ground and its starts; has to be given"),
      Key("queries_per_cluster", &C::queries_per_cluster, Whole{1, kMost},
          "number of states of a cluster at which every action is tried; with fewer in the table, "
          "the audit is descriptive"),
      Key("queries_per_episode", &C::queries_per_episode, Whole{1, kMost},
          "number of decisions that are drawn without replacement from an episode"),
      Key("family", &C::family, AnyText{},
          "family of targets in robot.toml to which the robot walks"),
      Key("terrain", &C::terrain, ParsedText<sim::Ground>{"text"},
          fmt::format("the ground: {}", sim::GroundSyntax())),
      Key("prefix", &C::prefix, Whole{1, kMost}, "number of decisions for which the action holds"),
      Key("blend", &C::blend, Between{0.0, 1.0},
          "share of the way that is taken from the direct command to that of the action"),
      Key("anneal_distance", &C::anneal_distance, Between{0.0},
          "distance to the target, in m, below which that share shrinks; with 0 it never does"),
      Key("continuation", &C::continuation, AnyText{},
          "controller that goes on after these decisions, in every branch"),
      Key("replayed", &C::replayed, Whole{0, kMost},
          "number of queries of a cluster that are also reached from the start of their episode, "
          "as a proof"),
      Key("predictions", &C::predictions, OneOf{{"phi", "eta"}},
          "models whose predictions are candidate features: `phi`, the response model f_φ, or "
          "`eta`, the macro-transition model F_η; predicted for the action minus for the direct "
          "command, as means and standard deviations over members"),
      UnlessDefault(Key("terrain_seed", &C::terrain_seed,
                        ParsedText<sim::GroundSeed>{"`each` or a whole number, as text"},
                        "`each`: every cluster has the ground of its own seed; a number: all "
                        "clusters have the ground of that seed")),
      UnlessDefault(Key("conditions", &C::conditions, ParsedText<sim::Conditions>{"text"},
                        fmt::format("under what robots are run: {}", sim::ConditionsSyntax()))),
      UnlessDefault(Key("features", &C::features, OneOf{{"ground"}},
                        "features besides `obs` and `target`: `ground`, how uneven the ground is "
                        "under the feet and ahead, from the height scan")),
      UnlessDefault(Key("work_rate", &C::work_rate, OneOf{{"physics", "control"}},
                        "how often torque and speed are read for the cost: every physics step, or "
                        "once per control step; the table holds the other work as well")));
}

Result<Surroundings> SurroundingsOf(const CollectConfig& config) {
  Surroundings surroundings;
  surroundings.ground = GONOGO_TRY(sim::Ground::Parse(config.terrain));
  surroundings.seed = GONOGO_TRY(sim::GroundSeed::Parse(config.terrain_seed));
  surroundings.conditions = GONOGO_TRY(sim::Conditions::Parse(config.conditions));
  return surroundings;
}

audit::ForeignSection SectionOf(const CollectConfig& config) {
  return {CollectKeys().Write(config)};
}

Result<CollectConfig> CollectOf(const audit::Protocol& protocol) {
  if (!protocol.collect) {
    return UsageError("protocol \"{}\" has no [collect] section: nothing says how to make outcomes",
                      protocol.name);
  }
  const std::string text = "[collect]\n" + io::TomlLines(protocol.collect->entries);
  const io::TomlDocument document = GONOGO_TRY(
      io::TomlDocument::Parse(text, fmt::format("[collect] of protocol \"{}\"", protocol.name)));
  CollectConfig config = ReadCollect(document.Root().Table("collect"));
  GONOGO_TRY(document.Finish());
  return config;
}

Result<audit::Protocol> ParseProtocol(std::string_view toml, std::string name) {
  return audit::ParseProtocol(toml, std::move(name), ReadSection);
}

Result<audit::Protocol> LoadProtocol(const std::filesystem::path& path) {
  return audit::LoadProtocol(path, ReadSection);
}

Result<std::optional<audit::Protocol>> FindProtocol(const std::filesystem::path& table,
                                                    std::filesystem::path file) {
  std::error_code code;
  if (file.empty() && std::filesystem::exists(table.parent_path() / "audit.toml", code)) {
    file = table.parent_path() / "audit.toml";
  }
  if (file.empty()) return audit::ReadDeclaration(table);
  return std::optional<audit::Protocol>(GONOGO_TRY(LoadProtocol(file)));
}

Result<audit::Protocol> Override(const audit::Protocol& protocol, const std::string& key,
                                 const std::string& value) {
  // Keys that are only written where they differ from their default can be set all the same.
  audit::Protocol spelt = protocol;
  if (spelt.collect) {
    io::TomlEntries& entries = spelt.collect->entries;
    for (const io::TomlKeyRow& row : CollectKeys().Describe()) {
      const bool there = std::any_of(entries.begin(), entries.end(),
                                     [&](const auto& entry) { return entry.first == row.key; });
      if (!there) entries.emplace_back(row.key, row.fallback);
    }
  }
  return audit::Override(spelt, key, value, ReadSection);
}

std::string KeyTable() {
  std::vector<io::TomlKeyRow> rows = audit::DescribeProtocolKeys();
  for (io::TomlKeyRow& row : CollectKeys().Describe()) {
    row.key = "collect." + row.key;
    rows.push_back(std::move(row));
  }
  std::string text;
  std::string section;
  for (const io::TomlKeyRow& row : rows) {
    const std::string here = row.key.substr(0, row.key.find('.'));
    if (here != section) {
      section = here;
      text +=
          fmt::format("{}### `[{}]`\n| key | default | allowed | meaning |\n|---|---|---|---|\n",
                      text.empty() ? "" : "\n", section);
    }
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.key,
                        row.fallback.empty() ? "none" : fmt::format("`{}`", row.fallback),
                        row.allowed, row.meaning);
  }
  return text;
}

}  // namespace gonogo::study
