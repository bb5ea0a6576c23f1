// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/activation.h"

#include "gonogo/base/check.h"

namespace gonogo::nn {

template <typename Scalar>
void Activate(Activation kind, std::span<Scalar> values) {
  switch (kind) {
    case Activation::kIdentity:
      return;
    case Activation::kRelu:
      for (Scalar& v : values) v = v > Scalar(0) ? v : Scalar(0);
      return;
    case Activation::kElu:
      for (Scalar& v : values) {
        const Scalar below = Exp(std::min(v, Scalar(0))) - Scalar(1);
        v = v > Scalar(0) ? v : below;
      }
      return;
    case Activation::kTanh:
      for (Scalar& v : values) v = Tanh(v);
      return;
  }
}

template <typename Scalar>
void MultiplyByDerivative(Activation kind, std::span<const Scalar> outputs,
                          std::span<Scalar> gradient) {
  GONOGO_CHECK(outputs.size() == gradient.size());
  const std::size_t n = gradient.size();
  const Scalar* y = outputs.data();
  Scalar* g = gradient.data();
  switch (kind) {
    case Activation::kIdentity:
      return;
    case Activation::kRelu:
      for (std::size_t i = 0; i < n; ++i) g[i] = y[i] > Scalar(0) ? g[i] : Scalar(0);
      return;
    case Activation::kElu:
      for (std::size_t i = 0; i < n; ++i) g[i] *= std::min(y[i], Scalar(0)) + Scalar(1);
      return;
    case Activation::kTanh:
      for (std::size_t i = 0; i < n; ++i) g[i] *= Scalar(1) - y[i] * y[i];
      return;
  }
}

template void Activate(Activation, std::span<float>);
template void Activate(Activation, std::span<double>);
template void MultiplyByDerivative(Activation, std::span<const float>, std::span<float>);
template void MultiplyByDerivative(Activation, std::span<const double>, std::span<double>);

}  // namespace gonogo::nn
