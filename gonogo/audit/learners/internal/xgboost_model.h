// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/treatment_effect.h"

namespace gonogo::audit::internal {

/// What the trees of a model add up to.
enum class BoostingTarget {
  kNumber,       ///< by squared error
  kProbability,  ///< by cross-entropy; targets lie in [0, 1]
};

struct BoostingOptions {
  int rounds = 100;
  int depth = 3;
  double learning_rate = 0.1;
  double l2 = 1.0;        ///< penalty on leaf values
  double min_leaf = 5.0;  ///< smallest sum of second derivatives in a leaf
  int bins = 32;          ///< per feature, for split points
};

/// Weighted rows to learn from, copied once and then used for one model after the other.
class BoostingRows {
 public:
  /// `features` is row-major, `weights` has one entry per row. NaN counts as missing, infinity is
  /// refused.
  [[nodiscard]] static Result<BoostingRows> Create(std::span<const float> features,
                                                   std::span<const float> weights);

 private:
  friend class BoostedTrees;
  BoostingRows(std::shared_ptr<void> matrix, std::vector<float> weights)
      : matrix_(std::move(matrix)), weights_(std::move(weights)) {}

  std::shared_ptr<void> matrix_;
  std::vector<float> weights_;
};

/// What a model adds up, before a probability is made of it: a start and trees, whose targets are
/// left empty.
struct BoostedSum {
  float base = 0.0F;
  std::vector<nn::EffectTree> trees;
};

/// Gradient-boosted trees through XGBoost's C interface, on one thread and without random numbers:
/// the same rows give the same trees. Immutable, shared by threads.
class BoostedTrees {
 public:
  /// Starts from the weighted mean of `targets`, which has one entry per row.
  [[nodiscard]] static Result<BoostedTrees> Train(BoostingRows& rows,
                                                  std::span<const float> targets,
                                                  BoostingTarget target,
                                                  const BoostingOptions& options);

  /// One prediction per entry of `out`; `features` has as many rows.
  [[nodiscard]] Status Predict(std::span<const float> features, std::span<float> out) const;

  /// The trees themselves, as the library writes them down.
  [[nodiscard]] BoostedSum Describe() const;

 private:
  explicit BoostedTrees(std::shared_ptr<void> booster) : booster_(std::move(booster)) {}

  std::shared_ptr<void> booster_;
};

}  // namespace gonogo::audit::internal
