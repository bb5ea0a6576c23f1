// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

Result<Tensor> Transposed(Builder& builder, const Tensor& matrix) {
  const std::vector<std::int64_t> strides = {1, matrix.shape[1]};
  return builder.View(matrix, {matrix.shape[1], matrix.shape[0]}, 0, strides);
}

Result<Tensor> Scaled(Builder& builder, const Tensor& x, float factor) {
  if (factor == 1.0F) return x;
  return builder.Binary(BinaryOp::kMul, x, Tensor::Constant({}, std::vector<float>{factor}));
}

/// The same addend for every row of a product with `n` columns, as the kernel wants its bias.
bool IsBias(const Tensor& addend, std::int64_t n) {
  return addend.floats() != nullptr && addend.rank() >= 1 && addend.shape.back() == n &&
         addend.size() == static_cast<std::size_t>(n);
}

}  // namespace

Outputs LowerGemm(const Site& site) {
  Builder& builder = site.builder;
  Result<Tensor> a = site.input(0);
  Result<Tensor> b = site.input(1);
  for (const Tensor* operand : {&a.value(), &b.value()}) {
    if (operand->rank() != 2) {
      return InputError("an operand has shape {}, expected a matrix", ToString(operand->shape));
    }
  }
  if (site.attribute<std::int64_t>("transA", 0) != 0) a = Transposed(builder, a.value());
  if (!a.ok()) return a.error();
  if (site.attribute<std::int64_t>("transB", 0) != 0) b = Transposed(builder, b.value());
  if (!b.ok()) return b.error();
  // Scaling the operand that is constant costs nothing at run time.
  Result<Tensor>& scaled = b.value().is_constant() ? b : a;
  scaled = Scaled(builder, scaled.value(), site.attribute("alpha", 1.0F));
  if (!scaled.ok()) return scaled.error();
  if (site.optional_input(2) == nullptr) return Single(builder.Product(a.value(), b.value()));

  const Tensor c = GONOGO_TRY(Scaled(builder, site.input(2), site.attribute("beta", 1.0F)));
  if (b.value().floats() != nullptr && IsBias(c, b.value().shape[1])) {
    return Single(builder.Linear(a.value(), b.value(), *c.floats()));
  }
  const Tensor product = GONOGO_TRY(builder.Product(a.value(), b.value()));
  const Tensor addend = GONOGO_TRY(builder.Broadcast(c, product.shape));
  return Single(builder.Binary(BinaryOp::kAdd, product, addend));
}

Outputs LowerMatMul(const Site& site) {
  Tensor a = site.input(0);
  Tensor b = site.input(1);
  if (a.rank() == 0 || b.rank() == 0) return InputError("an operand is a scalar");
  const bool a_is_vector = a.rank() == 1;
  const bool b_is_vector = b.rank() == 1;
  if (a_is_vector) a.shape.insert(a.shape.begin(), 1);
  if (b_is_vector) b.shape.push_back(1);
  if (b.rank() > 2) {
    return InputError("the second operand has shape {}, expected a vector or a matrix",
                      ToString(b.shape));
  }
  Result<Tensor> product = site.builder.Product(a, b);
  if (!product.ok()) return product.error();
  Shape& shape = product.value().shape;
  if (b_is_vector) shape.pop_back();
  if (a_is_vector) shape.erase(shape.begin());
  return Single(std::move(product));
}

Outputs LowerNeg(const Site& site) {
  const Tensor zero = Tensor::Constant({}, std::vector<float>{0.0F});
  return Single(site.builder.Binary(BinaryOp::kSub, zero, site.input(0)));
}

Outputs LowerAbs(const Site& site) {
  const Tensor zero = Tensor::Constant({}, std::vector<float>{0.0F});
  const Tensor turned = GONOGO_TRY(site.builder.Binary(BinaryOp::kSub, zero, site.input(0)));
  return Single(site.builder.Binary(BinaryOp::kMax, site.input(0), turned));
}

Outputs LowerElu(const Site& site) {
  return Single(site.builder.Unary(UnaryOp::kElu, site.input(0), site.attribute("alpha", 1.0F)));
}

Outputs LowerLeakyRelu(const Site& site) {
  const float slope = site.attribute("alpha", 0.01F);
  return Single(site.builder.Unary(UnaryOp::kLeakyRelu, site.input(0), slope));
}

Outputs LowerClip(const Site& site) {
  Result<Tensor> out = site.input(0);
  const auto limit = [&](BinaryOp op, std::string_view name, std::size_t index) {
    const Tensor* bound = site.optional_input(index);
    if (bound == nullptr && !site.has_attribute(name)) return;
    const Tensor attribute = Tensor::Constant({}, std::vector<float>{site.attribute(name, 0.0F)});
    out = site.builder.Binary(op, out.value(), bound == nullptr ? attribute : *bound);
  };
  limit(BinaryOp::kMax, "min", 1);
  if (out.ok()) limit(BinaryOp::kMin, "max", 2);
  return Single(std::move(out));
}

}  // namespace gonogo::nn::graph
