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

/// One spatial axis of a convolution.
struct Window {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;  // zeros in front
  std::int64_t length = 0;  // of the input
  std::int64_t out = 0;     // places of the window
};

Result<std::vector<std::int64_t>> Numbers(const Site& site, std::string_view name,
                                          std::size_t count, std::int64_t fallback) {
  auto given = site.attribute(name, std::vector<std::int64_t>(count, fallback));
  if (given.size() != count)
    return InputError("{} has {} numbers, expected {}", name, given.size(), count);
  return given;
}

Result<Window> ReadWindow(const Site& site, const Tensor& x, const Tensor& weights) {
  Window window;
  window.size = weights.shape[2];
  window.length = x.shape[2];
  const auto kernel = GONOGO_TRY(Numbers(site, "kernel_shape", 1, window.size));
  const auto strides = GONOGO_TRY(Numbers(site, "strides", 1, 1));
  const auto dilations = GONOGO_TRY(Numbers(site, "dilations", 1, 1));
  const auto pads = GONOGO_TRY(Numbers(site, "pads", 2, 0));
  const std::string automatic = site.attribute("auto_pad", std::string("NOTSET"));
  if (automatic != "NOTSET" && automatic != "VALID") {
    return InputError("auto_pad is {}, expected pads in numbers", automatic);
  }
  window.stride = strides[0];
  window.dilation = dilations[0];
  window.before = pads[0];
  const std::int64_t reach = (window.size - 1) * window.dilation + 1;
  const std::int64_t padded = window.length + pads[0] + pads[1];
  if (kernel[0] != window.size || window.stride < 1 || window.dilation < 1 || pads[0] < 0 ||
      pads[1] < 0 || padded < reach) {
    return InputError("a window of {} (stride {}, dilation {}, pads {}) does not fit {} values",
                      window.size, window.stride, window.dilation, ToString(pads), window.length);
  }
  window.out = (padded - reach) / window.stride + 1;
  return window;
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

Outputs LowerWhere(const Site& site) {
  const Tensor taken = GONOGO_TRY(site.builder.Binary(BinaryOp::kIf, site.input(0), site.input(1)));
  const Tensor other =
      GONOGO_TRY(site.builder.Binary(BinaryOp::kUnless, site.input(0), site.input(2)));
  return Single(site.builder.Binary(BinaryOp::kAdd, taken, other));
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

Outputs LowerConv(const Site& site) {
  const Tensor& x = site.input(0);
  const Tensor& weights = site.input(1);
  if (x.rank() != 3 || weights.rank() != 3 || weights.floats() == nullptr) {
    return InputError(
        "operands have shapes {} and {}, expected [n, channels, time] and constant weights "
        "[outputs, channels, window]",
        ToString(x.shape), ToString(weights.shape));
  }
  if (site.attribute<std::int64_t>("group", 1) != 1 || weights.shape[1] != x.shape[1]) {
    return InputError("groups of channels are not supported");
  }
  const Window window = GONOGO_TRY(ReadWindow(site, x, weights));
  const std::int64_t outputs = weights.shape[0];
  const std::int64_t channels = weights.shape[1];
  const std::int64_t taps = channels * window.size;
  // Every place of the window becomes a row [channel, tap] of a matrix; outside of x are zeros.
  std::vector<Origin> origins;
  for (std::int64_t n = 0; n < x.shape[0]; ++n) {
    for (std::int64_t place = 0; place < window.out; ++place) {
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t channel = tap / window.size;
        const std::int64_t t =
            place * window.stride - window.before + (tap % window.size) * window.dilation;
        if (t < 0 || t >= window.length) {
          origins.push_back({1, 0});
          continue;
        }
        origins.push_back(
            {0, static_cast<std::size_t>((n * channels + channel) * window.length + t)});
      }
    }
  }
  const std::vector<Tensor> sources{x, Tensor::Constant({1}, std::vector<float>{0.0F})};
  Builder& builder = site.builder;
  const Tensor rows =
      GONOGO_TRY(builder.Rearrange(sources, {x.shape[0], window.out, taps}, origins));
  Tensor flat = weights;
  flat.shape = {outputs, taps};
  const std::vector<std::int64_t> turn{1, taps};
  const Tensor matrix = GONOGO_TRY(builder.View(flat, {taps, outputs}, 0, turn));
  std::vector<float> bias;
  if (const Tensor* given = site.optional_input(2)) {
    if (given->floats() == nullptr) return InputError("the bias is not constant");
    bias = *given->floats();
    if (bias.size() != static_cast<std::size_t>(outputs)) {
      return InputError("the bias has {} values, expected {}", bias.size(), outputs);
    }
  }
  const Tensor product = GONOGO_TRY(builder.Linear(rows, matrix, bias));
  const std::vector<std::int64_t> order{window.out * outputs, 1, outputs};
  return Single(builder.View(product, {x.shape[0], outputs, window.out}, 0, order));
}

}  // namespace gonogo::nn::graph
