// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn {

void Ensemble::Predict(int member, const Eigen::Ref<const Batch<float>>& raw, std::span<float> out,
                       Scratch& scratch) const {
  GONOGO_CHECK(std::ssize(out) == raw.rows() * outputs());
  const auto size = static_cast<std::size_t>(raw.size());
  if (scratch.inputs.size() < size) scratch.inputs.resize(size);
  input.Apply<float>(raw, std::span(scratch.inputs).first(size));
  const Eigen::Map<const Batch<float>> standardised(scratch.inputs.data(), raw.rows(), raw.cols());
  const Mlp<float>::ConstMatrix predicted = members[member].Forward(standardised, scratch.network);
  std::copy_n(predicted.data(), out.size(), out.data());
  target.Invert<float>(out);
  const auto width = static_cast<std::size_t>(outputs());
  for (std::size_t j = 0; j < width; ++j) {
    if (losses[j] != Loss::kBinaryCrossEntropy) continue;
    for (std::size_t i = j; i < out.size(); i += width) out[i] = Sigmoid(out[i]);
  }
}

Standardiser FitTargets(std::span<const Loss> losses, bool standardise,
                        const Eigen::Ref<const Batch<float>>& targets,
                        std::span<const int> multiplicity) {
  GONOGO_CHECK(targets.cols() == std::ssize(losses));
  if (!standardise) return Standardiser::Identity(losses.size());
  Standardiser fitted = Standardiser::Fit<float>(targets, multiplicity);
  for (std::size_t j = 0; j < losses.size(); ++j) {
    if (losses[j] != Loss::kBinaryCrossEntropy) continue;
    fitted.mean[j] = 0.0;
    fitted.scale[j] = 1.0;
  }
  return fitted;
}

}  // namespace gonogo::nn
