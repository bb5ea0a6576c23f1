// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

Outputs Renamed(Tensor x, Shape shape) {
  x.shape = std::move(shape);
  return Single(std::move(x));
}

/// Sorted axes without repetitions, counted from the front of `rank` axes.
Result<std::vector<std::size_t>> ResolveAxes(const std::vector<std::int64_t>& axes,
                                             std::size_t rank) {
  std::vector<std::size_t> resolved;
  for (const std::int64_t axis : axes) {
    const std::size_t one = GONOGO_TRY(ResolveAxis(axis, rank));
    resolved.push_back(one);
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

}  // namespace

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

}  // namespace gonogo::nn::graph
