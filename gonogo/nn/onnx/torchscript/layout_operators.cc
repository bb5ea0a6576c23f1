// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "gonogo/nn/onnx/torchscript/operators.h"

namespace gonogo::nn::torchscript {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// A shape in which one dimension may be -1: what is left of `size`.
Result<Shape> Completed(Shape shape, std::int64_t size) {
  std::int64_t* open = nullptr;
  std::int64_t known = 1;
  for (std::int64_t& dim : shape) {
    if (dim == -1 && open == nullptr) {
      open = &dim;
    } else if (dim < 0 || (dim > 0 && known > (std::int64_t{1} << 40U) / dim)) {
      return InputError("a shape of {}", ToString(shape));
    } else {
      known *= dim;
    }
  }
  const Shape asked = shape;
  if (open != nullptr && known > 0) *open = size / known;
  const std::int64_t product = open == nullptr ? known : known * *open;
  if (product != size) return InputError("{} numbers in a shape of {}", size, ToString(asked));
  return shape;
}

Result<Value> View(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  Shape asked = GONOGO_TRY(call.WholesAt(1, "shape"));
  Shape shape = GONOGO_TRY(Completed(std::move(asked), x->size()));
  return Value(GONOGO_TRY(call.graph.Reshape(*x, std::move(shape))));
}

Result<Value> Flatten(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t first = GONOGO_TRY(call.AxisAt(1, "start_dim", x->rank(), 0));
  const std::int64_t last = GONOGO_TRY(call.AxisAt(2, "end_dim", x->rank(), -1));
  if (last < first) return InputError("axes {} to {}", first, last);
  Shape shape(x->shape.begin(), x->shape.begin() + first);
  shape.push_back(std::accumulate(x->shape.begin() + first, x->shape.begin() + last + 1,
                                  std::int64_t{1}, std::multiplies<>()));
  shape.insert(shape.end(), x->shape.begin() + last + 1, x->shape.end());
  return Value(GONOGO_TRY(call.graph.Reshape(*x, std::move(shape))));
}

Result<Value> Squeeze(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  Shape shape;
  const bool one = call.Has(1, "dim");
  const std::int64_t axis = one ? GONOGO_TRY(call.AxisAt(1, "dim", x->rank())) : -1;
  for (std::int64_t d = 0; d < x->rank(); ++d) {
    const std::int64_t size = x->shape[static_cast<std::size_t>(d)];
    if (size != 1 || (one && d != axis)) shape.push_back(size);
  }
  return Value(GONOGO_TRY(call.graph.Reshape(*x, std::move(shape))));
}

Result<Value> Unsqueeze(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  Shape shape = x->shape;
  shape.insert(shape.begin() + GONOGO_TRY(call.AxisAt(1, "dim", x->rank() + 1)), 1);
  return Value(GONOGO_TRY(call.graph.Reshape(*x, std::move(shape))));
}

/// x [dim, begin, end, step]; all but x may be left out.
Result<Value> Slice(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", x->rank(), 0));
  const std::int64_t begin = GONOGO_TRY(call.WholeAt(2, "start", 0));
  const std::int64_t end = GONOGO_TRY(call.WholeAt(3, "end", kToTheEnd));
  const std::int64_t step = GONOGO_TRY(call.WholeAt(4, "step", 1));
  return Value(GONOGO_TRY(call.graph.Slice(*x, axis, begin, end, step)));
}

Result<Value> Narrow(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", x->rank()));
  const std::int64_t begin = GONOGO_TRY(call.WholeAt(2, "start"));
  const std::int64_t length = GONOGO_TRY(call.WholeAt(3, "length"));
  const std::int64_t size = x->shape[static_cast<std::size_t>(axis)];
  if (begin < 0 || length < 0 || begin > size || length > size - begin) {
    return InputError("{} from {} of {}", length, begin, size);
  }
  return Value(GONOGO_TRY(call.graph.Slice(*x, axis, begin, begin + length)));
}

Result<Value> Select(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", x->rank()));
  std::int64_t index = GONOGO_TRY(call.WholeAt(2, "index"));
  const std::int64_t size = x->shape[static_cast<std::size_t>(axis)];
  if (index < -size || index >= size) return InputError("element {} of {}", index, size);
  if (index < 0) index += size;
  ScriptTensor* row = GONOGO_TRY(call.graph.Slice(*x, axis, index, index + 1));
  Shape shape = row->shape;
  shape.erase(shape.begin() + axis);
  return Value(GONOGO_TRY(call.graph.Reshape(*row, std::move(shape))));
}

Result<Value> Permute(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  Shape order = GONOGO_TRY(call.WholesAt(1, "dims"));
  for (std::int64_t& axis : order) axis += axis < 0 ? x->rank() : 0;
  Shape sorted = order;
  std::sort(sorted.begin(), sorted.end());
  Shape all(x->shape.size());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all) return InputError("axes {} of {}", ToString(order), ToString(x->shape));
  return Value(GONOGO_TRY(call.graph.Permute(*x, order)));
}

