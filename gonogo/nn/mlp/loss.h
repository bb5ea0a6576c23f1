// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <Eigen/Core>

#include "gonogo/nn/mlp/batch.h"

namespace gonogo::nn {

/// What one output of a network is trained with.
enum class Loss {
  kSquaredError,        ///< (output - target)²
  kSmoothL1,            ///< half the square where |output - target| < 1, beyond that minus one half
  kBinaryCrossEntropy,  ///< of a logit against a target in [0, 1]
};

/// Replaces the values of one output, row by row, by the derivatives of its loss.
template <typename Scalar>
void LossSlopes(Loss loss, std::span<Scalar> outputs, std::span<const Scalar> targets);

/// The sum over outputs of the mean over rows of each output's loss, in double. Writes its
/// derivative with respect to `outputs` (rows x losses) into `gradient` unless that is empty.
template <typename Scalar>
double EvaluateLoss(std::span<const Loss> losses, const Eigen::Ref<const Batch<Scalar>>& outputs,
                    const Eigen::Ref<const Batch<Scalar>>& targets, std::span<Scalar> gradient);

}  // namespace gonogo::nn
