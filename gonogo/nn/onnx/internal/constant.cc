// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <onnx/onnx_pb.h>

#include "gonogo/nn/onnx/internal/operator.h"
#include "gonogo/nn/onnx/internal/tensor_proto.h"

namespace gonogo::nn::graph {
namespace {

template <typename T>
Outputs Scalar(T value) {
  return Single(Tensor::Constant({}, std::vector<T>{value}));
}

template <typename T>
Outputs List(std::vector<T> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return Single(Tensor::Constant({count}, std::move(values)));
}

}  // namespace

Outputs LowerConstant(const Site& site) {
  if (site.node.attributes.size() != 1) return InputError("expected one value attribute");
  if (site.has_attribute("value")) return Single(site.attribute("value", Tensor{}));
  if (site.has_attribute("value_float")) return Scalar(site.attribute("value_float", 0.0F));
  if (site.has_attribute("value_int")) return Scalar(site.attribute("value_int", std::int64_t{0}));
  if (site.has_attribute("value_floats")) {
    return List(site.attribute("value_floats", std::vector<float>()));
  }
  return List(site.attribute("value_ints", std::vector<std::int64_t>()));
}

Outputs LowerCast(const Site& site) {
  const Tensor& x = site.input(0);
  const auto to = site.attribute<std::int64_t>("to", 0);
  const std::vector<std::int64_t>* const integers = x.integers();
  // Everything is computed in float32, whatever precision the file asks for on the way.
  if (to == ::onnx::TensorProto::FLOAT || to == ::onnx::TensorProto::FLOAT16 ||
      to == ::onnx::TensorProto::DOUBLE) {
    if (integers == nullptr) return Single(x);
    return Single(
        Tensor::Constant(x.shape, std::vector<float>(integers->begin(), integers->end())));
  }
  const bool to_integer = to == ::onnx::TensorProto::INT64 || to == ::onnx::TensorProto::INT32;
  if (to_integer && integers != nullptr) return Single(x);
  return InputError("a cast from {} to {} is not supported",
                    integers == nullptr ? "FLOAT" : "an integer type",
                    DataTypeName(static_cast<int>(to)));
}

}  // namespace gonogo::nn::graph
