// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/internal/shared_trunk.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn::internal {
namespace {

/// Zeros with padded rows.
template <typename Scalar>
Batch<Scalar> Padded(Eigen::Index rows, int columns) {
  return Batch<Scalar>::Zero(rows, RowStride<Scalar>(columns));
}

template <typename Scalar>
Rows<Scalar> View(Batch<Scalar>& matrix) {
  return {matrix.data(), matrix.cols()};
}

/// `value` where the unit is active, else zero.
template <typename Scalar>
GONOGO_INLINE Vector<Scalar> WhereActive(Vector<Scalar> activation, Vector<Scalar> value) {
  return activation > Vector<Scalar>{} ? value : Vector<Scalar>{};
}

/// Keeps the gradient of a layer's output where the unit is active.
template <typename Scalar>
auto StoreWhereActive(Rows<Scalar> output, Rows<Scalar> delta) {
  return [output, delta](int i, int j, Vector<Scalar> sum) {
    Store(WhereActive<Scalar>(Load(output.at(i, j)), sum), delta.at(i, j));
  };
}

template <typename Scalar>
int WholeVectors(int columns) {
  return (columns + kLanes<Scalar> - 1) / kLanes<Scalar> * kLanes<Scalar>;
}

const auto kZero = [](auto zero) { return [zero](int, int) { return zero; }; };

}  // namespace

