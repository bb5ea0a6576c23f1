// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include <Eigen/Core>

#include "gonogo/base/check.h"
#include "gonogo/nn/activation.h"
#include "gonogo/nn/batch.h"

namespace gonogo::nn {

/// What one output of a network is trained with.
enum class Loss {
  kSquaredError,        ///< (output - target)²
  kSmoothL1,            ///< half the square where |output - target| < 1, beyond that minus one half
  kBinaryCrossEntropy,  ///< of a logit against a target in [0, 1]
};

/// Derivative of one row's loss with respect to the output.
template <typename Scalar>
[[nodiscard]] Scalar LossSlope(Loss loss, Scalar output, Scalar target) {
  const Scalar residual = output - target;
  switch (loss) {
    case Loss::kSquaredError:
      return Scalar(2) * residual;
    case Loss::kSmoothL1:
      return std::clamp(residual, Scalar(-1), Scalar(1));
    case Loss::kBinaryCrossEntropy:
      return Sigmoid(output) - target;
  }
  GONOGO_CHECK(false);
}

/// The sum over outputs of the mean over rows of each output's loss, in double. Writes its
/// derivative with respect to `outputs` (rows x losses) into `gradient` unless that is empty.
template <typename Scalar>
double EvaluateLoss(std::span<const Loss> losses, const Eigen::Ref<const Batch<Scalar>>& outputs,
                    const Eigen::Ref<const Batch<Scalar>>& targets, std::span<Scalar> gradient);

}  // namespace gonogo::nn
