// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/learner_keys.h"

#include <algorithm>
#include <array>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {
namespace {

using io::AnyText;
using io::Between;
using io::Key;
using io::KeysOfAllMembers;
using io::OneOf;
using io::Positive;
using io::Section;
using io::TomlKeys;
using io::UnlessDefault;
using io::Whole;
using io::YesNo;

constexpr std::array<std::string_view, 7> kLearnerNames = {"mlp",    "ridge",    "trees", "forest",
                                                           "policy", "pairwise", "auto"};
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
          "largest number of values of a feature that are told apart"),
      UnlessDefault(Key("splits", &F::splits, OneOf{{"cost", "outcomes"}},
                        "what splits are chosen by: the costs of all actions, or also their times "
                        "and whether they are eligible, for tables whose value lies in success")),
      UnlessDefault(Key("most_actions", &F::most_actions, Whole{0, 10'000},
                        "most actions that are learned about, the reference among them; every "
                        "training set takes those whose best choice would gain the most, and no "
                        "more than it needs; 0: all")));
}

TomlKeys<PairwiseOptions> PairwiseKeys() {
  using P = PairwiseOptions;
  return KeysOfAllMembers<P>(
      Key("members", &P::members, Whole{1, 10'000},
          "number of parts of the forests, each fitted to its own resample of the clusters"),
      Key("trees", &P::trees, Whole{1, 10'000}, "number of trees in every part, for each pair"),
      Key("min_leaf", &P::min_leaf, Whole{1, 1'000'000}, "fewest training queries in a leaf"),
      Key("depth", &P::depth, Whole{1, 64}, "most splits from root to leaf"),
      Key("bins", &P::bins, Whole{2, 256},
          "largest number of values of a feature that are told apart"),
      Key("most_actions", &P::most_actions, Whole{2, 256},
          "most actions that are compared, the reference among them; where there are more, every "
          "training set takes those whose best choice would gain the most"),
      Key("violation_price", &P::violation_price, Between{0.0, 1e9},
          "what a broken constraint weighs in a vote, in units of the target: for differences, in "
          "mean reference costs"));
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

TomlKeys<AutoOptions> AutoKeys() {
  using A = AutoOptions;
  OneOf others = AnyOf(kLearnerNames);
  others.names.pop_back();
  return KeysOfAllMembers<A>(
      Key("learners", &A::learners, others,
          "learners among which every training set chooses one, together with its target (where "
          "none is declared) and its gate (0, 1 or 2 times selector.z): the first with the "
          "declared "
          "gate unless another one is better by more than a standard error"),
      Key("folds", &A::folds, Whole{2, 100},
          "number of folds of the training clusters in which they are compared; after each the "
          "worse half of them is dropped"),
      Key("violation_price", &A::violation_price, Between{0.0, 1e9},
          "what a broken constraint costs in that comparison, in mean reference costs"));
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
                 "of the reference, or log W(a)/W(a₀); the default of `forest`, `policy`, "
                 "`pairwise` and `auto` is `difference`; `auto` tries ratios as well where none is "
                 "declared"});
          }};
}

}  // namespace

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
      LaterLearner("policy", LearnerKind::kPolicy, &L::policy, PolicyKeys()),
      LaterLearner("pairwise", LearnerKind::kPairwise, &L::pairwise, PairwiseKeys()),
      LaterLearner("auto", LearnerKind::kAuto, &L::automatic, AutoKeys()));
}

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
