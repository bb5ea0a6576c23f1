// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/protocol_keys.h"

#include <algorithm>
#include <array>

#include "gonogo/audit/protocol/foreign_section.h"
#include "gonogo/audit/protocol/table_keys.h"

namespace gonogo::audit {
namespace {

using io::AnyText;
using io::Between;
using io::Key;
using io::KeysOfAllMembers;
using io::NamedKeys;
using io::OneOf;
using io::Positive;
using io::Section;
using io::TomlKeys;
using io::UnlessDefault;
using io::Whole;
using io::YesNo;

constexpr std::int64_t kManyRefits = 10'000'000;

constexpr std::array<std::string_view, 3> kRuleNames = {"paper", "calibrated", "leave-pair-out"};
constexpr std::array<std::string_view, 5> kLearnerNames = {"mlp", "ridge", "trees", "forest",
                                                           "policy"};
constexpr std::array<std::string_view, 3> kTargetNames = {"ratio", "difference", "log"};

template <std::size_t kCount>
OneOf AnyOf(const std::array<std::string_view, kCount>& names) {
  return {{names.begin(), names.end()}};
}

template <typename Enum, std::size_t kCount>
std::optional<Enum> Named(std::string_view name,
                          const std::array<std::string_view, kCount>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<Enum>(found - names.begin());
}

TomlKeys<Thresholds> ThresholdKeys() {
  return KeysOfAllMembers<Thresholds>(
      Key("delta_dep", &Thresholds::delta_dep, Between{-1.0, 1.0},
          "smallest useful H_dep, the share of the cost saved against the best fixed action"),
      Key("delta_alloc", &Thresholds::delta_alloc, Between{-1.0, 1.0},
          "smallest useful H_alloc, the share of the cost saved by choosing where to act"),
      Key("kappa", &Thresholds::kappa, Between{0.0, 1.0},
          "κ: largest tolerable q, the share of the queries at which the choice breaks a "
          "constraint"));
}

/// Came later than most: in the canonical text only where they differ from what always was.
TomlKeys<QuestionConfig> QuestionKeys() {
  using Q = QuestionConfig;
  return KeysOfAllMembers<Q>(
      UnlessDefault(Key("deploy", &Q::deploy, OneOf{{"new clusters", "known clusters"}},
                        "where the adapter will be used: at clusters nobody has seen, or at other "
                        "queries of these; the second holds out blocks of queries")),
      UnlessDefault(Key("blocks", &Q::blocks, Whole{2, 1'000'000},
                        "into how many blocks queries are divided, cluster by cluster, for `known "
                        "clusters`")),
      UnlessDefault(
          Key("constraint", &Q::constraint,
              OneOf{{"success and time", "success", "net success", "none", "mean success"}},
              "what q counts: choices that fail where the reference succeeds or take too "
              "long; those that fail; failures less the queries that only the choice "
              "solves; nothing; as net success, for the cheapest choices that lose at "
              "most κ of success on average")),
      UnlessDefault(Key("failure_price", &Q::failure_price, Between{1.0, 1e9},
                        "a failed action costs so many times what the table says; 10 where the "
                        "cost is a capped runtime: PAR10")),
      UnlessDefault(Key("failure_cost", &Q::failure_cost, Between{0.0, 1e15},
                        "what a failed action costs besides, in units of the cost: however cheap "
                        "it was")));
}

TomlKeys<MlpOptions> MlpKeys() {
  using M = MlpOptions;
  return KeysOfAllMembers<M>(
      Key("members", &M::members, Whole{1, 1000}, "number of networks in the MLP ensemble"),
      Key("hidden", &M::hidden, Whole{1, 4096}, "widths of the MLP's hidden layers"),
      Key("epochs", &M::epochs, Whole{1, 1'000'000},
          "number of passes over the training rows, MLP"),
      Key("batch", &M::batch_rows, Whole{1, kWholeTable},
          "number of rows, that is, pairs of query and action, in a training step, MLP"),
      Key("learning_rate", &M::learning_rate, Positive{}, "step size of AdamW, MLP"),
      Key("weight_decay", &M::weight_decay, Between{0.0, 1.0}, "weight decay of AdamW, MLP"),
      Key("standardise_targets", &M::standardise_targets, YesNo{},
          "whether relative cost and time are scaled before fitting, MLP; otherwise eligibility "
          "outweighs them"),
      Key("loss", &M::loss, OneOf{{"mse", "smooth-l1"}},
          "loss of relative cost and time, MLP: squared error or smooth L1"),
      Key("resample", &M::resample, OneOf{{"clusters", "queries", "none"}},
          "what every network of the MLP ensemble draws its training rows from; with `none` it "
          "takes all rows"));
}

TomlKeys<RidgeOptions> RidgeKeys() {
  using R = RidgeOptions;
  return KeysOfAllMembers<R>(
      Key("members", &R::members, Whole{1, 1000},
          "number of ridge fits, each to resampled clusters"),
      Key("penalties", &R::penalties, Positive{},
          "penalties that are tried, per training row and on standardised features; "
          "cross-validation over the training clusters chooses the best"),
      Key("inner_folds", &R::inner_folds, Whole{2, 1000},
          "number of folds of that cross-validation"));
}

TomlKeys<TreesOptions> TreesKeys() {
  using T = TreesOptions;
  return KeysOfAllMembers<T>(
      Key("members", &T::members, Whole{1, 1000},
          "number of boosted fits, each to resampled clusters"),
      Key("rounds", &T::rounds, Whole{1, 100'000}, "number of trees for each output of a fit"),
      Key("depth", &T::depth, Whole{1, 16}, "most splits from root to leaf"),
      Key("learning_rate", &T::learning_rate, Between{1e-6, 1.0}, "shrinkage of every tree"));
}

TomlKeys<ForestOptions> ForestKeys() {
  using F = ForestOptions;
  return KeysOfAllMembers<F>(
      Key("members", &F::members, Whole{1, 10'000},
          "number of parts of the forest, each fitted to its own resample of the clusters"),
      Key("trees", &F::trees, Whole{1, 10'000}, "number of trees in every part"),
      Key("min_leaf", &F::min_leaf, Whole{1, 1'000'000}, "fewest training queries in a leaf"),
      Key("depth", &F::depth, Whole{1, 64}, "most splits from root to leaf"),
      Key("feature_share", &F::feature_share, Between{0.0, 1.0},
          "share of the features that are tried at every split; at least one is"),
      Key("bins", &F::bins, Whole{2, 256},
          "largest number of values of a feature that are told apart"));
}

TomlKeys<PolicyOptions> PolicyKeys() {
  using P = PolicyOptions;
  return KeysOfAllMembers<P>(
      Key("depth", &P::depth, Whole{1, 3}, "questions asked before the policy tree acts"),
      Key("bins", &P::bins, Whole{2, 256}, "most values of a feature that it tells apart"),
      Key("min_leaf", &P::min_leaf, Whole{1, 1'000'000}, "fewest training queries in a leaf"),
      Key("z", &P::z, Between{0.0, 100.0},
          "a leaf leaves the reference where its gain is so many standard errors over clusters "
          "above nothing"),
      Key("violation_price", &P::violation_price, Between{0.0, 1e9},
          "what a broken constraint costs while the tree is sought, in units of the target: for "
          "differences, in mean reference costs"));
}

/// Learners that came later stand in the canonical text only where they are used or changed:
/// protocols that were declared before keep their fingerprint.
template <typename Options>
io::TomlKey<LearnerConfig> LaterLearner(std::string name, LearnerKind kind,
                                        Options LearnerConfig::*member, TomlKeys<Options> keys) {
  io::TomlKey<LearnerConfig> section = Section(std::move(name), member, std::move(keys));
  section.write = [=, write = section.write](const LearnerConfig& learner,
                                             io::TomlEntries& entries) {
    if (learner.kind == kind || !(learner.*member == Options{})) write(learner, entries);
  };
  return section;
}

/// Stands in the canonical text only where it is not the learner's own: protocols that were
/// declared before there was a choice keep their fingerprint.
io::TomlKey<LearnerConfig> TargetKey() {
  const OneOf names = AnyOf(kTargetNames);
  return {
      .read =
          [=](const io::TomlNode& table, LearnerConfig& learner) {
            std::string name;
            names.Read(table, "target", name);
            if (!name.empty()) learner.target = LearnerTargetNamed(name);
          },
      .write =
          [=](const LearnerConfig& learner, io::TomlEntries& entries) {
            const LearnerTarget target = TargetOf(learner);
            if (target != OwnTarget(learner.kind)) {
              entries.emplace_back("target", names.Text(target));
            }
          },
      .describe =
          [=](const LearnerConfig& defaults, std::vector<io::TomlKeyRow>& rows) {
            rows.push_back(
                {"target", names.Text(TargetOf(defaults)), names.Allowed(std::string()),
                 "how the cost and the time of an action are compared with those of the reference "
                 "before they are learned: W(a)/W(a₀) − 1, W(a) − W(a₀) in units of the mean cost "
                 "of the reference, or log W(a)/W(a₀); the default of `forest` and `policy` is "
                 "`difference`"});
          }};
}

TomlKeys<LearnerConfig> LearnerKeys() {
  using L = LearnerConfig;
  return KeysOfAllMembers<L>(
      Key("kind", &L::kind, AnyOf(kLearnerNames),
          "which learner predicts what each action would do"),
      TargetKey(),
      Key("features", &L::features, AnyText{},
          "groups of features that the learner may see; if none are given, all"),
      UnlessDefault(Key("levels", &L::levels, Whole{1, 1000},
                        "of a feature that is a category, so many levels get a column of 0 and 1 "
                        "of their own: those that are most frequent in the training clusters; all "
                        "others share one")),
      Section("", &L::mlp, MlpKeys()), Section("ridge", &L::ridge, RidgeKeys()),
      Section("trees", &L::trees, TreesKeys()),
      LaterLearner("forest", LearnerKind::kForest, &L::forest, ForestKeys()),
      LaterLearner("policy", LearnerKind::kPolicy, &L::policy, PolicyKeys()));
}

TomlKeys<SelectorOptions> SelectorKeys() {
  using S = SelectorOptions;
  return KeysOfAllMembers<S>(
      Key("z", &S::z, Between{0.0, 100.0},
          "predictions are bounded by mean ± z standard deviations over members"),
      Key("ddof", &S::ddof, Whole{0, 1},
          "for that standard deviation, the sum of squares is divided by the number of members "
          "less this"),
      Key("min_eligibility", &S::min_eligibility, Between{0.0, 1.0},
          "an action may be chosen when its lower bound of being eligible is at least this"),
      UnlessDefault(Key("violation_share", &S::violation_share, Between{0.0, 1.0},
                        "share of `protocol.kappa` that the choices may be expected to break: `z` "
                        "is raised until they stay below it inside the training clusters, at three "
                        "times the fits; 0: `z` as it is")),
      UnlessDefault(Key("min_departures", &S::min_departures, Between{0.0, 1.0},
                        "share of queries below which an adapter that departs gets a warning")));
}

TomlKeys<BootstrapConfig> BootstrapKeys() {
  using B = BootstrapConfig;
  return KeysOfAllMembers<B>(
      Key("method", &B::method, OneOf{{"refit", "folds"}},
          "`refit`: learners are fitted again to resampled clusters; `folds`: fitted folds are "
          "resampled, and the result is descriptive"),
      Key("refits", &B::refits, Whole{1, kManyRefits},
          "number of refits, each on a resample of the clusters"),
      Key("level", &B::level, Between{0.5, 0.9999}, "confidence level of the intervals"),
      Key("seed", &B::seed, Whole{0}, "seed of everything that is drawn at random"),
      Key("mixture", &B::mixture, OneOf{{"cluster", "pooled"}},
          "what the matched mixture copies: the selector's shares within a cluster, or over all "
          "held-out queries"),
      Key("aggregate", &B::aggregate, OneOf{{"sums", "fold-means"}},
          "how folds are put together: ratio of sums, or (with `folds` only) mean of the ratios of "
          "the folds, which heavy tails ruin"));
}

TomlKeys<RuleConfig> RuleKeys() {
  using R = RuleConfig;
  return KeysOfAllMembers<R>(
      Key("kind", &R::kind, AnyOf(kRuleNames),
          "which rule decides ([intervals](../concepts/intervals.md)); the first two are always "
          "computed, the third where it decides"),
      Key("icc", &R::icc, Between{0.0, 1.0},
          "correlation of violations within a cluster that is assumed when no violation was seen"),
      UnlessDefault(Key("least_icc", &R::least_icc, Between{0.0, 1.0},
                        "least correlation of violations within a cluster that is assumed when "
                        "violations were seen, however evenly they are spread")),
      Key("adapter_cost", &R::adapter_cost, Between{0.0},
          "cost of features and inference at each query, in units of the cost, which the "
          "calibrated rule charges to the selector"),
      Key("looks", &R::looks, Whole{1, 100},
          "how often the table may be audited while clusters are added; the calibrated rule "
          "divides its error among these looks"),
      UnlessDefault(
          Key("looks_at", &R::looks_at, Whole{2, kManyRefits},
              "at how many clusters looks at growing data are taken, ascending, such as "
              "`[20, 40, 80, 160]`; the error is spent by clusters, and `looks` is ignored")),
      UnlessDefault(Key("spending", &R::spending, OneOf{{"pocock", "obrien-fleming"}},
                        "how the error is spent over `looks_at`: nearly evenly, or hardly anything "
                        "early")),
      UnlessDefault(Key("futility", &R::futility, Between{0.0, 1.0},
                        "a study until decided also ends when no later look of `looks_at` has at "
                        "least this chance of a GO; 0: never")),
      UnlessDefault(Key("min_reference_success", &R::min_reference_success, Between{0.0, 1.0},
                        "share of the queries at which the reference has to succeed; below it no "
                        "decision is given. Counts only if success was recorded")),
      UnlessDefault(
          Key("explained", &R::explained, AnyText{},
              "doubts about the table that are known to have an innocent cause, of "
              "`copies`, `pieces`, `leak` and `trend`: unexplained copies allow no GO, the "
              "others are warnings")));
}

/// What somebody else reads and describes.
io::TomlKey<Protocol> CollectKey(const SectionReader& reader) {
  return {.read =
              [=](const io::TomlNode& root, Protocol& protocol) {
                if (!root.Has("collect")) return;
                const io::TomlNode table = root.Table("collect");
                protocol.collect = reader ? ForeignSection{reader(table)} : ReadAsWritten(table);
                if (protocol.collect->entries.empty()) {
                  root.Fail("collect", "found an empty section, expected at least one key");
                }
              },
          .write =
              [](const Protocol& protocol, io::TomlEntries& entries) {
                if (!protocol.collect) return;
                for (const auto& [key, text] : protocol.collect->entries) {
                  entries.emplace_back("collect." + key, text);
                }
              },
          .describe = [](const Protocol& /*defaults*/, std::vector<io::TomlKeyRow>& /*rows*/) {}};
}

}  // namespace

TomlKeys<Protocol> ProtocolKeys(const SectionReader& collect) {
  using P = Protocol;
  return KeysOfAllMembers<P>(
      Key("protocol.name", &P::name, AnyText{}, "name of the audit, in reports and folders"),
      Key("protocol.reference", &P::reference, AnyText{},
          "a₀, the action that is used without an adapter; if empty, `direct`, or else the first "
          "action"),
      Key("protocol.actions", &P::actions, AnyText{},
          "actions that the adapter may choose from; if none are given, those of the table"),
      Key("protocol.cluster", &P::cluster, AnyText{},
          "what a cluster is, in words, for the report"),
      Key("protocol.min_clusters", &P::min_clusters, Whole{2, kManyRefits},
          "with fewer clusters the result is descriptive, without a decision"),
      Key("protocol.time_budget", &P::time_budget, Between{1.0},
          "ρ: an action breaks a constraint if it takes more than ρ times as long as the "
          "reference"),
      Key("protocol.time_tolerance", &P::time_tolerance, Between{0.0},
          "time that is allowed in addition to ρ T(a₀), in units of the time column"),
      Section("protocol", &P::thresholds, ThresholdKeys()),
      Section("protocol", &P::question, QuestionKeys()), Section("table", &P::table, TableKeys()),
      Section("logging", &P::logging, LoggingKeys()),
      Section("learner", &P::learner, LearnerKeys()),
      Section("selector", &P::selector, SelectorKeys()),
      Section("bootstrap", &P::bootstrap, BootstrapKeys()), Section("rule", &P::rule, RuleKeys()),
      NamedKeys("feature_sets", "name", &P::feature_sets, &FeatureSet::name, &FeatureSet::groups,
                io::SomeTexts{}, "groups of features, for the ablation table of `--ablation`"),
      CollectKey(collect));
}

const OneOf& Presets() {
  static const OneOf kPresets{{"paper", "archived"}};
  return kPresets;
}

std::vector<io::TomlKeyRow> DescribeProtocolKeys() {
  std::vector<io::TomlKeyRow> rows = {
      {fmt::format("protocol.{}", kPresetKey), Presets().Text(Presets().names.front()),
       Presets().Allowed(std::string()),
       "what the other keys start from; `archived`: the paper's archived scale study (full-batch "
       "smooth L1, members resample queries, mean of fold ratios, resampled folds)"}};
  for (io::TomlKeyRow& row : ProtocolKeys().Describe()) rows.push_back(std::move(row));
  return rows;
}

std::string_view Name(DecisionRule rule) { return kRuleNames.at(static_cast<std::size_t>(rule)); }

std::string_view Name(LearnerKind kind) { return kLearnerNames.at(static_cast<std::size_t>(kind)); }

std::string_view Name(LearnerTarget target) {
  return kTargetNames.at(static_cast<std::size_t>(target));
}

std::optional<LearnerKind> LearnerKindNamed(std::string_view name) {
  return Named<LearnerKind>(name, kLearnerNames);
}

std::optional<LearnerTarget> LearnerTargetNamed(std::string_view name) {
  return Named<LearnerTarget>(name, kTargetNames);
}

}  // namespace gonogo::audit
