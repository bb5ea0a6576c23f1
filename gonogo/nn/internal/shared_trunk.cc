// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/internal/shared_trunk.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn::internal {
namespace {

/// Zeros with padded rows; the padding is never anything but zero.
template <typename Scalar>
Batch<Scalar> Padded(Eigen::Index rows, int columns) {
  return Batch<Scalar>::Zero(rows, RowStride<Scalar>(columns));
}

template <typename Scalar>
Strided<Scalar> View(const Batch<Scalar>& matrix) {
  return {matrix.data(), matrix.cols(), 1};
}

template <typename Scalar>
GONOGO_INLINE const Scalar* At(const Batch<Scalar>& matrix, int row, int column) {
  return matrix.data() + row * matrix.cols() + column;
}
template <typename Scalar>
GONOGO_INLINE Scalar* At(Batch<Scalar>& matrix, int row, int column) {
  return matrix.data() + row * matrix.cols() + column;
}

/// `value` where the unit is active, else zero.
template <typename Scalar>
GONOGO_INLINE Vector<Scalar> WhereActive(Vector<Scalar> activation, Vector<Scalar> value) {
  return activation > Vector<Scalar>{} ? value : Vector<Scalar>{};
}

template <typename Scalar>
void AddTo(Scalar* to, const Scalar* from, int columns) {
  for (int j = 0; j < columns; ++j) to[j] += from[j];
}

}  // namespace

