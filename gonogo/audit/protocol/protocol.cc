// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/protocol.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/io/file.h"
#include "gonogo/io/toml.h"

namespace gonogo::audit {
namespace {

using io::TomlNode;

constexpr std::int64_t kManyRefits = 10'000'000;
constexpr std::int64_t kWholeTable = 1'000'000'000;  // rows of a batch nobody exceeds
constexpr double kHuge = std::numeric_limits<double>::max();

std::size_t Count(const TomlNode& node, std::string_view key, std::size_t fallback,
                  std::int64_t low, std::int64_t high) {
  return static_cast<std::size_t>(
      node.IntegerIn(key, static_cast<std::int64_t>(fallback), low, high));
}

double Positive(const TomlNode& node, std::string_view key, double fallback) {
  const double value = node.Number(key, fallback);
  if (value > 0.0 && value < kHuge) return value;
  node.Fail(key, fmt::format("found {}, expected a number greater than 0", value));
  return fallback;
}

/// One of several names, listed in the order of the enumeration's values.
template <typename Enum>
Enum Pick(const TomlNode& node, std::string_view key, Enum fallback,
          const std::vector<std::string>& names) {
  const std::string name = node.Choice(key, names[static_cast<std::size_t>(fallback)], names);
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

void ReadDeclared(const TomlNode& node, Protocol& protocol) {
  const std::string preset = node.Choice("preset", "paper", {"paper", "archived"});
  if (preset == "archived") protocol = Archived(protocol);
  protocol.name = node.String("name", protocol.name);
  protocol.reference = node.String("reference", protocol.reference);
  protocol.actions = node.Strings("actions", protocol.actions);
  protocol.cluster = node.String("cluster", protocol.cluster);
  protocol.min_clusters = Count(node, "min_clusters", protocol.min_clusters, 2, kManyRefits);
  protocol.time_budget = node.NumberIn("time_budget", protocol.time_budget, 1.0, kHuge);
  protocol.time_tolerance = node.NumberIn("time_tolerance", protocol.time_tolerance, 0.0, kHuge);
  Thresholds& thresholds = protocol.thresholds;
  thresholds.delta_dep = node.NumberIn("delta_dep", thresholds.delta_dep, -1.0, 1.0);
  thresholds.delta_alloc = node.NumberIn("delta_alloc", thresholds.delta_alloc, -1.0, 1.0);
  thresholds.kappa = node.NumberIn("kappa", thresholds.kappa, 0.0, 1.0);

  const std::vector<std::string>& actions = protocol.actions;
  if (actions.empty()) return;
  if (actions.size() < 2) node.Fail("actions", "found one action, expected at least two");
  if (std::set<std::string>(actions.begin(), actions.end()).size() != actions.size()) {
    node.Fail("actions", "an action is listed twice");
  }
  if (!protocol.reference.empty() &&
      std::find(actions.begin(), actions.end(), protocol.reference) == actions.end()) {
    node.Fail("reference", fmt::format("'{}' is not one of the actions", protocol.reference));
  }
}

std::vector<ColumnPattern> ReadPatterns(const TomlNode& node) {
  std::vector<ColumnPattern> patterns;
  for (const std::string& group : node.Keys()) patterns.push_back({group, node.String(group, "")});
  return patterns;
}

void ReadTable(const TomlNode& node, TableColumns& table) {
  table.cluster = node.String("cluster", table.cluster);
  table.query = node.String("query", table.query);
  table.action = node.String("action", table.action);
  table.cost = node.String("cost", table.cost);
  table.time = node.String("time", table.time);
  table.success = node.String("success", table.success);
  table.eligible = node.String("eligible", table.eligible);
  table.choice = node.String("choice", table.choice);
  table.features = ReadPatterns(node.Table("features"));
  table.action_features = ReadPatterns(node.Table("action_features"));
}

void ReadMlp(const TomlNode& node, MlpOptions& mlp) {
  mlp.members = Count(node, "members", mlp.members, 1, 1000);
  if (node.Has("hidden")) {
    mlp.hidden.clear();
    for (const double width : node.Numbers("hidden", {})) {
      mlp.hidden.push_back(static_cast<int>(width));
      if (!(width >= 1.0 && width <= 4096.0) || width != mlp.hidden.back()) {
        node.Fail("hidden",
                  fmt::format("found width {}, expected whole numbers from 1 to 4096", width));
      }
    }
  }
  mlp.epochs = Count(node, "epochs", mlp.epochs, 1, 1'000'000);
  mlp.batch_rows = Count(node, "batch", mlp.batch_rows, 1, kWholeTable);
  mlp.learning_rate = Positive(node, "learning_rate", mlp.learning_rate);
  mlp.weight_decay = node.NumberIn("weight_decay", mlp.weight_decay, 0.0, 1.0);
  mlp.standardise_targets = node.Bool("standardise_targets", mlp.standardise_targets);
  mlp.loss = Pick<RegressionLoss>(node, "loss", mlp.loss, {"mse", "smooth-l1"});
  mlp.resample =
      Pick<MemberResampling>(node, "resample", mlp.resample, {"clusters", "queries", "none"});
}

void ReadRidge(const TomlNode& node, RidgeOptions& ridge) {
  ridge.members = Count(node, "members", ridge.members, 1, 1000);
  ridge.penalties = node.Numbers("penalties", ridge.penalties);
  ridge.inner_folds = Count(node, "inner_folds", ridge.inner_folds, 2, 1000);
  const bool positive = std::all_of(ridge.penalties.begin(), ridge.penalties.end(),
                                    [](double p) { return p > 0.0 && p < kHuge; });
  if (ridge.penalties.empty() || !positive) {
    node.Fail("penalties", "expected a list of numbers greater than 0");
    ridge.penalties = {1.0};
  }
}

void ReadTrees(const TomlNode& node, TreesOptions& trees) {
  trees.members = Count(node, "members", trees.members, 1, 1000);
  trees.rounds = Count(node, "rounds", trees.rounds, 1, 100'000);
  trees.depth = Count(node, "depth", trees.depth, 1, 16);
  trees.learning_rate = node.NumberIn("learning_rate", trees.learning_rate, 1e-6, 1.0);
}

void ReadLearner(const TomlNode& node, LearnerConfig& learner) {
  learner.kind = Pick<LearnerKind>(node, "kind", learner.kind, {"mlp", "ridge", "trees"});
  learner.features = node.Strings("features", learner.features);
  ReadMlp(node, learner.mlp);
  ReadRidge(node.Table("ridge"), learner.ridge);
  ReadTrees(node.Table("trees"), learner.trees);
}

void ReadSelector(const TomlNode& node, SelectorOptions& selector) {
  selector.z = node.NumberIn("z", selector.z, 0.0, 100.0);
  selector.ddof = static_cast<int>(node.IntegerIn("ddof", selector.ddof, 0, 1));
  selector.min_eligibility = node.NumberIn("min_eligibility", selector.min_eligibility, 0.0, 1.0);
}

void ReadBootstrap(const TomlNode& node, BootstrapConfig& bootstrap) {
  bootstrap.method = Pick<IntervalMethod>(node, "method", bootstrap.method, {"refit", "folds"});
  bootstrap.refits = Count(node, "refits", bootstrap.refits, 1, kManyRefits);
  bootstrap.level = node.NumberIn("level", bootstrap.level, 0.5, 0.9999);
  bootstrap.seed =
      static_cast<std::uint64_t>(node.IntegerIn("seed", static_cast<std::int64_t>(bootstrap.seed),
                                                0, std::numeric_limits<std::int64_t>::max()));
  bootstrap.mixture = Pick<Mixture>(node, "mixture", bootstrap.mixture, {"cluster", "pooled"});
  bootstrap.aggregate =
      Pick<Aggregate>(node, "aggregate", bootstrap.aggregate, {"sums", "fold-means"});
  if (bootstrap.aggregate == Aggregate::kMeanOfRatios &&
      bootstrap.method != IntervalMethod::kFolds) {
    node.Fail("aggregate", "found \"fold-means\", which needs method = \"folds\"");
  }
}

void ReadRule(const TomlNode& node, RuleConfig& rule) {
  const std::string kind =
      node.Choice("kind", std::string(Name(rule.kind)), {"paper", "calibrated"});
  rule.kind = kind == "paper" ? DecisionRule::kPaper : DecisionRule::kCalibrated;
  rule.icc = node.NumberIn("icc", rule.icc, 0.0, 1.0);
  rule.adapter_cost = node.NumberIn("adapter_cost", rule.adapter_cost, 0.0, kHuge);
  rule.looks = Count(node, "looks", rule.looks, 1, 100);
}

CollectConfig ReadCollect(const TomlNode& node) {
  CollectConfig collect;
  collect.controller = node.String("controller", collect.controller);
  constexpr double kLargestSeed = 9007199254740992.0;  // whole numbers end here
  for (const double seed : node.Require("seeds").Numbers("seeds", {})) {
    collect.seeds.push_back(static_cast<std::uint64_t>(std::clamp(seed, 0.0, kLargestSeed)));
    if (static_cast<double>(collect.seeds.back()) != seed) {
      node.Fail("seeds", fmt::format("found {}, expected whole numbers of 0 or more", seed));
    }
  }
  if (std::set(collect.seeds.begin(), collect.seeds.end()).size() != collect.seeds.size()) {
    node.Fail("seeds", "a seed is listed twice");
  }
  collect.queries_per_cluster =
      Count(node, "queries_per_cluster", collect.queries_per_cluster, 1, 1'000'000);
  collect.queries_per_episode =
      Count(node, "queries_per_episode", collect.queries_per_episode, 1, 1'000'000);
  collect.family = node.String("family", collect.family);
  collect.terrain = node.Choice("terrain", collect.terrain, {"flat", "rough", "grid"});
  collect.prefix = Count(node, "prefix", collect.prefix, 1, 1'000'000);
  collect.blend = node.NumberIn("blend", collect.blend, 0.0, 1.0);
  collect.anneal_distance = node.NumberIn("anneal_distance", collect.anneal_distance, 0.0, kHuge);
  collect.continuation = node.String("continuation", collect.continuation);
  collect.replayed = Count(node, "replayed", collect.replayed, 0, 1'000'000);
  collect.predictions = node.Strings("predictions", collect.predictions);
  for (const std::string& model : collect.predictions) {
    if (model == "phi" || model == "eta") continue;
    node.Fail("predictions", fmt::format("found \"{}\", expected \"phi\" or \"eta\"", model));
  }
  return collect;
}

}  // namespace

Protocol Archived(Protocol protocol) {
  protocol.time_tolerance = 1e-9;
  protocol.learner.kind = LearnerKind::kMlp;
  protocol.learner.mlp.batch_rows = kWholeTable;
  protocol.learner.mlp.loss = RegressionLoss::kSmoothL1;
  protocol.learner.mlp.resample = MemberResampling::kQueries;
  protocol.bootstrap.method = IntervalMethod::kFolds;
  protocol.bootstrap.aggregate = Aggregate::kMeanOfRatios;
  protocol.rule.kind = DecisionRule::kPaper;
  return protocol;
}

Result<Protocol> ParseProtocol(std::string_view toml, std::string name) {
  const io::TomlDocument document = GONOGO_TRY(io::TomlDocument::Parse(toml, std::move(name)));
  const TomlNode root = document.Root();
  Protocol protocol;
  ReadDeclared(root.Table("protocol"), protocol);
  ReadTable(root.Table("table"), protocol.table);
  ReadLearner(root.Table("learner"), protocol.learner);
  ReadSelector(root.Table("selector"), protocol.selector);
  ReadBootstrap(root.Table("bootstrap"), protocol.bootstrap);
  ReadRule(root.Table("rule"), protocol.rule);
  const TomlNode sets = root.Table("feature_sets");
  for (const std::string& key : sets.Keys()) {
    protocol.feature_sets.push_back({key, sets.Strings(key, {})});
    if (protocol.feature_sets.back().groups.empty()) {
      sets.Fail(key, "found no group, expected at least one");
    }
  }
  if (root.Has("collect")) protocol.collect = ReadCollect(root.Table("collect"));
  GONOGO_TRY(document.Finish());
  return protocol;
}

Result<Protocol> LoadProtocol(const std::filesystem::path& path) {
  const std::string text = GONOGO_TRY(io::ReadFile(path));
  return ParseProtocol(text, path.string());
}

std::string_view Name(DecisionRule rule) {
  return rule == DecisionRule::kPaper ? "paper" : "calibrated";
}

std::string_view Name(LearnerKind kind) {
  switch (kind) {
    case LearnerKind::kMlp:
      return "mlp";
    case LearnerKind::kRidge:
      return "ridge";
    case LearnerKind::kTrees:
      break;
  }
  return "trees";
}

}  // namespace gonogo::audit
