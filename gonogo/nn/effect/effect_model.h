// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/nn/mlp/standardiser.h"

/// \file
/// A fitted treatment-effect learner of any kind, as plain numbers: what an exporter needs to know
/// and nothing of how it was fitted. A row of inputs is one situation: its features, then the
/// action features of candidate 0, of candidate 1, and so on.

namespace gonogo::nn {

/// What is done to a predicted number last.
enum class EffectLink {
  kIdentity,
  kLogistic,     ///< logits become probabilities
  kUnitInterval  ///< clipped to [0, 1]
};

struct EffectOutput {
  std::string name;  ///< "work", "time" or "eligible"
  EffectLink link = EffectLink::kIdentity;
};

/// Every effect is linear in the standardised inputs. Columns are ordered (output, member,
/// candidate), the candidate fastest.
struct LinearEffects {
  Standardiser input;
  std::vector<float> weight;  ///< row-major [inputs, columns]
  std::vector<float> bias;    ///< one per column
};

/// A decision tree: x[feature] < threshold goes to `below`, everything else to `other`. A leaf has
/// feature -1 and adds row `leaf` of `values` to the tree's targets.
struct EffectTree {
  struct Node {
    std::int32_t feature = -1;
    float threshold = 0.0F;
    std::uint32_t below = 0;
    std::uint32_t other = 0;
    std::uint32_t leaf = 0;
  };
  std::vector<Node> nodes;             ///< the root first
  std::vector<std::uint32_t> targets;  ///< what its leaves add to
  std::vector<float> values;           ///< leaves x targets
};

/// Sums of trees. Where the trees see one candidate at a time (`per_candidate`), their inputs are
/// features, action features and the candidate as one-hot code, and targets are ordered (member,
/// output); otherwise inputs are whole rows and targets are ordered (output, member, candidate).
struct TreeEffects {
  bool per_candidate = false;
  std::vector<float> base;  ///< of every target
  std::vector<EffectTree> trees;
};

struct EffectModel {
  std::size_t features = 0;
  std::size_t action_features = 0;  ///< of every candidate
  std::size_t candidates = 1;
  std::size_t members = 1;
  std::vector<EffectOutput> outputs;
  /// An ensemble sees one candidate at a time, encoded as by `EncodeTreatments`.
  std::variant<Ensemble, LinearEffects, TreeEffects> body;

  [[nodiscard]] std::size_t inputs() const { return features + candidates * action_features; }
};

}  // namespace gonogo::nn
