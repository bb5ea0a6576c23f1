// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/normaliser.h"

#include <span>

namespace gonogo::nn::graph {
namespace {

bool Reads(const Ref& ref, const Ref& computed) {
  return !ref.constant && ref.offset == computed.offset && ref.size == computed.size;
}

/// The first step `value op constants` or, for commutative ones, `constants op value`.
const BinaryStep* ConstantStepOn(const Plan& plan, const Ref& value) {
  for (const Step& step : plan.steps) {
    const auto* binary = std::get_if<BinaryStep>(&step);
    if (binary == nullptr) continue;
    const bool commutes = binary->op == BinaryOp::kAdd || binary->op == BinaryOp::kMul;
    if (Reads(binary->a, value) && binary->b.constant) return binary;
    if (commutes && Reads(binary->b, value) && binary->a.constant) return binary;
  }
  return nullptr;
}

std::vector<float> Constants(const Plan& plan, const BinaryStep& step) {
  const Ref& ref = step.b.constant ? step.b : step.a;
  const auto values = std::span(plan.constants).subspan(ref.offset, ref.size);
  return {values.begin(), values.end()};
}

}  // namespace

std::optional<InputNormaliser> FindNormaliser(const Plan& plan) {
  if (plan.inputs.empty()) return std::nullopt;
  const BinaryStep* shift = ConstantStepOn(plan, plan.inputs[0]);
  if (shift == nullptr) return std::nullopt;
  if (shift->op != BinaryOp::kSub && shift->op != BinaryOp::kAdd) return std::nullopt;
  const BinaryStep* stretch = ConstantStepOn(plan, shift->out);
  if (stretch == nullptr) return std::nullopt;
  if (stretch->op != BinaryOp::kDiv && stretch->op != BinaryOp::kMul) return std::nullopt;
  InputNormaliser normaliser{Constants(plan, *shift), Constants(plan, *stretch)};
  const std::size_t size = plan.inputs[0].size;
  if (normaliser.mean.size() != size || normaliser.scale.size() != size) return std::nullopt;
  if (shift->op == BinaryOp::kAdd) {
    for (float& value : normaliser.mean) value = -value;
  }
  if (stretch->op == BinaryOp::kMul) {
    for (float& value : normaliser.scale) value = 1.0F / value;
  }
  return normaliser;
}

}  // namespace gonogo::nn::graph
