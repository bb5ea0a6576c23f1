// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/nn/mlp/mlp.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::nn {

/// Maps every column to zero mean and unit variance. Statistics are in double, whatever the data.
struct Standardiser {
  std::vector<double> mean;
  std::vector<double> scale;  ///< population standard deviation; 1 where that is below 1e-8

  bool operator==(const Standardiser&) const = default;
  [[nodiscard]] std::size_t columns() const { return mean.size(); }

  /// Leaves `columns` columns as they are.
  [[nodiscard]] static Standardiser Identity(std::size_t columns);

  /// Statistics of the rows of `data`, row i counted `multiplicity[i]` times (once each if empty);
  /// a row counted 0 times is not looked at. The multiplicities must not all be zero.
  template <typename Scalar>
  [[nodiscard]] static Standardiser Fit(const Eigen::Ref<const Batch<Scalar>>& data,
                                        std::span<const int> multiplicity = {});

  /// (data - mean) / scale, row by row, into `out` (as large as `data`, row-major).
  template <typename Scalar>
  void Apply(const Eigen::Ref<const Batch<Scalar>>& data, std::span<Scalar> out) const;

  template <typename Scalar>
  [[nodiscard]] Batch<Scalar> Apply(const Eigen::Ref<const Batch<Scalar>>& data) const;

  /// data * scale + mean, in place, for rows of columns() values.
  template <typename Scalar>
  void Invert(std::span<Scalar> data) const;
};

/// Networks of one shape trained for the same task, with the units of their inputs and outputs.
/// Immutable while shared by threads; every thread brings its own `Scratch`.
struct Ensemble {
  Standardiser input;
  Standardiser target;       ///< identity for outputs that are logits
  std::vector<Loss> losses;  ///< what each output was trained with
  std::vector<Mlp<float>> members;

  struct Scratch {
    std::vector<float> inputs;
    Mlp<float>::Scratch network;
  };

  [[nodiscard]] int inputs() const { return static_cast<int>(input.columns()); }
  [[nodiscard]] int outputs() const { return static_cast<int>(losses.size()); }

  /// What `member` predicts for `inputs` (raw units, one row each): outputs in raw units, and
  /// probabilities for outputs trained with cross-entropy. Writes rows x outputs into `out`.
  /// Allocates nothing once `scratch` has seen the largest batch.
  void Predict(int member, const Eigen::Ref<const Batch<float>>& inputs, std::span<float> out,
               Scratch& scratch) const;
};

/// Statistics of training targets, row i counted `multiplicity[i]` times. Outputs trained with
/// cross-entropy are left alone, as is everything unless `standardise`.
[[nodiscard]] Standardiser FitTargets(std::span<const Loss> losses, bool standardise,
                                      const Eigen::Ref<const Batch<float>>& targets,
                                      std::span<const int> multiplicity);

}  // namespace gonogo::nn
