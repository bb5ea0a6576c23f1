// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/script_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/ranges.h>

namespace gonogo::nn::torchscript {
namespace {

static_assert(std::endian::native == std::endian::little, "storages are little-endian");

constexpr std::int64_t kMostElements = std::int64_t{1} << 24;   // of one tensor
constexpr std::int64_t kMostConstants = std::int64_t{1} << 26;  // of all, in numbers
constexpr long kMostNodes = 20000;
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;  // of one storage

float FromHalf(std::uint16_t bits) {
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  const int exponent = bits >> 10U & 0x1fU;
  const auto fraction = static_cast<float>(bits & 0x3ffU);
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent == 31) return fraction == 0.0F ? sign * INFINITY : NAN;
  return sign * std::ldexp(1024.0F + fraction, exponent - 25);
}

float NumberAt(const std::string& bytes, std::size_t at, std::string_view type) {
  if (type == "torch.DoubleStorage") {
    double value = 0.0;
    std::memcpy(&value, bytes.data() + 8 * at, 8);
    return static_cast<float>(value);
  }
  if (type == "torch.HalfStorage") {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + 2 * at, 2);
    return FromHalf(bits);
  }
  float value = 0.0F;
  std::memcpy(&value, bytes.data() + 4 * at, 4);
  return value;
}

}  // namespace

std::string ToString(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Status ScriptGraph::CheckSize(const Shape& shape) {
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0) return InputError("a tensor of shape {}", ToString(shape));
    if (dim > 0 && size > kMostElements / dim) {
      return InputError("a tensor of shape {} is larger than {} numbers", ToString(shape),
                        kMostElements);
    }
    size *= dim;
  }
  return {};
}

bool ScriptGraph::IsConstant(const ScriptTensor& tensor) {
  return tensor.values.has_value() || !tensor.storage.empty();
}

Result<std::vector<float>> ScriptGraph::ValuesOf(const ScriptTensor& tensor) {
  if (tensor.values) return *tensor.values;
  if (tensor.storage.empty()) return InputError("a computed tensor where a constant is expected");
  if (tensor.whole_numbers) {
    return InputError("a tensor of whole numbers or of another type, expected floating point");
  }
  GONOGO_TRY(CheckSize(tensor.shape));
  constants_ += tensor.size();
  if (constants_ > kMostConstants) {
    return InputError("its constants have more than {} numbers", kMostConstants);
  }
  const std::size_t colon = tensor.storage.rfind(':');
  const std::string type = tensor.storage.substr(colon + 1);
  const std::string bytes = GONOGO_TRY(archive_.Read(tensor.storage.substr(0, colon), kMostBytes));
  const std::size_t width = type == "torch.DoubleStorage" ? 8 : type == "torch.HalfStorage" ? 2 : 4;
  const auto count = static_cast<std::int64_t>(bytes.size() / width);
  if (tensor.offset < 0 || tensor.offset > count) {
    return InputError("a tensor reaches beyond its storage");
  }
  std::vector<float> values(static_cast<std::size_t>(tensor.size()));
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  for (float& value : values) {
    std::int64_t at = tensor.offset;
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (tensor.strides[d] > count) return InputError("a tensor reaches beyond its storage");
      at += index[d] * tensor.strides[d];
    }
    if (at >= count) return InputError("a tensor reaches beyond its storage");
    value = NumberAt(bytes, static_cast<std::size_t>(at), type);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.shape[d]) break;
      index[d] = 0;
    }
  }
  return values;
}

Result<std::string> ScriptGraph::NameOf(ScriptTensor& tensor) {
  if (tensor.whole_numbers) {
    return InputError("a tensor of whole numbers or of another type, expected floating point");
  }
  const bool changed = tensor.base != nullptr && tensor.base->version != tensor.base_version;
  if (tensor.stale || changed) {
    return InputError("a tensor is read of which another view was written to in place");
  }
  if (!tensor.name.empty()) return tensor.name;
  const std::vector<float> values = GONOGO_TRY(ValuesOf(tensor));
  tensor.name = writer_.Floats(NewName(), values, tensor.shape);
  return tensor.name;
}

Result<std::vector<ScriptTensor*>> ScriptGraph::ApplyTo(std::string_view op,
                                                        const std::vector<std::string>& inputs,
                                                        const std::vector<Shape>& shapes,
                                                        const Attributes& attributes) {
  if (++nodes_ > kMostNodes) return InputError("it has more than {} steps", kMostNodes);
  std::vector<ScriptTensor*> results;
  std::vector<std::string> names;
  for (const Shape& shape : shapes) {
    GONOGO_TRY(CheckSize(shape));
    ScriptTensor result{.shape = shape};
    result.name = names.emplace_back(NewName());
    results.push_back(heap_.NewTensor(std::move(result)));
  }
  ::onnx::NodeProto& node = writer_.Node(op, inputs, names);
  if (attributes) attributes(node);
  return results;
}

Result<ScriptTensor*> ScriptGraph::Apply(std::string_view op,
                                         const std::vector<ScriptTensor*>& inputs, Shape shape,
                                         const Attributes& attributes) {
  std::vector<std::string> names;
  for (ScriptTensor* input : inputs) names.push_back(GONOGO_TRY(NameOf(*input)));
  return GONOGO_TRY(ApplyTo(op, names, {std::move(shape)}, attributes)).front();
}