template <typename Scalar>
SharedTrunkTrainer<Scalar>::SharedTrunkTrainer(const GroupedSamples<Scalar>& samples,
                                               std::span<const Loss> losses,
                                               const AdamWConfig& optimiser,
                                               const Mlp<Scalar>& initial)
    : samples_(samples), losses_(losses.begin(), losses.end()), optimiser_(optimiser, 0) {
  const MlpShape& shape = initial.shape();
  const int candidates = samples.candidates();
  GONOGO_CHECK(shape.hidden == Activation::kRelu && shape.output == Activation::kIdentity);
  GONOGO_CHECK(shape.layers() >= 2 && shape.inputs() == samples.inputs());
  GONOGO_CHECK(shape.outputs() == std::ssize(losses_));
  std::ptrdiff_t size = 0;
  for (int l = 0; l < shape.layers(); ++l) {
    const int inputs = l == 0 ? shape.inputs() : WholeVectors<Scalar>(shape.sizes[l]);
    const int width = shape.sizes[l + 1];
    layers_.push_back({inputs + 1, width, WholeVectors<Scalar>(width), size, {}, {}, {}});
    size += l == 0 ? first_shape().size() : layers_.back().rows * layers_.back().stride;
  }
  parameters_.resize(size);
  gradient_.resize(size);
  optimiser_ = AdamW<Scalar>(optimiser, size);
  ForEachParameter(shape, [&](std::size_t plain, std::ptrdiff_t packed) {
    parameters_[packed] = initial.parameters()[plain];
  });
  codes_ = Batch<Scalar>::Ones(candidates, candidates + 1);
  codes_.leftCols(candidates) = samples.codes;
  code_offsets_ = Padded<Scalar>(candidates, layers_.front().width);
  candidate_delta_ = Padded<Scalar>(candidates, layers_.front().width);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Export(Mlp<Scalar>& network) const {
  ForEachParameter(network.shape(), [&](std::size_t plain, std::ptrdiff_t packed) {
    network.parameters()[plain] = parameters_[packed];
  });
}

/// Calls visit(index in Mlp::parameters(), index in parameters_).
template <typename Scalar>
template <typename Visit>
void SharedTrunkTrainer<Scalar>::ForEachParameter(const MlpShape& shape, Visit&& visit) const {
  std::size_t plain = 0;
  for (int l = 0; l < shape.layers(); ++l) {
    const Layer& layer = layers_[l];
    for (int i = 0; i <= shape.sizes[l]; ++i) {
      const int row = i < shape.sizes[l] ? i : layer.bias_row();
      for (int j = 0; j < layer.width; ++j) {
        visit(plain++, layer.offset + (l == 0 ? first_shape().index(row, j) : layer.index(row, j)));
      }
    }
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Reserve(int queries) {
  queries_ = queries;
  rows_ = queries * samples_.candidates();
  if (features_.rows() >= queries) return;
  const int width = layers_.front().width;
  features_ = Padded<Scalar>(queries, static_cast<int>(samples_.features.cols()));
  row_features_.resize(rows_, samples_.row_features.cols());
  trunk_ = Padded<Scalar>(queries, width);
  query_delta_ = Padded<Scalar>(queries, width);
  for (Layer& layer : layers_) {
    const int one = WholeVectors<Scalar>(layer.width);
    layer.output = Padded<Scalar>(rows_, one + 1);
    layer.output.col(one).setOnes();
    layer.delta = Padded<Scalar>(rows_, layer.width);
  }
  column_.resize(rows_);
  target_column_.resize(rows_);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Step(std::span<const int> queries) {
  Reserve(static_cast<int>(queries.size()));
  Gather(queries);
  ForwardFirst();
  for (std::size_t layer = 1; layer + 1 < layers_.size(); ++layer) Forward(layer);
  ForwardLast();
  SetOutputDelta(queries);
  BackwardLast();
  for (std::size_t layer = layers_.size() - 2; layer > 0; --layer) Backward(layer);
  BackwardFirst();
  optimiser_.Step(parameters_, gradient_);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Gather(std::span<const int> queries) {
  const std::ptrdiff_t d = samples_.features.cols();
  const std::ptrdiff_t p = samples_.row_features.cols() * samples_.candidates();
  for (int i = 0; i < queries_; ++i) {
    std::copy_n(samples_.features.data() + queries[i] * d, d, View(features_).at(i, 0));
    std::copy_n(samples_.row_features.data() + queries[i] * p, p, row_features_.data() + i * p);
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::ForwardFirst() {
  Layer& layer = layers_.front();
  const int width = layer.width;
  const int d = static_cast<int>(samples_.features.cols());
  const int p = static_cast<int>(samples_.row_features.cols());
  const int candidates = samples_.candidates();
  const auto multiply = [&](int rows, int depth, Strided<Scalar> a, int first_row,
                            Rows<Scalar> out) {
    MultiplyTiles(rows, width, depth, a, first_shape().view(parameters_.data(), first_row),
                  kZero(Vector<Scalar>{}),
                  [out](int i, int j, Vector<Scalar> sum) { Store(sum, out.at(i, j)); });
  };
  const Rows<Scalar> out = View(layer.output);
  multiply(queries_, d, View(features_).left(), 0, View(trunk_));
  multiply(candidates, candidates + 1, View(codes_).left(), d + p, View(code_offsets_));
  if (p > 0) multiply(rows_, p, View(row_features_).left(), d, out);
  for (int i = 0; i < queries_; ++i) {
    const Scalar* const trunk = View(trunk_).at(i, 0);
    for (int c = 0; c < candidates; ++c) {
      const Scalar* const offset = View(code_offsets_).at(c, 0);
      Scalar* const row = out.at(i * candidates + c, 0);
      for (int j = 0; j < width; ++j) {
        const Scalar sum = trunk[j] + offset[j] + (p > 0 ? row[j] : Scalar(0));
        row[j] = sum > Scalar(0) ? sum : Scalar(0);
      }
    }
  }
  layer.active.Find(rows_, width, out);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Forward(std::size_t index) {
  Layer& layer = layers_[index];
  Layer& below = layers_[index - 1];
  const Rows<Scalar> out = View(layer.output);
  const Rows<Scalar> weights = Weights(layer);
  MultiplyNonZeros(rows_, layer.width, below.width, below.active, View(below.output).left(),
                   weights, kZero(Vector<Scalar>{}),
                   [out, bias = weights.at(layer.bias_row(), 0)](int i, int j, Vector<Scalar> sum) {
                     sum += Load(bias + j);
                     Store(WhereActive<Scalar>(sum, sum), out.at(i, j));
                   });
  layer.active.Find(rows_, layer.width, out);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::ForwardLast() {
  Layer& layer = layers_.back();
  const Rows<Scalar> out = View(layer.output);
  MultiplyTiles(rows_, layer.width, layer.rows, View(layers_[layers_.size() - 2].output).left(),
                Weights(layer).right(), kZero(Vector<Scalar>{}),
                [out](int i, int j, Vector<Scalar> sum) { Store(sum, out.at(i, j)); });
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SetOutputDelta(std::span<const int> queries) {
  Layer& layer = layers_.back();
  const Rows<Scalar> out = View(layer.output);
  const Rows<Scalar> delta = View(layer.delta);
  const int candidates = samples_.candidates();
  const std::span<Scalar> values = std::span(column_).first(rows_);
  const std::span<Scalar> targets = std::span(target_column_).first(rows_);
  const Scalar share = Scalar(1) / static_cast<Scalar>(rows_);
  for (int j = 0; j < layer.width; ++j) {
    for (int r = 0; r < rows_; ++r) values[r] = *out.at(r, j);
    for (int i = 0; i < queries_; ++i) {
      for (int c = 0; c < candidates; ++c) {
        targets[i * candidates + c] = samples_.targets(queries[i] * candidates + c, j);
      }
    }
    LossSlopes<Scalar>(losses_[j], values, targets);
    for (int r = 0; r < rows_; ++r) *delta.at(r, j) = share * values[r];
  }
}

/// The layer's weights without the bias, transposed.
template <typename Scalar>
Rows<Scalar> SharedTrunkTrainer<Scalar>::Transpose(const Layer& layer) {
  const Rows<Scalar> from = Weights(layer);
  transposed_.resize(std::max<std::size_t>(transposed_.size(), layer.stride * layer.bias_row()));
  const Rows<Scalar> to{transposed_.data(), layer.bias_row()};
  for (int j = 0; j < layer.width; j += kLanes<Scalar>) {
    for (int i = 0; i < layer.bias_row(); i += kLanes<Scalar>) {
      TransposeSquare(from.at(i, j), from.stride, to.at(j, i), to.stride);
    }
  }
  return to;
}

/// The gradient of the first layer's weights of `rows` inputs from `first_row` on: `in` transposed
/// times `delta`, both of `depth` rows.
template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SetFirstGradient(int first_row, int rows, int depth,
                                                  Rows<Scalar> in, Rows<Scalar> delta) {
  const PackedShape<Scalar> shape = first_shape();
  Scalar* const gradient = gradient_.data() + shape.index(first_row, 0);
  MultiplyTiles(rows, shape.columns, depth, in.left().transpose(), delta.right(),
                kZero(Vector<Scalar>{}), [gradient, shape](int i, int j, Vector<Scalar> sum) {
                  Store(sum, gradient + shape.index(i, j));
                });
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Backward(std::size_t index) {
  Layer& layer = layers_[index];
  Layer& below = layers_[index - 1];
  const Rows<Scalar> delta = View(layer.delta);
  SetGradient(layer, below.active, View(below.output), delta);
  MultiplyNonZeros(rows_, below.width, layer.width, layer.active, delta.left(), Transpose(layer),
                   kZero(Vector<Scalar>{}),
                   StoreWhereActive(View(below.output), View(below.delta)));
}

/// `in` transposed times `delta`; `active` tells where `in` is not zero.
template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SetGradient(const Layer& layer, const NonZeros& active,
                                             Rows<Scalar> in, Rows<Scalar> delta) {
  const Rows<Scalar> gradient{gradient_.data() + layer.offset, layer.stride};
  std::fill_n(gradient.data, layer.rows * layer.stride, Scalar(0));
  for (int first = 0; first < rows_; first += NonZeros::kBits) {
    const int count = std::min(NonZeros::kBits, rows_ - first);
    active_rows_.Transpose(active, first, count);
    MultiplyNonZeros(
        layer.bias_row(), layer.width, count, active_rows_, in.from(first).left().transpose(),
        delta.from(first), [gradient](int i, int j) { return Load(gradient.at(i, j)); },
        [gradient](int i, int j, Vector<Scalar> sum) { Store(sum, gradient.at(i, j)); });
  }
  Scalar* const bias = gradient.at(layer.bias_row(), 0);
  for (int i = 0; i < rows_; ++i) {
    for (int j = 0; j < layer.width; j += kLanes<Scalar>) {
      Store(Load(bias + j) + Load(delta.at(i, j)), bias + j);
    }
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::BackwardLast() {
  Layer& layer = layers_.back();
  Layer& below = layers_[layers_.size() - 2];
  const Rows<Scalar> delta = View(layer.delta);
  const Rows<Scalar> gradient{gradient_.data() + layer.offset, layer.stride};
  // Transposed: vectors hold inputs instead of mostly padding.
  MultiplyTiles(layer.width, layer.rows, rows_, delta.left().transpose(),
                View(below.output).right(), kZero(Vector<Scalar>{}),
                [&](int j, int i, Vector<Scalar> sum) {
                  const int count = std::min(kLanes<Scalar>, layer.rows - i);
                  for (int l = 0; l < count; ++l) *gradient.at(i + l, j) = sum[l];
                });
  MultiplyTiles(rows_, below.width, layer.width, delta.left(), Transpose(layer).right(),
                kZero(Vector<Scalar>{}), StoreWhereActive(View(below.output), View(below.delta)));
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SumDeltas() {
  const int candidates = samples_.candidates();
  const int width = WholeVectors<Scalar>(layers_.front().width);
  const Rows<Scalar> delta = View(layers_.front().delta);
  const Rows<Scalar> by_query = View(query_delta_);
  const Rows<Scalar> by_candidate = View(candidate_delta_);
  candidate_delta_.setZero();
  for (int i = 0; i < queries_; ++i) {
    for (int j = 0; j < width; j += kLanes<Scalar>) {
      Vector<Scalar> sum{};
      for (int c = 0; c < candidates; ++c) {
        const Vector<Scalar> row = Load(delta.at(i * candidates + c, j));
        sum += row;
        Store(Load(by_candidate.at(c, j)) + row, by_candidate.at(c, j));
      }
      Store(sum, by_query.at(i, j));
    }
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::BackwardFirst() {
  Layer& layer = layers_.front();
  const int d = static_cast<int>(samples_.features.cols());
  const int p = static_cast<int>(samples_.row_features.cols());
  const int candidates = samples_.candidates();
  SumDeltas();
  SetFirstGradient(0, d, queries_, View(features_), View(query_delta_));
  SetFirstGradient(d, p, rows_, View(row_features_), View(layer.delta));
  SetFirstGradient(d + p, candidates + 1, candidates, View(codes_), View(candidate_delta_));
}

template class SharedTrunkTrainer<float>;
template class SharedTrunkTrainer<double>;

}  // namespace gonogo::nn::internal
