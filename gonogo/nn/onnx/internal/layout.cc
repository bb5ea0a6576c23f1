// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <onnx/onnx_pb.h>

#include "gonogo/nn/onnx/internal/graph.h"
#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

/// `count` elements along `axis` from `start` in steps of `step`.
Result<Tensor> SliceAxis(Builder& builder, const Tensor& x, std::size_t axis, std::int64_t start,
                         std::int64_t step, std::int64_t count) {
  Shape shape = x.shape;
  shape[axis] = count;
  std::vector<std::int64_t> strides = Strides(x.shape);
  const std::int64_t offset = start * strides[axis];
  strides[axis] *= step;
  return builder.View(x, shape, offset, strides);
}

/// Lengths of the pieces of an axis of length `length`.
Result<std::vector<std::int64_t>> SplitSizes(const Site& site, std::int64_t length) {
  const auto pieces = static_cast<std::int64_t>(site.node.outputs.size());
  const auto given = GONOGO_TRY(site.Integers("split", 1));
  if (given) {
    const std::vector<std::int64_t>& sizes = *given;
    const bool negative = std::ranges::any_of(sizes, [](std::int64_t n) { return n < 0; });
    const bool huge = std::ranges::any_of(sizes, [=](std::int64_t n) { return n > length; });
    if (sizes.size() != site.node.outputs.size() || negative || huge ||
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) != length) {
      return InputError("split is {}, expected {} lengths whose sum is {}", ToString(sizes), pieces,
                        length);
    }
    return sizes;
  }
  const bool uneven = site.has_attribute("num_outputs");  // the last piece may be shorter
  const std::int64_t size = (length + pieces - 1) / pieces;
  const std::int64_t last = length - size * (pieces - 1);
  if ((!uneven && last != size) || last <= 0) {
    return InputError("an axis of length {} does not split into {} pieces", length, pieces);
  }
  std::vector<std::int64_t> sizes(pieces, size);
  sizes.back() = last;
  return sizes;
}

/// One entry of Slice: the NumPy range start:end:step on an axis of length `length`.
struct Range {
  std::int64_t start = 0;
  std::int64_t count = 0;
};
Range ResolveRange(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t length) {
  const auto resolve = [&](std::int64_t at) {
    if (at < 0) at = std::max(at, -length - 1) + length;
    return step > 0 ? std::clamp<std::int64_t>(at, 0, length)
                    : std::clamp<std::int64_t>(at, -1, length - 1);
  };
  const std::int64_t first = resolve(start);
  const std::int64_t last = resolve(end);
  const std::int64_t span = step > 0 ? last - first : first - last;
  const std::int64_t stride = step > 0 ? step : -step;
  return {first, span <= 0 ? 0 : (span - 1) / stride + 1};
}

Outputs Renamed(Tensor x, Shape shape) {
  x.shape = std::move(shape);
  return Single(std::move(x));
}

/// Sorted axes without repetitions, counted from the front of `rank` axes.
Result<std::vector<std::size_t>> ResolveAxes(const std::vector<std::int64_t>& axes,
                                             std::size_t rank) {
  std::vector<std::size_t> resolved;
  for (const std::int64_t axis : axes) {
    resolved.push_back(GONOGO_TRY(ResolveAxis(axis, rank)));
  }
  std::ranges::sort(resolved);
  if (std::ranges::adjacent_find(resolved) != resolved.end()) {
    return InputError("axes {} name one axis twice", ToString(axes));
  }
  return resolved;
}

/// Replaces 0 (keep the input's dimension) and -1 (whatever is left) of a requested shape.
Result<Shape> CompleteShape(Shape wanted, const Tensor& x, bool zero_is_zero) {
  const std::string asked = ToString(wanted);
  const Error mismatch = InputError("cannot reshape {} to {}", ToString(x.shape), asked);
  std::optional<std::size_t> open;
  Shape known;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && !zero_is_zero) {
      if (i >= x.rank()) return mismatch;
      wanted[i] = x.shape[i];
    }
    if (wanted[i] == -1 && !open) {
      open = i;
    } else {
      known.push_back(wanted[i]);
    }
  }
  const Result<std::size_t> count = ElementCount(known);
  if (!count.ok()) return mismatch;
  if (open && count.value() > 0)
    wanted[*open] = static_cast<std::int64_t>(x.size() / count.value());
  const Result<std::size_t> total = ElementCount(wanted);
  if (!total.ok() || total.value() != x.size()) return mismatch;
  return wanted;
}

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

