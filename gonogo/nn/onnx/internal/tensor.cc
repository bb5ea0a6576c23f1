// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/tensor.h"

#include <utility>

#include <fmt/ranges.h>

namespace gonogo::nn::graph {

std::string ToString(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Result<std::size_t> ElementCount(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0) return InputError("shape {} has a negative dimension", ToString(shape));
    if (dim > kMaxElements || count * dim > kMaxElements) {
      return InputError("shape {} is too large, expected at most {} elements", ToString(shape),
                        kMaxElements);
    }
    count *= dim;
  }
  return static_cast<std::size_t>(count);
}

std::size_t Extent(const Shape& shape, std::size_t first, std::size_t last) {
  std::size_t extent = 1;
  for (std::size_t axis = first; axis < last; ++axis) {
    extent *= static_cast<std::size_t>(shape[axis]);
  }
  return extent;
}

Result<std::size_t> ResolveAxis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    return InputError("axis is {}, expected a value in [{}, {})", axis, -signed_rank, signed_rank);
  }
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

Tensor Tensor::Constant(Shape shape, std::vector<float> values) {
  return {std::move(shape), std::make_shared<const std::vector<float>>(std::move(values))};
}

Tensor Tensor::Constant(Shape shape, std::vector<std::int64_t> values) {
  return {std::move(shape), std::make_shared<const std::vector<std::int64_t>>(std::move(values))};
}

const std::vector<float>* Tensor::floats() const {
  const auto* held = std::get_if<std::shared_ptr<const std::vector<float>>>(&data);
  return held == nullptr ? nullptr : held->get();
}

const std::vector<std::int64_t>* Tensor::integers() const {
  const auto* held = std::get_if<std::shared_ptr<const std::vector<std::int64_t>>>(&data);
  return held == nullptr ? nullptr : held->get();
}

}  // namespace gonogo::nn::graph
