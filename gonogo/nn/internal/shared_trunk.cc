// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/internal/shared_trunk.h"

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

template <typename Scalar>
int WholeVectors(int columns) {
  return (columns + kLanes<Scalar> - 1) / kLanes<Scalar> * kLanes<Scalar>;
}

/// Rows of a batch that a gradient takes at a time: a line of each from both operands, 18 kB, is
/// then still in the level-one cache when the next tile asks for it.
constexpr int kDepthBlock = 144;

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
    layers_.push_back({{inputs + 1, shape.sizes[l + 1]}, size, {}, {}});
    size += layers_.back().weights.size();
  }
  parameters_.resize(size);
  gradient_.resize(size);
  optimiser_ = AdamW<Scalar>(optimiser, size);
  ForEachParameter(shape, [&](std::size_t plain, std::ptrdiff_t packed) {
    parameters_[packed] = initial.parameters()[plain];
  });
  codes_ = Padded<Scalar>(candidates, candidates + 1);
  codes_.leftCols(candidates) = samples.codes;
  codes_.col(candidates).setOnes();
  code_offsets_ = Padded<Scalar>(candidates, layers_.front().width());
  candidate_delta_ = Padded<Scalar>(candidates, layers_.front().width());
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
      for (int j = 0; j < layer.width(); ++j) {
        visit(plain++, layer.offset + layer.weights.index(row, j));
      }
    }
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Reserve(int queries) {
  queries_ = queries;
  rows_ = queries * samples_.candidates();
  if (features_.rows() >= queries) return;
  const int width = layers_.front().width();
  features_ = Padded<Scalar>(queries, static_cast<int>(samples_.features.cols()));
  row_features_ = Padded<Scalar>(rows_, static_cast<int>(samples_.row_features.cols()));
  trunk_ = Padded<Scalar>(queries, width);
  query_delta_ = Padded<Scalar>(queries, width);
  for (Layer& layer : layers_) {
    const int one = WholeVectors<Scalar>(layer.width());
    layer.output = Padded<Scalar>(rows_, one + 1);
    layer.output.col(one).setOnes();
    layer.delta = Padded<Scalar>(rows_, layer.width());
  }
  column_.resize(rows_);
  target_column_.resize(rows_);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Step(std::span<const int> queries) {
  Reserve(static_cast<int>(queries.size()));
  Gather(queries);
  ForwardFirst();
  for (std::size_t layer = 1; layer < layers_.size(); ++layer) Forward(layer);
  SetOutputDelta(queries);
  for (std::size_t layer = layers_.size() - 1; layer > 0; --layer) Backward(layer);
  BackwardFirst();
  optimiser_.Step(parameters_, gradient_);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Gather(std::span<const int> queries) {
  const std::ptrdiff_t d = samples_.features.cols();
  const std::ptrdiff_t p = samples_.row_features.cols();
  const int candidates = samples_.candidates();
  for (int i = 0; i < queries_; ++i) {
    std::copy_n(samples_.features.data() + queries[i] * d, d, View(features_).at(i, 0));
    for (int c = 0; p > 0 && c < candidates; ++c) {
      std::copy_n(samples_.row_features.data() + (queries[i] * candidates + c) * p, p,
                  View(row_features_).at(i * candidates + c, 0));
    }
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::ForwardFirst() {
  Layer& layer = layers_.front();
  const int width = layer.width();
  const int d = static_cast<int>(samples_.features.cols());
  const int p = static_cast<int>(samples_.row_features.cols());
  const int candidates = samples_.candidates();
  const auto multiply = [&](int rows, int depth, Strided<Scalar> a, int first_row,
                            Rows<Scalar> out) {
    MultiplyTiles(rows, width, depth, a, Weights(layer, first_row), kZero(Vector<Scalar>{}),
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
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Forward(std::size_t index) {
  Layer& layer = layers_[index];
  const Rows<Scalar> out = View(layer.output);
  const Strided<Scalar> in = View(layers_[index - 1].output).left();
  const auto multiply = [&](auto&& store) {
    MultiplyTiles(rows_, layer.width(), layer.weights.rows, in, Weights(layer),
                  kZero(Vector<Scalar>{}), store);
  };
  if (index + 1 < layers_.size()) {
    multiply([out](int i, int j, Vector<Scalar> sum) {
      Store(WhereActive<Scalar>(sum, sum), out.at(i, j));
    });
  } else {
    multiply([out](int i, int j, Vector<Scalar> sum) { Store(sum, out.at(i, j)); });
  }
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
  for (int j = 0; j < layer.width(); ++j) {
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
Panels<Scalar> SharedTrunkTrainer<Scalar>::Transpose(const Layer& layer) {
  constexpr int kColumns = kTileColumns<Scalar>;
  const int units = WholeVectors<Scalar>(layer.width());
  const PackedShape<Scalar> shape{units, layer.bias_row()};
  transposed_.resize(std::max<std::size_t>(transposed_.size(), shape.size()));
  const Scalar* const weights = parameters_.data() + layer.offset;
  for (int j = 0; j < units; j += kLanes<Scalar>) {
    for (int i = 0; i < layer.bias_row(); i += kLanes<Scalar>) {
      TransposeSquare(weights + layer.weights.index(i, j), kColumns,
                      transposed_.data() + shape.index(j, i), kColumns);
    }
  }
  return shape.view(transposed_.data());
}

/// The gradient of the weights of `rows` inputs from `first_row` on: `in` transposed times `delta`,
/// both of `depth` rows.
template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SetGradient(const Layer& layer, int first_row, int rows, int depth,
                                             Rows<Scalar> in, Rows<Scalar> delta) {
  const PackedShape<Scalar> shape = layer.weights;
  Scalar* const gradient = gradient_.data() + layer.offset + shape.index(first_row, 0);
  if (layer.width() <= kTileRows) {  // transposed: vectors hold inputs instead of mostly padding
    MultiplyTiles(layer.width(), rows, depth, delta.left().transpose(), in.right(),
                  kZero(Vector<Scalar>{}), [&](int j, int i, Vector<Scalar> sum) {
                    const int count = std::min(kLanes<Scalar>, rows - i);
                    for (int l = 0; l < count; ++l) gradient[shape.index(i + l, j)] = sum[l];
                  });
    return;
  }
  const auto add = [&](int first, int count, auto&& init) {
    MultiplyTiles(rows, layer.width(), count, in.from(first).left().transpose(),
                  delta.from(first).right(), init,
                  [gradient, shape](int i, int j, Vector<Scalar> sum) {
                    Store(sum, gradient + shape.index(i, j));
                  });
  };
  const int blocks = (depth + kDepthBlock - 1) / kDepthBlock;
  int first = depth / blocks;
  add(0, first, kZero(Vector<Scalar>{}));
  for (int left = blocks - 1; left > 0; --left) {
    const int count = (depth - first) / left;
    add(first, count,
        [gradient, shape](int i, int j) { return Load(gradient + shape.index(i, j)); });
    first += count;
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Backward(std::size_t index) {
  Layer& layer = layers_[index];
  Layer& below = layers_[index - 1];
  const Rows<Scalar> in = View(below.output);
  const Rows<Scalar> delta = View(layer.delta);
  const Rows<Scalar> below_delta = View(below.delta);
  SetGradient(layer, 0, layer.weights.rows, rows_, in, delta);
  MultiplyTiles(rows_, below.width(), layer.width(), delta.left(), Transpose(layer),
                kZero(Vector<Scalar>{}), [in, below_delta](int i, int j, Vector<Scalar> sum) {
                  Store(WhereActive<Scalar>(Load(in.at(i, j)), sum), below_delta.at(i, j));
                });
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SumDeltas() {
  const int candidates = samples_.candidates();
  const int width = WholeVectors<Scalar>(layers_.front().width());
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
  SetGradient(layer, 0, d, queries_, View(features_), View(query_delta_));
  SetGradient(layer, d, p, rows_, View(row_features_), View(layer.delta));
  SetGradient(layer, d + p, candidates + 1, candidates, View(codes_), View(candidate_delta_));
}

template class SharedTrunkTrainer<float>;
template class SharedTrunkTrainer<double>;

}  // namespace gonogo::nn::internal
