// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/loss.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/nn/activation.h"

namespace gonogo::nn {
namespace {

struct ValueAndSlope {
  double value;
  double slope;
};

ValueAndSlope At(Loss loss, double output, double target) {
  const double residual = output - target;
  switch (loss) {
    case Loss::kSquaredError:
      return {residual * residual, 2.0 * residual};
    case Loss::kSmoothL1:
      if (std::abs(residual) < 1.0) return {0.5 * residual * residual, residual};
      return {std::abs(residual) - 0.5, residual > 0.0 ? 1.0 : -1.0};
    case Loss::kBinaryCrossEntropy:
      // log(1 + exp(output)) - output * target, without overflow.
      return {std::max(output, 0.0) - output * target + std::log1p(std::exp(-std::abs(output))),
              Sigmoid(output) - target};
  }
  GONOGO_CHECK(false);
}

}  // namespace

template <typename Scalar>
double EvaluateLoss(std::span<const Loss> losses, const Eigen::Ref<const Batch<Scalar>>& outputs,
                    const Eigen::Ref<const Batch<Scalar>>& targets, std::span<Scalar> gradient) {
  GONOGO_CHECK(outputs.cols() == std::ssize(losses));
  GONOGO_CHECK(targets.rows() == outputs.rows() && targets.cols() == outputs.cols());
  GONOGO_CHECK(gradient.empty() || std::ssize(gradient) == outputs.size());
  const double rows = static_cast<double>(outputs.rows());
  double total = 0.0;
  for (Eigen::Index i = 0; i < outputs.rows(); ++i) {
    for (Eigen::Index j = 0; j < outputs.cols(); ++j) {
      const ValueAndSlope at = At(losses[j], outputs(i, j), targets(i, j));
      total += at.value;
      if (!gradient.empty()) {
        gradient[i * outputs.cols() + j] = static_cast<Scalar>(at.slope / rows);
      }
    }
  }
  return total / rows;
}

template double EvaluateLoss(std::span<const Loss>, const Eigen::Ref<const Batch<float>>&,
                             const Eigen::Ref<const Batch<float>>&, std::span<float>);
template double EvaluateLoss(std::span<const Loss>, const Eigen::Ref<const Batch<double>>&,
                             const Eigen::Ref<const Batch<double>>&, std::span<double>);

}  // namespace gonogo::nn
