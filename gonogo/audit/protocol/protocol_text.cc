// SPDX-License-Identifier: Apache-2.0
// The canonical text of a protocol, and what is done with it.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/nearest.h"
#include "gonogo/io/sha256.h"
#include "gonogo/io/toml.h"

namespace gonogo::audit {
namespace {

std::string Text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

/// Shortest text that reads back to the same double and is a TOML float.
std::string Real(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <typename Items, typename Format>
std::string List(const Items& items, Format&& format) {
  std::vector<std::string> texts;
  for (const auto& item : items) texts.push_back(format(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string Whole(std::size_t value) { return fmt::format("{}", value); }

std::string_view Name(MemberResampling resample) {
  switch (resample) {
    case MemberResampling::kClusters:
      return "clusters";
    case MemberResampling::kQueries:
      return "queries";
    case MemberResampling::kNone:
      break;
  }
  return "none";
}

using EntryList = std::vector<std::pair<std::string, std::string>>;

void AddTable(const TableColumns& table, EntryList& entries) {
  entries.emplace_back("table.cluster", Text(table.cluster));
  entries.emplace_back("table.query", Text(table.query));
  entries.emplace_back("table.action", Text(table.action));
  entries.emplace_back("table.cost", Text(table.cost));
  entries.emplace_back("table.time", Text(table.time));
  entries.emplace_back("table.success", Text(table.success));
  entries.emplace_back("table.eligible", Text(table.eligible));
  entries.emplace_back("table.choice", Text(table.choice));
  for (const ColumnPattern& group : table.features) {
    entries.emplace_back("table.features." + Text(group.group), Text(group.pattern));
  }
  for (const ColumnPattern& group : table.action_features) {
    entries.emplace_back("table.action_features." + Text(group.group), Text(group.pattern));
  }
}

void AddLearner(const LearnerConfig& learner, EntryList& entries) {
  entries.emplace_back("learner.kind", Text(std::string(Name(learner.kind))));
  entries.emplace_back("learner.features", List(learner.features, Text));
  entries.emplace_back("learner.members", Whole(learner.mlp.members));
  entries.emplace_back("learner.hidden", List(learner.mlp.hidden,
                                              [](int width) { return fmt::format("{}", width); }));
  entries.emplace_back("learner.epochs", Whole(learner.mlp.epochs));
  entries.emplace_back("learner.batch", Whole(learner.mlp.batch_rows));
  entries.emplace_back("learner.learning_rate", Real(learner.mlp.learning_rate));
  entries.emplace_back("learner.weight_decay", Real(learner.mlp.weight_decay));
  entries.emplace_back("learner.standardise_targets",
                       learner.mlp.standardise_targets ? "true" : "false");
  const bool squared = learner.mlp.loss == RegressionLoss::kSquaredError;
  entries.emplace_back("learner.loss", squared ? "\"mse\"" : "\"smooth-l1\"");
  entries.emplace_back("learner.resample", Text(std::string(Name(learner.mlp.resample))));
  entries.emplace_back("learner.ridge.members", Whole(learner.ridge.members));
  entries.emplace_back("learner.ridge.penalties", List(learner.ridge.penalties, Real));
  entries.emplace_back("learner.ridge.inner_folds", Whole(learner.ridge.inner_folds));
  entries.emplace_back("learner.trees.members", Whole(learner.trees.members));
  entries.emplace_back("learner.trees.rounds", Whole(learner.trees.rounds));
  entries.emplace_back("learner.trees.depth", Whole(learner.trees.depth));
  entries.emplace_back("learner.trees.learning_rate", Real(learner.trees.learning_rate));
}

void AddBootstrap(const BootstrapConfig& bootstrap, EntryList& entries) {
  const bool refit = bootstrap.method == IntervalMethod::kRefit;
  const bool within = bootstrap.mixture == Mixture::kWithinCluster;
  entries.emplace_back("bootstrap.method", refit ? "\"refit\"" : "\"folds\"");
  entries.emplace_back("bootstrap.refits", Whole(bootstrap.refits));
  entries.emplace_back("bootstrap.level", Real(bootstrap.level));
  entries.emplace_back("bootstrap.seed", fmt::format("{}", bootstrap.seed));
  entries.emplace_back("bootstrap.mixture", within ? "\"cluster\"" : "\"pooled\"");
  const bool sums = bootstrap.aggregate == Aggregate::kRatioOfSums;
  entries.emplace_back("bootstrap.aggregate", sums ? "\"sums\"" : "\"fold-means\"");
}

void AddCollect(const CollectConfig& collect, EntryList& entries) {
  const auto seed = [](std::uint64_t value) { return fmt::format("{}", value); };
  entries.emplace_back("collect.controller", Text(collect.controller));
  entries.emplace_back("collect.seeds", List(collect.seeds, seed));
  entries.emplace_back("collect.queries_per_cluster", Whole(collect.queries_per_cluster));
  entries.emplace_back("collect.queries_per_episode", Whole(collect.queries_per_episode));
  entries.emplace_back("collect.family", Text(collect.family));
  entries.emplace_back("collect.terrain", Text(collect.terrain));
  entries.emplace_back("collect.prefix", Whole(collect.prefix));
  entries.emplace_back("collect.blend", Real(collect.blend));
  entries.emplace_back("collect.anneal_distance", Real(collect.anneal_distance));
  entries.emplace_back("collect.continuation", Text(collect.continuation));
  entries.emplace_back("collect.replayed", Whole(collect.replayed));
  entries.emplace_back("collect.predictions", List(collect.predictions, Text));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Entries(const Protocol& protocol) {
  EntryList entries;
  entries.emplace_back("protocol.name", Text(protocol.name));
  entries.emplace_back("protocol.reference", Text(protocol.reference));
  entries.emplace_back("protocol.actions", List(protocol.actions, Text));
  entries.emplace_back("protocol.cluster", Text(protocol.cluster));
  entries.emplace_back("protocol.min_clusters", Whole(protocol.min_clusters));
  entries.emplace_back("protocol.time_budget", Real(protocol.time_budget));
  entries.emplace_back("protocol.time_tolerance", Real(protocol.time_tolerance));
  entries.emplace_back("protocol.delta_dep", Real(protocol.thresholds.delta_dep));
  entries.emplace_back("protocol.delta_alloc", Real(protocol.thresholds.delta_alloc));
  entries.emplace_back("protocol.kappa", Real(protocol.thresholds.kappa));
  AddTable(protocol.table, entries);
  AddLearner(protocol.learner, entries);
  entries.emplace_back("selector.z", Real(protocol.selector.z));
  entries.emplace_back("selector.ddof", fmt::format("{}", protocol.selector.ddof));
  entries.emplace_back("selector.min_eligibility", Real(protocol.selector.min_eligibility));
  AddBootstrap(protocol.bootstrap, entries);
  entries.emplace_back("rule.kind", Text(std::string(Name(protocol.rule.kind))));
  entries.emplace_back("rule.icc", Real(protocol.rule.icc));
  entries.emplace_back("rule.adapter_cost", Real(protocol.rule.adapter_cost));
  entries.emplace_back("rule.looks", std::to_string(protocol.rule.looks));
  for (const FeatureSet& set : protocol.feature_sets) {
    entries.emplace_back("feature_sets." + Text(set.name), List(set.groups, Text));
  }
  if (protocol.collect) AddCollect(*protocol.collect, entries);
  return entries;
}

namespace {

/// Whether it can stand behind "key = ".
bool IsToml(const std::string& value) {
  return io::TomlDocument::Parse("value = " + value + "\n", "").ok();
}

std::string Lines(const EntryList& entries) {
  std::string text;
  for (const auto& [key, value] : entries) text += fmt::format("{} = {}\n", key, value);
  return text;
}

}  // namespace

std::string CanonicalText(const Protocol& protocol) { return Lines(Entries(protocol)); }

std::string Fingerprint(const Protocol& protocol) { return io::Sha256Hex(CanonicalText(protocol)); }

Result<Protocol> Override(const Protocol& protocol, const std::string& key,
                          const std::string& value) {
  EntryList entries = Entries(protocol);
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& candidate) { return candidate.first == key; });
  if (entry == entries.end()) {
    std::vector<std::string> keys;
    for (const auto& [known, text] : entries) keys.push_back(known);
    if (key == "protocol.preset") {
      return UsageError("--set {}: a preset is what other keys start from: write it in the file",
                        key);
    }
    const auto full = std::find_if(keys.begin(), keys.end(), [&](const std::string& known) {
      return known.ends_with("." + key);
    });
    return UsageError(
        "--set {}: unknown key{}", key,
        full != keys.end() ? fmt::format(" (did you mean '{}'?)", *full) : DidYouMean(key, keys));
  }
  // A value that replaces a string, or is no TOML at all, may come without quotes.
  const bool is_string = entry->second.front() == '"' && (value.empty() || value.front() != '"');
  entry->second = is_string || !IsToml(value) ? Text(value) : value;
  Result<Protocol> changed = ParseProtocol(Lines(entries), "--set");
  if (changed.ok()) return changed;
  // "--set:44: key: what is wrong": the line is one of the canonical text, which nobody sees.
  std::string message = changed.error().message;
  const std::string start = key + ": ";
  if (const std::size_t at = message.find(start); at != std::string::npos) {
    message = message.substr(at + start.size());
  }
  return UsageError("--set {}={}: {}", key, value, message);
}

std::vector<std::string> Differences(const Protocol& declared, const Protocol& used) {
  const EntryList before = Entries(declared);
  const EntryList after = Entries(used);
  const auto find = [](const EntryList& entries, const std::string& key) {
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& candidate) { return candidate.first == key; });
    return entry == entries.end() ? std::string("nothing") : entry->second;
  };
  std::vector<std::string> differences;
  for (const auto& [key, value] : before) {
    const std::string now = find(after, key);
    if (now != value)
      differences.push_back(fmt::format("{}: declared {}, used {}", key, value, now));
  }
  for (const auto& [key, value] : after) {
    if (find(before, key) == "nothing") {
      differences.push_back(fmt::format("{}: declared nothing, used {}", key, value));
    }
  }
  return differences;
}

}  // namespace gonogo::audit