Outputs LowerConcat(const Site& site) {
  if (!site.has_attribute("axis")) return InputError("no axis is given");
  const std::size_t axis =
      GONOGO_TRY(ResolveAxis(site.attribute<std::int64_t>("axis", 0), site.input(0).rank()));
  std::vector<Tensor> sources;
  Shape shape = site.input(0).shape;
  shape[axis] = 0;
  for (const Tensor* source : site.inputs) {
    Shape others = source->shape;
    if (others.size() == shape.size()) others[axis] = shape[axis];
    if (others != shape) {
      return InputError("inputs have shapes {} and {}, expected equal ones but for axis {}",
                        ToString(site.input(0).shape), ToString(source->shape), axis);
    }
    shape[axis] += source->shape[axis];
    sources.push_back(*source);
  }
  if (const Result<std::size_t> count = ElementCount(shape); !count.ok()) return count.error();
  std::vector<Origin> origins;
  for (std::size_t outer = 0; outer < Extent(shape, 0, axis); ++outer) {
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const std::size_t block = Extent(sources[s].shape, axis, shape.size());
      for (std::size_t i = 0; i < block; ++i) origins.push_back({s, outer * block + i});
    }
  }
  return Single(site.builder.Rearrange(sources, shape, origins));
}

Outputs LowerSplit(const Site& site) {
  const Tensor& x = site.input(0);
  const std::size_t axis =
      GONOGO_TRY(ResolveAxis(site.attribute<std::int64_t>("axis", 0), x.rank()));
  const auto sizes = GONOGO_TRY(SplitSizes(site, x.shape[axis]));
  std::vector<Tensor> pieces;
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    pieces.push_back(GONOGO_TRY(SliceAxis(site.builder, x, axis, start, 1, size)));
    start += size;
  }
  return pieces;
}

Outputs LowerSlice(const Site& site) {
  const auto starts = site.Integers("starts", 1);
  const auto ends = site.Integers("ends", 2);
  const auto axes = site.Integers("axes", 3);
  const auto steps = site.Integers("steps", 4);
  for (const auto* list : {&starts, &ends, &axes, &steps}) {
    if (!list->ok()) return list->error();
  }
  if (!starts.value() || !ends.value()) return InputError("no starts or no ends are given");
  const std::size_t entries = starts.value()->size();
  std::vector<std::int64_t> all_axes(entries);
  std::iota(all_axes.begin(), all_axes.end(), 0);
  const std::vector<std::int64_t> along = axes.value().value_or(all_axes);
  const auto by = steps.value().value_or(std::vector<std::int64_t>(entries, 1));
  if (ends.value()->size() != entries || along.size() != entries || by.size() != entries) {
    return InputError("starts, ends, axes and steps have {}, {}, {} and {} entries, expected equal",
                      entries, ends.value()->size(), along.size(), by.size());
  }
  Tensor x = site.input(0);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t axis = GONOGO_TRY(ResolveAxis(along[i], x.rank()));
    if (by[i] == 0 || by[i] == std::numeric_limits<std::int64_t>::min()) {
      return InputError("steps contains {}, expected a step forward or backward", by[i]);
    }
    const Range range =
        ResolveRange((*starts.value())[i], (*ends.value())[i], by[i], x.shape[axis]);
    // A step past the end is never taken; bounding it keeps products of strides small.
    const std::int64_t step = std::clamp(by[i], -kMaxElements, kMaxElements);
    x = GONOGO_TRY(SliceAxis(site.builder, x, axis, range.start, step, range.count));
  }
  return Single(std::move(x));
}

Outputs LowerGather(const Site& site) {
  const Tensor& x = site.input(0);
  const Tensor& indices = site.input(1);
  if (indices.integers() == nullptr) return InputError("input 1 (indices) must be constant");
  const std::size_t axis =
      GONOGO_TRY(ResolveAxis(site.attribute<std::int64_t>("axis", 0), x.rank()));
  Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
  if (const Result<std::size_t> count = ElementCount(shape); !count.ok()) return count.error();
  const std::size_t length = Extent(x.shape, axis, axis + 1);
  const std::size_t inner = Extent(x.shape, axis + 1, x.rank());
  std::vector<Origin> origins;
  for (std::size_t outer = 0; outer < Extent(x.shape, 0, axis); ++outer) {
    for (const std::int64_t index : *indices.integers()) {
      const Result<std::size_t> at = ResolveAxis(index, length);
      if (!at.ok()) return InputError("index {} is outside an axis of length {}", index, length);
      for (std::size_t i = 0; i < inner; ++i) {
        origins.push_back({0, (outer * length + at.value()) * inner + i});
      }
    }
  }
  return Single(site.builder.Rearrange({&x, 1}, shape, origins));
}

