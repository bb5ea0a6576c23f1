// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/simulated_learner.h"

#include <utility>

namespace gonogo::calibrate {
namespace {

using audit::LearnerConfig;
using audit::LearnerKind;

/// A network of the paper's kind with fewer and smaller members that learn faster.
SimulatedLearner Mlp(std::size_t members, int hidden, std::size_t epochs) {
  LearnerConfig config{.kind = LearnerKind::kMlp};
  config.mlp.members = members;
  config.mlp.hidden = {hidden};
  config.mlp.epochs = epochs;
  config.mlp.batch_rows = 64;
  config.mlp.learning_rate = 1e-2;
  return {config, true};
}

/// A fifth of the forest's trees.
SimulatedLearner SmallForest() {
  LearnerConfig config{.kind = LearnerKind::kForest};
  config.forest.members = 10;
  config.forest.trees = 2;
  return {config};
}

/// A fifth of the boosted trees, each step taken twice as far.
SimulatedLearner SmallTrees() {
  LearnerConfig config{.kind = LearnerKind::kTrees};
  config.trees.members = 2;
  config.trees.rounds = 50;
  config.trees.learning_rate = 0.2;
  return {config, true};
}

std::vector<std::pair<std::string, SimulatedLearner>> All() {
  std::vector<std::pair<std::string, SimulatedLearner>> all;
  for (const char* name : {"mlp", "ridge", "trees", "forest", "policy"}) {
    all.push_back({name, {LearnerConfig{.kind = *audit::LearnerKindNamed(name)}}});
  }
  all.push_back({"small-mlp", Mlp(2, 16, 30)});
  all.push_back({"medium-mlp", Mlp(4, 32, 60)});
  all.push_back({"small-forest", SmallForest()});
  all.push_back({"small-trees", SmallTrees()});
  return all;
}

}  // namespace

std::optional<SimulatedLearner> SimulatedLearnerNamed(std::string_view name) {
  for (const auto& [known, learner] : All()) {
    if (known == name) return learner;
  }
  return std::nullopt;
}

std::vector<std::string> SimulatedLearnerNames() {
  std::vector<std::string> names;
  for (const auto& [name, learner] : All()) names.push_back(name);
  return names;
}

}  // namespace gonogo::calibrate
