// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/loss.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "gonogo/base/check.h"
#include "gonogo/nn/mlp/activation.h"

namespace gonogo::nn {
namespace {

template <typename Scalar>
Scalar Slope(Loss loss, Scalar output, Scalar target) {
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

double Value(Loss loss, double output, double target) {
  const double residual = output - target;
  switch (loss) {
    case Loss::kSquaredError:
      return residual * residual;
    case Loss::kSmoothL1:
      return std::abs(residual) < 1.0 ? 0.5 * residual * residual : std::abs(residual) - 0.5;
    case Loss::kBinaryCrossEntropy:
      // log(1 + exp(output)) - output * target, without overflow.
      return std::max(output, 0.0) - output * target + std::log1p(std::exp(-std::abs(output)));
  }
  GONOGO_CHECK(false);
}

}  // namespace

template <typename Scalar>
void LossSlopes(Loss loss, std::span<Scalar> outputs, std::span<const Scalar> targets) {
  const auto replace = [&](auto kind) {  // one loop per kind, so that each vectorises
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i] = Slope<Scalar>(kind, outputs[i], targets[i]);
    }
  };
  switch (loss) {
    case Loss::kSquaredError:
      return replace(std::integral_constant<Loss, Loss::kSquaredError>{});
    case Loss::kSmoothL1:
      return replace(std::integral_constant<Loss, Loss::kSmoothL1>{});
    case Loss::kBinaryCrossEntropy:
      return replace(std::integral_constant<Loss, Loss::kBinaryCrossEntropy>{});
  }
}

template <typename Scalar>
double EvaluateLoss(std::span<const Loss> losses, const Eigen::Ref<const Batch<Scalar>>& outputs,
                    const Eigen::Ref<const Batch<Scalar>>& targets, std::span<Scalar> gradient) {
  GONOGO_CHECK(outputs.cols() == std::ssize(losses));
  GONOGO_CHECK(targets.rows() == outputs.rows() && targets.cols() == outputs.cols());
  GONOGO_CHECK(gradient.empty() || std::ssize(gradient) == outputs.size());
  const auto rows = static_cast<Scalar>(outputs.rows());
  double total = 0.0;
  for (Eigen::Index i = 0; i < outputs.rows(); ++i) {
    for (Eigen::Index j = 0; j < outputs.cols(); ++j) {
      total += Value(losses[j], outputs(i, j), targets(i, j));
      if (!gradient.empty()) {
        gradient[i * outputs.cols() + j] =
            Slope<Scalar>(losses[j], outputs(i, j), targets(i, j)) / rows;
      }
    }
  }
  return total / static_cast<double>(outputs.rows());
}

template void LossSlopes(Loss, std::span<float>, std::span<const float>);
template void LossSlopes(Loss, std::span<double>, std::span<const double>);
template double EvaluateLoss(std::span<const Loss>, const Eigen::Ref<const Batch<float>>&,
                             const Eigen::Ref<const Batch<float>>&, std::span<float>);
template double EvaluateLoss(std::span<const Loss>, const Eigen::Ref<const Batch<double>>&,
                             const Eigen::Ref<const Batch<double>>&, std::span<double>);

}  // namespace gonogo::nn