template <typename Scalar>
SharedTrunkTrainer<Scalar>::SharedTrunkTrainer(const GroupedSamples<Scalar>& samples,
                                               std::span<const Loss> losses,
                                               const AdamWConfig& optimiser,
                                               const Mlp<Scalar>& initial)
    : samples_(samples),
      losses_(losses.begin(), losses.end()),
      optimiser_(optimiser, 0),
      code_offsets_(Padded<Scalar>(samples.candidates(), initial.shape().sizes[1])),
      candidate_delta_(Padded<Scalar>(samples.candidates(), initial.shape().sizes[1])) {
  const MlpShape& shape = initial.shape();
  GONOGO_CHECK(shape.hidden == Activation::kRelu && shape.output == Activation::kIdentity);
  GONOGO_CHECK(shape.layers() >= 2 && shape.inputs() == samples.inputs());
  GONOGO_CHECK(shape.outputs() == std::ssize(losses_));
  for (int l = 0; l < shape.layers(); ++l) {
    Layer layer{{shape.sizes[l] + 1, shape.sizes[l + 1]}, std::ssize(parameters_), {}, {}};
    parameters_.resize(layer.offset + layer.weights.size());
    Scalar* const to = parameters_.data() + layer.offset;
    for (int j = 0; j < layer.width(); ++j) {
      for (int i = 0; i < layer.inputs(); ++i) {
        to[layer.weights.index(i, j)] = initial.weight(l)(i, j);
      }
      to[layer.weights.index(layer.inputs(), j)] = initial.bias(l)(j);
    }
    layers_.push_back(std::move(layer));
  }
  gradient_.resize(parameters_.size());
  optimiser_ = AdamW<Scalar>(optimiser, parameters_.size());
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Export(Mlp<Scalar>& network) const {
  for (int l = 0; l < network.shape().layers(); ++l) {
    const Layer& layer = layers_[l];
    const Scalar* const from = parameters_.data() + layer.offset;
    for (int j = 0; j < layer.width(); ++j) {
      for (int i = 0; i < layer.inputs(); ++i) {
        network.weight(l)(i, j) = from[layer.weights.index(i, j)];
      }
      network.bias(l)(j) = from[layer.weights.index(layer.inputs(), j)];
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
  row_features_.resize(rows_, samples_.row_features.cols());
  trunk_ = Padded<Scalar>(queries, width);
  query_delta_ = Padded<Scalar>(queries, width);
  for (Layer& layer : layers_) {
    layer.output = Padded<Scalar>(rows_, layer.width());
    layer.delta = Padded<Scalar>(rows_, layer.width());
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Step(std::span<const int> queries) {
  Reserve(static_cast<int>(queries.size()));
  ForwardFirst(queries);
  for (std::size_t layer = 1; layer < layers_.size(); ++layer) Forward(layer);
  SetOutputDelta(queries);
  for (std::size_t layer = layers_.size() - 1; layer > 0; --layer) Backward(layer);
  BackwardFirst();
  optimiser_.Step(parameters_, gradient_);
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::ForwardFirst(std::span<const int> queries) {
  Layer& layer = layers_.front();
  const int d = static_cast<int>(samples_.features.cols());
  const int candidates = samples_.candidates();
  const int p = static_cast<int>(samples_.row_features.cols());
  for (int i = 0; i < queries_; ++i) {
    std::copy_n(At(samples_.features, queries[i], 0), d, At(features_, i, 0));
    std::copy_n(At(samples_.row_features, queries[i] * candidates, 0), candidates * p,
                At(row_features_, i * candidates, 0));
  }
  MultiplyTiles(
      queries_, layer.width(), d, View(features_), Weights(layer),
      [](int, int) { return Vector<Scalar>{}; },
      [&](int i, int j, Vector<Scalar> sum) { Store(sum, At(trunk_, i, j)); });
  MultiplyTiles(
      candidates, layer.width(), candidates, View(samples_.codes), Weights(layer, d),
      [&](int, int j) { return Load(Bias(layer, j)); },
      [&](int c, int j, Vector<Scalar> sum) { Store(sum, At(code_offsets_, c, j)); });
  for (int i = 0; i < queries_; ++i) {
    const int row = i * candidates;
    MultiplyTiles(
        candidates, layer.width(), p, Strided<Scalar>{At(row_features_, row, 0), p, 1},
        Weights(layer, d + candidates),
        [&](int c, int j) { return Load(At(trunk_, i, j)) + Load(At(code_offsets_, c, j)); },
        [&](int c, int j, Vector<Scalar> sum) {
          Store(WhereActive<Scalar>(sum, sum), At(layer.output, row + c, j));
        });
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Forward(std::size_t index) {
  Layer& layer = layers_[index];
  const bool hidden = index + 1 < layers_.size();
  MultiplyTiles(
      rows_, layer.width(), layer.inputs(), View(layers_[index - 1].output), Weights(layer),
      [&](int, int j) { return Load(Bias(layer, j)); },
      [&](int i, int j, Vector<Scalar> sum) {
        Store(hidden ? WhereActive<Scalar>(sum, sum) : sum, At(layer.output, i, j));
      });
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::SetOutputDelta(std::span<const int> queries) {
  Layer& layer = layers_.back();
  const int candidates = samples_.candidates();
  const Scalar share = Scalar(1) / static_cast<Scalar>(rows_);
  for (int i = 0; i < queries_; ++i) {
    for (int c = 0; c < candidates; ++c) {
      const int row = i * candidates + c;
      const Scalar* const target = At(samples_.targets, queries[i] * candidates + c, 0);
      for (int j = 0; j < layer.width(); ++j) {
        *At(layer.delta, row, j) =
            share * LossSlope(losses_[j], *At(layer.output, row, j), target[j]);
      }
    }
  }
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::Backward(std::size_t index) {
  Layer& layer = layers_[index];
  Layer& below = layers_[index - 1];
  Scalar* const gradient = gradient_.data() + layer.offset;
  MultiplyTiles(
      layer.inputs(), layer.width(), rows_, View(below.output).transpose(),
      Panels<Scalar>::RowMajor(layer.delta.data(), layer.delta.cols()),
      [](int, int) { return Vector<Scalar>{}; },
      [&](int i, int j, Vector<Scalar> sum) { Store(sum, gradient + layer.weights.index(i, j)); });
  for (int j = 0; j < layer.width(); j += kLanes<Scalar>) {
    Vector<Scalar> sum{};
    for (int i = 0; i < rows_; ++i) sum += Load(At(layer.delta, i, j));
    Store(sum, gradient + layer.weights.index(layer.inputs(), j));
  }
  const PackedShape<Scalar> shape{layer.width(), layer.inputs()};
  transposed_.resize(shape.size());
  for (int i = 0; i < layer.inputs(); ++i) {
    for (int j = 0; j < layer.width(); ++j) {
      transposed_[shape.index(j, i)] = parameters_[layer.offset + layer.weights.index(i, j)];
    }
  }
  MultiplyTiles(
      rows_, layer.inputs(), layer.width(), View(layer.delta), shape.view(transposed_.data()),
      [](int, int) { return Vector<Scalar>{}; },
      [&](int i, int j, Vector<Scalar> sum) {
        Store(WhereActive<Scalar>(Load(At(below.output, i, j)), sum), At(below.delta, i, j));
      });
}

template <typename Scalar>
void SharedTrunkTrainer<Scalar>::BackwardFirst() {
  Layer& layer = layers_.front();
  const int d = static_cast<int>(samples_.features.cols());
  const int candidates = samples_.candidates();
  const int p = static_cast<int>(samples_.row_features.cols());
  Scalar* const gradient = gradient_.data() + layer.offset;
  query_delta_.setZero();
  candidate_delta_.setZero();
  for (int i = 0; i < queries_; ++i) {
    for (int c = 0; c < candidates; ++c) {
      const Scalar* const delta = At(layer.delta, i * candidates + c, 0);
      AddTo(At(query_delta_, i, 0), delta, layer.width());
      AddTo(At(candidate_delta_, c, 0), delta, layer.width());
    }
  }
  const auto zero = [](int, int) { return Vector<Scalar>{}; };
  const auto to_gradient = [&](int first_row) {
    return [&layer, gradient, first_row](int i, int j, Vector<Scalar> sum) {
      Store(sum, gradient + layer.weights.index(first_row + i, j));
    };
  };
  MultiplyTiles(d, layer.width(), queries_, View(features_).transpose(),
                Panels<Scalar>::RowMajor(query_delta_.data(), query_delta_.cols()), zero,
                to_gradient(0));
  MultiplyTiles(candidates, layer.width(), candidates, View(samples_.codes).transpose(),
                Panels<Scalar>::RowMajor(candidate_delta_.data(), candidate_delta_.cols()), zero,
                to_gradient(d));
  MultiplyTiles(p, layer.width(), rows_, View(row_features_).transpose(),
                Panels<Scalar>::RowMajor(layer.delta.data(), layer.delta.cols()), zero,
                to_gradient(d + candidates));
  for (int j = 0; j < layer.width(); j += kLanes<Scalar>) {
    Vector<Scalar> sum{};
    for (int c = 0; c < candidates; ++c) sum += Load(At(candidate_delta_, c, j));
    Store(sum, gradient + layer.weights.index(layer.inputs(), j));
  }
}

template class SharedTrunkTrainer<float>;
template class SharedTrunkTrainer<double>;

}  // namespace gonogo::nn::internal