Result<Value> Transpose(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const bool matrix = call.name == "t" || call.name == "numpy_T";
  if (matrix && x->rank() < 2) return Value(x);
  const std::int64_t a = matrix ? 0 : GONOGO_TRY(call.AxisAt(1, "dim0", x->rank()));
  const std::int64_t b = matrix ? 1 : GONOGO_TRY(call.AxisAt(2, "dim1", x->rank()));
  Shape order(x->shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  return Value(GONOGO_TRY(call.graph.Permute(*x, order)));
}

Result<Value> Cat(const Call& call) {
  const std::vector<ScriptTensor*> parts = GONOGO_TRY(call.TensorsAt(0, "tensors"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", parts.front()->rank(), 0));
  return Value(GONOGO_TRY(call.graph.Concat(parts, axis)));
}

Result<Value> Stack(const Call& call) {
  std::vector<ScriptTensor*> parts = GONOGO_TRY(call.TensorsAt(0, "tensors"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", parts.front()->rank() + 1, 0));
  for (ScriptTensor*& part : parts) {
    Shape shape = part->shape;
    if (axis > part->rank()) return InputError("parts of different ranks are joined");
    shape.insert(shape.begin() + axis, 1);
    part = GONOGO_TRY(call.graph.Reshape(*part, std::move(shape)));
  }
  return Value(GONOGO_TRY(call.graph.Concat(parts, axis)));
}

/// Pieces of these sizes along an axis.
Result<Value> Pieces(const Call& call, ScriptTensor& x, std::int64_t axis, const Shape& sizes) {
  std::vector<Value> pieces;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0) return InputError("a piece of {}", size);
    pieces.emplace_back(GONOGO_TRY(call.graph.Slice(x, axis, begin, begin + size)));
    begin += size;
  }
  if (begin != x.shape[static_cast<std::size_t>(axis)]) {
    return InputError("pieces of {} out of {}", ToString(sizes), ToString(x.shape));
  }
  return Value(call.graph.heap().NewSequence(std::move(pieces), false));
}

/// `chunk` into so many pieces, `split` into pieces so large.
Result<Value> Split(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(2, "dim", x->rank(), 0));
  const std::int64_t size = x->shape[static_cast<std::size_t>(axis)];
  const Shape asked = GONOGO_TRY(call.WholesAt(1, "split_size"));
  const bool listed = std::holds_alternative<Sequence*>(call.given[1]);
  if (listed) return Pieces(call, *x, axis, asked);
  if (asked[0] < 1 || size < 1) return InputError("pieces of {}", asked[0]);
  const std::int64_t piece =
      call.name.ends_with("chunk") ? (size + asked[0] - 1) / asked[0] : asked[0];
  Shape sizes;
  for (std::int64_t left = size; left > 0; left -= piece) sizes.push_back(std::min(left, piece));
  return Pieces(call, *x, axis, sizes);
}

Result<Value> Unbind(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const std::int64_t axis = GONOGO_TRY(call.AxisAt(1, "dim", x->rank(), 0));
  const std::int64_t size = x->shape[static_cast<std::size_t>(axis)];
  std::vector<Value> rows;
  for (std::int64_t i = 0; i < size; ++i) {
    Call one{call.graph, "select", {Value(x), Value(axis), Value(i)}, {}};
    rows.push_back(GONOGO_TRY(Select(one)));
  }
  return Value(call.graph.heap().NewSequence(std::move(rows), false));
}

Result<Value> Expand(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  Shape shape;
  if (call.name == "expand_as") {
    shape = GONOGO_TRY(call.TensorAt(1, "other"))->shape;
  } else {
    shape = GONOGO_TRY(call.WholesAt(1, "size"));
    const std::size_t extra = shape.size() - std::min(shape.size(), x->shape.size());
    for (std::size_t i = extra; i < shape.size(); ++i) {
      if (shape[i] == -1) shape[i] = x->shape[i - extra];
    }
  }
  return Value(GONOGO_TRY(call.graph.Expand(*x, shape)));
}

Result<Value> Filled(const Call& call, const Shape& shape, double value) {
  constexpr std::int64_t kLargest = 1 << 20;
  std::int64_t size = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0 || (dim > 0 && size > kLargest / dim)) {
      return InputError("a constant of shape {}", ToString(shape));
    }
    size *= dim;
  }
  return Value(call.graph.Constant(
      std::vector<float>(static_cast<std::size_t>(size), static_cast<float>(value)), shape));
}

template <int kValue>
Result<Value> Constant(const Call& call) {
  if (call.name.ends_with("_like")) {
    return Filled(call, GONOGO_TRY(call.TensorAt(0, "self"))->shape, kValue);
  }
  return Filled(call, GONOGO_TRY(call.WholesAt(0, "size")), kValue);
}

Result<Value> Full(const Call& call) {
  return Filled(call, GONOGO_TRY(call.WholesAt(0, "size")),
                GONOGO_TRY(call.NumberAt(1, "fill_value")));
}

Result<Value> NumberTensor(const Call& call) {
  return Value(call.graph.Number(GONOGO_TRY(call.NumberAt(0, "data"))));
}

}  // namespace

const OperatorTable& LayoutOperators() {
  static const OperatorTable table = {
      {"view", View},
      {"reshape", View},
      {"flatten", Flatten},
      {"squeeze", Squeeze},
      {"unsqueeze", Unsqueeze},
      {"slice", Slice},
      {"narrow", Narrow},
      {"select", Select},
      {"permute", Permute},
      {"transpose", Transpose},
      {"t", Transpose},
      {"numpy_T", Transpose},
      {"cat", Cat},
      {"concat", Cat},
      {"stack", Stack},
      {"chunk", Split},
      {"split", Split},
      {"split_with_sizes", Split},
      {"unbind", Unbind},
      {"expand", Expand},
      {"expand_as", Expand},
      {"zeros", Constant<0>},
      {"zeros_like", Constant<0>},
      {"ones", Constant<1>},
      {"ones_like", Constant<1>},
      {"full", Full},
      {"tensor", NumberTensor},
  };
  return table;
}

}  // namespace gonogo::nn::torchscript