Outputs LowerTranspose(const Site& site) {
  const Tensor& x = site.input(0);
  std::vector<std::int64_t> reversed(x.rank());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  const auto perm = site.attribute("perm", reversed);
  if (!std::ranges::is_permutation(perm, reversed)) {
    return InputError("perm is {}, expected an order of {} axes", ToString(perm), x.rank());
  }
  const std::vector<std::int64_t> from = Strides(x.shape);
  Shape shape;
  std::vector<std::int64_t> strides;
  for (const std::int64_t axis : perm) {
    shape.push_back(x.shape[axis]);
    strides.push_back(from[axis]);
  }
  return Single(site.builder.View(x, shape, 0, strides));
}

Outputs LowerIdentity(const Site& site) { return Single(site.input(0)); }

Outputs LowerShape(const Site& site) {
  const Shape& shape = site.input(0).shape;
  return Single(Tensor::Constant({static_cast<std::int64_t>(shape.size())}, shape));
}

Outputs LowerReshape(const Site& site) {
  const auto wanted = GONOGO_TRY(site.Integers("shape", 1));
  if (!wanted) return InputError("no shape is given");
  Shape shape = GONOGO_TRY(
      CompleteShape(*wanted, site.input(0), site.attribute<std::int64_t>("allowzero", 0) != 0));
  return Renamed(site.input(0), std::move(shape));
}

Outputs LowerExpand(const Site& site) {
  const auto wanted = GONOGO_TRY(site.Integers("shape", 1));
  if (!wanted) return InputError("no shape is given");
  // Both ways: an axis of length 1 of the wanted shape keeps that of the operand.
  Shape shape = *wanted;
  const Shape& own = site.input(0).shape;
  if (shape.size() < own.size()) shape.insert(shape.begin(), own.size() - shape.size(), 1);
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::int64_t& length = shape[shape.size() - 1 - i];
    if (length == 1) length = own[own.size() - 1 - i];
  }
  return Single(site.builder.Broadcast(site.input(0), shape));
}

Outputs LowerFlatten(const Site& site) {
  const Tensor& x = site.input(0);
  const auto axis = site.attribute<std::int64_t>("axis", 1);
  const auto rank = static_cast<std::int64_t>(x.rank());
  if (axis < -rank || axis > rank) {
    return InputError("axis is {}, expected a value in [{}, {}]", axis, -rank, rank);
  }
  const auto split = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  return Renamed(x, {static_cast<std::int64_t>(Extent(x.shape, 0, split)),
                     static_cast<std::int64_t>(Extent(x.shape, split, x.rank()))});
}

Outputs LowerSqueeze(const Site& site) {
  const Tensor& x = site.input(0);
  const auto given = GONOGO_TRY(site.Integers("axes", 1));
  std::vector<std::int64_t> all_ones;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (x.shape[axis] == 1) all_ones.push_back(static_cast<std::int64_t>(axis));
  }
  const auto axes = GONOGO_TRY(ResolveAxes(given.value_or(all_ones), x.rank()));
  const std::vector<std::size_t>& dropped = axes;
  Shape shape;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const std::int64_t length = x.shape[axis];
    if (!std::binary_search(dropped.begin(), dropped.end(), axis)) {
      shape.push_back(length);
    } else if (length != 1) {
      return InputError("axis {} of shape {} has length {}, expected 1", axis, ToString(x.shape),
                        length);
    }
  }
  return Renamed(x, std::move(shape));
}

Outputs LowerUnsqueeze(const Site& site) {
  const Tensor& x = site.input(0);
  const auto given = GONOGO_TRY(site.Integers("axes", 1));
  if (!given) return InputError("no axes are given");
  const auto axes = GONOGO_TRY(ResolveAxes(*given, x.rank() + given->size()));
  Shape shape = x.shape;
  for (const std::size_t axis : axes) {
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  }
  return Renamed(x, std::move(shape));
}

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