std::string ScriptGraph::Integers(const std::vector<std::int64_t>& values) {
  return writer_.Integers(NewName(), values);
}

ScriptTensor* ScriptGraph::Constant(std::vector<float> values, Shape shape) {
  ScriptTensor constant{.shape = std::move(shape)};
  constant.values = std::move(values);
  return heap_.NewTensor(std::move(constant));
}

Result<ScriptTensor*> ScriptGraph::Reshape(ScriptTensor& x, Shape shape) {
  const std::string name = GONOGO_TRY(NameOf(x));
  const std::string wanted = Integers(shape);
  ScriptTensor* result = GONOGO_TRY(ApplyTo("Reshape", {name, wanted}, {std::move(shape)})).front();
  return MarkView(result, x);
}

Result<ScriptTensor*> ScriptGraph::Slice(ScriptTensor& x, std::int64_t axis, std::int64_t begin,
                                         std::int64_t end, std::int64_t step) {
  if (axis < 0 || axis >= x.rank()) return InputError("no axis {} in {}", axis, ToString(x.shape));
  if (step < 1) return InputError("a slice with step {}", step);
  const auto at = static_cast<std::size_t>(axis);
  const std::int64_t size = x.shape[at];
  const auto inside = [size](std::int64_t i) {
    return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size);
  };
  begin = inside(begin);
  end = std::max(begin, inside(end));
  if (begin == 0 && end == size && step == 1) {  // the whole: the same numbers by another name
    ScriptTensor whole{.shape = x.shape, .whole_numbers = x.whole_numbers};
    whole.name = GONOGO_TRY(NameOf(x));
    whole.whole = x.base == nullptr || x.whole;
    return MarkView(heap_.NewTensor(std::move(whole)), x);
  }
  Shape shape = x.shape;
  shape[at] = (end - begin + step - 1) / step;
  const std::vector<std::string> inputs = {GONOGO_TRY(NameOf(x)), Integers({begin}),
                                           Integers({end}), Integers({axis}), Integers({step})};
  return MarkView(GONOGO_TRY(ApplyTo("Slice", inputs, {shape})).front(), x);
}

Result<ScriptTensor*> ScriptGraph::Permute(ScriptTensor& x,
                                           const std::vector<std::int64_t>& order) {
  Shape shape;
  for (const std::int64_t axis : order) shape.push_back(x.shape[static_cast<std::size_t>(axis)]);
  ScriptTensor* result = GONOGO_TRY(Apply("Transpose", {&x}, shape, [&](::onnx::NodeProto& node) {
    SetAttribute(node, "perm", order);
  }));
  return MarkView(result, x);
}

Result<ScriptTensor*> ScriptGraph::Concat(const std::vector<ScriptTensor*>& parts,
                                          std::int64_t axis) {
  Shape shape = parts.front()->shape;
  const auto at = static_cast<std::size_t>(axis);
  shape[at] = 0;
  for (const ScriptTensor* part : parts) {
    Shape other = part->shape;
    if (other.size() != shape.size()) return InputError("parts of different ranks are joined");
    shape[at] += other[at];
    other[at] = shape[at];
    if (other != shape) {
      return InputError("{} and {} do not fit together", ToString(parts.front()->shape),
                        ToString(part->shape));
    }
  }
  return Apply("Concat", parts, shape,
               [axis](::onnx::NodeProto& node) { SetAttribute(node, "axis", axis); });
}

Result<ScriptTensor*> ScriptGraph::Expand(ScriptTensor& x, const Shape& shape) {
  const std::size_t extra = shape.size() - std::min(shape.size(), x.shape.size());
  bool fits = x.shape.size() <= shape.size();
  for (std::size_t i = 0; fits && i < x.shape.size(); ++i) {
    fits = x.shape[i] == 1 || x.shape[i] == shape[extra + i];
  }
  if (!fits) return InputError("{} cannot be spread to {}", ToString(x.shape), ToString(shape));
  if (x.shape == shape) return &x;
  const std::string name = GONOGO_TRY(NameOf(x));
  return MarkView(GONOGO_TRY(ApplyTo("Expand", {name, Integers(shape)}, {shape})).front(), x);
}

ScriptTensor* ScriptGraph::MarkView(ScriptTensor* x, ScriptTensor& of) {
  x->base = of.base != nullptr ? of.base : &of;
  x->base_version = x->base->version;
  return x;
}

Status ScriptGraph::Write(ScriptTensor& target, ScriptTensor& value) {
  ScriptTensor* spread = GONOGO_TRY(Expand(value, target.shape));
  target.name = GONOGO_TRY(NameOf(*spread));
  target.storage.clear();
  target.values.reset();
  if (target.base == nullptr) {
    ++target.version;
    return {};
  }
  ScriptTensor& base = *target.base;
  ++base.version;
  target.base_version = base.version;
  if (target.whole) {
    base.name = target.name;
    base.storage.clear();
    base.values.reset();
  } else {
    base.stale = true;
  }
  return {};
}

}  // namespace gonogo::nn::torchscript
