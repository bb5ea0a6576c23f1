// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/column_encoding.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/nn/mlp/trainer.h"

/// \file
/// A fitted treatment-effect learner of any kind, as plain numbers: what an exporter needs to know
/// and nothing of how it was fitted. A row of inputs is one situation: its features, then the
/// action features of candidate 0, of candidate 1, and so on.

namespace gonogo::nn {

/// Outcomes of the same candidate actions at every query. Row (query, candidate) has index
/// query * candidates + candidate.
struct TreatmentData {
  int candidates = 1;
  Batch<float> features;         ///< queries x d: what is known of the query
  Batch<float> action_features;  ///< rows x p: what is known of the action there; p may be 0
  Batch<float> targets;          ///< rows x outputs

  [[nodiscard]] int queries() const { return static_cast<int>(features.rows()); }
};

/// The treatment-effect learner of the audit (docs/concepts/audit.md).
struct TreatmentConfig {
  std::vector<int> hidden = {64, 64};  ///< widths of the ReLU layers, at least one
  std::vector<Loss> losses = {};       ///< one per target column
  bool standardise_targets = true;     ///< z-score the targets that are not probabilities
  int epochs = 200;
  /// Rows per step, rounded to whole queries: all candidates of a query are in the same batch. The
  /// last, shorter batch of an epoch is kept. 0 = all rows in one batch.
  int batch_rows = 256;
  AdamWConfig optimiser = {.weight_decay = 1e-4};
};

/// Trains one member for every entry of `draws`, on one thread. `draws[m][q]` says how often query
/// q is in the sample of member m; a query drawn twice is trained on twice per epoch.
/// `multiplicity[q]` says the same of the training set as a whole, whose rows give the means and
/// deviations all members share. Queries with multiplicity 0 are never looked at. Inputs are the
/// query's features, the action features and the action as one-hot code. Members differ by their
/// draws, initial weights and order of batches. The only error is `kInterrupted`.
[[nodiscard]] Result<Ensemble> TrainTreatmentEnsemble(const TreatmentData& data,
                                                      std::span<const int> multiplicity,
                                                      std::span<const std::vector<int>> draws,
                                                      const TreatmentConfig& config,
                                                      const RngStream& stream,
                                                      const std::stop_token& stop = {});

/// Network inputs of all candidates of `count` queries from `first` on, in raw units.
[[nodiscard]] Batch<float> EncodeTreatments(const TreatmentData& data, int first, int count);

/// Predictions of every member for all candidates of `count` queries from `first` on: entry
/// ((member * count + query) * candidates + candidate) * outputs + output.
[[nodiscard]] std::vector<float> PredictTreatments(const Ensemble& ensemble,
                                                   const TreatmentData& data, int first, int count);

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
  /// How rows as people record them become the rows above; empty: they are the same.
  std::vector<ColumnEncoding> feature_encodings = {};
  std::vector<ColumnEncoding> action_feature_encodings = {};

  [[nodiscard]] std::size_t inputs() const { return features + candidates * action_features; }
  [[nodiscard]] bool encodes() const {
    return !feature_encodings.empty() || !action_feature_encodings.empty();
  }
};

}  // namespace gonogo::nn
